"""The paper's four patterns as it defines them."""

from agentdyno.findings.patterns import PatternOptions, find_patterns
from agentdyno.records import Trajectory
from tests.metrics.patterns.trajectories import Call, Turn, trajectory

PUBLISHED = PatternOptions(published=True)


def _found(given: Trajectory) -> list[tuple[str, int, int | None]]:
    found = find_patterns(given, PUBLISHED)
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
    assert not [f for f in find_patterns(given) if f.pattern.startswith("published_")]
