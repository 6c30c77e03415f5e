"""Charts: foreign text is only ever text, colours have names, every width has its drawing."""

from typing import Any

import pytest

from agentdyno.estimates.estimate import Estimate
from agentdyno.pipelines.report import Report, build_report
from agentdyno.reports.charts.drawing import Drawing
from agentdyno.reports.charts.palette import DARK, KINDS, LIGHT
from agentdyno.reports.charts.points import HEIGHT, LABEL_GAP, Label, place_labels
from agentdyno.reports.charts.scales import Scale, axis_text, log_ticks, round_ticks
from agentdyno.reports.charts.topic_charts import topic_pictures
from agentdyno.reports.topic import PlanePoint
from tests.labelled import from_set
from tests.reports.hostile import large_ledger


def _drawn(*, text: str = "", description: str | None = "a chart") -> str:
    drawing = Drawing(9, 9)
    drawing.rect(0, 0, 1, 1, "result", stroke="paper")
    drawing.text(0, 0, text)
    return drawing.svg(description)


def test_colours_of_the_palette_are_classes_on_a_page_and_values_in_a_file() -> None:
    assert 'class="f-result s-paper"' in _drawn()
    assert LIGHT["result"] not in _drawn()
    alone = _drawn(description=None)
    assert f'fill="{LIGHT["result"]}" stroke="{LIGHT["paper"]}"' in alone
    assert "class" not in alone


def test_labels_stay_text() -> None:
    drawn = _drawn(text="<script>x</script> &amp;")
    assert "&lt;script&gt;x&lt;/script&gt; &amp;amp;</text>" in drawn


def test_the_description_is_escaped() -> None:
    assert 'aria-label="&quot;&gt;&lt;b&gt;"' in _drawn(description='"><b>')


def test_a_colour_has_one_name_and_a_value_for_either_page() -> None:
    assert (len(set(LIGHT.values())), LIGHT.keys()) == (len(LIGHT), DARK.keys())
    assert set(KINDS) <= LIGHT.keys()


@from_set("reports/charts", "function", "axis", "ticks")
def test_ticks_are_round_numbers_inside_the_axis(
    function: str, axis: list[float], ticks: list[float]
) -> None:
    choose = {"log_ticks": log_ticks, "round_ticks": round_ticks}[function]
    assert choose(*axis) == pytest.approx(ticks)


@from_set("reports/charts", "value", "kind", "text")
def test_ticks_are_written_as_short_as_they_are_exact(value: float, kind: Any, text: str) -> None:
    assert axis_text(value, kind) == text


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    return build_report(large_ledger(tmp_path_factory.mktemp("charts") / "l", 60))


def _labels(names: list[str], places: list[float], width: int = 860) -> list[Label]:
    axis = Scale("x", 0, 1)
    named = zip(names, places, strict=True)
    dots = [PlanePoint(name, Estimate(x, n=1), Estimate(0.8, n=1)) for name, x in named]
    return place_labels(dots, axis, axis, width)


def test_a_label_is_beside_its_own_point_and_not_beside_another() -> None:
    rows = _labels(["gpt-4.1 · lean-tools", "gpt-4.1 · full-tools"], [0.5, 0.62])
    assert [row.side for row in rows] == ["left", "right"]
    assert [row.height for row in rows] == pytest.approx([0.83, 0.83])


def test_labels_do_not_cover_each_other() -> None:
    # The second has a point on either side, so its label meets that of the third.
    rows = _labels(["a model · lean-tools"] * 3, [0.48, 0.5, 0.62])
    assert [row.side for row in rows] == ["left", "right", "right"]
    lower = 0.83 - LABEL_GAP / HEIGHT
    assert [row.height for row in rows] == pytest.approx([0.83, 0.83, lower])


def test_labels_with_room_between_them_stay_at_their_points() -> None:
    rows = _labels(["m", "n", "o"], [0.1, 0.4, 0.9])
    assert [row.height for row in rows] == pytest.approx([0.83, 0.83, 0.83])


@pytest.mark.daily
def test_a_full_ledger_has_every_picture(report: Report) -> None:
    names = [p.name for p in topic_pictures(report.topics)]
    assert names == [
        "parts", "fuel", "fuel-by-setting", "pattern-frequency",
    ]  # fmt: skip
