"""What a ledger holds of some files, as plain sums to compare with an independent count."""

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import polars as pl
from msgspec import Struct

from agentdyno.intake.format import choose_format, load_formats
from agentdyno.intake.head import Head
from agentdyno.intake.source import Source
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.records import BadRecord, Part, Trajectory
from tests.intake.mutations import assert_sound
from tests.ledger.traces import glob


class Counts(Struct, frozen=True, kw_only=True):
    """Sums over responses that count once; tokens are those that the agent reported."""

    responses: int = 0
    context: int = 0
    cached: int = 0
    written: int = 0
    output: int = 0
    reasoning: int = 0
    calls: int = 0
    errors: int = 0
    sub_agents: int = 0
    retries: int = 0
    usd: float = 0.0


def ledger_counts(paths: Sequence[Path], folder: Path) -> Counts:
    """What `agentdyno measure` makes of the files."""
    ledger = folder / "ledger"
    measure(list(paths), ledger, MeasureOptions(workers=1, costs_only=True))
    turns, calls = glob(ledger, "turns"), glob(ledger, "calls")
    runs = glob(ledger, "trajectories")

    def reported(column: str, source: str) -> int:
        return int(turns.filter(pl.col(source).is_in(["reported", "scaled"]))[column].sum())

    return Counts(
        responses=turns.height,
        context=reported("context_tokens", "prefill_source"),
        cached=reported("cached_tokens", "prefill_source"),
        written=int(turns["cache_write_tokens"].sum()),
        output=reported("decode_tokens", "decode_source"),
        reasoning=int(turns["reasoning_tokens"].sum()),
        calls=calls.height,
        errors=int(calls["error"].is_not_null().sum()),
        sub_agents=int(runs["parent_id"].is_not_null().sum()),
        retries=int(runs["retries"].sum()),
        usd=round(float(turns["reported_usd"].sum()), 9),
    )


def detected(path: Path) -> str | None:
    """The format that is surest of the file."""
    format = choose_format(Head(path), load_formats())
    return format.name if format else None


def items_of(
    format: str, path: Path, name: str | None = None, **options: Any
) -> list[Trajectory | BadRecord]:
    """All that is read from a file, each trajectory sound."""
    items = list(load_formats()[format].read(Source(path, name or path.name, **options)))
    for item in items:
        if isinstance(item, Trajectory):
            assert_sound(item)
    return items


def read_as(
    format: str, path: Path, name: str | None = None
) -> tuple[list[Trajectory], list[BadRecord]]:
    items = items_of(format, path, name)
    runs = [item for item in items if isinstance(item, Trajectory)]
    return runs, [item for item in items if isinstance(item, BadRecord)]


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


def read_good(format: str, path: Path, name: str | None = None) -> list[Trajectory]:
    """The trajectories of a file that has no bad record."""
    runs, problems = read_as(format, path, name)
    assert not problems, problems
    return runs


def read_alone(format: str, path: Path) -> Trajectory:
    [run] = read_good(format, path)
    return run


def parts_before(run: Trajectory, turn: int) -> list[Part]:
    return [
        part
        for part in run.parts
        if part.enters is not None
        and part.enters <= turn
        and (part.leaves is None or turn < part.leaves)
    ]


def context(run: Trajectory, turn: int) -> list[str]:
    """The texts that a turn had before it."""
    return [part.text for part in parts_before(run, turn)]


def spoken(run: Trajectory, turn: int) -> list[str]:
    """The same without schemas."""
    return [part.text for part in parts_before(run, turn) if part.kind != "schema"]
