"""What each detector of a pattern finds and what it leaves alone; small cases are rows."""

from pathlib import Path

import pytest
from msgspec import structs

from agentdyno.findings.patterns import PatternOptions, find_patterns, load_detectors
from agentdyno.findings.patterns.options import load_families
from agentdyno.findings.patterns.schema_breach import breach
from agentdyno.records import InputError, Trajectory
from agentdyno_bench import paper_patterns
from tests.labelled import from_set
from tests.metrics.patterns.trajectories import PYTHON, Call, Turn, found, places, trajectory

READ = Call("read_file", {"path": "a.py", "lines": 20}, "def f():\n    return 3\n")
SAME = Call("read_file", {"lines": 20, "path": "a.py"}, "def f():\n    return 3\n")


def _turns(*calls: Call | str) -> list[str | Turn]:
    return [call if isinstance(call, str) else Turn("", [call]) for call in calls]


@from_set("metrics/patterns/detectors", "message", "kind", "ran")
def test_a_message_of_the_harness_is_known_and_asking_again_is_no_waste(
    message: str, kind: str | None, ran: bool
) -> None:
    given = trajectory("?", *_turns(*[_search("a", message) for _ in range(4)]))
    assert {(call.harness, call.executed) for call in given.calls} == {(kind, ran)}
    wasted = 0 if kind else 3
    assert len(places("repeated_call", given)) == len(places("loop", given)) == wasted


def test_reading_again_what_left_the_context_is_no_repetition() -> None:
    given = trajectory("?", *_turns(READ, SAME))
    part = given.calls[0].result
    gone = structs.replace(given.parts[part], enters=None, leaves=1)
    parts = (*given.parts[:part], gone, *given.parts[part + 1 :])
    assert places("repeated_call", structs.replace(given, parts=parts)) == []


HITS = "1. Harbour of Elna: quays and tides\n2. Swing bridges of the north"


def _search(query: str, result: str = HITS) -> Call:
    return Call("web_search", {"query": query}, result)


def _said(text: str, result: str, code: str = "print(f())", ask: str = "How much?") -> list[object]:
    return places(
        "confirmatory", trajectory(ask, Turn(text, [Call("python", {"code": code}, result)]))
    )


@from_set("metrics/patterns/detectors", "stated", "returned")
def test_a_stated_value_that_comes_back_is_confirmatory(stated: str, returned: str) -> None:
    assert _said(stated, returned) == [(0, 0)]


@pytest.mark.parametrize("rows", [0, 2, 10, 30])
def test_the_last_number_counts_however_long_the_result_is(rows: int) -> None:
    table = "\n".join(f"row {n}: 2031-06-02, v4.6.{n}, {n} items" for n in range(rows))
    assert _said("It comes to 3,400 euro.", f"{table}\nfinal value: 3400.0") == [(0, 0)]
    assert _said("It comes to 3,400 euro.", f"3400.0\n{table}\nfinal value: 3500.0") == []
    words = "and so on " * 5 * rows
    assert _said("It comes to 3,400 euro.", f"final value: 3400.0 {words}") == [(0, 0)]


@from_set("metrics/patterns/detectors", "stated", "returned")
def test_other_values_and_small_numbers_in_passing_are_not(stated: str, returned: str) -> None:
    assert _said(stated, returned) == []


@from_set("metrics/patterns/detectors", "text")
def test_text_in_the_shape_of_a_call(text: str) -> None:
    given = trajectory("?", Turn(text), tools=[PYTHON])
    assert places("format_collapse", given) == [(0, None)]


@from_set("metrics/patterns/detectors", "text")
def test_other_text_is_clean(text: str) -> None:
    assert places("format_collapse", trajectory("?", Turn(text), tools=[PYTHON])) == []


@from_set("metrics/patterns/detectors", "value", "schema", "expected")
def test_the_small_validator(value: object, schema: object, expected: str | None) -> None:
    assert breach(value, schema) == expected


def test_deep_nesting_does_not_break_the_reading() -> None:
    deep = "[" * 100_000 + "]" * 100_000
    given = trajectory("?", Turn("", [Call("python", deep, "x")]), tools=[PYTHON])
    assert [f.detail for f in found("format_collapse", given)] == [
        "the arguments are not valid JSON"
    ]


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


