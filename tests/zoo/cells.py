"""What the cells of a paper's page should hold: from how policies were built, and from what the
logs say that the service billed. Nothing here calls the code that makes pages.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from agentdyno_bench.judges.failures import FRAMINGS
from agentdyno_bench.papers.toolfail_page import TASKS as TOOLFAIL_TASKS
from agentdyno_bench.papers.tps_page import TASKS as TPS_TASKS
from agentdyno_bench.papers.utility_page import TASKS as UTILITY_TASKS
from agentdyno_bench.records.failures import ToolTask
from agentdyno_bench.toolfail.sampling import order_evenly
from agentdyno_bench.toolfail.suite import load_suite
from agentdyno_bench.tps.tasks.dataset import load_bundled
from agentdyno_bench.tps.world.directory import SERVERS, all_tools
from tests.zoo import judge, toolfail, tps
from tests.zoo.intervals import Triple, mean, paired_difference, paired_ratio, share_of_tasks
from tests.zoo.logged import INPUT_PRICE, OUTPUT_PRICE, Attempt, read_attempts
from tests.zoo.pte_cells import state_pte
from tests.zoo.truth import DEALT, Truth, estimate, model_name, share


def state(paper: str, policies: Sequence[str], out: Path, limit: int | None = None) -> Truth:
    """What the cells of a paper's page over these policies should hold; `out` has their logs."""
    attempts = read_attempts(out / "logs") if (out / "logs").is_dir() else []
    if paper == "pte":
        return state_pte(policies, attempts, limit)
    stating: dict[str, Callable[[str, list[Attempt], int | None], Truth]] = {
        "utility": _state_utility,
        "tps": _state_tps,
        "toolfail": _state_toolfail,
    }
    found: Truth = {}
    for policy in policies:
        mine = [each for each in attempts if each.model == model_name(policy)]
        found |= stating[paper](policy, mine, limit)
    if paper == "toolfail":
        found |= _state_suite(len(policies), limit) | _state_heats(policies[0], limit)
    return found | _state_subtasks() if paper == "tps" else found


# ToolFailBench


@cache
def _suite() -> list[ToolTask]:
    return order_evenly(load_suite().tasks)


def _tasks(limit: int | None) -> list[ToolTask]:
    return _suite()[: limit or TOOLFAIL_TASKS["mini"]]


def _labels(policy: str, limit: int | None) -> list[tuple[ToolTask, str]]:
    plays = zip(_tasks(limit), _play(policy, limit), strict=True)
    return [(task, toolfail.POLICIES[name](task).label) for task, name in plays]


def _play(policy: str, limit: int | None) -> list[str]:
    """The policy of each task."""
    dealt = toolfail.deal() if policy == DEALT else {}
    return [dealt.get(task.task_id, policy) for task in _tasks(limit)]


PROFILES = {
    "good": "disciplined", "ignores": "mixed", "lazy": "tool-skip", "refuses": "refusing",
    "needless_without_arguments": "always-call", "needless_malformed": "always-call",
    "wrong_on_controls": "disciplined", "mixes_tools": "disciplined",
    "malformed_calls": "tool-skip", DEALT: "mixed",
}  # fmt: skip


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
    labels, model = _labels(policy, limit), model_name(policy)
    tables = {
        "Table 2": {"Ens. CTUR": "CTUR", "Rule CTUR": "CTUR", "Ens. TSR": "TSR", "Ens. RIR": "RIR",
                    "Ens. OFR": "OFR", "Ens. UTR": "UTR", "Ens. CTRL-Acc": "CTRL-Acc"},
        "Figure 2": {"CTUR": "CTUR", "UTR": "UTR"},
        "Table 3": {name: name for name in ("CTUR", "RIR", "UTR", "CTRL-Acc")},
        "Table 6": {"CTUR": "CTUR"},
    }  # fmt: skip
    found: Truth = {("Table 5", model, "family"): policy.partition("_")[0]}
    found |= {("Figure 2", model, "profile"): PROFILES[policy]} if policy in PROFILES else {}
    plays = list(zip(_tasks(limit), _play(policy, limit), strict=True))
    written = [name for task, name in plays if task.script and name == "writes_calls_as_text"]
    for table, columns in tables.items():
        for column, name in columns.items():
            hits, of = _count(labels, name)
            found[table, model, column] = None
            found |= share(table, model, column, hits, of) if of else {}
    required = [label for task, label in labels if task.script]
    broken = _play(policy, limit).count("never_submits")
    place = "Table 2: Answers behind the rates"
    for column, many in (("required", len(required)), ("refused", required.count("refused")),
                         ("controls", len(labels) - len(required)), ("undecided", 0),
                         ("phantom calls", len(written)), ("broken output", broken)):  # fmt: skip
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
        (place, f"{model}, {framing}:{model_name(judge.BY_CALLS)}", column): mean
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
    model = model_name(DEALT)
    found: Truth = {("Table 2", model, "#"): "1", ("Table 5", model, "status"): "headline"}
    place = "Table 2: Models by clean tool use, over required tasks"
    found[place, f"{model}, 1", "rank"] = "1"
    for rate in ("Clean", "CTUR", "TSR", "RIR", "OFR", "Refused"):
        found |= share(place, f"{model}, 1", rate, *_count(labels, rate))
    for domain in {task.domain for task, _ in labels}:
        mine = [(task, label) for task, label in labels if task.domain == domain]
        found |= share("Figure 3", _title(domain), "median RIR", *_count(mine, "RIR"))
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
                (place, row, "calls"): sum(each.ran for each in mine),
                (place, row, "model"): model,
                (place, row, "tasks"): kind,
                (place, row, "outcome"): outcome,
            }
    return found


