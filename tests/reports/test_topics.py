"""Topics in every form of a report."""

import io
import re
from html import unescape
from pathlib import Path

import msgspec
import pytest
from rich.console import Console

from agentdyno.pipelines.report import build_report
from agentdyno.reports.charts.drawing import cut, text_width
from agentdyno.reports.charts.topic_charts import draw_chart, topic_pictures
from agentdyno.reports.html import render_page
from agentdyno.reports.json import report_fields, report_schema
from agentdyno.reports.markdown import render_topic
from agentdyno.reports.section import load_part, load_sections
from agentdyno.reports.terminal import print_topics
from agentdyno.reports.topic import HeatChart, Topic
from tests.reports.hostile import large_ledger
from tests.reports.sample_topics import full_topic


def test_numbers_are_written_as_their_columns_say() -> None:
    page = render_page("Study", [full_topic()])
    cells = re.sub(r"<[^>]+>", " ", page[page.index("<tbody>") :])
    for shown in ("1,234", "45.6k", "25.0\u00a0%", "1.50", "$0.250", "2.50 s", "&lt; 0.001"):
        assert shown in cells
    assert "too few tasks" in cells
    assert "–" in cells


@pytest.mark.parametrize("width", [336, 860])
def test_every_chart_fits_its_width(width: int) -> None:
    for picture in topic_pictures([full_topic()]):
        drawn = picture.draw(width).svg(picture.title)
        assert float(drawn.split('width="')[1].split('"')[0]) <= width + 8, picture.name


@pytest.mark.parametrize(("width", "rows"), [(336, 8), (860, 8), (1740, 5)])
def test_a_heat_map_of_500_tokens_stands_in_rows_and_names_its_colours(
    width: int, rows: int
) -> None:
    texts = ["天气😀"] * 500
    drawn = draw_chart(HeatChart("h", "h", texts, [[0.5, 0.0]] * 500, 0.25, 2), width).svg("h")
    assert (drawn.count(">layer<"), drawn.count("<circle")) == (rows, 500)
    if rows < 8:  # Where rows are not full, every token has its text.
        assert drawn.count(">天气😀<") == 500
    assert "0.25" in drawn


def test_wide_characters_take_the_room_of_two_letters() -> None:
    assert text_width("天气😀") == text_width("abcdef")
    assert cut("天气天气", text_width("abcde")) == "天气…"
    assert text_width("e\u0301") == text_width("e")


def test_a_chart_without_marks_is_left_out() -> None:
    topic = full_topic()
    names = [p.name for p in topic_pictures([topic])]
    assert names == ["bars", "dots", "plane", "lines", "lanes", "heat", "whole", "wholes"]
    empty = HeatChart("h", "h", [], [])
    assert topic_pictures([type(topic)("a", "t", "l", [], [empty], [])]) == []


def test_markdown_gives_an_interval_and_the_reason_for_none() -> None:
    text = render_topic(full_topic())
    assert "25 % \\[10, 40\\]" in text
    assert "too few tasks" in text


def _words(text: str) -> str:
    """Letters and digits alone: what stays of a text in whatever form."""
    return re.sub(r"[^\w]+", " ", unescape(re.sub(r"<[^>]*>", " ", text)).replace("\\", ""))


def _terminal(topics: list[Topic], width: int = 200) -> str:
    file = io.StringIO()
    print_topics(Console(file=file, width=width, color_system=None), topics)
    return file.getvalue()


def _must_say(topic: Topic) -> list[str]:
    """Everything that a reader of any form must find."""
    words = [topic.title, topic.lead, *topic.notes]
    words += [part for term in topic.terms for part in (term.name, term.text)]
    words += [figure.name for figure in topic.figures if figure.value is not None]
    words += [table.title for table in topic.tables]
    words += [column.title for table in topic.tables for column in table.columns[:3]]
    return [*words, *(chart.title for chart in topic.charts)]


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> list[Topic]:
    folder = large_ledger(tmp_path_factory.mktemp("all") / "ledger", 60)
    return [full_topic(), *build_report(folder).topics]


def test_every_topic_says_the_same_in_every_form(everything: list[Topic]) -> None:
    assert len(everything) > 9
    for topic in everything:
        forms = {
            "terminal": _words(_terminal([topic])),
            "markdown": _words(render_topic(topic)),
            "html": _words(render_page("x", [topic])),
        }
        for said in _must_say(topic):
            for form, text in forms.items():
                assert " ".join(_words(said).split()) in " ".join(text.split()), (form, said)


def test_json_holds_the_typed_result_of_every_section(tmp_path: Path) -> None:
    report = build_report(large_ledger(tmp_path / "l", 30))
    fields = report_fields(report.ledger, report.results)
    assert fields["report_version"] == 6
    assert [topic.anchor for topic in report.topics] == list(fields["results"])
    sections = {section.name: section for section in load_sections().values()}
    for name, result in fields["results"].items():
        again = msgspec.convert(result, load_part(sections[name].result))
        assert msgspec.to_builtins(again) == result, name


def test_the_schema_names_every_section_and_every_reference_leads_somewhere() -> None:
    schema = report_schema(load_sections().values())
    named = schema["properties"]["results"]["properties"]
    assert list(named) == list(load_sections())
    text = msgspec.json.encode(schema).decode()
    assert set(re.findall(r"#/\$defs/([\w.]+)", text)) <= set(schema["$defs"])


def test_the_documented_schema_is_not_stale() -> None:
    file = Path(__file__).resolve().parents[2] / "docs" / "report.schema.json"
    now = msgspec.json.decode(msgspec.json.encode(report_schema(load_sections().values())))
    assert msgspec.json.decode(file.read_bytes()) == now, "run make docs"
