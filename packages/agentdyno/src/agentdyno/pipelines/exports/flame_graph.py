"""Writes a speedscope file: where the seconds and the dollars went, as two flame graphs.

A stack is project, session, agent, and then the model or the tool; for dollars the kind of tokens
below the model. Seconds are summed: calls at the same time count each.
"""

from collections import defaultdict
from pathlib import Path
from typing import Any

from agentdyno.pipelines.exports.source import MONEY, ExportSource
from agentdyno.records import Trajectory
from agentdyno.records.escaped_json import encode_json

SCHEMA = "https://www.speedscope.app/file-format-schema.json"
Stack = tuple[str, ...]
_KINDS = {"usd_input": "input", "usd_read": "cache reads", "usd_write": "cache writes",
          "usd_output": "output"}  # fmt: skip


def write_flame_graph(source: ExportSource, file: Path) -> None:
    """Writes the profiles."""
    seconds: dict[Stack, float] = defaultdict(float)
    dollars: dict[Stack, float] = defaultdict(float)
    titles: dict[str, str] = {}
    for trajectory in source.trajectories():
        root = source.root(trajectory.trajectory_id)
        if trajectory.trajectory_id == root:
            titles[root] = source.title(trajectory)
        add_seconds(seconds, trajectory, root)
        add_dollars(dollars, trajectory, source, root)
    frames: dict[str, int] = {}
    profiles = [
        _describe("seconds, summed", "seconds", _rename(seconds, titles), frames),
        _describe("US dollars", "none", _rename(dollars, titles), frames),
    ]
    document = {
        "$schema": SCHEMA,
        "exporter": "agentdyno",
        "name": "agentdyno",
        "shared": {"frames": [{"name": name} for name in frames]},
        "profiles": profiles,
    }
    file.write_bytes(encode_json(document))


def add_seconds(seconds: dict[Stack, float], trajectory: Trajectory, root: str) -> None:
    """Adds what its turns and calls took, as far as that is known."""
    base = _stack(trajectory, root)
    for turn in trajectory.turns:
        if turn.latency_seconds:
            seconds[*base, turn.model or "model"] += turn.latency_seconds
    for call in trajectory.calls:
        if call.wait_seconds:
            seconds[*base, call.tool or "tool"] += call.wait_seconds


def add_dollars(
    dollars: dict[Stack, float], trajectory: Trajectory, source: ExportSource, root: str
) -> None:
    """Adds what its turns cost, by kind of tokens where that is known."""
    base = _stack(trajectory, root)
    for turn, money in zip(trajectory.turns, source.money(trajectory), strict=True):
        if not money.usd:
            continue
        parts = {kind: getattr(money, kind) for kind in MONEY[1:]}
        known = {kind: held for kind, held in parts.items() if held}
        for kind, held in (known or {"usd": money.usd}).items():
            dollars[*base, turn.model or "model", _KINDS.get(kind, "all")] += held


def _stack(trajectory: Trajectory, root: str) -> Stack:
    agent = ("sub-agents",) if trajectory.parent_id is not None else ()
    return trajectory.project or "no project", root, *agent


def _rename(sums: dict[Stack, float], titles: dict[str, str]) -> dict[Stack, float]:
    """Sessions by their titles; two of one title are one frame."""
    found: dict[Stack, float] = defaultdict(float)
    for (project, root, *rest), held in sums.items():
        found[project, titles.get(root, root), *rest] += held
    return found


def _describe(
    name: str, unit: str, sums: dict[Stack, float], frames: dict[str, int]
) -> dict[str, Any]:
    ordered = sorted(sums.items())
    samples = [[frames.setdefault(f, len(frames)) for f in stack] for stack, _ in ordered]
    weights = [held for _, held in ordered]
    return {
        "type": "sampled",
        "name": name,
        "unit": unit,
        "startValue": 0,
        "endValue": sum(weights),
        "samples": samples,
        "weights": weights,
    }
