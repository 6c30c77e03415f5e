"""A run of which only sums are recorded: its outcome, and what it used and cost in all.

Takes what a leaderboard or a table says of a run, returns a trajectory whose parts and calls are
unknown. One turn holds the sums; how many there were is a number beside it.
"""

from collections.abc import Callable, Iterator
from typing import Any

from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.format import Reader, Source
from agentdyno.intake.session_totals import Totals
from agentdyno.intake.streams import Fields, read_document
from agentdyno.intake.texts import read_solved, short_text
from agentdyno.records import BadRecord, TokenCount, Trajectory


def read_runs(
    format: str, list_runs: Callable[[Source, Fields], Iterator[Trajectory | BadRecord]]
) -> Reader:
    """The reader of files that hold one object each, of which `list_runs` makes the runs."""
    return lambda source: read_document(source, format, list_runs)


def build_run(
    source: Source,
    locator: str,
    format: str,
    sums: Totals,
    *,
    turns: int | None = None,
    calls: int | None = None,
    started_at: float | None = None,
    ended_at: float | None = None,
    identity: str | None = None,
    correct: Any = None,
    **fields: Any,
) -> Trajectory:
    """The run as a trajectory; `fields` as in `Trajectory`, texts and marks as the file has them.
    `identity` is what makes it that run wherever it is written; None where nothing does."""
    texts = ("model", "harness", "benchmark", "variant", "task_id", "level")
    fields |= {name: short_text(fields[name]) for name in texts if name in fields}
    builder = TrajectoryBuilder()
    builder.turn(
        model=fields.get("model"),
        prefill=None if sums.prompt is None else TokenCount(sums.prompt, "reported"),
        cached_tokens=sums.cached,
        cache_write_tokens=sums.written,
        decode=None if sums.decoded is None else TokenCount(sums.decoded, "reported"),
        reasoning_tokens=sums.reasoning,
        reported_usd=sums.usd,
        started_at=started_at,
        ended_at=ended_at,
        identity=identity,
    )
    return builder.build(
        source.id_of(locator),
        source.name,
        format,
        totals_only=True,
        reported_turns=turns,
        reported_calls=calls,
        correct=read_solved(correct),
        **fields,
    )


def read_attempt(digits: str) -> int | None:
    """The number of an attempt, as a name has it; None for what is none."""
    return int(digits) if digits.isdecimal() and len(digits) < 10 else None
