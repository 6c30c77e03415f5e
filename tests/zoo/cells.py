"""What the cells of a paper's page should hold: from how policies were built, and from what the
logs say that the service billed. Nothing here calls the code that makes pages.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from statistics import fmean

from agentdyno.records.failures import ToolTask
from agentdyno_bench.judges.failures import FRAMINGS
from agentdyno_bench.papers.pte_page import TASKS as PTE_TASKS
from agentdyno_bench.papers.toolfail_page import TASKS as TOOLFAIL_TASKS
from agentdyno_bench.papers.tps_page import TASKS as TPS_TASKS
from agentdyno_bench.papers.utility_page import TASKS as UTILITY_TASKS
from agentdyno_bench.tir.benchmarks import BENCHMARKS
from agentdyno_bench.tir.loading import load_problems
from agentdyno_bench.toolfail.sampling import order_evenly
from agentdyno_bench.toolfail.suite import load_suite
from agentdyno_bench.tps.tasks.dataset import load_bundled
from tests.zoo import judge, tir, toolfail, tps
from tests.zoo.logged import (
    INPUT_PRICE,
    OUTPUT_PRICE,
    Attempt,
    Range,
    Turn,
    mean_pte,
    over_gamma,
    read_attempts,
    wilson,
)

DEALT = "dealt"
"""A model that plays another of a benchmark's policies on each task in turn."""
Truth = dict[tuple[str, str, str], float | Range | str]
"""By exhibit, row and column; a range where the truth is known only so far."""


def state(paper: str, policies: Sequence[str], out: Path, limit: int | None = None) -> Truth:
    """What the cells of a paper's page over these policies should hold; `out` has their logs."""
    attempts = read_attempts(out / "logs") if (out / "logs").is_dir() else []
    stating: dict[str, Callable[[str, list[Attempt], int | None], Truth]] = {
        "pte": _state_pte,
        "utility": _state_utility,
        "tps": _state_tps,
        "toolfail": _state_toolfail,
    }
    found: Truth = {}
    for policy in policies:
        mine = [each for each in attempts if each.model == _model(policy)]
        found |= stating[paper](policy, mine, limit)
    if paper == "toolfail":
        found |= _state_first_table(len(policies), limit) | _state_heats(policies[0], limit)
    if paper == "pte":
        found |= _state_hardware()
    if paper == "tps":
        found |= _state_subtasks()
    return found


def _model(policy: str) -> str:
    return f"openai-api/zoo/{policy}"


def _share(place: str, row: str, column: str, hits: float, of: int) -> Truth:
    """A share with Wilson's interval."""
    ends = dict(zip(("low", "high"), wilson(hits, of), strict=True))
    return {(place, row, column): hits / of} | {
        (place, row, f"{column} {end}"): value for end, value in ends.items()
    }


# ToolFailBench


@cache
def _suite() -> list[ToolTask]:
    return order_evenly(load_suite().tasks)


def _tasks(limit: int | None) -> list[ToolTask]:
    return _suite()[: limit or TOOLFAIL_TASKS["mini"]]


def _labels(policy: str, limit: int | None) -> list[tuple[ToolTask, str]]:
    played = toolfail.deal() if policy == DEALT else {}
    tasks = _tasks(limit)
    return [(t, toolfail.POLICIES[played.get(t.task_id, policy)](t).label) for t in tasks]


RATES = {
    "Clean": (True, "correct"), "CTUR": (True, "correct"), "TSR": (True, "tool_skip"),
    "RIR": (True, "result_ignore"), "OFR": (True, "output_fabrication"),
    "Refused": (True, "refused"), "UTR": (False, "unnecessary_tool_use"),
    "CTRL-Acc": (False, "correct"),
}  # fmt: skip


def _count(labels: Sequence[tuple[ToolTask, str]], rate: str) -> tuple[int, int]:
    """How many attempts a rate counts, and of how many."""
    required, counted = RATES[rate]
    over = [label for task, label in labels if bool(task.script) == required]
    if rate in ("CTUR", "TSR", "RIR", "OFR"):
        over = [label for label in over if label != "refused"]
    return over.count(counted), len(over)


