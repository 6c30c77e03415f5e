"""How often each wasteful pattern occurs and what it costs, from the ledger's detections.

frequency = trajectories that show it / trajectories. What trajectories with a pattern cost more
than those without is not asked: they are longer, and at equal length the difference is gone.

Worked: 2 of 4 trajectories show it -> 50 %. A turn of 4 calls that cost $0.20, of which one looked
for a path that is not there: $0.05 of the turn, and what the error cost while it was in context.
"""

import polars as pl

from agentdyno.records.precision import confidence
from agentdyno.records.settings import SettingName
from agentdyno.studies.cost.frames import Frames
from agentdyno.studies.cost.results import PatternCase, PatternKind, PatternRate, Patterns
from agentdyno.studies.readings import share_of

KINDED = ("lack_of_tool_priors",)
"""Patterns of several kinds, which their detections say."""
CASES = 6
"""Detections shown of each pattern."""


def patterns(frames: Frames) -> Patterns:
    """Rates and the most expensive cases."""
    detections = frames.patterns
    unit = frames.costs.unit
    if detections is None:
        unread, reason = len(frames.trajectories), "nobody looked for patterns"
        return Patterns([], [], 0, unread, reason, unit=unit)
    if detections.is_empty():
        nothing = "no known pattern was found in any trajectory"
        return Patterns([], [], 0, 0, nothing, frames.unproven, unit)
    read = frames.trajectories.filter(~pl.col("source").is_in(sorted(frames.unread)))
    unread = len(frames.trajectories) - len(read)
    rates = [_rate(name, None, read, detections) for name in _by_cost(detections)]
    if len(frames.settings) > 1:
        rates += [
            _rate(name, frames.settings[setting], rows, within)
            for setting, rows in frames.by_setting(read).items()
            for within in [detections.filter(pl.col("setting") == setting)]
            for name in _by_cost(within)
        ]
    displayed = cases(detections, CASES)
    kinds = _add_up_kinds(detections, frames.turns)
    return Patterns(rates, displayed, len(detections), unread, None, frames.unproven, unit, kinds)


def _add_up_kinds(detections: pl.DataFrame, turns: pl.DataFrame) -> list[PatternKind]:
    """By what was wrong, with the turns that were spent on it."""
    turn = ["trajectory_id", "turn"]
    calls = detections.drop_nulls("call").unique(["pattern", *turn, "call"], maintain_order=True)
    kind = pl.when(pl.col("pattern").is_in(KINDED)).then("detail").otherwise("pattern")
    named = calls.with_columns(pl.col("turn").cast(pl.Int64), kind=kind)
    turn_costs = turns.select(*turn, "calls", of_turn="cost").with_columns(
        pl.col("turn").cast(pl.Int64)
    )
    rows = named.join(turn_costs, on=turn, how="left", maintain_order="left")
    rows = rows.with_columns(pl.col("of_turn") / pl.col("calls").clip(lower_bound=1))
    sums = rows.group_by("pattern", "kind", maintain_order=True).agg(
        found=pl.len(),
        turns=pl.struct(turn).n_unique(),
        cost=pl.when(pl.col("cost").count() > 0).then(pl.col("cost").sum()),
        turn_cost=pl.when(pl.col("of_turn").count() > 0).then(pl.col("of_turn").sum()),
    )
    ordered = sums.sort("turn_cost", "kind", descending=[True, False], nulls_last=True)
    return [PatternKind(**row) for row in ordered.iter_rows(named=True)]


def cases(rows: pl.DataFrame, each: int) -> list[PatternCase]:
    """The most expensive detections of each pattern, patterns by cost."""
    order = pl.struct("pattern", "trajectory_id", "turn", "call")
    ranked = rows.sort("cost", order, descending=[True, False], nulls_last=True)
    fields = [field for field in PatternCase.__struct_fields__ if field != "confidence"]
    return [
        PatternCase(**row, confidence=confidence(name))
        for name in _by_cost(rows)
        for row in ranked.filter(pl.col("pattern") == name).head(each).select(fields).to_dicts()
    ]


def _by_cost(rows: pl.DataFrame) -> list[str]:
    totals = rows.group_by("pattern", maintain_order=True).agg(pl.col("cost").sum())
    return totals.sort("cost", "pattern", descending=[True, False])["pattern"].to_list()


def _rate(
    name: str, setting: SettingName | None, rows: pl.DataFrame, detections: pl.DataFrame
) -> PatternRate:
    of_pattern = detections.filter(pl.col("pattern") == name)
    shows = pl.col("trajectory_id").is_in(of_pattern["trajectory_id"].implode())
    task = pl.concat_str(pl.col("setting"), pl.col("task"), separator="\0")
    marked = rows.with_columns(shows=shows, task=task)
    borne = of_pattern.filter(pl.col("cost").is_not_null()).unique(
        ["trajectory_id", "turn", "call"], maintain_order=True
    )
    cost = float(borne["cost"].sum()) if len(borne) else None
    total = float(rows["cost"].sum())
    return PatternRate(
        pattern=name,
        setting=setting,
        found=len(of_pattern),
        frequency=share_of(marked, "shows"),
        cost=cost,
        share=cost / total if cost is not None and total else None,
    )
