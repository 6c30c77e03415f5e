"""Parallelism that trajectories took and missed, by setting: a ledger in, readings out.

    joined share = turns that could have been part of an earlier one / turns with calls

Only known edges say which turns could have joined: inferred ones may be too few. Attempts at one
task are one unit of every interval.

Worked: 4 turns with calls of which 1 could have joined, and 6 of which none could: 10 %.
"""

import polars as pl
from msgspec import Struct, structs

from agentdyno.estimates.estimate import Estimate
from agentdyno.studies.cost.unit import Costs
from agentdyno.studies.readings import mean_of, missing, share_of
from agentdyno.studies.tables import Tables

# The table `scheduling` has what joining saves in PTE. That is no fixed share of the seconds: a
# short prefill beside a full batch takes next to nothing, and a decoded token takes a step in any
# turn. So what joining saves in GPU-seconds is not known.
SETTING = ("model", "benchmark", "variant")
NO_GRAPH = "no known graph"


class SettingSchedule(Struct, frozen=True):
    """Schedules of one setting, or of all."""

    name: str
    trajectories: int
    """Those with calls."""
    calls_per_turn: Estimate
    """Mean over trajectories."""
    overlap: Estimate
    """Summed call times over the time in which any ran, mean over trajectories with times."""
    joined: Estimate
    """Share of the turns with calls that could have been part of an earlier one."""
    missed_turns: Estimate
    missed_share: Estimate
    """Share of a trajectory's cost that would be gone, mean over trajectories."""
    missed_cost: Estimate
    """Cost that would be gone, a trajectory, in the unit of the schedules."""
    tool_seconds: Estimate
    """Waiting that would be gone, a trajectory."""
    model_seconds: Estimate
    """Generation time of such turns, a trajectory: at most this would be gone."""


def schedule_rows(ledger: Tables, costs: Costs) -> pl.DataFrame:
    """A row per trajectory with calls, the dearest setting first; known edges before inferred."""
    about = ledger.read("trajectories").select(
        "trajectory_id",
        *SETTING,
        "task_id",
        "pte",
        "usd",
        "calls",
        # Task 7 of one benchmark is not task 7 of another.
        task=pl.coalesce(
            pl.concat_str(pl.col("benchmark").fill_null(""), "task_id", separator="\0"),
            "trajectory_id",
        ),
    )
    best = (
        ledger.read("scheduling")
        .filter(pl.col("call_turns") > 0)
        .sort("edge_source", descending=True, maintain_order=True)
        .unique("trajectory_id", keep="first", maintain_order=True)
    )
    missed = pl.col("missed_pte")
    # Ledgers of earlier versions have what inferred edges would let join.
    is_known = pl.col("edge_source") == "known"
    best = best.with_columns(pl.when(is_known).then(pl.col("^missed_.*$")).name.keep())
    rows = costs.on(best.join(about, on="trajectory_id"))
    if costs.unit == "gpu_seconds":
        missed = pl.lit(None, pl.Float64)
    elif costs.unit == "usd":
        rows = costs.weighed(rows)
        missed = missed * pl.col("factor")
    rows = rows.with_columns(
        missed_cost=missed,
        missed_share=pl.when(pl.col("cost") > 0).then(missed / pl.col("cost")),
        total=pl.col("cost").sum().over(SETTING),
    )
    order = ("total", *SETTING, "trajectory_id")
    return rows.sort(order, descending=[True, *[False] * 4], nulls_last=True)


def measure_schedules(name: str, rows: pl.DataFrame) -> SettingSchedule:
    """The readings of some trajectories."""
    known_graphs = rows.filter(pl.col("missed_turns").is_not_null())
    return SettingSchedule(
        name=name,
        trajectories=len(rows),
        calls_per_turn=mean_of(rows, "calls_per_turn"),
        overlap=_mean(rows, "overlap", "no times"),
        joined=_join(known_graphs),
        missed_turns=_mean(known_graphs, "missed_turns"),
        missed_share=_share(_mean(known_graphs, "missed_share")),
        missed_cost=_mean(known_graphs, "missed_cost"),
        tool_seconds=_mean(known_graphs, "missed_tool_seconds", "no times"),
        model_seconds=_mean(known_graphs, "missed_model_seconds", "no times"),
    )


def _mean(rows: pl.DataFrame, column: str, why: str = "not known") -> Estimate:
    if not len(rows):
        return missing(NO_GRAPH)
    has_values = rows[column].null_count() < len(rows)
    return mean_of(rows, column) if has_values else missing(why)


def _join(rows: pl.DataFrame) -> Estimate:
    """Every turn with calls is one trial of its task."""
    if not len(rows):
        return missing(NO_GRAPH)
    counts = [pl.col("missed_turns"), pl.col("call_turns") - pl.col("missed_turns")]
    turns = [
        rows.select(pl.col("task").repeat_by(count), pl.lit(joined).alias("joined")).explode("task")
        for count, joined in zip(counts, (True, False), strict=True)
    ]
    return share_of(pl.concat(turns).drop_nulls("task"), "joined")


def _share(estimate: Estimate) -> Estimate:
    """With an interval that ends where shares do."""
    if estimate.low is None or estimate.high is None:
        return estimate
    return structs.replace(estimate, low=max(0.0, estimate.low), high=min(1.0, estimate.high))
