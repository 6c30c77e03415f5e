"""Topics in every form of a report."""

import re

import pytest

from agentdyno.reports.charts.render import as_png, as_svg
from agentdyno.reports.charts.svg import inline_svg
from agentdyno.reports.charts.topics import draw_chart, topic_pictures
from agentdyno.reports.html.study import render_study
from agentdyno.reports.markdown_topics import render_topic
from agentdyno.reports.topic import HeatChart
from tests.reports.sample_topics import full_topic

HOSTILE = '"><script>alert(1)</script>|`[x](javascript:1)\u202e'


def test_numbers_are_written_as_their_columns_say() -> None:
    page = render_study("Study", [full_topic()])
    cells = re.sub(r"<[^>]+>", " ", page[page.index("<tbody>") :])
    for shown in ("1,234", "45.6k", "25.0\u00a0%", "1.50", "$0.250", "2.50 s", "&lt; 0.001"):
        assert shown in cells
    assert "too few tasks" in cells
    assert "–" in cells


@pytest.mark.parametrize("width", [336, 860])
def test_every_chart_fits_its_width(width: int) -> None:
    for picture in topic_pictures([full_topic()]):
        drawn = inline_svg(as_svg(picture.draw(width)), picture.title)
        assert float(drawn.split('width="')[1].split('"')[0]) <= width + 8, picture.name


def test_a_heat_map_shows_as_many_tokens_as_fit_and_names_its_colours() -> None:
    chart = HeatChart("h", "h", ["token"] * 400, [[0.5, 0.0]] * 400)
    drawn = inline_svg(as_svg(draw_chart(chart, 336)), "h")
    assert 10 < drawn.count("token") < 30
    assert "0.25" in drawn


def test_a_chart_without_marks_is_left_out() -> None:
    topic = full_topic()
    names = [p.name for p in topic_pictures([topic])]
    assert names == ["bars", "dots", "plane", "lines", "lanes", "heat"]
    empty = HeatChart("h", "h", [], [])
    assert topic_pictures([type(topic)("a", "t", "l", [], [empty], [])]) == []


def test_hostile_text_is_only_text_on_the_page() -> None:
    page = render_study(HOSTILE, [full_topic(HOSTILE)])
    assert "<script>alert" not in page
    assert "\u202e" not in page
    assert page.count("<script>") == 1


def test_hostile_text_forges_no_structure_in_markdown() -> None:
    text = render_topic(full_topic(HOSTILE))
    assert "<script>" not in text
    assert "[x](" not in text
    table = [line for line in text.splitlines() if line.startswith("| ")]
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in table} == {9}


def test_markdown_gives_an_interval_and_the_reason_for_none() -> None:
    text = render_topic(full_topic())
    assert "25.0 % (10.0 % to 40.0 %)" in text
    assert "too few tasks" in text


def test_charts_are_drawn_as_png() -> None:
    for chart in full_topic().charts:
        assert as_png(draw_chart(chart, 400)).startswith(b"\x89PNG\r\n")
