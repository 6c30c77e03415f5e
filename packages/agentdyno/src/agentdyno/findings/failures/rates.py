"""Six rates with Wilson intervals: labels of one rater in, TSR, CTUR, RIR, OFR, UTR, CTRL-Acc out.

Over required tasks: TSR = skips, CTUR = correct, RIR = ignores, OFR = fabrications, which sum to
100 %. Over controls: UTR = needless calls, CTRL-Acc = correct. A task that the rater left without
a label is in no denominator; `coverage` says how many have one, and `bounds` what a rate would be
if all others had that label, or none of them. Source: ToolFailBench, Table 1. Worked: 644 correct
of 746 labelled -> CTUR 86.33 % [83.67, 88.61]; with 4 more unclear, between 85.87 % and 86.40 %.
"""

from collections.abc import Sequence
from typing import Literal, get_args

from msgspec import Struct

from agentdyno.estimates.estimate import Estimate
from agentdyno.estimates.proportions import wilson
from agentdyno.records.failures import Label, Labelled, TaskKind

RateName = Literal["TSR", "CTUR", "RIR", "OFR", "UTR", "CTRL-Acc"]
RATE_NAMES: tuple[RateName, ...] = get_args(RateName)

MEANING: dict[RateName, tuple[TaskKind, Label]] = {
    "TSR": ("required", "tool_skip"),
    "CTUR": ("required", "correct"),
    "RIR": ("required", "result_ignore"),
    "OFR": ("required", "output_fabrication"),
    "UTR": ("control", "unnecessary_tool_use"),
    "CTRL-Acc": ("control", "correct"),
}
"""Which tasks a rate is over, and which label it counts."""


class FailureRates(Struct, frozen=True):
    """The rates of one model by one rater."""

    rates: dict[str, Estimate]
    """By name, as shares."""
    required: int
    """Required tasks with a label."""
    control: int
    """Control tasks with a label."""
    unlabelled: int
    """Tasks that the rater left without one."""
    coverage: float | None
    """Share of the tasks that have a label; None without any task."""
    bounds: dict[str, tuple[float, float]]
    """By rate: the least and the most it can be, whatever the unlabelled ones are; rates over no
    task are left out."""
    broken: int
    """Answers that are broken output; they are counted in the rates."""
    phantom: int
    """Answers that write or claim a call which was not executed."""


def failure_rates(labels: Sequence[Labelled]) -> FailureRates:
    """The rates over these labels."""
    known = [each for each in labels if each.label is not None]
    rates: dict[str, Estimate] = {}
    bounds: dict[str, tuple[float, float]] = {}
    for name, (kind, counted) in MEANING.items():
        over = [each for each in known if each.kind == kind]
        hits, every = sum(each.label == counted for each in over), _count(labels, kind)
        rates[name] = wilson(hits, len(over))
        if every:
            bounds[name] = (hits / every, (hits + every - len(over)) / every)
    return FailureRates(
        rates=rates,
        required=sum(each.kind == "required" for each in known),
        control=sum(each.kind == "control" for each in known),
        unlabelled=len(labels) - len(known),
        coverage=len(known) / len(labels) if labels else None,
        bounds=bounds,
        broken=sum(each.broken for each in labels),
        phantom=sum(each.phantom for each in labels),
    )


def _count(labels: Sequence[Labelled], kind: TaskKind) -> int:
    return sum(each.kind == kind for each in labels)


def rates_by_domain(labels: Sequence[Labelled]) -> dict[str, FailureRates]:
    """The same, domain by domain."""
    domains = sorted({each.domain for each in labels})
    return {d: failure_rates([each for each in labels if each.domain == d]) for d in domains}
