"""What a user can send to a provider about one loss: both requests, and every cause looked at.

Takes a report's context and a loss, returns `CacheEvidence`. What is not logged rules nothing out.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl
from msgspec import Struct

from agentdyno.records import InputError
from agentdyno.studies.cache import CacheEconomics, Loss
from agentdyno.studies.losses import causes as rules
from agentdyno.studies.losses.recorded import Recorded, read_recorded
from agentdyno.studies.report_context import ReportContext

REQUEST = ("turn", "response_id", "request_id", "model", "client_version", "started_at", "ended_at",
           "context_tokens", "cached_tokens", "cache_write_tokens", "cache_write_hour_tokens",
           "thinking", "context_event", "cache_miss_reason")  # fmt: skip


class Check(Struct, frozen=True):
    """One cause, and what the trace says of it."""

    cause: str
    holds: bool | None
    """Whether it holds; None where the trace does not say."""
    before: str | float | None
    """What it was at the request before, or the limit."""
    now: str | float | None
    """What it is at this request."""


class CacheEvidence(Struct, frozen=True, kw_only=True):
    """One loss."""

    loss: Loss
    before: dict[str, Any]
    """The request before: `REQUEST`."""
    request: dict[str, Any]
    following: dict[str, Any] | None
    """The one after; None for the last."""
    held_tokens: float
    """Tokens in the cache after the request before."""
    checks: list[Check]
    """Every cause, in the order of the rules."""


def study_evidence(context: ReportContext, economics: CacheEconomics, name: str) -> CacheEvidence:
    """The evidence for a loss by its number in the table of losses, or by `TRAJECTORY:TURN`."""
    loss = _find_loss(economics, name)
    is_of_trajectory = pl.col("trajectory_id") == loss.trajectory_id
    turns = (
        context.tables.scan("turns").filter(is_of_trajectory).select(REQUEST).sort("turn").collect()
    )
    requests = {row["turn"]: row for row in turns.iter_rows(named=True)}
    r = read_recorded(context.tables)
    index = r.trajectories["trajectory_id"].to_list().index(loss.trajectory_id)
    return CacheEvidence(
        loss=loss,
        before=requests[loss.turn - 1] if loss.turn else {},
        request=requests[loss.turn],
        following=requests.get(loss.turn + 1),
        held_tokens=float(rules.find_losses(r).held[r.first_turn[index] + loss.turn]),
        checks=[*_check(r, index, int(r.first_turn[index]) + loss.turn)],
    )


def _find_loss(economics: CacheEconomics, name: str) -> Loss:
    trajectory, _, turn = name.rpartition(":")
    for number, loss in enumerate(economics.losses, start=1):
        if name == str(number) or (loss.trajectory_id, str(loss.turn)) == (trajectory, turn):
            return loss
    raise InputError(
        f"--evidence: expected the number of one of the {len(economics.losses)} most expensive "
        f"losses, or TRAJECTORY:TURN of one, found {name!r}; `agentdyno cache LEDGER` lists them."
    )


def _check(r: Recorded, index: int, at: int) -> Iterator[Check]:
    """Every cause but the two that say only that no other is known."""
    losses = rules.find_losses(r)
    if at == r.first_turn[index]:
        yield Check(rules.PARALLEL, bool(losses.holds[rules.PARALLEL][at]), None, None)
        return
    offered = {r.kind[part] for part in np.flatnonzero(r.part_trajectory == index)}
    last = int(r.first_turn[index + 1]) - 1
    values: dict[str, tuple[bool, Any, Any]] = {
        rules.COMPACTED: (True, None, r.context_event[at]),
        rules.PAUSE: (losses.pause[at] == losses.pause[at], losses.lifetime[at], losses.pause[at]),
        rules.MODEL: (True, r.models[at - 1], r.models[at]),
        rules.PROVIDER: (r.client_version[at] is not None, None, r.context_event[at]),
        rules.RESTARTED: (
            r.client_version[at] is not None, r.client_version[at - 1], r.client_version[at]
        ),
        rules.THINKING: (
            None not in (r.thinking[at - 1], r.thinking[at]),
            _on(r.thinking[at - 1]), _on(r.thinking[at]),
        ),
        rules.MODE: (r.client_version[at] is not None, None, r.context_event[at]),
        rules.LIFETIME: (True, r.hour[at - 1], r.hour[at]),
        rules.TOOLS: ("schema" in offered, None, r.context_event[at]),
        rules.SYSTEM: ("system" in offered, None, None),
        rules.CLEARED: (True, losses.held[at], r.context[at]),
        rules.DROPPED: (True, None, None),
        rules.EDITED: (True, None, r.context_event[at]),
        rules.MISSED: (at < last, losses.held[at], r.cached[at + 1] if at < last else None),
        rules.PROMPT: (True, None, None),
        rules.START: (True, rules.STARTING, at - int(r.first_turn[index])),
    }  # fmt: skip
    for cause, (is_logged, before, now) in values.items():
        holds = bool(losses.holds[cause][at])
        yield Check(cause, holds if holds or is_logged else None, _plain(before), _plain(now))


def _on(thinking: bool | None) -> str | None:
    return None if thinking is None else "on" if thinking else "off"


def _plain(value: Any) -> str | float | None:
    """NaN is unknown; numpy's numbers are numbers."""
    if value is None or isinstance(value, str):
        return value
    return None if value != value else float(value)
