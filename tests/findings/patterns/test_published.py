"""The paper's four examples of patterns, Figures 12 to 15, told again with other content: the
published definitions find each, and find nothing where its cause is taken away."""

import pytest

from agentdyno.findings.patterns import find_patterns
from agentdyno.findings.patterns.published import PUBLISHED
from agentdyno.records import Trajectory
from tests.findings.patterns.trajectories import Call, Turn, found, trajectory

PYTHON = {
    "name": "python_tool",
    "parameters": {
        "type": "object",
        "properties": {"code": {"type": "string"}},
        "required": ["code"],
    },
}
LOOK_UP = {
    "name": "google_search_tool",
    "parameters": {
        "type": "object",
        "properties": {"query": {"type": "array", "items": {"type": "string"}}},
        "required": ["query"],
    },
}
NOTHING = "stdout:\n\nstderr:"


def _found(given: Trajectory) -> list[tuple[str, int, int | None]]:
    return [(f.pattern, f.turn, f.call) for f in find_patterns(given, detectors=PUBLISHED)]


def _code(code: str, printed: str) -> Call:
    return Call("python_tool", {"code": code}, f"stdout:\n{printed}\n\nstderr:")


def test_figure_12_a_problem_is_solved_in_the_head_and_then_run_as_code() -> None:
    thought = (
        "Pairs of socks: C(6, 2) = 15 in all, and 3 of them match. So the chance is 3/15 = 1/5. "
        "Therefore p=1, q=5, p+q=6.\n\nA few lines of Python will confirm the counts."
    )
    counted = _code("from math import comb\nprint(comb(6, 2))", "15")
    asked = "Of six socks two are drawn. The chance of a pair is p/q. What is p+q?"
    assert _found(trajectory(asked, Turn(thought, [counted]))) == [("confirmatory", 0, 0)]
    assert _found(trajectory(asked, Turn("Let me count the pairs.", [counted]))) == []


@pytest.mark.parametrize(
    ("thought", "end", "is_found"),
    [
        ("Eleven nails a plank make 4,389 nails.", "<ANSWER>4,389</ANSWER>", True),
        ("Eleven nails a plank.", "<ANSWER>4,389</ANSWER>", False),
        ("With 7 planks left, count on.", r"It is \boxed{7}.", False),
        ("Then x = 7, if nothing is lost.", r"It is \boxed{7}.", True),
        ("There are 399 planks, so multiply.", r"It is \boxed{399}.", False),
    ],
)
def test_an_answer_that_the_attempt_ends_with_may_stand_in_earlier_words(
    thought: str, end: str, is_found: bool
) -> None:
    asked = "There are 399 planks. How many nails are needed?"
    given = trajectory(asked, Turn(thought, [_code("print(399 * 11)", "4389")]), Turn(end))
    assert _found(given) == ([("confirmatory", 0, 0)] if is_found else [])


def test_figure_13_search_pages_and_code_in_one_attempt() -> None:
    search = Call("google_search_tool", {"query": ["rules of thatching"]}, "1. Thatch: rules")
    visit = Call("visit_tool", {"url": "https://thatch.example", "goal": "rules"}, "Reed only.")
    listed = _code("for rule in ['reed only']:\n    print(rule)", "reed only")
    turns = [Turn("", [call]) for call in (search, visit, listed)]
    assert _found(trajectory("What may a thatcher use?", *turns)) == [("tool_mixing", 2, None)]
    assert _found(trajectory("What may a thatcher use?", *turns[:2])) == []


@pytest.mark.parametrize("last", ["longest", "longest = 12 * math.sqrt(7)"])
def test_figure_14_code_that_prints_nothing(last: str) -> None:
    code = f"import math\nlongest = 12 * math.sqrt(7)\n{last}"
    call = Call("python_tool", {"code": code}, NOTHING)
    given = trajectory("How long is the rope at most?", Turn("", [call]), Turn("It is 12√7."))
    assert _found(given) == [("lack_of_tool_priors", 0, 0)]
    assert len(found("lack_of_tool_priors", given)) == 1  # Ours agrees.
    printed = _code(f"{code}\nprint(longest)", "31.749")
    assert _found(trajectory("How long is the rope?", Turn("", [printed]))) == []


def test_a_value_that_a_later_script_reads_is_not_lost() -> None:
    first = Call("python_tool", {"code": "length = 12"}, NOTHING)
    later = _code("print(length * 2)", "24")
    kept = trajectory("How long?", Turn("", [first]), Turn("", [later]))
    assert found("lack_of_tool_priors", kept) == []
    assert _found(kept) == [("lack_of_tool_priors", 0, 0)]


def test_a_traceback_in_a_result_is_an_error_where_code_ran() -> None:
    result = "stdout:\n\nstderr:\nTraceback (most recent call last)\nNameError: name 'x'"
    failed = Call("python_tool", {"code": "print(x)"}, result)
    assert _found(trajectory("?", Turn("", [failed]))) == [("lack_of_tool_priors", 0, 0)]
    page = Call("visit_tool", {"url": "https://x.example"}, result)
    assert _found(trajectory("?", Turn("", [page]))) == []


@pytest.mark.parametrize("error", [None, "Error: tool search not registered."])
def test_figure_15_an_unregistered_tool_and_then_a_call_that_nobody_parses(
    error: str | None,
) -> None:
    query = {"query": ["stage name of the clown of Elna"]}
    wrong = Call("search", query, "Error: tool search not registered.", error, executed=not error)
    written = '<tool_call>\n{"name": "search", "arguments": {"query": ["clown"]}}\n</tool_call>'
    given = trajectory(
        "What is the clown of Elna called on stage?",
        Turn("I recall several names. Let me search.", [wrong]),
        Turn(f"The tool is called search.\n\n{written}"),
        tools=[LOOK_UP],
    )
    assert [f for f in _found(given) if f[0] == "format_collapse"] == [
        ("format_collapse", 0, 0),
        ("format_collapse", 1, None),
    ]
    right = Call("google_search_tool", query, "1. The clown of Elna")
    assert _found(trajectory("Who?", Turn("", [right]), Turn("Pim."), tools=[LOOK_UP])) == []


def test_figure_15_one_query_where_a_list_is_expected() -> None:
    single = Call("google_search_tool", {"query": "clown"}, "query: not a list", None, False)
    given = trajectory("Who?", Turn("", [single]), tools=[LOOK_UP, PYTHON])
    assert _found(given) == [("format_collapse", 0, 0)]
