"""Traces without ground truth -> doubts: phantom calls, unused calls."""

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from agentdyno.intake.cleaning import clean_trajectory
from agentdyno.intake.discover import LEDGER, Found, NotRead, discover, pieces_of
from agentdyno.intake.format import find_format, load_formats
from agentdyno.records import InputError, Trajectory
from agentdyno_bench.toolfail.findings.unlabelled import Doubt, find_doubts


class DoubtedTrace(Struct, frozen=True):
    """Doubts about one trajectory."""

    trajectory_id: str
    task_id: str | None
    """Its task, where the trace says so."""
    doubts: list[Doubt]


def doubt_traces(
    paths: list[Path], format: str | None = None, unproven: bool = False
) -> Iterator[DoubtedTrace]:
    """Every trajectory under the paths with its doubts; unproven checks only where asked for."""
    for trajectory in read_trajectories(paths, format):
        doubts = find_doubts(trajectory, unproven)
        yield DoubtedTrace(trajectory.trajectory_id, trajectory.task_id, doubts)


def read_trajectories(paths: list[Path], format: str | None = None) -> Iterator[Trajectory]:
    """Every trajectory under the paths; what cannot be read is left out."""
    formats = load_formats()
    forced = find_format(format, formats) if format else None
    everything = list(discover(paths, formats, forced))
    recognized = [item for item in everything if isinstance(item, Found)]
    if not recognized:
        where = ", ".join(str(path) for path in paths)
        ledgers = [
            item for item in everything if isinstance(item, NotRead) and item.reason == LEDGER
        ]
        hint = f" {ledgers[0].name} is a ledger: give it as --ledger." if ledgers else ""
        raise InputError(f"{where}: expected traces in a known format, found none.{hint}")
    for item in recognized:
        for source in pieces_of(item):
            items = formats[item.format].read(source)
            yield from (clean_trajectory(t) for t in items if isinstance(t, Trajectory))
