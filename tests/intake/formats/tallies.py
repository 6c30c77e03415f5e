"""What a ledger says of some files, as sums that a plain count of the raw files must equal."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from agentdyno.intake.format import Format, Source
from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.records import BadRecord, Trajectory
from tests.intake.mutations import assert_sound


class Tally(NamedTuple):
    """Sums over responses; tokens only where the agent reported them."""

    responses: int = 0
    input: int = 0
    cached: int = 0
    written: int = 0
    output: int = 0
    reasoning: int = 0
    calls: int = 0
    errors: int = 0
    agents: int = 0

    def plus(self, **more: int) -> "Tally":
        """With these added."""
        return self._replace(**{name: getattr(self, name) + value for name, value in more.items()})


def tally_ledger(paths: list[Path], folder: Path) -> Tally:
    """Measures the files and sums what counts."""
    measured = measure(paths, folder / "ledger", MeasureOptions(workers=1, costs_only=True))
    ledger = Ledger(measured.ledger)
    turns, calls = ledger.read("turns"), ledger.read("calls")
    reported = turns.filter(pl.col("prefill_source") == "reported")
    written = turns.filter(pl.col("decode_source") == "reported")
    sums = [
        reported["context_tokens"],
        turns["cached_tokens"],
        turns["cache_write_tokens"],
        written["decode_tokens"],
        turns["reasoning_tokens"],
    ]
    failed = calls["error"].is_not_null()
    agents = ledger.read("trajectories")["parent_id"].is_not_null()
    tokens = [int(column.sum()) for column in sums]
    made = [len(calls), int(failed.sum()), int(agents.sum())]
    return Tally._make([len(turns), *tokens, *made])


def json_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a file, one a line; lines that are none are left out."""
    for line in path.read_text("utf-8", "replace").splitlines():
        try:
            value = json.loads(line)
        except ValueError:
            continue
        if isinstance(value, dict):
            yield value


def write_lines(path: Path, lines: Iterable[Any]) -> Path:
    """A file of these objects."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def read_all(format: Format, path: Path) -> list[Trajectory]:
    """The trajectories of a file that has no bad record."""
    items = list(format.read(Source(path, path.name)))
    assert not [item for item in items if isinstance(item, BadRecord)]
    found = [item for item in items if isinstance(item, Trajectory)]
    for trajectory in found:
        assert_sound(trajectory)
    return found


def context(trajectory: Trajectory, turn: int) -> list[str]:
    """The texts that a turn had before it."""
    return [
        part.text
        for part in trajectory.parts
        if part.enters is not None
        and part.enters <= turn
        and (part.leaves is None or turn < part.leaves)
    ]