def _one(tool: str, arguments: object, result: str, error: str | None = None) -> bool:
    given = trajectory("?", Turn("", [Call(tool, arguments, result, error)]), Turn("end"))
    return places("lack_of_tool_priors", given) == [(0, 0)]


@from_set("metrics/patterns/detectors", "tool", "error")
def test_an_error_that_names_the_use(tool: str, error: str) -> None:
    assert _one(tool, {"x": 1}, error, error)


@from_set("metrics/patterns/detectors", "tool", "error")
def test_an_error_of_the_world_is_not_the_models(tool: str, error: str) -> None:
    assert not _one(tool, {"command": "x"}, error, error)


@pytest.mark.parametrize(
    ("tool", "arguments", "error", "kind"),
    [
        ("Read", {"file_path": "/a.py"}, "File does not exist.", "a wrong path"),
        ("Bash", {"command": "ls /x"}, "ls: /x: No such file or directory", "a wrong path"),
        ("Edit", {"file_path": "/a.py", "old_string": "x", "new_string": "y"},
         "String to replace not found in file.", "an edit that does not match its file"),
        ("Bash", {"command": "ls --colour"}, "ls: unrecognized option '--colour'",
         "a wrong option or argument"),
        ("python", {"code": "f("}, "SyntaxError: '(' was never closed", "code that fails"),
    ],
)  # fmt: skip
def test_a_failed_call_says_what_was_wrong(
    tool: str, arguments: object, error: str, kind: str
) -> None:
    given = trajectory("?", Turn("", [Call(tool, arguments, error, error)]), Turn("end"))
    assert [f.detail for f in found("lack_of_tool_priors", given)] == [kind]


PAGE = "\n".join(f"Paragraph {n}: gravel{n} moss{n} lichen{n} basalt{n}" for n in range(1000, 1200))


def test_a_long_page_for_one_fact_is_oversized() -> None:
    given = trajectory("?", Turn("", [Call("visit", {}, PAGE)]), Turn("It is moss1007."))
    [finding] = found("oversized_result", given)
    # 200 lines of 57 characters and 199 breaks at 3.2 each; `paragraph`, and five words a line.
    assert len(PAGE) == 11_599
    assert finding.detail == "about 3,625 tokens; 1 of 1,001 distinct words used later"


def test_a_long_page_that_is_used_is_not() -> None:
    used = " ".join(f"basalt{n}" for n in range(1000, 1150))
    given = trajectory("?", Turn("", [Call("visit", {}, PAGE)]), Turn(used))
    assert places("oversized_result", given) == []


def test_a_result_that_no_later_turn_carries_costs_nothing() -> None:
    assert places("oversized_result", trajectory("?", Turn("", [Call("visit", {}, PAGE)]))) == []


def test_a_short_result_is_never_oversized() -> None:
    given = trajectory("?", Turn("", [Call("visit", {}, PAGE[:6_300])]), Turn("Done."))
    assert places("oversized_result", given) == []


def _found(given: Trajectory) -> list[tuple[str, int, int | None]]:
    found = find_patterns(given, detectors=paper_patterns.PUBLISHED)
    return [
        (f.pattern.removeprefix("published_"), f.turn, f.call)
        for f in found
        if f.pattern.startswith("published_")
    ]


def test_an_answer_before_a_call_for_code_is_confirmatory_whatever_comes_back() -> None:
    other = trajectory("?", Turn("The answer is 42. Let me check.", [Call("python", {}, "41")]))
    assert _found(other) == [("confirmatory", 0, 0)]
    none = trajectory("?", Turn("Let me compute it.", [Call("python", {}, "42")]))
    assert _found(none) == []


def test_any_error_and_any_empty_return_lacks_priors() -> None:
    empty = trajectory("?", Turn("", [Call("web_search", {"q": "x"}, "")]))
    assert _found(empty) == [("lack_of_tool_priors", 0, 0)]


def test_two_types_mix_even_where_no_family_is_known() -> None:
    given = trajectory(
        "?", Turn("", [Call("frobnicate", {}, "x")]), Turn("", [Call("defrost", {}, "y")])
    )
    assert _found(given) == [("tool_mixing", 1, None)]


def test_they_are_not_looked_for_unless_asked() -> None:
    given = trajectory("?", Turn("The answer is 42.", [Call("python", {}, "42")]))
    assert _found(given) == [("confirmatory", 0, 0)]
    assert find_patterns(given, detectors=tuple(load_detectors().values())) == []
