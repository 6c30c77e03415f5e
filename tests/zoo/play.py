"""Plays policies through the product's own commands, and holds what they print against the truth.

    with serve() as zoo:
        rows = play_toolfail(zoo, out, ["good", "lazy"], limit=5)
        assert [row for row in rows if not row.is_as_stated] == []

What is stated is worked out from how a policy was built; what is scored is the command's JSON.
"""

import contextlib
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from agentdyno.cli.app import app, run_guarded
from agentdyno_bench.pipelines.tps import measure_samples
from agentdyno_bench.tps.tasks.dataset import load_bundled
from agentdyno_bench.tps.tasks.values import Level
from tests.zoo import toolfail, tps
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
