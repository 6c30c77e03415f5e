"""The schedule as a picture."""

from agentdyno.reports.schedule import draw_schedule, lanes
from agentdyno.reports.topic import LanesChart
from agentdyno.studies.scheduling.lanes import Lane


def chart(bars: list[Lane], turns: list[float], axis: str = "seconds") -> LanesChart:
    return LanesChart("schedule", "two turns", bars, turns, axis)


def schedule_svg(chart: LanesChart) -> str:
    """The picture as a page holds it."""
    return draw_schedule(chart.bars, chart.turns, 860, chart.axis).svg(chart.title)


def test_bars_that_overlap_get_lanes_of_their_own_and_free_lanes_are_used_again() -> None:
    bars = [Lane("a", 0, 2), Lane("b", 0, 1), Lane("c", 1, 3), Lane("d", 3, 4)]
    assert lanes(bars) == [1, 0, 0, 0]


def test_the_critical_path_runs_through_the_first_lane() -> None:
    bars = [Lane("a", 0, 1), Lane("b", 0, 2, critical=True), Lane("c", 2, 3, critical=True)]
    assert lanes(bars) == [1, 0, 0]


def test_the_picture_marks_the_critical_path_and_brings_no_script() -> None:
    hostile = "<script>alert(1)</script>"
    bars = [Lane("weather", 0, 2, critical=True), Lane(hostile, 2, 4, failed=True), Lane("c", 0, 1)]
    svg = schedule_svg(chart(bars, [0, 2]))
    assert "f-accent" in svg
    assert "f-unsolved" in svg
    assert "weather" in svg
    assert "<script" not in svg
    assert 'aria-label="two turns"' in svg


def test_the_axis_says_when_it_does_not_measure_seconds() -> None:
    svg = schedule_svg(chart([Lane("a", 0, 1)], [0], "turns: the trace has no times"))
    assert "turns: the trace has no times" in svg
    assert "seconds" not in svg


def test_a_label_longer_than_its_bar_is_left_out() -> None:
    svg = schedule_svg(chart([Lane("x" * 40, 0, 1), Lane("rest", 1, 9)], [0]))
    assert "xxxx" not in svg
    assert "rest" in svg


def test_no_calls_are_an_empty_picture() -> None:
    assert schedule_svg(chart([], [])).startswith("<svg")