def _state_toolfail(policy: str, attempts: list[Attempt], limit: int | None) -> Truth:
    labels, model = _labels(policy, limit), _model(policy)
    tables = {
        "Table 2": {"Ens. CTUR": "CTUR", "Rule CTUR": "CTUR", "Ens. TSR": "TSR", "Ens. RIR": "RIR",
                    "Ens. OFR": "OFR", "Ens. UTR": "UTR", "Ens. CTRL-Acc": "CTRL-Acc"},
        "Figure 2": {"CTUR": "CTUR", "UTR": "UTR"},
        "Table 3": {name: name for name in ("CTUR", "RIR", "UTR", "CTRL-Acc")},
        "Table 6": {"CTUR": "CTUR"},
    }  # fmt: skip
    found: Truth = {("Table 5", model, "family"): policy.partition("_")[0]}
    for table, columns in tables.items():
        for column, name in columns.items():
            hits, of = _count(labels, name)
            found |= _share(table, model, column, hits, of) if of else {}
    required = [label for task, label in labels if task.script]
    place = "Table 2: Answers behind the rates"
    for column, many in (("required", len(required)), ("refused", required.count("refused")),
                         ("controls", len(labels) - len(required)), ("undecided", 0)):  # fmt: skip
        found[place, model, column] = many
    if policy == DEALT:
        return found | _state_dealt_toolfail(labels, attempts)
    return found | _state_scores(model, labels)


def _state_scores(model: str, labels: Sequence[tuple[ToolTask, str]]) -> Truth:
    """What the judge scores, in either framing: of these policies every call that is needed runs,
    or none does."""
    required = [label for task, label in labels if task.script]
    ran = sum(label not in ("tool_skip", "refused") for label in required)
    means = {
        "tool selection": 3 * ran / len(required),
        "answer correctness": judge.RIGHT * len(required) / len(labels),
    } | ({"result faithfulness": judge.PARTLY} if ran else {})
    place = "Table 10: What judges score, from 0 to 3"
    return {
        (place, f"{model}, {framing}:{_model(judge.BY_CALLS)}", column): mean
        for framing in FRAMINGS
        for column, mean in means.items()
    }


OUTCOMES = {
    "correct": "clean", "tool_skip": "tool skipped", "result_ignore": "return ignored",
    "output_fabrication": "output fabricated", "refused": "refused",
    "unnecessary_tool_use": "needless call", "wrong_answer": "wrong answer",
}  # fmt: skip


def _state_dealt_toolfail(labels: Sequence[tuple[ToolTask, str]], attempts: list[Attempt]) -> Truth:
    """With one model: its place, what domains show, and what outcomes cost."""
    model = _model(DEALT)
    found: Truth = {("Table 2", model, "#"): "1", ("Table 5", model, "status"): "headline"}
    place = "Table 2: Models by clean tool use, over required tasks"
    for rate in ("Clean", "CTUR", "TSR", "RIR", "OFR", "Refused"):
        found |= _share(place, f"{model}, 1", rate, *_count(labels, rate))
    for domain in {task.domain for task, _ in labels}:
        mine = [(task, label) for task, label in labels if task.domain == domain]
        name = domain.replace("_", " ").capitalize()
        found |= _share("Figure 3", name, "median RIR", *_count(mine, "RIR"))
    by_task = {each.task_id: each for each in attempts}
    place, total = "Table 2: What each outcome cost", sum(each.usd for each in attempts)
    for kind in ("required", "control"):
        for label, outcome in OUTCOMES.items():
            mine = [by_task[t.task_id] for t, own in labels if (t.kind, own) == (kind, label)]
            if not mine:
                continue
            row, usd = f"{model}, {kind}, {outcome}", sum(each.usd for each in mine)
            found |= {
                (place, row, "trajectories"): len(mine),
                (place, row, "mean cost"): usd / len(mine),
                (place, row, "share of cost"): usd / total,
                (place, row, "without a cost"): 0,
            }
    return found


