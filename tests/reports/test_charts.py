"""Charts: cleaned of everything that does not draw, coloured by name, drawn at any width."""

from pathlib import Path
from typing import Any

import pytest

from agentdyno.estimates.estimate import Estimate
from agentdyno.pipelines.report import Report, build_report
from agentdyno.reports.charts.drawing import log_ticks
from agentdyno.reports.charts.palette import DARK, KINDS, LIGHT
from agentdyno.reports.charts.points import HEIGHT, LABEL_GAP, Scale, points
from agentdyno.reports.charts.render import as_png, as_svg
from agentdyno.reports.charts.svg import inline_svg
from agentdyno.reports.charts.topic_charts import topic_pictures
from agentdyno.reports.topic import PlanePoint
from tests.reports.hostile import hostile_ledger, large_ledger

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" width="9" height="9">'


def _cleaned(inside: str) -> str:
    return inline_svg(f"{HEAD}{inside}</svg>", "a chart")


@pytest.mark.parametrize(
    "attack",
    [
        "<script>x()</script>",
        "<style>text{fill:red}</style>",
        "<foreignObject><b xmlns='http://www.w3.org/1999/xhtml'>x</b></foreignObject>",
        "<a href='javascript:x()'><text>x</text></a>",
        "<image href='http://x.invalid/'/>",
        "<use href='#x'/>",
        "<animate attributeName='x' onbegin='x()'/>",
    ],
)
def test_what_does_not_draw_is_dropped(attack: str) -> None:
    assert _cleaned(attack) == _cleaned("")


def test_handlers_styles_and_references_are_dropped() -> None:
    cleaned = _cleaned(
        '<path d="M0,0h1" fill="url(#x)" stroke="#123456" onclick="x()" style="fill:red" '
        'clip-path="url(#c)" href="#x"/>'
    )
    assert '<path d="M0,0h1" stroke="#123456" />' in cleaned


def test_colours_of_the_palette_become_classes() -> None:
    cleaned = _cleaned(f'<path d="M0,0h1" fill="{LIGHT["result"]}" stroke="{LIGHT["paper"]}"/>')
    assert 'class="f-result s-paper"' in cleaned
    assert LIGHT["result"] not in cleaned


def test_labels_stay_text() -> None:
    cleaned = _cleaned("<text>&lt;script&gt;x&lt;/script&gt; &amp;amp;</text>")
    assert "<text>&lt;script&gt;x&lt;/script&gt; &amp;amp;</text>" in cleaned


def test_the_description_is_escaped() -> None:
    assert 'aria-label="&quot;&gt;&lt;b&gt;"' in inline_svg(f"{HEAD}</svg>", '"><b>')


def test_a_colour_has_one_name_and_a_value_for_either_page() -> None:
    assert len(set(LIGHT.values())) == len(LIGHT)
    assert LIGHT.keys() == DARK.keys()
    assert set(KINDS) <= LIGHT.keys()


def test_ticks_are_round_numbers_inside_the_axis() -> None:
    assert log_ticks(0.9, 11.0) == [1.0, 2.0, 5.0, 10.0]
    assert log_ticks(0.5, 600_000.0) == pytest.approx([1, 10, 100, 1000, 10_000, 100_000])


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    return build_report(large_ledger(tmp_path_factory.mktemp("charts") / "l", 60))


def _rows(names: list[str], places: list[float], width: int = 860) -> list[dict[str, Any]]:
    axis = Scale("x", 0, 1)
    named = zip(names, places, strict=True)
    dots = [PlanePoint(name, Estimate(x, n=1), Estimate(0.8, n=1)) for name, x in named]
    rows: list[dict[str, Any]] = points(dots, axis, axis, width).to_dict()["data"]["values"]
    return rows


def test_a_label_is_beside_its_own_point_and_not_beside_another() -> None:
    rows = _rows(["gpt-4.1 · lean-tools", "gpt-4.1 · full-tools"], [0.5, 0.62])
    assert [row["side"] for row in rows] == ["left", "right"]
    assert [row["label_at"] for row in rows] == pytest.approx([0.83, 0.83])


def test_labels_do_not_cover_each_other() -> None:
    # The second has a point on either side, so its label meets that of the third.
    rows = _rows(["a model · lean-tools"] * 3, [0.48, 0.5, 0.62])
    assert [row["side"] for row in rows] == ["left", "right", "right"]
    lower = 0.83 - LABEL_GAP / HEIGHT
    assert [row["label_at"] for row in rows] == pytest.approx([0.83, 0.83, lower])


def test_labels_with_room_between_them_stay_at_their_points() -> None:
    rows = _rows(["m", "n", "o"], [0.1, 0.4, 0.9])
    assert [row["label_at"] for row in rows] == pytest.approx([0.83, 0.83, 0.83])


def test_a_full_ledger_has_every_picture(report: Report) -> None:
    names = [p.name for p in topic_pictures(report.topics)]
    assert names == [
        "fuel", "fuel-by-setting", "plane-1", "outcomes", "pte-by-turn", "tokens-by-turn", "levels",
        "pattern-frequency", "pattern-cost", "latency", "latency-correlation",
        "hardware",
    ]  # fmt: skip


@pytest.mark.parametrize("width", [336, 860])
def test_every_picture_fits_its_width(report: Report, width: int) -> None:
    for picture in topic_pictures(report.topics):
        drawn = inline_svg(as_svg(picture.draw(width)), picture.title)
        measured = float(drawn.split('width="')[1].split('"')[0])
        assert measured <= width + 8, picture.name
        assert "#" not in drawn.split(">", 1)[1].replace("&#", ""), picture.name


def test_hostile_names_are_only_labels(tmp_path: Path) -> None:
    found = build_report(hostile_ledger(tmp_path / "l"))
    for picture in topic_pictures(found.topics):
        drawn = inline_svg(as_svg(picture.draw(860)), picture.title)
        assert "<script" not in drawn
        assert "<img" not in drawn


def test_pictures_are_written_as_png(report: Report) -> None:
    first = topic_pictures(report.topics)[0]
    assert as_png(first.draw(400)).startswith(b"\x89PNG\r\n")
