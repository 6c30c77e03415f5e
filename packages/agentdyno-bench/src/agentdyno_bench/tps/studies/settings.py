"""One row for each setting, as in the paper's tables and beyond; and the judge against the program.

Cost-of-pass (`measures.planning`) is of mean cost and mean completion, in dollars and in PTE
(GPU-seconds over several architectures).
"""

import polars as pl
from msgspec import Struct, structs

from agentdyno.estimates.correlation import pearson
from agentdyno.estimates.estimate import Estimate
from agentdyno.estimates.means import clustered_mean
from agentdyno.measures.planning import cost_of_pass
from agentdyno.records.cost_unit import CostUnit
from agentdyno.studies.readings import by_task
from agentdyno_bench.tps.studies.attempts import SETTING

Number = float | None


class SettingMeasures(Struct, frozen=True):
    """Means over the tasks of a setting; None where a value is unknown for any of them."""

    benchmark: str
    model: str
    variant: str | None
    tasks: int
    completion: Estimate
    """By program, with interval."""
    unclear: Number
    """Share of the subtasks of which nobody can tell; completion counts them as not done."""
    all_done: Number
    """Share of the attempts that completed every subtask and changed nothing else."""
    harmful: Number
    """Share of the attempts that changed something nobody asked for."""
    ceiling: Number
    """The best completion that any agent can reach under the setting, by program."""
    judged_completion: Number
    """By judge."""
    selection_precision: Number
    """Over attempts that chose anything."""
    selection_recall: Number
    """Subtasks that a chosen tool can serve."""
    judged_selection: Number
    """By judge, out of 100."""
    input_tokens: Number
    output_tokens: Number
    turns: Number
    """Turns with calls."""
    calls: Number
    model_seconds: Number
    """Generation."""
    tool_seconds: Number
    """Makespan of the calls."""
    wall_seconds: Number
    usd: Number
    cost: Number
    cost_of_pass_usd: Number
    """Money over completion."""
    cost_of_pass: Number
    """Cost over completion."""
    turns_over_best: Number
    makespan_over_critical: Number
    speedup_taken: Number
    speedup_available: Number
    early_calls: Number
    """Calls made before what they depend on."""
    repeated_calls: Number
    unneeded_calls: Number
    failed_calls: Number
    """Calls that ended with an error."""
    judge_completion_correlation: Estimate | None
    """Judge against program on completion; None without a judge."""
    judge_subtasks_correlation: Estimate | None
    """Judge against program on the number of subtasks; None without a judge."""
    unit: CostUnit = "pte"
    """What `cost` and `cost_of_pass` are counted in."""


def compare_settings(samples: pl.DataFrame, unit: CostUnit = "pte") -> list[SettingMeasures]:
    """One row for each model, task set and variant of these attempts, whose `cost` is in a unit."""
    groups = samples.partition_by(SETTING, maintain_order=True)
    return [_build_setting(group, unit) for group in groups]


def _build_setting(group: pl.DataFrame, unit: CostUnit) -> SettingMeasures:
    benchmark, model, variant = group.select(SETTING).row(0)
    passed = _mean(group, "completion") or 0.0
    usd, cost = _mean(group, "usd"), _mean(group, "cost")
    judged = group["judged_completion"].null_count() < len(group)
    return SettingMeasures(
        benchmark=benchmark,
        model=model,
        variant=variant,
        tasks=group["task"].n_unique(),
        completion=completion_of(group),
        unclear=_average_known(group, "unclear_share"),
        all_done=_mean(group, "correct"),
        harmful=_mean(group, "harmful"),
        ceiling=_mean(group, "ceiling"),
        input_tokens=_mean(group, "input_tokens"),
        output_tokens=_mean(group, "output_tokens"),
        turns=_mean(group, "call_turns"),
        usd=usd,
        cost=cost,
        cost_of_pass_usd=cost_of_pass(usd, passed),
        cost_of_pass=cost_of_pass(cost, passed),
        judge_completion_correlation=judge_completion(group) if judged else None,
        judge_subtasks_correlation=judge_subtasks(group) if judged else None,
        **{name: _mean(group, name) for name in _OF_ALL},
        **{name: _average_known(group, name) for name in _OF_KNOWN},
        unit=unit,
    )


_OF_ALL = ("selection_recall", "calls", "model_seconds", "tool_seconds", "wall_seconds",
           "speedup_available", "early_calls", "repeated_calls", "unneeded_calls",
           "failed_calls")  # fmt: skip
_OF_KNOWN = ("judged_completion", "judged_selection", "selection_precision", "turns_over_best",
             "makespan_over_critical", "speedup_taken")  # fmt: skip


def completion_of(group: pl.DataFrame, column: str = "completion") -> Estimate:
    """Mean completion, with an interval that ends where shares do."""
    estimate = clustered_mean(by_task(group, column))
    if estimate.low is None or estimate.high is None:
        return estimate
    return structs.replace(estimate, low=max(0.0, estimate.low), high=min(1.0, estimate.high))


def _mean(group: pl.DataFrame, column: str) -> Number:
    """The mean; None when any value is unknown."""
    return None if group[column].null_count() else _average_known(group, column)


def _average_known(group: pl.DataFrame, column: str) -> Number:
    """The mean of the attempts for which there is a value."""
    values = [float(value) for value in group[column].drop_nulls()]
    return sum(values) / len(values) if values else None


def judge_completion(group: pl.DataFrame) -> Estimate:
    """Completion by judge against completion by program."""
    return pearson(group["judged_completion"].to_list(), group["completion"].to_list())


def judge_subtasks(group: pl.DataFrame) -> Estimate:
    """Parts that the judge found against subtasks that there are."""
    judged, there_are = (group[name].cast(pl.Float64) for name in ("judged_subtasks", "subtasks"))
    return pearson(judged.to_list(), there_are.to_list())
