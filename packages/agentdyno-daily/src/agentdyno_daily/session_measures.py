"""One line of measures under the money of the first screen: what the papers count, of sessions.

Takes a report's context, returns a `SessionMeasures`; what the ledger does not know is left out.
"""

from typing import Any

import polars as pl
from msgspec import Struct

from agentdyno.records import plural
from agentdyno.reports.numbers import dollars, short
from agentdyno.reports.section import Section
from agentdyno.reports.topic import Topic
from agentdyno.studies.cost.unit import name_pte
from agentdyno.studies.report_context import ReportContext

TURN = ["trajectory_id", "turn"]


class SessionMeasures(Struct, frozen=True):
    pte_name: str
    pte_a_turn: float | None
    """None where sessions ran on several architectures, whose PTE do not add up."""
    calls_at_once: float | None
    """Calls over turns with calls; None where no schedule was derived."""
    failed_turns: int
    """Turns whose calls all failed."""
    failed_usd: float | None
    """What these turns cost; None where one has no price."""


def study_measures(context: ReportContext) -> SessionMeasures:
    turns, pte = context.summary.turns, context.summary.pte
    failed = _find_failed_turns(context)
    usd = None if failed["usd"].null_count() else float(failed["usd"].sum())
    return SessionMeasures(
        name_pte(context.tables.options),
        pte / turns if pte is not None and turns else None,
        _count_at_once(context),
        len(failed),
        usd,
    )


def _find_failed_turns(context: ReportContext) -> pl.DataFrame:
    """Turns with calls of which each ended in an error, and their money."""
    calls = context.tables.scan("calls").group_by(TURN).agg(pl.col("error").is_not_null().all())
    failed = calls.filter("error").select(TURN)
    return context.tables.scan("turns").join(failed, on=TURN).select("usd").collect()


def _count_at_once(context: ReportContext) -> float | None:
    if not context.tables.has("scheduling"):
        return None
    rows = context.tables.scan("scheduling").unique("trajectory_id")
    calls = (pl.col("calls_per_turn") * pl.col("call_turns")).sum()
    sums: Any = rows.select(calls.alias("calls"), pl.col("call_turns").sum()).collect()
    return sums["calls"][0] / sums["call_turns"][0] if sums["call_turns"][0] else None


def describe_measures(measures: SessionMeasures) -> str:
    """`PTE a turn 35.6k, calls at once 1.26, 2 turns of failed calls ($0.031).`"""
    known = []
    if measures.pte_a_turn is not None:
        known.append(f"{measures.pte_name} a turn {short(measures.pte_a_turn)}")
    if measures.calls_at_once is not None:
        known.append(f"calls at once {measures.calls_at_once:.2f}")
    if measures.failed_turns:
        cost = "" if measures.failed_usd is None else f" ({dollars(measures.failed_usd)})"
        known.append(f"{plural(measures.failed_turns, 'turn')} of failed calls{cost}")
    return f"Measures: {', '.join(known)}." if known else ""


def render_measures(measures: SessionMeasures) -> Topic:
    return Topic("measures", "Measures", describe_measures(measures), [], [], [])


MEASURES = Section("measures", study_measures, render_measures, SessionMeasures)
