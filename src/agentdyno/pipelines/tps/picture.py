"""The schedule of one sample as bars in time, with the critical path of what was executed."""

from collections.abc import Sequence

from agentdyno.metrics.scheduling.graph import critical_path
from agentdyno.records.scheduling import GraphNode, ScheduledCall
from agentdyno.reports.schedule import Bar, schedule_svg


def bars_of(
    graph: Sequence[GraphNode], placed: Sequence[ScheduledCall], one_at_a_time: bool = False
) -> tuple[list[Bar], list[float]]:
    """Calls placed in time, turns one after the other, and the moments at which turns begin."""
    marked = set(critical_path(graph))
    bars: list[Bar] = []
    begins: list[float] = []
    now = 0.0
    for turn in sorted({call.turn for call in placed}):
        begins.append(now)
        end = at = now
        for call in (call for call in placed if call.turn == turn):
            start = at if one_at_a_time else now
            at = start + call.seconds
            end = max(end, at)
            critical = bool(marked & set(call.did))
            bars.append(Bar(call.tool, start, start + call.seconds, critical, call.failed))
        now = end
    return bars, begins


def picture(
    graph: Sequence[GraphNode],
    placed: Sequence[ScheduledCall],
    description: str,
    one_at_a_time: bool = False,
    width: int = 860,
) -> str:
    """The picture as SVG."""
    bars, begins = bars_of(graph, placed, one_at_a_time)
    return schedule_svg(bars, begins, description, width)