def _state_suite(models: int, limit: int | None) -> Truth:
    """Tables 1 and 9."""
    required = sum(bool(task.script) for task in _tasks(limit))
    sizes = {"Required": required, "Control": len(_tasks(limit)) - required}
    found: Truth = {}
    for metric in ("TSR", "CTUR", "RIR", "OFR", "UTR", "CTRL-Acc"):
        kind = "Required" if RATES[metric][0] else "Control"
        found["Table 1", metric, "set"] = kind
        found["Table 1", metric, "tasks"] = models * sizes[kind]
    for domain, tools in load_suite().tools.items():
        row = _title(domain)
        found["Table 9", row, "role"] = f"{len(tools)} tools"
        found["Table 9", row, "tools"] = ", ".join(tool.name for tool in tools)
    return found


def _title(domain: str) -> str:
    return domain.replace("_", " ").capitalize()


def _state_heats(policy: str, limit: int | None) -> Truth:
    """Policies do not mind the temperature."""
    labels, found = _labels(policy, limit), Truth()
    broken = _play(policy, limit).count("never_submits")
    for heat in ("0", "0.7"):
        row = f"{model_name(policy)}, temperature {heat}"
        found |= share("Section B.3", row, "Rule CTUR", *_count(labels, "CTUR"))
        found["Section B.3", row, "broken output"] = f"{broken} of {len(labels)}"
    return found


# TPS-Bench


def _played(policy: str, task_id: str) -> str:
    return tps.deal(task_id) if policy == DEALT else policy


WAYS = (
    ("easy", "self", "parallel"), ("hard", "self", "parallel"), ("hard", "none", "parallel"),
    ("hard", "rule", "parallel"), ("hard", "self", "sequential"),
)  # fmt: skip


def _state_tps(policy: str, attempts: list[Attempt], limit: int | None) -> Truth:
    """What follows from the logs, and over it what follows from how a policy was built. Which tools
    are offered by rule is the product's choice; and what one call a turn makes of a policy that
    calls several does not follow from it."""
    model = model_name(policy)
    found: Truth = {
        ("Table 4", model, "input"): INPUT_PRICE,
        ("Table 4", model, "output"): OUTPUT_PRICE,
    }
    ways: dict[str, list[Planned]] = {}
    for level, selection, scheduling in WAYS:
        run = f"{selection}-{scheduling}"
        mine = [e for e in attempts if e.benchmark == f"tps_{level}" and e.run.endswith(run)]
        tasks = sorted(t.task_id for t in load_bundled(level).tasks[: limit or TPS_TASKS["mini"]])  # type: ignore[arg-type]
        by_id = {each.task_id: each for each in mine}
        own = [_read_planned(by_id[task]) for task in tasks]
        if selection != "rule" and scheduling == "parallel":
            own = [_replace_known(policy, selection, each) for each in own]
        if level == "hard":
            ways[run] = own
        found |= _state_way(policy, (level, selection, scheduling), own)
    return found | _state_pairs(policy, ways)


class Planned(NamedTuple):
    """An attempt at a planning task by name of its figures."""

    attempt: Attempt
    figures: dict[str, float | None]


