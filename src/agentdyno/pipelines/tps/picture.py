"""The schedule of one sample as bars in time, with the critical path of what was executed."""

from collections.abc import Sequence
from pathlib import Path

from agentdyno.metrics.scheduling.graph import critical_path
from agentdyno.pipelines.tps.marks import read_marks
from agentdyno.records.scheduling import GraphNode, ScheduledCall
from agentdyno.records.topics import Lane
from agentdyno.reports.schedule import schedule_file, schedule_svg


def bars_of(
    graph: Sequence[GraphNode], placed: Sequence[ScheduledCall], one_at_a_time: bool = False
) -> tuple[list[Lane], list[float]]:
    """Calls placed in time, turns one after the other, and the moments at which turns begin."""
    marked = set(critical_path(graph))
    bars: list[Lane] = []
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
            bars.append(Lane(call.tool, start, start + call.seconds, critical, call.failed))
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


def draw_samples(out: Path, count: int) -> list[Path]:
    """Draws the schedules of the first samples that made calls, as files of their own."""
    drawn: list[Path] = []
    for sample in read_marks(out / "logs"):
        if len(drawn) == count or not sample.marks.placed:
            continue
        one_at_a_time = sample.marks.scheduling == "sequential"
        bars, begins = bars_of(sample.marks.graph, sample.marks.placed, one_at_a_time)
        file = out / "schedules" / f"{sample.task_id}-{sample.variant or 'default'}.svg"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(schedule_file(bars, begins), encoding="utf-8")
        drawn.append(file)
    return drawn
