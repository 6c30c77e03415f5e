"""How often each wasteful pattern occurs and what it costs, from the ledger's detections.

frequency = trajectories that show it / trajectories; multiplier = mean cost with / mean cost
without, inside one setting (PTE paper, Appendix E); all settings together with each cost over its
setting's mean. Undefined where every trajectory shows the pattern, or none does.

Worked: 2 of 4 trajectories show it at 300 and 500, the others cost 100 and 300 -> 50 %, 2.0.
"""

import polars as pl

from agentdyno.estimates.estimate import Estimate
from agentdyno.findings.patterns.multipliers import Multiplier, multipliers
from agentdyno.records.precision import confidence
from agentdyno.records.settings import SettingName
from agentdyno.studies.cost.frames import Frames
from agentdyno.studies.cost.outcomes import relative
from agentdyno.studies.cost.results import PatternCase, PatternRate, Patterns
from agentdyno.studies.readings import missing, ratio_of, share_of

CASES = 6
"""Detections shown of each pattern."""


def patterns(frames: Frames) -> Patterns:
    """Rates and the most expensive cases."""
    found = frames.patterns
    unit = frames.costs.unit
    if found is None:
        unread, reason = len(frames.trajectories), "nobody looked for patterns"
        return Patterns([], [], 0, unread, reason, unit=unit)
    if found.is_empty():
        nothing = "no known pattern was found in any trajectory"
        return Patterns([], [], 0, 0, nothing, frames.unproven, unit)
    read = frames.trajectories.filter(~pl.col("source").is_in(sorted(frames.unread)))
    unread = len(frames.trajectories) - len(read)
    rates = [_pool(name, read, found) for name in _by_cost(found)]
    if len(frames.settings) > 1:
        rates += [_of_setting(m, frames) for m in multipliers(_add_costs(found), _add_costs(read))]
    displayed = cases(found, CASES)
    return Patterns(rates, displayed, len(found), unread, None, frames.unproven, unit)


def cases(found: pl.DataFrame, each: int) -> list[PatternCase]:
    """The most expensive detections of each pattern, patterns by cost."""
    order = pl.struct("pattern", "trajectory_id", "turn", "call")
    ranked = found.sort("cost", order, descending=[True, False], nulls_last=True)
    fields = [field for field in PatternCase.__struct_fields__ if field != "confidence"]
    return [
        PatternCase(**row, confidence=confidence(name))
        for name in _by_cost(found)
        for row in ranked.filter(pl.col("pattern") == name).head(each).select(fields).to_dicts()
    ]


def _add_costs(rows: pl.DataFrame) -> pl.DataFrame:
    """With the cost in the ledger's unit where rows of one model have their PTE."""
    return rows.with_columns(pte=pl.col("cost"))


def _by_cost(found: pl.DataFrame) -> list[str]:
    totals = found.group_by("pattern", maintain_order=True).agg(pl.col("cost").sum())
    return totals.sort("cost", "pattern", descending=[True, False])["pattern"].to_list()


def _pool(name: str, rows: pl.DataFrame, found: pl.DataFrame) -> PatternRate:
    mine = found.filter(pl.col("pattern") == name)
    shows = pl.col("trajectory_id").is_in(mine["trajectory_id"].implode())
    marked = relative(rows).with_columns(shows=shows)
    borne = mine.filter(pl.col("cost").is_not_null()).unique(
        ["trajectory_id", "turn", "call"], maintain_order=True
    )
    cost = float(borne["cost"].sum()) if len(borne) else None
    total = float(rows["cost"].sum())
    return PatternRate(
        pattern=name,
        setting=None,
        found=len(mine),
        frequency=share_of(marked, "shows"),
        multiplier=_multiplier(marked),
        cost=cost,
        share=cost / total if cost is not None and total else None,
    )


def _multiplier(rows: pl.DataFrame) -> Estimate:
    shows, clean = rows.filter(pl.col("shows")), rows.filter(~pl.col("shows"))
    if clean.is_empty():
        return missing("every trajectory shows it: nothing to compare with", len(rows))
    return ratio_of(clean, shows, "cost")


def _of_setting(found: Multiplier, frames: Frames) -> PatternRate:
    setting = SettingName(found.model, found.benchmark, found.variant)
    rows = frames.trajectories.filter(pl.col("setting") == frames.settings.index(setting))
    total = float(rows["cost"].sum())
    borne = found.pte_borne
    return PatternRate(
        pattern=found.pattern,
        setting=setting,
        found=found.findings,
        frequency=found.frequency,
        multiplier=found.multiplier,
        cost=borne,
        share=borne / total if borne is not None and total else None,
    )
