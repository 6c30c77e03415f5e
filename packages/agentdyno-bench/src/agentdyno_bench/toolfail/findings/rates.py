"""Rates with their bounds: labels of one rater in, CTUR, TSR, RIR, OFR, UTR, CTRL-Acc and more out.

The six of the paper are `measures.failures.RATES`; those over required tasks leave refusals and
malformed answers out. `Refused` and `Malformed` are over all decided attempts at required tasks,
and so is `Clean`, the share that was correct: neither raises it, so models are ranked by it.

An attempt without a label is undecided. It is in no share, and in every interval: `bounds` are what
a rate would be with all undecided ones counted against it and for it, and intervals reach as far.
Several attempts at a task are no independent ones: the interval is then over tasks.
Source: ToolFailBench, Table 1. Worked: 644 correct of 746 -> CTUR 86.33 % [83.67, 88.61]; with 4
more undecided, between 85.87 % and 86.40 % [83.19, 88.67].
"""

from collections.abc import Sequence
from typing import Literal, get_args

from msgspec import Struct, structs

from agentdyno.estimates.estimate import Estimate
from agentdyno.estimates.proportions import wilson_with_undecided
from agentdyno.estimates.shares import clustered_share
from agentdyno.measures.failures import RATES, Share, count_rate
from agentdyno_bench.toolfail.records import Label, Labelled, TaskKind

RateName = Literal[
    "Clean", "CTUR", "TSR", "RIR", "OFR", "Refused", "Malformed", "UTR", "CTRL-Acc"
]  # fmt: skip
RATE_NAMES: tuple[RateName, ...] = get_args(RateName)
OF_ANSWERED = tuple(name for name, (kind, _) in RATES.items() if kind == "required")
"""The paper's rates, which leave refusals and malformed answers out."""
BESIDE: tuple[Label, ...] = ("refused", "malformed")
"""Labels at required tasks that the paper does not have."""

MEANING: dict[RateName, tuple[TaskKind, Label]] = {
    "Clean": ("required", "correct"),
    **{name: RATES[name] for name in OF_ANSWERED},
    "Refused": ("required", "refused"),
    "Malformed": ("required", "malformed"),
    **{name: meaning for name, meaning in RATES.items() if name not in OF_ANSWERED},
}
"""Which tasks a rate is over, and which label it counts."""


class FailureRates(Struct, frozen=True):
    """The rates of one model by one rater."""

    bounds: dict[str, tuple[float, float]]
    """By rate: the least and the most it can be, whatever the undecided ones are; rates over no
    attempt are left out."""
    rates: dict[str, Estimate]
    """By name: the share of the decided ones, which are its n, with an interval that includes the
    undecided."""
    required: int
    control: int
    """Attempts at controls."""
    refused: int
    """Attempts at required tasks that were refused."""
    malformed: int
    """Answers to required tasks that cannot be read or were not submitted."""
    undecided: int
    """Attempts that the rater left without a label."""
    broken: int
    """Answers that are broken output; they are counted in the rates."""
    phantom: int
    """Answers that write or claim a call which was not executed."""


def failure_rates(labels: Sequence[Labelled]) -> FailureRates:
    """The rates over these labels."""
    rates: dict[str, Estimate] = {}
    bounds: dict[str, tuple[float, float]] = {}
    for name, (kind, counted) in MEANING.items():
        over = [row for row in labels if row.kind == kind]
        if name in OF_ANSWERED:
            over = [row for row in over if row.label not in BESIDE]
        share = count_rate([row.label for row in over], counted)
        rates[name] = _rate(over, counted, share)
        if over:
            most = share.hits + share.undecided
            bounds[name] = (share.hits / len(over), most / len(over))
    required = [row.label for row in labels if row.kind == "required"]
    return FailureRates(
        bounds=bounds,
        rates=rates,
        required=len(required),
        control=len(labels) - len(required),
        refused=required.count("refused"),
        malformed=required.count("malformed"),
        undecided=sum(row.label is None for row in labels),
        broken=sum(row.broken for row in labels),
        phantom=sum(row.phantom for row in labels),
    )


def _rate(over: Sequence[Labelled], counted: Label, share: Share) -> Estimate:
    estimate = wilson_with_undecided(*share)
    against, in_favour = dict[str, list[float]](), dict[str, list[float]]()
    for row in over:
        against.setdefault(row.task_id, []).append(float(row.label == counted))
        in_favour.setdefault(row.task_id, []).append(float(row.label in (counted, None)))
    if len(against) == len(over):
        return estimate
    low, high = clustered_share(against), clustered_share(in_favour)
    method = f"{low.method}; {len(over):,} attempts at {len(against):,} tasks"
    return structs.replace(estimate, low=low.low, high=high.high, method=method)


def rates_by_domain(labels: Sequence[Labelled]) -> dict[str, FailureRates]:
    """The same, domain by domain."""
    domains = sorted({row.domain for row in labels})
    return {d: failure_rates([row for row in labels if row.domain == d]) for d in domains}