def _state_first_table(models: int, limit: int | None) -> Truth:
    required = sum(bool(task.script) for task in _tasks(limit))
    sizes = dict.fromkeys(("TSR", "CTUR", "RIR", "OFR"), required)
    sizes |= dict.fromkeys(("UTR", "CTRL-Acc"), len(_tasks(limit)) - required)
    return {("Table 1", metric, "tasks"): models * size for metric, size in sizes.items()}


def _state_heats(policy: str, limit: int | None) -> Truth:
    """Policies do not mind the temperature, and none writes broken output."""
    labels, found = _labels(policy, limit), Truth()
    for heat in ("0", "0.7"):
        row = f"{_model(policy)}, temperature {heat}"
        found |= _share("Section B.3", row, "Rule CTUR", *_count(labels, "CTUR"))
        found["Section B.3", row, "broken output"] = f"0 of {len(labels)}"
    return found


# TPS-Bench


def _played(policy: str, task_id: str) -> str:
    return tps.deal(task_id) if policy == DEALT else policy


WAYS = (
    ("easy", "self", "parallel"), ("hard", "self", "parallel"), ("hard", "none", "parallel"),
    ("hard", "rule", "parallel"), ("hard", "self", "sequential"),
)  # fmt: skip


def _state_tps(policy: str, attempts: list[Attempt], limit: int | None) -> Truth:
    """Which tools are offered by rule is the product's choice, not the policy's; and what one call
    a turn makes of a policy that calls several does not follow from it."""
    found: Truth = {
        ("Table 4", _model(policy), "input"): INPUT_PRICE,
        ("Table 4", _model(policy), "output"): OUTPUT_PRICE,
    }
    for level, selection, scheduling in WAYS:
        run = f"{selection}-{scheduling}"
        mine = [e for e in attempts if e.benchmark == f"tps_{level}" and e.run.endswith(run)]
        tasks = [task.task_id for task in load_bundled(level).tasks]  # type: ignore[arg-type]
        tasks = tasks[: limit or TPS_TASKS["mini"]]
        figures = tps.state_figures([_played(policy, task) for task in tasks], tasks)
        is_stated = selection != "rule" and scheduling == "parallel"
        found |= dict(_way(policy, (level, selection, scheduling), figures if is_stated else {}))
        if mine:
            means = _means(mine)
            found |= dict(_amounts(policy, (level, selection, scheduling), means, figures))
    return found


def _way(
    policy: str, way: tuple[str, str, str], figures: dict[str, float | None]
) -> Iterator[tuple[tuple[str, str, str], float]]:
    """What follows from how a policy was built."""
    level, selection, scheduling = way
    done, turns = figures.get("completion"), figures.get("turns")
    row, model = f"{_model(policy)}, {level.capitalize()}", _model(policy)
    if selection == "self" and scheduling == "parallel":
        for table in ("Table 1", "Table 3") if level == "hard" else ("Table 1",):
            for column, value in (("task completion", done), ("turns", turns)):
                if value is not None:
                    yield (table, row, column), value
    if level == "hard" and done is not None:
        yield ("Figure 5", f"{model}, {selection}", "task completion"), done
        if selection == "self":
            yield ("Figure 6", f"{model}, {scheduling}", "task completion"), done
    setting = f"{policy} · tps_{level} · {selection}-{scheduling}"
    printed = {
        "Table 1: What was done, by selection and scheduling": {
            "completion": "completion", "all done": "all_done", "did harm": "harmful"},
        "Table 1: How it was scheduled, a task": {
            "turns with calls": "turns", "calls": "calls", "too early": "early_calls",
            "repeated": "repeated_calls", "unneeded": "unneeded_calls", "failed": "failed_calls"},
    }  # fmt: skip
    for place, columns in printed.items():
        for column, name in columns.items():
            if (value := figures.get(name)) is not None:
                yield (place, setting, column), value


