"""Utility by tool: judged calls in, a row for every tool out.

aggregate = useful - not useful; wasted PTE = PTE of calls that did not help; utility per 1,000 PTE
= 1000 * aggregate / PTE. Source: Eta Given Delta, section 4.2 (the aggregate); PTE is ours.

Worked: Grafana/Loki under GPT-5.3-Codex, 52 useful and 27 not: aggregate +25.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from agentdyno_bench.findings.utility.eta import is_useful, useful_share
from agentdyno_bench.findings.utility.results import ToolUtility
from agentdyno_bench.records.utility import JudgedCall


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
    judged = [call for call in calls if call.label is not None]
    useful = [call for call in judged if is_useful(call)]
    wasted = [call for call in judged if not is_useful(call)]
    aggregate, cost = len(useful) - len(wasted), total(call.cost for call in judged)
    return ToolUtility(
        tool=tool,
        calls=len(judged),
        useful=len(useful),
        not_useful=len(wasted),
        unjudged=len(calls) - len(judged),
        aggregate=aggregate,
        share=useful_share(judged),
        trajectories=len({call.trajectory_id for call in judged}),
        helped=len({call.trajectory_id for call in useful}),
        confidence_useful=_mean_confidence(useful),
        confidence_not_useful=_mean_confidence(wasted),
        cost=cost,
        wasted_cost=total(call.cost for call in wasted),
        usd=total(call.usd for call in judged),
        wasted_usd=total(call.usd for call in wasted),
        utility_per_1000_cost=1000 * aggregate / cost if cost else None,
    )


def total(amounts: Iterable[float | None]) -> float | None:
    """A sum; None when any of it is unknown."""
    known = list(amounts)
    return None if None in known else float(sum(known))  # type: ignore[arg-type]


def _mean_confidence(calls: Sequence[JudgedCall]) -> float | None:
    known = [call.confidence for call in calls if call.confidence is not None]
    return sum(known) / len(known) if known else None
