"""Keep, drop, defer, or how many more tasks: a verdict from two intervals.

    drop       without the tools no fewer tasks are solved (beyond the margin) and it costs less;
               or more are solved and it does not cost more
    keep       with them more are solved; or no fewer (beyond the margin), and it costs less
    defer      keep, yet on most tasks the schemas cost more than the results
    undecided  all else

Worked: without a tool -0.5 pt [-1.8, +0.8] of 400 tasks are solved and the cost is -20 %
[-24, -16]: at a margin of two points, drop.
"""

from agentdyno.estimates.proportions import wilson
from agentdyno.records.cost_unit import CostUnit
from agentdyno.studies.comparison.gates import parse_gate
from agentdyno.studies.comparison.judging import judge_gate
from agentdyno.studies.comparison.measures import SAME_FROM
from agentdyno.studies.comparison.pairing import Pairing
from agentdyno.studies.comparison.results import MetricComparison
from agentdyno.studies.comparison.verdict import say_verdict
from agentdyno_bench.utility.worth.results import CONFIDENCE, Decision, Verdict


def decide(
    metrics: dict[str, MetricComparison],
    pairing: Pairing,
    unit: CostUnit,
    margin: float,
    outweighed: list[bool],
) -> Decision:
    """The verdict; `margin` is in points, `outweighed` says of every task whether its menu cost
    more than its results."""
    solved, cost = metrics["accuracy"], metrics[unit]
    reason = say_verdict([solved, cost], pairing, unit)
    if pairing.has_same_runs():  # Their costs may still differ in the last digit.
        return Decision(
            verdict="undecided", reason="Both sides are the same runs.", more_tasks=None
        )
    if solved.low is None or solved.high is None or cost.low is None or cost.high is None:
        more = SAME_FROM - solved.n if 0 < solved.n < SAME_FROM else None
        return Decision(verdict="undecided", reason=reason, more_tasks=more)
    low, high = 100 * solved.low, 100 * solved.high
    if (low >= -margin and cost.high < 1) or (low > 0 and cost.low <= 1):
        return Decision(verdict="drop", reason=reason)
    if high < 0 or (high <= margin and cost.low > 1):
        return Decision(verdict=_defer_or_keep(outweighed), reason=reason)
    limit = f"accuracy<=+{margin:g}pt" if cost.low > 1 else f"accuracy>=-{margin:g}pt"
    needed = _count_more_tasks(pairing, (limit, f"{unit}<=+0%"))
    return Decision(verdict="undecided", reason=reason, more_tasks=needed)


def _defer_or_keep(outweighed: list[bool]) -> Verdict:
    most = wilson(sum(outweighed), len(outweighed), CONFIDENCE).low if outweighed else None
    return "defer" if most is not None and most > 0.5 else "keep"


def _count_more_tasks(pairing: Pairing, gates: tuple[str, ...]) -> int | None:
    verdicts = [judge_gate(parse_gate(gate), pairing, CONFIDENCE) for gate in gates]
    needed = [v.more_tasks_needed for v in verdicts if v.state == "inconclusive"]
    counts = [many for many in needed if many is not None]
    # Beyond a million tasks no number is given, and then the others do not decide it either.
    return max(counts) if counts and len(counts) == len(needed) else None