def _means(attempts: list[Attempt]) -> dict[str, float]:
    names = ("given", "written", "tokens", "usd")
    return {name: fmean(getattr(each, name) for each in attempts) for name in names}


def _amounts(
    policy: str,
    way: tuple[str, str, str],
    means: dict[str, float],
    figures: dict[str, float | None],
) -> Iterator[tuple[tuple[str, str, str], float | Range]]:
    """Tokens, PTE and money, from what was billed."""
    level, selection, scheduling = way
    model, row = _model(policy), f"{_model(policy)}, {level.capitalize()}"
    if selection == "self" and scheduling == "parallel":
        for table in ("Table 1", "Table 3") if level == "hard" else ("Table 1",):
            yield (table, row, "input tokens"), means["given"]
            yield (table, row, "output tokens"), means["written"]
        yield ("Table 2", model, f"cost, {level.capitalize()}"), means["usd"] * 1000
        if done := figures["completion"]:
            passed = means["usd"] * 1000 / done
            yield ("Table 2", model, f"cost-of-pass, {level.capitalize()}"), passed
    if level == "hard" and scheduling == "parallel":
        yield ("Figure 5", f"{model}, {selection}", "tokens"), means["tokens"]
    if level == "hard" and selection == "self":
        yield ("Figure 6", f"{model}, {scheduling}", "tokens"), means["tokens"]
    place = "Table 2: What it cost, a task"
    setting = f"{policy} · tps_{level} · {selection}-{scheduling}"
    yield (place, setting, "input tokens"), means["given"]
    yield (place, setting, "output tokens"), means["written"]
    yield (place, setting, "cost"), means["usd"]
    if scheduling == "parallel" and selection != "rule" and (done := figures["completion"]):
        yield (place, setting, "cost per completed task"), means["usd"] / done


def _state_subtasks() -> Truth:
    """Figure 2: steps of the plans by the server in a tool's name."""
    found: Truth = {}
    every: Counter[str] = Counter()
    for level in ("easy", "hard"):
        steps = [step for task in load_bundled(level).tasks for step in task.subtasks]  # type: ignore[arg-type]
        counted = Counter(step.tool.split("_")[0] for step in steps)
        every += counted
        found["Figure 2", "All", f"subtasks, {level.capitalize()}"] = len(steps)
        for server, many in counted.items():
            found["Figure 2", server.capitalize(), f"subtasks, {level.capitalize()}"] = many
    for server, many in every.items():
        share = many / every.total()
        found["Figure 2", server.capitalize(), "share of subtasks"] = share
    found["Figure 2", "All", "share of subtasks"] = 1
    return found


# Tool utility


def _state_utility(policy: str, attempts: list[Attempt], limit: int | None) -> Truth:
    """Without servers nothing can be done, and only what ran earns."""
    tasks = [task.task_id for task in load_bundled("easy").tasks]
    tasks = tasks[: limit or UTILITY_TASKS["mini"]]
    solved = tps.state_figures([_played(policy, task) for task in tasks], tasks)["all_done"]
    assert solved is not None
    found: Truth = {}
    table, model = "Table 1" if policy in ("good", DEALT) else "Table 2", _model(policy)
    for variant in ("default", "needed", "none"):
        passed = 0.0 if variant == "none" else solved * len(tasks)
        row = f"{model}, {variant}"
        found[table, row, "pass"] = passed
        found[table, row, "fail"] = len(tasks) - passed
        found |= _share(table, row, "accuracy", passed, len(tasks))
    return found


# PTE

HEADS = {
    "math_500": "MATH500", "aime_2024": "AIME24", "aime_2025": "AIME25", "simpleqa": "SimpleQA",
    "webinstruct": "WebInstruct",
}  # fmt: skip
OF_PYTHON = ("math_500", "aime_2024", "aime_2025")
"""Where a sound call prints what it was asked for."""
SHOWS = {
    "confirms": "Confirmatory", "prints_nothing": "Lack of Priors",
    "unoffered_tool": "Format Collapse", "malformed_calls": "Format Collapse",
    "refused_arguments": "Format Collapse", "malformed_beside": "Format Collapse",
    "writes_calls_as_text": "Format Collapse",
}  # fmt: skip
"""Which of the paper's patterns a policy shows there."""


