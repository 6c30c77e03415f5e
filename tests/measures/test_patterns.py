"""The four patterns on turns of plain text, what they cost, and cost against difficulty."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdyno.estimates.unpaired import unpaired_ratio
from agentdyno.measures import patterns
from agentdyno.measures.patterns import Call, Turn

PYTHON = Call("python", "compute", '{"code": "print(6 * 7)"}', "42")
SEARCH = Call("web_search", "web", '{"query": "x"}', "a page")


def places(found: list) -> list[tuple[int, int | None]]:
    return [(each.turn, each.call) for each in found]


def test_an_answer_before_code_is_confirmatory_whatever_comes_back() -> None:
    turns = [Turn(["So the result is 42."], calls=[PYTHON._replace(result="41")])]
    assert places(patterns.find_confirmatory(turns)) == [(0, 0)]
    assert patterns.find_confirmatory([Turn(["Let me compute it."], calls=[PYTHON])]) == []


def test_an_answer_before_a_search_is_not_confirmatory() -> None:
    assert patterns.find_confirmatory([Turn(["The answer is 42."], calls=[SEARCH])]) == []


def test_what_the_attempt_answers_in_the_end_counts_unless_the_user_had_said_it() -> None:
    turns = [Turn(["Eleven each make 4,389."], calls=[PYTHON]), Turn(["<answer>4,389</answer>"])]
    assert places(patterns.find_confirmatory(turns)) == [(0, 0)]
    assert patterns.find_confirmatory(turns, ["Is it 4,389?"]) == []


def test_two_types_of_tools_mix_and_one_type_does_not() -> None:
    assert places(patterns.find_tool_mixing([Turn(calls=[SEARCH, PYTHON])])) == [(0, None)]
    assert patterns.find_tool_mixing([Turn(calls=[SEARCH]), Turn(calls=[SEARCH])]) == []
    refused = PYTHON._replace(executed=False)
    assert patterns.find_tool_mixing([Turn(calls=[SEARCH, refused])]) == []


@pytest.mark.parametrize(
    ("call", "detail"),
    [
        (PYTHON._replace(result="stdout:\n\nstderr:"), "the call came back empty"),
        (PYTHON._replace(result="NameError: x is not defined"), "the call failed"),
        (SEARCH._replace(error="timed out"), "the call failed"),
    ],
)
def test_empty_and_failed_calls_lack_priors(call: Call, detail: str) -> None:
    assert [each.detail for each in patterns.find_lack_of_priors([Turn(calls=[call])])] == [detail]


def test_a_page_that_quotes_a_traceback_is_no_error() -> None:
    page = SEARCH._replace(result="NameError: x is not defined")
    assert patterns.find_lack_of_priors([Turn(calls=[page, PYTHON])]) == []


SCHEMA = {"properties": {"code": {"type": "string"}}, "required": ["code"]}


@pytest.mark.parametrize(
    ("call", "detail"),
    [
        (PYTHON._replace(arguments='{"code": '), "the arguments are not valid JSON"),
        (PYTHON._replace(arguments='{"script": "x"}'), "`code` is missing"),
        (PYTHON._replace(tool="search"), "no such tool was offered"),
        (
            PYTHON._replace(executed=False, error="Validation error"),
            "the call was refused as malformed",
        ),
    ],
)
def test_a_call_collapses(call: Call, detail: str) -> None:
    turns = [Turn(calls=[call._replace(parameters=SCHEMA)])]
    found = patterns.find_format_collapse(turns, offered=["python"])
    assert [each.detail for each in found] == [detail]


def test_text_in_the_shape_of_a_call_collapses_where_tools_are_offered() -> None:
    written = Turn(['<tool_call>\n{"name": "python", "arguments": {}}\n</tool_call>'])
    assert places(patterns.find_format_collapse([written], ["python"])) == [(0, None)]
    assert patterns.find_format_collapse([written]) == []
    block = Turn(["Run this:\n```python\nprint(1)\n```"])
    assert patterns.find_format_collapse([block], ["web_search"]) == []
    assert places(patterns.find_format_collapse([block], ["python"], runs_code=True)) == [(0, None)]


def test_frequency_and_multiplier() -> None:
    has = [True, True, False, False]
    assert patterns.frequency(has).value == 0.5
    assert patterns.multiplier([300, 500, 100, 300], has).value == pytest.approx(2.0)


def test_no_multiplier_where_every_trajectory_has_the_pattern() -> None:
    # Format collapse in the paper: 100 % of the trajectories, a cost of N/A.
    found = patterns.multiplier([300, 500], [True, True])
    assert found.value is None
    assert found.reason


def test_gaps_within_a_level_and_hard_solutions_below_easy_failures() -> None:
    assert patterns.gap([100, 120], [220]) == pytest.approx(1.0)
    assert patterns.gap([], [220]) is None
    assert patterns.overtakes([80, 120], [90, 110]) == [True, False]
    assert patterns.overtakes([80, 120], []) == []


@settings(max_examples=30, deadline=None)
@given(st.lists(st.floats(1, 1e6), min_size=1), st.lists(st.floats(1, 1e6), min_size=1))
def test_the_gap_is_the_ratio_that_studies_give_with_an_interval(
    solved: list[float], failed: list[float]
) -> None:
    sides = ({str(n): [cost] for n, cost in enumerate(side)} for side in (solved, failed))
    ratio = unpaired_ratio(*sides, resamples=199)
    assert ratio.value == pytest.approx(patterns.gap(solved, failed) + 1)
