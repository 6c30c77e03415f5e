"""A summary as Markdown that no name in a trace can break out of."""

import re

import pytest

from agentdyno.reports.markdown import escape, render_topic
from agentdyno.reports.topics.cost.overview import render_overview
from agentdyno.studies.cost.results import Overview
from agentdyno.studies.cost.summary_results import Summary
from tests.labelled import read_set
from tests.reports.summaries import setting, summary, tool, unknown

HOSTILE = read_set("cases/reports/hostile_markdown")


def render_summary(found: Summary) -> str:
    return render_topic(render_overview(Overview(found, 4, 3, found.pte, [])))


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


def test_ordinary_names_stay_readable() -> None:
    assert escape("qwen3-32b · gpt-4.1") == "qwen3-32b · gpt-4.1"


def test_numbers_stand_in_their_columns() -> None:
    text = render_summary(summary())
    assert "| qwen3-32b · gaia | 1,234 | 75 % \\[30, 95\\] | 12.3k | $0.012 | 1,000 | 2.5 |" in text
    assert "| search | 3 | 1 | 600 | 25.0 % | 100 | 200 | 300 |" in text
    assert "| tool results | 24.7k | 50.0 % | 500 |" in text


def test_unknown_is_a_dash_and_never_zero() -> None:
    text = render_summary(unknown())
    assert "| – | 1,234 | – | – | – | 2.5 | 1.2 |" in text
    assert "| search | 3 | 1 | – | – | – | – | – |" in text
    assert "| tool results | – | – | 500 |" in text


def test_every_table_row_has_as_many_cells_as_its_head() -> None:
    for block in render_summary(summary()).split("\n\n"):
        rows = [line for line in block.splitlines() if line.startswith("|")]
        assert len({row.count("|") for row in rows}) <= 1