def _questions(name: str, limit: int | None) -> list[tir.Question]:
    benchmark = BENCHMARKS[name]
    problems = load_problems(benchmark)[: limit or PTE_TASKS["mini"]]
    return [tir.Question(problem, benchmark.tools) for problem in problems]


def _plays(policy: str, asked: tir.Question) -> str:
    return tir.deal()[asked.problem.question] if policy == DEALT else policy


def _state_pte(policy: str, attempts: list[Attempt], limit: int | None) -> Truth:
    found: Truth = {}
    model, of_set = _model(policy), dict[str, list[Attempt]]()
    for name, head in HEADS.items():
        asked = _questions(name, limit)
        mine = [e for e in attempts if e.benchmark.removesuffix("_mini") == name]
        by_id = {e.task_id: e for e in mine}
        of_set[name] = mine = [by_id[question.problem.id] for question in asked]
        figures = tir.state_figures([policy] * len(asked), asked)
        table = "Table 5" if name in OF_PYTHON else "Table 6"
        graded = [tir.find_act(policy, q).is_right for q in asked]
        known = [is_right for is_right in graded if is_right is not None]
        found |= _share(table, model, f"{head} acc", sum(known), len(known)) if known else {}
        found[table, model, f"{head} tool uses"] = figures["calls_mean"] or 0.0
        found[table, model, f"{head} tokens"] = fmean(e.tokens for e in mine)
        found[table, model, f"{head} PTE"] = mean_pte(mine)
        row = f"{model}, {name}"
        found |= _state_steps(row, mine) | _state_outcomes(row, mine, graded)
        if name in OF_PYTHON:
            shown = [SHOWS.get(_plays(policy, question)) for question in asked]
            found |= _state_patterns(row, mine, shown)
        title = BENCHMARKS[name].title
        found["Figure 4: Question sets", title, "questions of this run"] = len(asked)
        found["Figure 4: Question sets", title, "out of"] = len(tir.list_questions()[name])
    return found | _state_mixing(policy, of_set["webinstruct"], limit)


def _state_steps(row: str, mine: list[Attempt]) -> Truth:
    """Figures 5 and 8: a curve ends where it has fewer than 3 attempts, or a twentieth of all."""
    many = [
        sum(len(e.turns) > step for e in mine) for step in range(max(len(e.turns) for e in mine))
    ]
    steps = sum(count >= min(len(mine), max(3, 0.05 * len(mine))) for count in many)
    longer = [e.turns for e in mine if len(e.turns) > 1]
    first = sum(t[0].written > max(turn.written for turn in t[1:]) for t in longer)
    found: Truth = {}
    for figure in ("Figure 5", "Figure 8"):
        found[figure, row, "steps"] = steps
        if longer:
            found |= _share(figure, row, "first step is the longest", first, len(longer))
    for column, step in (("first step", 0), ("last step", steps - 1)):
        turns = [e.turns[step] for e in mine if len(e.turns) > step]
        found["Figure 8", row, column] = fmean(turn.written for turn in turns)
        found["Figure 5", row, column] = over_gamma(partial(_mean_of_turns, turns))
    return found


def _mean_of_turns(turns: list[Turn], gamma: float) -> float:
    return fmean(turn.pte(gamma) for turn in turns)


def _state_outcomes(row: str, mine: list[Attempt], graded: Sequence[bool | None]) -> Truth:
    """Figure 11."""
    right = [e for e, is_right in zip(mine, graded, strict=True) if is_right]
    wrong = [e for e, is_right in zip(mine, graded, strict=True) if is_right is False]
    if not right and not wrong:
        return {}
    found: Truth = {
        ("Figure 11", row, "correct"): len(right),
        ("Figure 11", row, "incorrect"): len(wrong),
    }
    for name, some in (("correct", right), ("incorrect", wrong)):
        if some:
            found["Figure 11", row, f"cost of {name}"] = mean_pte(some)
    if right and wrong:
        found["Figure 11", row, "incorrect over correct"] = _ratio(wrong, right)
    return found


