"""Tool-mixing: families, the user's own ones, and tools of none."""

from pathlib import Path

import pytest

from agentdyno.findings.patterns import PatternOptions
from agentdyno.findings.patterns.families import load_families
from agentdyno.records import InputError
from tests.metrics.patterns.trajectories import Call, Turn, found, places, trajectory


def _used(*tools: str) -> list[object]:
    return places("tool_mixing", trajectory("?", *(Turn("", [Call(t, {}, "x")]) for t in tools)))


def test_search_and_python_are_mixed_at_the_first_call_of_the_second_family() -> None:
    assert _used("web_search", "visit_page", "python", "web_search") == [(2, None)]


def test_one_family_is_not_mixing() -> None:
    assert _used("web_search", "visit", "mcp__brave__brave_web_search") == []
    assert _used("Bash", "Read", "Edit", "Grep") == []


def test_tools_of_no_family_do_not_count() -> None:
    assert _used("search_direct_flight", "book_reservation", "get_user_details", "python") == []


def test_a_call_that_never_ran_does_not_count() -> None:
    given = trajectory(
        "?",
        Turn("", [Call("web_search", {}, "x")]),
        Turn("", [Call("python", {}, "no such tool", "no such tool", executed=False)]),
    )
    assert places("tool_mixing", given) == []


def test_families_come_from_a_toml_file(tmp_path: Path) -> None:
    path = tmp_path / "families.toml"
    path.write_text('[families]\nsky = ["*flight*"]\nmoney = ["Pay*"]\n')
    options = PatternOptions(families=load_families(path))
    given = trajectory(
        "?", Turn("", [Call("search_flight", {}, "x")]), Turn("", [Call("pay_bill", {}, "y")])
    )
    assert [f.evidence for f in found("tool_mixing", given, options)] == [
        "sky: search_flight; money: pay_bill"
    ]


@pytest.mark.parametrize("content", ["families = 3", "[families]\nweb = 'x'", "[oops", "[other]"])
def test_a_wrong_file_is_an_error_that_says_what_was_expected(tmp_path: Path, content: str) -> None:
    path = tmp_path / "families.toml"
    path.write_text(content)
    with pytest.raises(InputError, match=r"expected TOML with \[families\]"):
        load_families(path)
