"""Reads the records in `examples/five`: logs, chats, verdicts and depths in, values out.

Traces come through AgentDyno's own readers. What a log's tasks expect and what a scorer noted is
taken from the log itself. Knows nothing of measures but the sign of a verdict.
"""

import json
import lzma
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from agentdyno.intake.format import choose_format, load_formats
from agentdyno.intake.head import Head
from agentdyno.intake.source import Source
from agentdyno.measures import depth, utility
from agentdyno.records import Trajectory


class Attempt(NamedTuple):
    """One sample of a log: as AgentDyno reads it, and as it stands there."""

    trajectory: Trajectory
    sample: dict[str, Any]

    @property
    def marks(self) -> Any:
        """What the benchmark's scorer noted."""
        return next(iter(self.sample["scores"].values()))["metadata"]


def read_log(folder: Path, agent: str) -> Iterator[Attempt]:
    """The attempts of an Inspect log; none where there is no such log."""
    file = folder / f"{agent}.json.xz"
    if not file.exists():
        return
    samples = {sample["uuid"]: sample for sample in json.loads(unpack(file))["samples"]}
    for trajectory in read_trajectories(file):
        yield Attempt(trajectory, samples[trajectory.session_id])


class JudgedCall(NamedTuple):
    tool: str
    useful: utility.Useful


def read_suites(folder: Path) -> dict[str, dict[str, list[JudgedCall]]]:
    """By tool suite and trajectory: every call with the sign of its marginal utility."""
    lines = read_lines(folder / "verdicts.jsonl.xz")
    labels = {(_place(v["trajectory_id"]), v["turn"], v["call"]): v["label"] for v in lines}
    suites: dict[str, dict[str, list[JudgedCall]]] = defaultdict(dict)
    for suite in ("default", "lean"):
        for trajectory in read_trajectories(folder / f"{suite}.jsonl.xz"):
            where = f"{suite}.jsonl.xz#{trajectory.trajectory_id.rpartition('#')[2]}"
            suites[suite][where] = [
                JudgedCall(c.tool, utility.is_useful(labels.get((where, c.turn, c.call))))
                for c in trajectory.calls
            ]
    return suites


def _place(trajectory_id: str) -> str:
    """File and place within it, whatever folder was measured."""
    return trajectory_id.rpartition("/")[2]


class Sample(NamedTuple):
    """One of several responses to a problem."""

    problem: str
    answer: str | None
    correct: bool
    deep: Any
    """Whether each of its tokens settles in a deep layer."""

    @property
    def dtr(self) -> float:
        """Of the whole response."""
        return _share(self.deep)

    @property
    def early_dtr(self) -> float:
        """Of the tokens after which Think@n decides."""
        return _share(self.deep[: depth.PREFIX])


def _share(deep: Any) -> float:
    ratio = depth.deep_thinking_ratio(deep)
    assert ratio is not None, "responses without tokens are left out"
    return ratio


def read_samples(file: Path) -> Iterator[Sample]:
    """What `agentdyno depth --record FILE` wrote: of every token, whether it settles late.
    A response without tokens has no ratio and is left out; without a file there is none."""
    if not file.exists():
        return
    _, *lines = read_lines(file)
    for line in filter(lambda line: line["deep"], lines):
        deep = np.array([digit == "1" for digit in line["deep"]])
        yield Sample(line["problem"], line["answer"], line["correct"], deep)


def read_trajectories(file: Path) -> list[Trajectory]:
    """What the core reads of a trace, whatever its format."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / file.stem
        path.write_bytes(unpack(file))
        format = choose_format(Head(path), load_formats())
        assert format is not None, f"{file}: no format recognises it"
        return [t for t in format.read(Source(path, path.name)) if isinstance(t, Trajectory)]


def read_lines(file: Path) -> list[Any]:
    return [json.loads(line) for line in unpack(file).splitlines()]


def unpack(file: Path) -> bytes:
    return lzma.decompress(file.read_bytes())
