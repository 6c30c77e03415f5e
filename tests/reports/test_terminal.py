"""Topics on a terminal: unknown is a dash, numbers are never cut, foreign text commands nothing."""

import io
import re

import pytest
from rich.console import Console

from agentdyno.reports.terminal import fit, print_topics
from agentdyno.reports.topic import Topic, TopicTable, columns
from agentdyno.reports.topics.cost.overview import caveats, render_overview
from agentdyno.studies.cost.results import Overview
from agentdyno.studies.cost.summary_results import Summary
from tests.reports.summaries import setting, summary, tool

HOSTILE = "[bold red]x[/]\x1b[2J\x9b31m\r\n\u202e:smile:"


def _glance(found: Summary) -> Topic:
    return render_overview(Overview(found, 4, 3, found.pte, []))


def _shown(topic: Topic, width: int = 110, colours: bool = False) -> str:
    file = io.StringIO()
    how = {"markup": True, "emoji": True}  # The worst that a caller could choose.
    console = Console(file=file, width=width, force_terminal=colours, color_system=None, **how)  # type: ignore[arg-type]
    print_topics(console, [topic])
    return file.getvalue()


def _row(text: str, start: str) -> list[str]:
    return next(line for line in text.splitlines() if line.strip().startswith(start)).split()


def test_settings_parts_and_tools_are_shown() -> None:
    text = _shown(_glance(summary()))
    assert "49.4k PTE in all, 4 trajectories, 10 turns, 3 tool calls" in text
    assert "75 % [30, 95]" in text
    assert _row(text, "search") == ["search", "3", "1", "600", "25.0", "%", "100", "200", "300"]
    assert _row(text, "tool results")[2:5] == ["24.7k", "50.0", "%"]
    assert "█" * 10 in text
    assert "█" * 11 not in text


@pytest.mark.parametrize("width", [40, 60, 80, 110])
def test_no_line_is_wider_than_the_terminal_and_no_number_is_cut(width: int) -> None:
    """A model with a long name, and every number as wide as it gets."""
    long = setting(model="a-very-long-provider/and-a-very-long-model-name", pte_mean=123_456_789.0)
    text = _shown(_glance(summary(settings=[long], tools=[tool("t" * 60)])), width)
    assert max(len(line) for line in text.splitlines()) <= width
    assert "123M" in text or "too narrow for:" in text
    assert not re.search(r"\d…", text)


def test_columns_that_do_not_fit_are_named() -> None:
    table = TopicTable("t", columns("name", "a:count", "b:count", "c:count"),
                       [["x" * 30, 1_000_000, 2_000_000, 3_000_000]])  # fmt: skip
    wide, narrow = fit(table, 80), fit(table, 42)
    assert [c.title for c in wide.columns] == ["name", "a", "b", "c"]
    assert [c.title for c in narrow.columns] == ["name", "a", "b"]
    assert narrow.caption == "too narrow for: c"
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
    assert copies == "1 duplicate response was left out (table repeats)."


@pytest.mark.parametrize("colours", [False, True])
def test_foreign_text_is_shown_and_not_interpreted(colours: bool) -> None:
    bad = dict.fromkeys(["source", "place", "expected", "found"], HOSTILE)
    found = summary(
        hardware=HOSTILE,
        settings=[setting(model=HOSTILE, benchmark=HOSTILE, gamma_source="proxy")],
        tools=[tool(HOSTILE)],
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
