"""What the cells of a paper's page should hold: from how policies were built, and from what the
logs say that the service billed. Nothing here calls the code that makes pages.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Any

from agentdyno_bench.app.utility_experiment import TASKS as UTILITY_TASKS
from agentdyno_bench.toolfail.judge import FRAMINGS
from agentdyno_bench.toolfail.page import TASKS as TOOLFAIL_TASKS
from agentdyno_bench.toolfail.records import ToolTask
from agentdyno_bench.toolfail.tasks.sampling import order_evenly
from agentdyno_bench.toolfail.tasks.suite import load_suite
from agentdyno_bench.tps.page import TASKS as TPS_TASKS
from agentdyno_bench.tps.tasks.dataset import load_bundled
from agentdyno_bench.tps.world.directory import SERVERS, all_tools
from tests.zoo import judge, toolfail, tps
from tests.zoo.intervals import mean, paired_difference, paired_ratio, share_of_tasks
from tests.zoo.logged import INPUT_PRICE, OUTPUT_PRICE, Attempt, read_attempts
from tests.zoo.pte_cells import state_pte
from tests.zoo.truth import DEALT, Truth, model_name, row, share


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
    "Refused": (True, "refused"), "Malformed": (True, "malformed"),
    "UTR": (False, "unnecessary_tool_use"), "CTRL-Acc": (False, "correct"),
}  # fmt: skip


def _count(labels: Sequence[tuple[ToolTask, str]], rate: str) -> tuple[int, int]:
    """How many attempts a rate counts, and of how many."""
    required, counted = RATES[rate]
    over = [label for task, label in labels if bool(task.script) == required]
    if rate in ("CTUR", "TSR", "RIR", "OFR"):
        over = [label for label in over if label not in ("refused", "malformed")]
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
    found = row("Table 5", model, {"family": policy.partition("_")[0]})
    found |= row("Figure 2", model, {"profile": PROFILES[policy]}) if policy in PROFILES else {}
    for table, columns in tables.items():
        rates = {column: share(*_count(labels, name)) for column, name in columns.items()}
        found |= row(table, model, rates)
    played = _play(policy, limit)
    required = [(label, name) for (t, label), name in zip(labels, played, strict=True) if t.script]
    refused, written = (
        sum(word in both for both in required) for word in ("refused", "writes_calls_as_text")
    )
    found |= row("Table 2: Answers behind the rates", model, {
        "required": len(required), "refused": refused, "controls": len(labels) - len(required),
        "undecided": 0, "phantom calls": written, "broken output": played.count("never_submits"),
    })  # fmt: skip
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
    found: Truth = {}
    for framing in FRAMINGS:
        found |= row(place, f"{model}, {framing}:{model_name(judge.BY_CALLS)}", means)
    return found


OUTCOMES = {
    "correct": "clean", "tool_skip": "tool skipped", "result_ignore": "return ignored",
    "output_fabrication": "output fabricated", "refused": "refused",
    "unnecessary_tool_use": "needless call", "wrong_answer": "wrong answer",
}  # fmt: skip


def _state_dealt_toolfail(labels: Sequence[tuple[ToolTask, str]], attempts: list[Attempt]) -> Truth:
    """With one model: its place, what domains show, and what outcomes cost."""
    model = model_name(DEALT)
    found = row("Table 2", model, {"#": "1"}) | row("Table 5", model, {"status": "headline"})
    rates = {rate: share(*_count(labels, rate)) for rate in RATES if RATES[rate][0]}
    place = "Table 2: Models by clean tool use, over required tasks"
    found |= row(place, f"{model}, 1", rates | {"rank": "1"})
    for domain in {task.domain for task, _ in labels}:
        mine = [(task, label) for task, label in labels if task.domain == domain]
        found |= row("Figure 3", _title(domain), {"median RIR": share(*_count(mine, "RIR"))})
    by_task = {each.task_id: each for each in attempts}
    place, total = "Table 2: What each outcome cost", sum(each.usd for each in attempts)
    for kind in ("required", "control"):
        for label, outcome in OUTCOMES.items():
            some = [by_task[t.task_id] for t, own in labels if (t.kind, own) == (kind, label)]
            usd = sum(each.usd for each in some)
            found |= row(place, f"{model}, {kind}, {outcome}", {
                "trajectories": len(some), "mean cost": usd / len(some), "without a cost": 0,
                "share of cost": usd / total, "calls": sum(each.ran for each in some),
            }) if some else {}  # fmt: skip
    return found


def _state_suite(models: int, limit: int | None) -> Truth:
    """Tables 1 and 9."""
    required = sum(bool(task.script) for task in _tasks(limit))
    found: Truth = {}
    for metric in ("TSR", "CTUR", "RIR", "OFR", "UTR", "CTRL-Acc"):
        is_required = RATES[metric][0]
        size = required if is_required else len(_tasks(limit)) - required
        kind = "Required" if is_required else "Control"
        found |= row("Table 1", metric, {"set": kind, "tasks": models * size})
    for domain, tools in load_suite().tools.items():
        names = ", ".join(tool.name for tool in tools)
        found |= row("Table 9", _title(domain), {"role": f"{len(tools)} tools", "tools": names})
    return found


def _title(domain: str) -> str:
    return domain.replace("_", " ").capitalize()


def _state_heats(policy: str, limit: int | None) -> Truth:
    """Policies do not mind the temperature."""
    labels, broken = _labels(policy, limit), _play(policy, limit).count("never_submits")
    cells = {
        "Rule CTUR": share(*_count(labels, "CTUR")),
        "broken output": f"{broken} of {len(labels)}",
    }
    rows = (f"{model_name(policy)}, temperature {heat}" for heat in ("0", "0.7"))
    return {cell: value for each in rows for cell, value in row("Section B.3", each, cells).items()}


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
    found = row("Table 4", model, {"input": INPUT_PRICE, "output": OUTPUT_PRICE})
    ways: dict[str, list[Figures]] = {}
    for level, selection, scheduling in WAYS:
        run = f"{selection}-{scheduling}"
        mine = [e for e in attempts if e.benchmark == f"tps_{level}" and e.run.endswith(run)]
        by_id = {each.task_id: each for each in mine}
        tasks = [task.task_id for task in load_bundled(level).tasks[: limit or TPS_TASKS["mini"]]]
        own = [_read_figures(by_id[task]) for task in sorted(tasks)]
        if selection != "rule" and scheduling == "parallel":
            for task, figures in zip(sorted(tasks), own, strict=True):
                known = tps.state_figures([_played(policy, task)], [task])
                figures |= known | ({} if selection == "self" else {"selection_recall": 1.0})
        ways[run] = own
        found |= _state_way(policy, (level, selection, scheduling), own)
    return found | _state_pairs(policy, ways)


Figures = dict[str, float | None]


def _read_figures(attempt: Attempt) -> Figures:
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
    return {
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


def _longest(nodes: dict[str, dict[str, Any]], weight: str | None) -> float:
    """The heaviest path of a task's graph; the longest one without weights."""

    @cache
    def ends(name: str) -> float:
        own = nodes[name][weight] if weight else 1
        return float(own + max(map(ends, nodes[name]["needs"]), default=0))

    return max(map(ends, nodes))


