"""Utility by tool: judged calls in, a row for every tool out.

The aggregate is `measures.utility`'s; wasted cost is that of calls that did not help, utility per
1,000 of cost = 1000 * aggregate / cost. Costs are ours.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from agentdyno.measures.utility import count, is_useful, mean_confidence
from agentdyno_bench.shared.records.utility import JudgedCall
from agentdyno_bench.utility.findings.eta import useful_share
from agentdyno_bench.utility.findings.results import ToolUtility


def measure_tools(calls: Iterable[JudgedCall]) -> list[ToolUtility]:
    """A row per tool, the one with the most judged calls first."""
    by_tool: dict[str, list[JudgedCall]] = defaultdict(list)
    for call in calls:
        for tool in (call.tool, *call.also):
            by_tool[tool].append(_share_of(call))
    rows = [_row(tool, group) for tool, group in by_tool.items()]
    return sorted(rows, key=lambda row: (-row.calls, row.tool))


def _share_of(call: JudgedCall) -> JudgedCall:
    """A call of several tools: each has the label, and an equal part of the cost."""
    if not call.also:
        return call
    many = 1 + len(call.also)
    cost = None if call.cost is None else call.cost / many
    usd = None if call.usd is None else call.usd / many
    return replace(call, cost=cost, usd=usd)


def _row(tool: str, calls: Sequence[JudgedCall]) -> ToolUtility:
    signs = count(is_useful(call.label) for call in calls)
    judged = [call for call in calls if call.label is not None]
    useful = [call for call in judged if is_useful(call.label)]
    wasted = [call for call in judged if not is_useful(call.label)]
    verdicts = [(is_useful(call.label), call.confidence) for call in calls]
    cost = total(call.cost for call in judged)
    return ToolUtility(
        tool=tool,
        calls=signs.judged,
        useful=signs.useful,
        not_useful=signs.not_useful,
        unjudged=len(calls) - signs.judged,
        aggregate=signs.utility,
        share=useful_share(judged),
        trajectories=len({call.trajectory_id for call in judged}),
        helped=len({call.trajectory_id for call in useful}),
        confidence_useful=mean_confidence(verdicts, useful=True),
        confidence_not_useful=mean_confidence(verdicts, useful=False),
        cost=cost,
        wasted_cost=total(call.cost for call in wasted),
        usd=total(call.usd for call in judged),
        wasted_usd=total(call.usd for call in wasted),
        utility_per_1000_cost=1000 * signs.utility / cost if cost else None,
    )


def total(amounts: Iterable[float | None]) -> float | None:
    """A sum; None when any of it is unknown."""
    values = list(amounts)
    return None if None in values else float(sum(values))  # type: ignore[arg-type]
