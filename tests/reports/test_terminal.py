"""A summary on a terminal: unknown is a dash, and foreign text commands nothing."""

import io

import pytest
from rich.console import Console

from agentdyno.reports.terminal import caveats, print_summary
from agentdyno.studies.cost.summary_results import Summary
from tests.reports.summaries import setting, summary, tool, unknown

HOSTILE = "[bold red]x[/]\x1b[2J\x9b31m\r\n\u202e:smile:"


def _shown(found: Summary, colours: bool = False) -> str:
    file = io.StringIO()
    how = {"markup": True, "emoji": True}  # The worst that a caller could choose.
    console = Console(file=file, width=110, force_terminal=colours, color_system=None, **how)  # type: ignore[arg-type]
    print_summary(console, found)
    return file.getvalue()


def _row(text: str, start: str) -> list[str]:
    return next(line for line in text.splitlines() if line.strip().startswith(start)).split()


def test_settings_parts_and_tools_are_shown() -> None:
    text = _shown(summary())
    assert (
        "4 trajectories, 10 turns, 3 tool calls   49.4k PTE (evicted cache, h100-pcie), $1.50"
        in text
    )
    assert "75 % [30, 95]" in text
    assert _row(text, "search") == ["search", "3", "1", "600", "25.0", "%", "100", "200", "300"]
    assert _row(text, "result")[:4] == ["result", "24.7k", "50.0", "%"]
    assert "█" * 14 in text
    assert "█" * 15 not in text
    assert text.rstrip().endswith("ledger: out/ledger")


def test_unknown_is_a_dash_and_never_zero() -> None:
    text = _shown(unknown())
    assert _row(text, "search") == ["search", "3", "1", "–", "–", "–", "–", "–"]
    assert _row(text, "result") == ["result", "–", "–"]
    assert _row(text, "–") == ["–", "1,234", "–", "–", "–", "–", "2.5", "1.2", "–"]
    assert "– PTE (reported cache" in text
    assert "$" not in text


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
    assert said[0].startswith("gamma by proxy (architecture unknown) for qwen3-32b")
    assert said[1] == "token counts not reported by the provider: 3 estimated of 10 turns."
    assert said[2] == "money: no price for 2 trajectories."
    assert said[3] == "cost unknown under the reported cache: 1 trajectory."
    assert said[4] == "7 bad records skipped, listed in bad_records:"
    assert said[5:] == ["  a.jsonl: line 3: expected JSON, found NULs"] * 5


@pytest.mark.parametrize("colours", [False, True])
def test_foreign_text_is_shown_and_not_interpreted(colours: bool) -> None:
    bad = dict.fromkeys(["source", "place", "expected", "found"], HOSTILE)
    found = summary(
        ledger=HOSTILE,
        hardware=HOSTILE,
        settings=[setting(model=HOSTILE, benchmark=HOSTILE, gamma_source="proxy")],
        tools=[tool(HOSTILE)],
        bad_records=1,
        bad=[bad],
    )
    text = _shown(found, colours)
    assert {c for c in text if not c.isprintable()} == {"\n"}
    assert "[bold red]x[/]" in text
    assert ":smile:" in text


def test_long_lists_say_how_much_is_left_out() -> None:
    text = _shown(summary(tools=[tool(f"tool{i}") for i in range(13)]))
    assert "tool9" in text
    assert "tool10" not in text
    assert "3 more in the ledger" in text
