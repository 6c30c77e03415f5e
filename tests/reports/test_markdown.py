"""Numbers, schedules and summaries as Markdown and on a terminal, which no name in a trace can
break out of."""

import io
import re
from collections.abc import Callable
from typing import Any

import pytest
from rich.console import Console

from agentdyno.records import plural
from agentdyno.reports.markdown import escape, render_topic
from agentdyno.reports.numbers import dollars, label, percent, short
from agentdyno.reports.schedule import draw_schedule, lanes
from agentdyno.reports.terminal import fit, print_topics
from agentdyno.reports.topic import LanesChart, Topic, TopicTable, columns
from agentdyno.reports.topics.cost.overview import caveats, render_overview
from agentdyno.studies.cost.results import Overview
from agentdyno.studies.cost.summary_results import Summary
from agentdyno.studies.scheduling.lanes import Lane
from tests.labelled import from_set, read_set
from tests.reports.summaries import setting, summary, tool, unknown

HOSTILE = read_set("cases/reports/hostile_markdown")


def render_summary(found: Summary) -> str:
    return render_topic(render_overview(Overview(found, 4, 3, found.cost, [])))


@pytest.mark.parametrize("name", HOSTILE)
def test_names_forge_no_structure(name: str) -> None:
    bad = dict.fromkeys(["source", "place", "expected", "found"], name)
    calm = dict.fromkeys(["source", "place", "expected", "found"], "calm")
    found = {
        key: render_summary(
            summary(
                settings=[setting(model=text, benchmark=text, gamma_source="proxy")],
                tools=[tool(text)],
                hardware=text,
                bad_records=1,
                bad=[row],
            )
        )
        for key, text, row in (("hostile", name, bad), ("calm", "calm", calm))
    }
    # Line by line the same structure, whatever the names are.
    assert _structure(found["hostile"]) == _structure(found["calm"])
    assert all(c.isprintable() or c == "\n" for c in found["hostile"])


def _structure(markdown: str) -> list[tuple[str, int, int]]:
    lines = [re.sub(r"\\[!-/:-@\[-`{-~]", "x", line) for line in markdown.splitlines()]
    active = re.compile(r"[`\[\]<>&@~]|\]\(|://|www\.")
    return [
        (re.match(r"[-#| ]*", line)[0].strip(), line.count("|"), len(active.findall(line)))  # type: ignore[index]
        for line in lines
    ]


def test_escaped_text_reads_as_it_was() -> None:
    for name in HOSTILE:
        assert re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", escape(name)) == name


def test_numbers_stand_in_their_columns() -> None:
    text = render_summary(summary())
    assert "| qwen3-32b · gaia | 1,234 | 75 % \\[30, 95\\] | 12.3k | $0.012 | 1,000 | 2.5 |" in text
    assert "| search | 3 | 1 | 600 | 25.0 % | 100 | 200 | 300 |" in text


def test_unknown_is_a_dash_or_no_price_and_never_zero() -> None:
    text = render_summary(unknown())
    assert "| – | 1,234 | – | no price | – | 2.5 | 1.2 |" in text
    assert "| search | 3 | 1 | – | – | – | – | – |" in text


def test_every_table_row_has_as_many_cells_as_its_head() -> None:
    for block in render_summary(summary()).split("\n\n"):
        rows = [line for line in block.splitlines() if line.startswith("|")]
        assert len({row.count("|") for row in rows}) <= 1


WRITERS: dict[str, Callable[..., str]] = {
    each.__name__: each for each in (dollars, escape, label, percent, plural)
}


@from_set("reports/markdown", "function", "arguments", "text")
def test_how_a_value_is_written(function: str, arguments: list[Any], text: str) -> None:
    assert WRITERS[function](*arguments) == text


@from_set("reports/markdown", "value", "shown")
def test_short(value: float | None, shown: str) -> None:
    assert short(value) == shown


ESCAPES = "[bold red]x[/]\x1b[2J\x9b31m\r\n\u202e:smile:"


def _glance(found: Summary) -> Topic:
    return render_overview(Overview(found, 4, 3, found.cost, []))


def _shown(topic: Topic, width: int = 110, colours: bool = False) -> str:
    file = io.StringIO()
    how = {"markup": True, "emoji": True}  # The worst that a caller could choose.
    console = Console(file=file, width=width, force_terminal=colours, color_system=None, **how)  # type: ignore[arg-type]
    print_topics(console, [topic])
    return file.getvalue()


