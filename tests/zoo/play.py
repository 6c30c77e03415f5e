"""Plays policies through the product's own commands, and holds what they print against the truth.

    with serve() as zoo:
        rows = play_toolfail(zoo, out, ["good", "lazy"], limit=5)
        assert [row for row in rows if not row.is_as_stated] == []

What is stated is worked out from how a policy was built; what is scored is the command's JSON.
"""

import contextlib
import io
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, NamedTuple

from agentdyno.cli.app import app, run_guarded
from agentdyno.ledger.reader import Ledger
from agentdyno_bench.toolfail.tasks.sampling import order_evenly
from agentdyno_bench.toolfail.tasks.suite import load_suite
from agentdyno_bench.tps.measured_run import measure_samples
from agentdyno_bench.tps.tasks.dataset import load_bundled
from agentdyno_bench.tps.tasks.values import Level
from tests.zoo import tir, toolfail, tps
from tests.zoo.server import Zoo

Figures = Mapping[str, float | None]


class Row(NamedTuple):
    """One policy by one benchmark."""

    benchmark: str
    """The command that scored it."""
    policy: str
    """The policy."""
    attempts: int
    """Number of tasks that it attempted."""
    stated: Figures
    """What follows from how the policy was built."""
    scored: Figures
    """What the command printed."""

    @property
    def is_as_stated(self) -> bool:
        """Whether the two are the same, where the policy states a figure."""
        return self.stated.keys() == self.scored.keys() and all(
            _is_same(self.scored[name], value) for name, value in self.stated.items()
        )


def _is_same(one: float | None, other: float | None) -> bool:
    return one is other if one is None or other is None else abs(one - other) < 1e-9