def _state_way(policy: str, way: tuple[str, str, str], own: list[Figures]) -> Truth:
    level, selection, scheduling = way
    model, head = model_name(policy), level.capitalize()
    of = {name: [known for each in own if (known := each[name]) is not None] for name in own[0]}
    plain: dict[str, Any] = {name: fmean(values) if values else None for name, values in of.items()}
    means: dict[str, Any] = {name: mean(values) for name, values in of.items()}
    means["completion"], done = share_of_tasks(of["completion"]), plain["completion"]
    found: Truth = {}
    if selection == "self" and scheduling == "parallel":
        cells = {"task completion": means["completion"], "tool selection score": None,
                 "input tokens": means["given"], "output tokens": means["written"],
                 "turns": means["turns"], "seconds": means["seconds"]}  # fmt: skip
        for table in ("Table 1", "Table 3") if level == "hard" else ("Table 1",):
            found |= row(table, f"{model}, {head}", cells)
        passed = paired_ratio(of["milli"], of["completion"])
        found |= row(
            "Table 2", model, {f"cost, {head}": means["milli"], f"cost-of-pass, {head}": passed}
        )
    cells = {
        "tokens": means["tokens"],
        "seconds": means["seconds"],
        "task completion": means["completion"],
    }
    if level == "hard" and scheduling == "parallel":
        found |= row("Figure 5", f"{model}, {selection}", cells)
    if level == "hard" and selection == "self":
        found |= row("Figure 6", f"{model}, {scheduling}", cells)
    setting = f"{policy} · tps_{level} · {selection}-{scheduling}"
    return found | row("Table 1: What was done, by selection and scheduling", setting, {
        "tasks": len(own), "completion": means["completion"], "ceiling": plain["ceiling"],
        "all done": share(sum(of["all_done"]), len(own)),
        "did harm": share(sum(of["harmful"]), len(own)), "by judge": None,
        "judge on selection": None, "tools that serve": plain["precision"],
        "subtasks served": plain["selection_recall"],
    }) | row("Table 1: How it was scheduled, a task", setting, {
        "turns with calls": means["turns"], "over the fewest": means["turns_over_best"],
        "tool time over critical path": means["over_critical"], "speed-up taken": means["taken"],
        "available": plain["available"], "calls": plain["calls"], "too early": plain["early_calls"],
        "repeated": plain["repeated_calls"], "unneeded": plain["unneeded_calls"],
        "failed": plain["failed_calls"],
    }) | row("Table 2: What it cost, a task", setting, {
        "input tokens": plain["given"], "output tokens": plain["written"], "cost": plain["usd"],
        "model time": plain["model_seconds"], "tool time": plain["tool_seconds"],
        "wall time": plain["wall_seconds"],
        "cost per completed task": plain["usd"] / done if done else None,
    })  # fmt: skip