def _read_planned(attempt: Attempt) -> Planned:
    """From its log: what the task's scorer wrote down of each call, and of the task's graph."""
    marks = attempt.marks
    nodes = {node["node"]: node for node in marks["graph"]}
    calls = [call for call in marks["placed"] if call["ran"]]
    done: dict[str, int] = {}
    for call in calls:
        for node in call["did"]:
            done[node] = min(call["turn"], done.get(node, call["turn"]))
    by_turn: dict[int, list[float]] = {}
    for call in calls:
        by_turn.setdefault(call["turn"], []).append(call["seconds"])
    one_by_one = marks["scheduling"] == "sequential"
    busy = sum(map(sum, by_turn.values()))
    makespan = busy if one_by_one else sum(map(max, by_turn.values()))
    critical, fewest = _longest(nodes, "seconds"), _longest(nodes, None)
    chosen, serving = set(marks["selected"] or ()), set(marks["serving_tools"])
    met, model_time = len(marks["completed"]), sum(t.seconds or 0.0 for t in attempt.turns)
    figures: dict[str, float | None] = {
        "completion": met / marks["subtasks"], "ceiling": marks["ceiling"],
        "all_done": met == marks["subtasks"] and not marks["harms"],
        "harmful": bool(marks["harms"]),
        "turns": len(by_turn), "calls": len(calls),
        "early_calls": sum(
            any(done.get(n, call["turn"]) >= call["turn"] for n in nodes[call["node"]]["needs"])
            for call in calls if call["node"]
        ),
        "repeated_calls": sum(call["repeated"] for call in calls),
        "unneeded_calls": sum(not call["node"] for call in calls),
        "failed_calls": sum(call["failed"] for call in marks["placed"]),
        "turns_over_best": len(by_turn) / fewest if calls else None,
        "over_critical": makespan / critical if calls else None,
        "taken": busy / makespan if calls else None,
        "available": sum(node["seconds"] for node in nodes.values()) / critical,
        "precision": len(chosen & serving) / len(chosen) if chosen else None,
        "selection_recall": fmean(not chosen.isdisjoint(tools) for tools in marks["needed_tools"]),
        "model_seconds": model_time, "tool_seconds": makespan, "seconds": model_time + makespan,
        "wall_seconds": marks["wall_seconds"], "given": attempt.given, "written": attempt.written,
        "tokens": attempt.tokens, "usd": attempt.usd, "milli": attempt.usd * 1000,
    }  # fmt: skip
    return Planned(attempt, figures)


def _replace_known(policy: str, selection: str, planned: Planned) -> Planned:
    task = planned.attempt.task_id
    known = tps.state_figures([_played(policy, task)], [task])
    if selection != "self":
        known.pop("selection_recall", None)
    return planned._replace(figures=planned.figures | known)


def _longest(nodes: dict[str, dict[str, Any]], weight: str | None) -> float:
    """The heaviest path of a task's graph; the longest one without weights."""

    @cache
    def ends(name: str) -> float:
        own = nodes[name][weight] if weight else 1
        return float(own + max(map(ends, nodes[name]["needs"]), default=0))

    return max(map(ends, nodes))


def _state_way(policy: str, way: tuple[str, str, str], own: list[Planned]) -> Truth:
    level, selection, scheduling = way
    model, head = model_name(policy), level.capitalize()

    def of(name: str) -> list[float]:
        return [v for each in own if (v := each.figures[name]) is not None]

    def average(name: str) -> float | None:
        return fmean(of(name)) if of(name) else None

    means = {name: mean(of(name)) for name in own[0].figures} | {
        "completion": share_of_tasks(of("completion"))
    }
    found: Truth = {}
    if selection == "self" and scheduling == "parallel":
        columns = {"task completion": "completion", "input tokens": "given", "turns": "turns",
                   "output tokens": "written", "seconds": "seconds"}  # fmt: skip
        for table in ("Table 1", "Table 3") if level == "hard" else ("Table 1",):
            found |= _estimates(table, f"{model}, {head}", columns, means)
            found[table, f"{model}, {head}", "tool selection score"] = None
        found |= estimate("Table 2", model, f"cost, {head}", means["milli"])
        passed = paired_ratio(of("milli"), of("completion"))
        found |= estimate("Table 2", model, f"cost-of-pass, {head}", passed)
    columns = {"tokens": "tokens", "seconds": "seconds", "task completion": "completion"}
    if level == "hard" and scheduling == "parallel":
        found |= _estimates("Figure 5", f"{model}, {selection}", columns, means)
    if level == "hard" and selection == "self":
        found |= _estimates("Figure 6", f"{model}, {scheduling}", columns, means)
    setting = f"{policy} · tps_{level} · {selection}-{scheduling}"
    place = "Table 1: What was done, by selection and scheduling"
    found |= estimate(place, setting, "completion", means["completion"])
    found |= share(place, setting, "all done", sum(of("all_done")), len(own))
    found |= share(place, setting, "did harm", sum(of("harmful")), len(own))
    cells = {"tasks": len(own), "ceiling": average("ceiling"), "by judge": None,
             "tools that serve": average("precision"), "judge on selection": None,
             "subtasks served": average("selection_recall")}  # fmt: skip
    found |= {(place, setting, column): value for column, value in cells.items()}
    place = "Table 1: How it was scheduled, a task"
    columns = {"turns with calls": "turns", "over the fewest": "turns_over_best",
               "speed-up taken": "taken",
               "tool time over critical path": "over_critical"}  # fmt: skip
    found |= _estimates(place, setting, columns, means)
    plain = {place: {"available": "available", "calls": "calls", "too early": "early_calls",
                     "repeated": "repeated_calls", "unneeded": "unneeded_calls",
                     "failed": "failed_calls"},
             "Table 2: What it cost, a task": {
                 "input tokens": "given", "output tokens": "written", "cost": "usd",
                 "model time": "model_seconds", "tool time": "tool_seconds",
                 "wall time": "wall_seconds"}}  # fmt: skip
    for place, names in plain.items():
        found |= {(place, setting, column): average(name) for column, name in names.items()}
    done = average("completion")
    found[place, setting, "cost per completed task"] = fmean(of("usd")) / done if done else None
    return found