def run_command(*words: object) -> tuple[int, dict[str, Any]]:
    """The exit code of a command and the object that it prints."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        code = run_guarded(lambda **how: app([str(word) for word in words], **how))
    return code, json.loads(printed.getvalue() or "{}")


def reach(zoo: Zoo, *policies: str) -> list[str]:
    """The words that let a command reach these policies."""
    models = [word for policy in policies for word in ("--model", zoo.model(policy))]
    return [*models, "--base-url", zoo.address, "-M", "api_key=zoo"]


# Failures of tool use


def play_toolfail(zoo: Zoo, out: Path, policies: Sequence[str], limit: int) -> list[Row]:
    """Each policy as a model of its own, on the first tasks."""
    found = _bench_toolfail(zoo, out, policies, limit)
    scored = {
        each["model"].rpartition("/")[2]: {
            name: rate["value"] for name, rate in each["rates"]["rates"].items()
        }
        for each in found["rates"]
    }
    tasks = toolfail.order()[:limit]
    return [
        Row("toolfail", name, limit, toolfail.state_rates([name] * limit, tasks), scored[name])
        for name in policies
    ]


def play_dealt_toolfail(zoo: Zoo, out: Path, limit: int | None = None) -> list[Row]:
    """All policies dealt out over the tasks, each task once, as one model."""
    tasks = toolfail.order()[:limit]
    _bench_toolfail(zoo, out, [toolfail.DEALT], len(tasks))
    lines = (out / "labels.jsonl").read_text().splitlines()
    labels = {row["task_id"]: row["label"] for row in map(json.loads, lines) if not row["turn"]}
    dealt = toolfail.deal()
    rows = []
    for name in toolfail.POLICIES:
        mine = [task for task in tasks if dealt[task.task_id] == name]
        scored = toolfail.find_rates([(bool(t.script), labels[t.task_id]) for t in mine])
        stated = toolfail.state_rates([name] * len(mine), mine)
        rows.append(Row("toolfail, dealt", name, len(mine), stated, scored))
    return rows


def _bench_toolfail(zoo: Zoo, out: Path, policies: Sequence[str], limit: int) -> dict[str, Any]:
    code, found = run_command(
        "bench", "toolfail", *reach(zoo, *policies), "--turns", "multi", "--limit", limit,
        "--out", out, "--no-report", "--json",
    )  # fmt: skip
    assert code == 0, code
    return found


# Planning


def play_tps(zoo: Zoo, out: Path, policies: Sequence[str], level: Level, limit: int) -> list[Row]:
    """Each policy as a model of its own, on the first tasks of a level."""
    tasks = [task.task_id for task in load_bundled(level).tasks[:limit]]
    found = _bench_tps(zoo, out, policies, level, limit)
    scored = {each["model"].rpartition("/")[2]: each for each in found["settings"]}
    rows = []
    for name in policies:
        stated = tps.state_figures([name] * limit, tasks)
        rows.append(Row(f"tps {level}", name, limit, stated, _pick(scored[name], stated)))
    return rows


def play_dealt_tps(zoo: Zoo, out: Path, level: Level, limit: int) -> list[Row]:
    """All policies dealt out over the tasks, each task once, as one model."""
    tasks = [task.task_id for task in load_bundled(level).tasks[:limit]]
    _bench_tps(zoo, out, [tps.DEALT], level, limit)
    marked = {row["task"]: row for row in measure_samples(out).iter_rows(named=True)}
    rows = []
    for name in tps.POLICIES:
        mine = [task for task in tasks if tps.deal(task) == name]
        if not mine:
            continue
        stated = tps.state_figures([name] * len(mine), mine)
        scored = {
            figure: tps.average(
                [_number(marked[task][_COLUMNS.get(figure, figure)]) for task in mine]
            )
            for figure in stated
        }
        rows.append(Row(f"tps {level}, dealt", name, len(mine), stated, scored))
    return rows


_COLUMNS = {"turns": "call_turns", "all_done": "correct"}
"""What the ledger calls figures that the command prints under another name."""


def _number(value: Any) -> float | None:
    return None if value is None else float(value)


def _pick(printed: Mapping[str, Any], names: Figures) -> Figures:
    return {
        name: value["value"] if isinstance(value := printed[name], dict) else value
        for name in names
    }


def _bench_tps(
    zoo: Zoo, out: Path, policies: Sequence[str], level: Level, limit: int
) -> dict[str, Any]:
    code, found = run_command(
        "bench", "tps", *reach(zoo, *policies), "--level", level, "--limit", limit, "--out", out,
        "--in-process", "--latency", "virtual", "--faults", 0, "--pictures", 0,
        "--concurrency", 8, "--no-report", "--json",
    )  # fmt: skip
    assert code == 0, code
    return found


# Questions with tools


def play_tir(zoo: Zoo, out: Path, policies: Sequence[str], name: str, limit: int) -> list[Row]:
    """Each policy as a model of its own, on the first questions of a set."""
    asked = tir.list_questions()[name][:limit]
    found = _bench_tir(zoo, out, policies, name, limit)
    scored = {each["model"].rpartition("/")[2]: each for each in found["settings"]}
    ran = _count_ran(out, "model")
    rows = []
    for policy in policies:
        stated = tir.state_figures([policy] * len(asked), asked)
        printed = {**scored[policy], "ran_mean": ran[zoo.model(policy)] / len(asked)}
        rows.append(Row(f"tir {name}", policy, len(asked), stated, _pick(printed, stated)))
    return rows


def play_dealt_tir(zoo: Zoo, out: Path, name: str, limit: int) -> list[Row]:
    """All policies dealt out over the questions, each question once, as one model."""
    asked = tir.list_questions()[name][:limit]
    _bench_tir(zoo, out, [tir.DEALT], name, limit)
    tried = Ledger(out / "ledger").read("trajectories").iter_rows(named=True)
    by_id, ran = {row["task_id"]: row for row in tried}, _count_ran(out, "task_id")
    rows = []
    for question in asked:
        policy, row = tir.deal()[question.problem.question], by_id[question.problem.id]
        scored = {
            "graded": float(row["correct"] is not None),
            "accuracy": _number(row["correct"]),
            "turns_mean": float(row["turns"]),
            "calls_mean": float(row["calls"]),
            "ran_mean": float(ran[question.problem.id]),
        }
        stated = tir.state_figures([policy], [question])
        rows.append(Row(f"tir {name}, dealt", policy, 1, stated, scored))
    return rows


def _count_ran(out: Path, by: str) -> Counter[str]:
    """Calls of a ledger that ran, by a column of their trajectories."""
    tables = Ledger(out / "ledger")
    names = dict(tables.read("trajectories").select("trajectory_id", by).iter_rows())
    calls = tables.read("calls").select("trajectory_id", "executed").iter_rows()
    return Counter(names[each] for each, ran in calls if ran)


def _bench_tir(
    zoo: Zoo, out: Path, policies: Sequence[str], name: str, limit: int
) -> dict[str, Any]:
    code, found = run_command(
        "bench", "tir", *reach(zoo, *policies), "--benchmark", name, "--limit", limit,
        "--out", out, "--unsafe-python", "--concurrency", 8, "--no-report", "--json",
    )  # fmt: skip
    assert code == 0, code
    return found


# Fewer tools


def play_ablation(
    zoo: Zoo, out: Path, benchmark: str, policy: str, removed: str, limit: int, *, loses: bool
) -> Row:
    """A policy with all tools and without some; `loses` says whether it needs them."""
    solved = [_solves(benchmark, policy, task) for task in _list_tasks(benchmark)[:limit]]
    needs = [_needs(benchmark, removed, task) for task in _list_tasks(benchmark)[:limit]]
    lost = sum(was and need for was, need in zip(solved, needs, strict=True)) if loses else 0
    stated = {
        "passed": float(sum(solved)),
        "passed without": float(sum(solved) - lost),
        "only with": float(lost),
        "only without": 0.0,
    }
    code, found = run_command(
        "worth", benchmark, *reach(zoo, policy), "--variant", "default",
        "--variant", f"lean:-{removed}", "--tasks", limit, "--out", out, "--in-process",
        "--unsafe-python", "--json",
    )  # fmt: skip
    assert code == 0, code
    (default, lean), (pair,) = found["variants"], found["pairs"]
    compared = [metric["metric"] for metric in pair["metrics"]]
    assert ("goals met" in compared) == (benchmark == "tps"), compared
    scored = {
        "passed": float(default["passed"]),
        "passed without": float(lean["passed"]),
        "only with": float(pair["only_first"]),
        "only without": float(pair["only_second"]),
    }
    return Row(f"worth {benchmark} -{removed}", policy, limit, stated, scored)


def _list_tasks(benchmark: str) -> list[Any]:
    if benchmark == "toolfail":
        return order_evenly(load_suite().tasks)
    return tir.list_questions()["math_500"] if benchmark == "tir" else load_bundled("easy").tasks


def _solves(benchmark: str, policy: str, task: Any) -> bool:
    """Whether a policy solves a task when all tools are there."""
    if benchmark == "toolfail":
        return toolfail.POLICIES[policy](task).label == "correct"
    if benchmark == "tir":
        return tir.find_act(policy, task).is_right is True
    return tps.state_figures([policy], [task.task_id])["all_done"] == 1


def _needs(benchmark: str, removed: str, task: Any) -> bool:
    """Whether the plan of a task uses a tool that is removed."""
    if benchmark == "toolfail":
        used = [step.tool for step in task.script]
    else:
        used = task.tools if benchmark == "tir" else [step.tool for step in task.subtasks]
    return any(fnmatch(tool, removed) for tool in used)
