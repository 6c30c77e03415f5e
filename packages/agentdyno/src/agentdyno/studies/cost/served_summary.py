"""What the servers of a ledger did, in a few figures: behind every sum of GPU-seconds.

Takes a ledger and its replay, returns `ServedSummary`: how many ran at once and why, what the
same turns take on full servers and one at a time, and how far such numbers were off elsewhere.
"""

from typing import Any

import polars as pl
from msgspec import Struct

from agentdyno.cost.block_memory import DEFAULT_POLICY
from agentdyno.cost.serving_evidence import Evidence, evidence_of, pick_worst
from agentdyno.studies.cost.seconds import (
    ServedModel,
    TimedTurns,
    load_range,
    proxy_range,
    servings_of,
)
from agentdyno.studies.tables import Tables


class ServedSummary(Struct, frozen=True, kw_only=True):
    """The servers behind GPU-seconds."""

    load: str
    """`recorded`: begun and paused as in the traces · `stated`: so many at once · `mixed`: by
    model."""
    concurrency: int | None
    """Requests in progress at once, where that is stated; None: as recorded."""
    mean_at_once: float | None
    """Requests in progress on average; None where nothing was replayed."""
    source: str
    """`theory`, `measured` or `transferred`: where the parameters come from; `mixed` if several."""
    utilisation: float | None
    """Share of the time between first and last turn in which a server worked; None: stated load."""
    full_seconds: float | None
    """GPU-seconds of the same turns on servers that are always full."""
    alone_seconds: float | None
    """The same, one request at a time."""
    low_seconds: float | None
    """Least GPU-seconds over the architectures that stand in for unknown ones; None: all known."""
    high_seconds: float | None
    cards: dict[str, int]
    """Cards that each model is spread over, where it is more than one."""
    too_small: list[str]
    """Models that do not fit on the cards that were stated, each with what it needs."""
    preemptions: int
    """How often a request lost its place because the memory was full."""
    evidence: Evidence | None
    """How far such numbers were off; None: not known."""


def summarise_served(
    tables: Tables, timed: TimedTurns, trajectories: pl.DataFrame
) -> ServedSummary | None:
    """None where no model could be served."""
    used = [served for served in timed.models if served.load is not None]
    small = [served.serving.too_small for served in timed.models if served.serving.too_small]
    if not timed.models:
        return None
    options = tables.options
    by_proxy = trajectories.filter(gamma_source="proxy")["model"].unique().to_list()
    low, high = proxy_range(timed, options, by_proxy) if by_proxy else (None, None)
    full, alone = load_range(timed, servings_of(options))
    return ServedSummary(
        load=_only({str(served.load) for served in used}),
        concurrency=next((s.concurrency for s in used if s.concurrency), None),
        mean_at_once=_mean_at_once(used),
        source=_only({served.serving.source for served in used}),
        utilisation=_utilisation(used),
        full_seconds=full,
        alone_seconds=alone,
        low_seconds=low,
        high_seconds=high,
        cards={s.serving.architecture.name: s.serving.gpus for s in used if s.serving.gpus > 1},
        too_small=small,
        preemptions=sum(served.preemptions for served in used),
        evidence=_evidence(used),
    )


def _only(values: set[Any]) -> str:
    return str(values.pop()) if len(values) == 1 else "mixed"


def _mean_at_once(used: list[ServedModel]) -> float | None:
    measured = [(s.mean_at_once, s.busy_seconds) for s in used if s.mean_at_once is not None]
    busy = sum(seconds for _, seconds in measured)
    return sum(mean * seconds for mean, seconds in measured) / busy if busy else None


def _utilisation(used: list[ServedModel]) -> float | None:
    recorded = [served for served in used if served.load == "recorded"]
    busy = sum(served.busy_seconds for served in recorded)
    total_seconds = busy + sum(served.idle_seconds for served in recorded)
    return busy / total_seconds if total_seconds else None


def _evidence(used: list[ServedModel]) -> Evidence | None:
    """The least known among the models; how a memory forgets counts where it did."""
    return pick_worst(
        [
            evidence_of(served.serving, DEFAULT_POLICY if served.lost_tokens else None)
            for served in used
        ]
    )
