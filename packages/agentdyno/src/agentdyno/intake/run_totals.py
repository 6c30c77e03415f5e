"""A run of which only sums are recorded: its outcome, and what it used and cost in all.

Takes what a leaderboard or a table says of a run, returns a trajectory whose parts and calls are
unknown. One turn holds the sums; how many there were is a number beside it.
"""

from typing import Any

from msgspec import Struct

from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.format import Source
from agentdyno.intake.session_totals import Totals
from agentdyno.records import TokenCount, Trajectory


class RunTotals(Struct, frozen=True, kw_only=True):
    """Sums over a run; None for what is unknown."""

    totals: Totals
    """Tokens and money."""
    turns: int | None = None
    """Model calls."""
    calls: int | None = None
    """Tool calls."""
    started_at: float | None = None
    """When it began, in seconds since 1970."""
    ended_at: float | None = None
    """When it ended."""
    identity: str | None = None
    """What makes it that run wherever it is written; None where nothing does."""


def build_run(
    source: Source, locator: str, format: str, run: RunTotals, **fields: Any
) -> Trajectory:
    """The run as a trajectory; `fields` as in `Trajectory`."""
    sums, builder = run.totals, TrajectoryBuilder()
    builder.turn(
        model=fields.get("model"),
        prefill=None if sums.prompt is None else TokenCount(sums.prompt, "reported"),
        cached_tokens=sums.cached,
        cache_write_tokens=sums.written,
        decode=None if sums.decoded is None else TokenCount(sums.decoded, "reported"),
        reasoning_tokens=sums.reasoning,
        reported_usd=sums.usd,
        started_at=run.started_at,
        ended_at=run.ended_at,
        identity=run.identity,
    )
    return builder.build(
        source.id_of(locator),
        source.name,
        format,
        totals_only=True,
        reported_turns=run.turns,
        reported_calls=run.calls,
        **fields,
    )