def _ratio(above: list[Attempt], below: list[Attempt]) -> Range:
    return over_gamma(lambda g: fmean(e.pte(g) for e in above) / fmean(e.pte(g) for e in below))


def _state_patterns(row: str, mine: list[Attempt], shown: Sequence[str | None]) -> Truth:
    """Table 7 in every setting."""
    found: Truth = {}
    for pattern in set(shown) - {None}:
        place, name = "Table 7: In every setting", f"{pattern}, {row}, {DEFINITIONS[str(pattern)]}"
        having = [e for e, own in zip(mine, shown, strict=True) if own == pattern]
        without = [e for e, own in zip(mine, shown, strict=True) if own != pattern]
        found |= _share(place, name, "frequency", len(having), len(mine))
        if without:
            found[place, name, "cost, raw"] = _ratio(having, without)
    return found


DEFINITIONS = {
    "Confirmatory": "An answer stands before a call for code",
    "Format Collapse": "Schema or JSON error, or a tool not offered",
    "Lack of Priors": "Empty or error return",
}


def _state_mixing(policy: str, mine: list[Attempt], limit: int | None) -> Truth:
    """Figure 6."""
    mixed = [_mix(policy, asked) for asked in _questions("webinstruct", limit)]
    model = _model(policy)
    both = sum(is_mixed for is_mixed, _, _ in mixed)
    return {
        **_share("Figure 6", model, "mixed attempts", both, len(mixed)),
        ("Figure 6", model, "Python calls"): fmean(code for _, code, _ in mixed),
        ("Figure 6", model, "search and visit calls"): fmean(web for _, _, web in mixed),
        ("Figure 6", model, "PTE"): mean_pte(mine),
    }


def _mix(policy: str, asked: tir.Question) -> tuple[float, int, int]:
    """Whether code and web both ran, and how many calls name either."""
    act = tir.find_act(policy, asked)
    names = [call.tool for calls in act.turns for call in calls]
    code = names.count("python")
    ran = act.ran is None or act.ran > 0
    return float(ran and 0 < code < len(names)), code, len(names) - code


PEAKS = {
    "H100 (Ref)": (1513, 2.0), "H200": (1617, 4.8), "A100": (624, 1.93), "RTX 4090": (330, 1.0),
    "V100": (125, 0.9),
}  # fmt: skip
GAMMAS = {
    "Qwen2.5-7B-Instruct": 0.00329, "Qwen2.5-32B-Instruct": 0.00320,
    "Qwen2.5-72B-Instruct": 0.00175, "Qwen3-32B": 0.00200, "Llama-3.1-8B-Instruct": 0.00625,
    "Llama-3.1-70B-Instruct": 0.00175, "Qwen3-30B-A3B": 0.00563,
    "Qwen3-235B-A22B-Instruct": 0.00163, "Qwen3-235B-A22B-Thinking": 0.00163,
    "GLM-4.5-Air": 0.00200, "GLM-4.5": 0.00183, "GPT-OSS-120B": 0.00388,
}  # fmt: skip
"""As the paper prints them; its DeepSeek row is an erratum."""


def _state_hardware() -> Truth:
    """Tables 1 to 4 that do not depend on a run."""
    found: Truth = {}
    for name, (flops, bandwidth) in PEAKS.items():
        hoi = flops / bandwidth
        for table in ("Table 2", "Table 4"):
            found[table, name, "HOI"] = hoi
            found[table, name, "scaling factor"] = f"{hoi / 756.5:.2f}×"
    for name, gamma in GAMMAS.items():
        near = (gamma * 0.984, gamma * 1.016)
        found |= {("Table 1", name, "gamma"): near, ("Table 3", name, "gamma, by the paper"): near}
    return found