def _row(text: str, start: str) -> list[str]:
    return next(line for line in text.splitlines() if line.strip().startswith(start)).split()


def test_settings_and_tools_are_shown_and_where_it_went_stands_elsewhere() -> None:
    text = _shown(_glance(summary()))
    assert "49.4k PTE in all, 4 trajectories, 10 turns, 3 tool calls" in text
    assert "75 % [30, 95]" in text
    assert _row(text, "search") == ["search", "3", "1", "600", "25.0", "%", "100", "200", "300"]
    assert "Where it went" not in text


@pytest.mark.parametrize("width", [40, 60, 80, 110])
def test_no_line_is_wider_than_the_terminal_and_no_number_is_cut(width: int) -> None:
    """A model with a long name, and every number as wide as it gets."""
    long = setting(model="a-very-long-provider/and-a-very-long-model-name", pte_mean=123_456_789.0)
    text = _shown(_glance(summary(settings=[long], tools=[tool("t" * 60)])), width)
    assert max(len(line) for line in text.splitlines()) <= width
    assert "123M" in text or "no room for:" in text
    assert not re.search(r"\d…", text)


def test_columns_that_do_not_fit_are_named() -> None:
    table = TopicTable("t", columns("name", "a:count", "b:count", "c:count"),
                       [["x" * 30, 1_000_000, 2_000_000, 3_000_000]])  # fmt: skip
    wide, narrow = fit(table, 80), fit(table, 42)
    assert [c.title for c in wide.columns] == ["name", "a", "b", "c"]
    assert [c.title for c in narrow.columns] == ["name", "a", "b"]
    assert narrow.caption == "no room for: c"
    assert [cell.plain for cell in narrow.rows[0]][1:] == ["1,000,000", "2,000,000"]


def test_a_reader_is_told_what_to_be_wary_of() -> None:
    assert caveats(summary()) == []
    bad = {"source": "a.jsonl", "place": "line 3", "expected": "JSON", "found": "NULs"}
    found = summary(
        unpriced=2,
        unmeasured=1,
        cache="reported",
        by_token_source={"reported": 7, "estimated": 3},
        settings=[setting(gamma_source="proxy")],
        bad_records=7,
        bad=[bad] * 7,
    )
    said = caveats(found)
    assert said[0].startswith("The architecture of qwen3-32b is unknown")
    assert said[1] == "Token counts not reported by the provider: 3 estimated of 10 turns."
    assert said[2] == "Money: no price for 2 trajectories."
    assert said[3] == "Cost unknown under the reported cache: 1 trajectory."
    assert said[4] == "7 bad records skipped, listed in bad_records."
    assert said[5:] == ["a.jsonl: line 3: expected JSON, found NULs"] * 5


def test_a_missing_price_of_cached_tokens_is_reported_by_model() -> None:
    (line,) = caveats(summary(no_cached_price={"groq/a": 3, "b": 1}))
    assert line == (
        "No price is listed for cached tokens, which 4 turns read: groq/a (3), b (1). "
        "Give one with --prices."
    )


def test_copies_and_unnamed_models_are_said_in_words() -> None:
    found = summary(repeats=1, settings=[setting(model=None, gamma_source="proxy")])
    proxy, copies = caveats(found)
    assert proxy.startswith("The architecture of unnamed models is unknown")
    assert copies == "1 response was logged more than once and counts once."


@pytest.mark.parametrize("colours", [False, True])
def test_foreign_text_is_shown_and_not_interpreted(colours: bool) -> None:
    bad = dict.fromkeys(["source", "place", "expected", "found"], ESCAPES)
    found = summary(
        hardware=ESCAPES,
        settings=[setting(model=ESCAPES, benchmark=ESCAPES, gamma_source="proxy")],
        tools=[tool(ESCAPES)],
        bad_records=1,
        bad=[bad],
    )
    text = _shown(_glance(found), colours=colours)
    assert {c for c in text if not c.isprintable()} == {"\n"}
    assert "[bold red]x[/]" in text
    assert ":smile:" in text


def test_long_lists_say_how_much_is_left_out() -> None:
    text = _shown(_glance(summary(tools=[tool(f"tool{i}") for i in range(13)])))
    assert "tool9" in text
    assert "tool10" not in text
    assert "3 more tools in the" in text


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