def _state_pairs(policy: str, ways: dict[str, list[Figures]]) -> Truth:
    """One way against another on the hard tasks."""
    found: Truth = {}
    for other, name in PAIRS.items():
        sides = [
            {figure: [each[figure] or 0.0 for each in ways[way]] for figure in OF_PAIRS}
            for way in (other, "self-parallel")
        ]
        cells: dict[str, Any] = {
            column: paired_ratio(sides[0][figure], sides[1][figure])
            for figure, column in OF_PAIRS.items()
            if column
        }
        change = paired_difference(*(side["completion"] for side in sides))
        cells |= {"completion, difference": change, "tasks": len(ways[other])}
        for place in ("Figure 5: Other things equal", "Figure 6: Other things equal"):
            found |= row(place, f"{name}, tps_hard), {policy}", cells)
    return found


OF_PAIRS = {"completion": "", "tokens": "tokens, times", "turns": "turns, times",
            "seconds": "time, times", "usd": "cost, times"}  # fmt: skip
PAIRS = {
    "none-parallel": "none against self (parallel",
    "rule-parallel": "rule against self (parallel",
    "self-sequential": "sequential against parallel (self",
}


def _state_subtasks() -> Truth:
    """Figure 2: steps of the plans, and tools, by the server in a tool's name."""
    steps = {
        level: Counter(_server(s.tool) for t in load_bundled(level).tasks for s in t.subtasks)  # type: ignore[arg-type]
        for level in ("easy", "hard")
    }
    tools, every = Counter(map(_server, all_tools())), steps["easy"] + steps["hard"]
    found: Truth = {}
    for server in (*SERVERS, "all"):
        easy, hard, both, own = (
            counts.total() if server == "all" else counts[server]
            for counts in (*steps.values(), every, tools)
        )
        found |= row("Figure 2", server.capitalize(), {
            "tools": own, "subtasks, Easy": easy, "subtasks, Hard": hard,
            "share of subtasks": both / every.total(),
        })  # fmt: skip
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
        found |= row(table, f"{model}, {variant}", {
            "pass": passed, "fail": len(tasks) - passed, "accuracy": share(passed, len(tasks)),
        })  # fmt: skip
    return found