def _estimates(place: str, row: str, columns: dict[str, str], means: dict[str, Triple]) -> Truth:
    return {
        cell: value
        for column, name in columns.items()
        for cell, value in estimate(place, row, column, means[name]).items()
    }


def _state_pairs(policy: str, ways: dict[str, list[Planned]]) -> Truth:
    """One way against another on the hard tasks."""
    found: Truth = {}
    for other, base, row in PAIRS:

        def of(way: str, name: str) -> list[float]:
            return [each.figures[name] or 0.0 for each in ways[way]]

        columns = {
            "tokens, times": "tokens",
            "turns, times": "turns",
            "time, times": "seconds",
            "cost, times": "usd",
        }
        row = f"{row}, tps_hard), {policy}"
        for place in ("Figure 5: Other things equal", "Figure 6: Other things equal"):
            found[place, row, "tasks"] = len(ways[base])
            found |= estimate(
                place,
                row,
                "completion, difference",
                paired_difference(of(other, "completion"), of(base, "completion")),
            )
            for column, name in columns.items():
                found |= estimate(place, row, column, paired_ratio(of(other, name), of(base, name)))
    return found


PAIRS = (
    ("none-parallel", "self-parallel", "none against self (parallel"),
    ("rule-parallel", "self-parallel", "rule against self (parallel"),
    ("self-sequential", "self-parallel", "sequential against parallel (self"),
)


def _state_subtasks() -> Truth:
    """Figure 2: steps of the plans, and tools, by the server in a tool's name."""
    steps = {
        level: Counter(_server(s.tool) for t in load_bundled(level).tasks for s in t.subtasks)  # type: ignore[arg-type]
        for level in ("easy", "hard")
    }
    tools, every = Counter(map(_server, all_tools())), steps["easy"] + steps["hard"]
    found: Truth = {}
    for server in (*SERVERS, "all"):

        def of(counts: Counter[str], server: str = server) -> int:
            return counts.total() if server == "all" else counts[server]

        row = server.capitalize()
        found["Figure 2", row, "tools"] = of(tools)
        found["Figure 2", row, "share of subtasks"] = of(every) / every.total()
        for level, counts in steps.items():
            found["Figure 2", row, f"subtasks, {level.capitalize()}"] = of(counts)
    return found


def _server(tool: str) -> str:
    return tool.partition("_")[0]


# Tool utility


def _state_utility(policy: str, attempts: list[Attempt], limit: int | None) -> Truth:
    """Without servers nothing can be done, and only what ran earns."""
    tasks = [task.task_id for task in load_bundled("easy").tasks]
    tasks = tasks[: limit or UTILITY_TASKS["mini"]]
    solved = tps.state_figures([_played(policy, task) for task in tasks], tasks)["all_done"]
    assert solved is not None
    found: Truth = {}
    table, model = "Table 1" if policy in ("good", DEALT) else "Table 2", model_name(policy)
    for variant in ("default", "needed", "none"):
        passed = 0.0 if variant == "none" else solved * len(tasks)
        row = f"{model}, {variant}"
        found[table, row, "pass"] = passed
        found[table, row, "fail"] = len(tasks) - passed
        found |= share(table, row, "accuracy", passed, len(tasks))
    return found
