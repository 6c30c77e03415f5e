"""One row for each setting, as in the paper's tables and beyond; and the judge against the program.

    cost-of-pass = mean cost / mean completion, in dollars and in PTE; None without completion

Worked: 0.0059 dollars a task at a completion of 0.7354 -> 0.0080 dollars.
"""

from collections.abc import Callable, Sequence

from msgspec import Struct

from agentdyno.estimates.correlation import pearson
from agentdyno.estimates.means import clustered_mean
from agentdyno.estimates.values import Estimate
from agentdyno.pipelines.tps.measures import SampleMeasures

Number = float | None


class SettingMeasures(Struct, frozen=True):
    """Means over the tasks of a setting; None where a value is unknown for any of them."""

    benchmark: str
    """The task set."""
    model: str
    """The model."""
    variant: str | None
    """Selection and scheduling."""
    tasks: int
    """How many samples."""
    completion: Estimate
    """By program, with interval."""
    judged_completion: Number
    """By judge."""
    selection_precision: Number
    """Over samples that chose anything."""
    selection_recall: Number
    """Subtasks that a chosen tool can serve."""
    judged_selection: Number
    """By judge, out of 100."""
    input_tokens: Number
    """A task."""
    output_tokens: Number
    """A task."""
    turns: Number
    """Turns with calls."""
    calls: Number
    """A task."""
    model_seconds: Number
    """Generation."""
    tool_seconds: Number
    """Makespan of the calls."""
    wall_seconds: Number
    """Real time."""
    usd: Number
    """Money a task."""
    pte: Number
    """Cost a task."""
    cost_of_pass_usd: Number
    """Money over completion."""
    cost_of_pass_pte: Number
    """PTE over completion."""
    turns_over_best: Number
    """Over samples with calls."""
    makespan_over_critical: Number
    """Over samples with calls."""
    speedup_taken: Number
    """Over samples with calls."""
    speedup_available: Number
    """What the graphs allow."""
    early_calls: Number
    """Calls made before what they depend on."""
    repeated_calls: Number
    """Calls made twice."""
    unneeded_calls: Number
    """Calls nobody needed."""
    failed_calls: Number
    """Calls that ended with an error."""
    judge_completion_correlation: Estimate | None
    """Judge against program on completion; None without a judge."""
    judge_subtasks_correlation: Estimate | None
    """Judge against program on the number of subtasks; None without a judge."""


def compare_settings(samples: Sequence[SampleMeasures]) -> list[SettingMeasures]:
    """One row for each model, task set and variant, in order of appearance."""
    groups: dict[tuple[str, str, str | None], list[SampleMeasures]] = {}
    for sample in samples:
        groups.setdefault((sample.benchmark, sample.model, sample.variant), []).append(sample)
    return [_setting(*key, group) for key, group in groups.items()]


def _setting(
    benchmark: str, model: str, variant: str | None, group: list[SampleMeasures]
) -> SettingMeasures:
    passed = _mean(group, lambda s: s.completion) or 0.0
    usd, pte = _mean(group, lambda s: s.usd), _mean(group, lambda s: s.pte)
    judged = any(s.judged_completion is not None for s in group)
    return SettingMeasures(
        benchmark=benchmark,
        model=model,
        variant=variant,
        tasks=len(group),
        completion=clustered_mean({s.task_id: [s.completion] for s in group}),
        judged_completion=_known(group, lambda s: s.judged_completion),
        selection_precision=_known(group, lambda s: s.selection_precision),
        selection_recall=_mean(group, lambda s: s.selection_recall),
        judged_selection=_known(group, lambda s: s.judged_selection),
        input_tokens=_mean(group, lambda s: s.input_tokens),
        output_tokens=_mean(group, lambda s: s.output_tokens),
        turns=_mean(group, lambda s: s.schedule.turns),
        calls=_mean(group, lambda s: s.schedule.calls),
        model_seconds=_mean(group, lambda s: s.model_seconds),
        tool_seconds=_mean(group, lambda s: s.schedule.makespan_seconds),
        wall_seconds=_mean(group, lambda s: s.wall_seconds),
        usd=usd,
        pte=pte,
        cost_of_pass_usd=cost_of_pass(usd, passed),
        cost_of_pass_pte=cost_of_pass(pte, passed),
        turns_over_best=_known(group, lambda s: s.schedule.turns_over_best),
        makespan_over_critical=_known(group, lambda s: s.schedule.makespan_over_critical),
        speedup_taken=_known(group, lambda s: s.schedule.speedup_taken),
        speedup_available=_mean(group, lambda s: s.schedule.speedup_available),
        early_calls=_mean(group, lambda s: s.schedule.early_calls),
        repeated_calls=_mean(group, lambda s: s.schedule.repeated_calls),
        unneeded_calls=_mean(group, lambda s: s.schedule.unneeded_calls),
        failed_calls=_mean(group, lambda s: s.schedule.failed_calls),
        judge_completion_correlation=_judge(group) if judged else None,
        judge_subtasks_correlation=_judge_count(group) if judged else None,
    )


def cost_of_pass(cost: Number, completion: float) -> Number:
    """Expected cost of a completed task; None when nothing is ever completed."""
    return cost / completion if cost is not None and completion > 0 else None


Value = Callable[[SampleMeasures], Number]


def _mean(group: list[SampleMeasures], value: Value) -> Number:
    """The mean; None when any value is unknown."""
    values = [value(sample) for sample in group]
    known = [v for v in values if v is not None]
    return sum(known) / len(known) if known and len(known) == len(values) else None


def _known(group: list[SampleMeasures], value: Value) -> Number:
    """The mean of the samples for which there is a value."""
    known = [v for v in map(value, group) if v is not None]
    return sum(known) / len(known) if known else None


def _judge(group: list[SampleMeasures]) -> Estimate:
    return pearson([s.judged_completion for s in group], [s.completion for s in group])


def _judge_count(group: list[SampleMeasures]) -> Estimate:
    judged = [None if s.judged_subtasks is None else float(s.judged_subtasks) for s in group]
    return pearson(judged, [float(s.subtasks) for s in group])
