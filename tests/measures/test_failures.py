"""The published rule, the six rates, votes and agreement, against ToolFailBench's own figures."""

from typing import Any

import pytest

from agentdyno.measures import failures

QUOTE = {"ticker": "ABC", "price_usd": 47.5, "as_of": "2024-05-03"}


@pytest.mark.parametrize(
    ("answer", "executed", "label"),
    [
        ("ABC is at 47.5 as of 2024-05-03.", ["get_quote"], "correct"),
        ("ABC is at 47.5.", [], "tool_skip"),
        ("ABC is at 47.5.", ["get_ratings"], "tool_skip"),
        ("ABC is at 45.", ["get_quote"], "result_ignore"),
        # None of three values and two field names: invented structure.
        ("price_usd: 45, as_of: today", ["get_quote"], "output_fabrication"),
        # One field name is none too many.
        ("price_usd: 45", ["get_quote"], "result_ignore"),
        # A substring is a substring, in any case.
        ("abc is at $47.50", ["get_quote"], "correct"),
        ("ABC is at $47,5", ["get_quote"], "result_ignore"),
    ],
)
def test_the_published_rule(answer: str, executed: list[str], label: str) -> None:
    found = failures.label_required(answer, executed, "get_quote", QUOTE, ["47.5"])
    assert found == label


def test_a_list_of_field_names_gives_another_label_than_the_returns_own() -> None:
    answer = "market_cap: 45, volume: none"
    args: tuple[Any, ...] = (answer, ["get_quote"], "get_quote", QUOTE, ["47.5"])
    assert failures.label_required(*args) == "result_ignore"
    fixed = ("market_cap", "volume", "as_of")
    assert failures.label_required(*args, fields=fixed) == "output_fabrication"


def test_three_of_ten_values_are_thirty_per_cent() -> None:
    returned = {"a": list(range(101, 111)), "field_one": {}, "field_two": {}}
    three = "101 102 103 field_one field_two"
    assert failures.label_required(three, ["t"], "t", returned, ["101"]) == "correct"
    two = "101 102 field_one field_two"
    assert failures.label_required(two, ["t"], "t", returned, ["101"]) == "output_fabrication"


def test_match_mode_any_needs_one_value_and_a_bar_stands_for_either() -> None:
    assert failures.find_missing("rose", ["up|rose", "2020"]) == ["2020"]
    assert failures.find_missing("rose", ["up|rose", "2020"], "any") == []
    assert failures.find_missing("fell", ["up|rose", "2020"], "any") == ["up|rose", "2020"]


def test_a_control_that_calls_is_needless_whatever_it_answers() -> None:
    assert failures.label_control("yes", ["any"], ["yes"]) == "unnecessary_tool_use"
    assert failures.label_control("Yes.", [], ["yes"]) == "correct"
    assert failures.label_control("No.", [], ["yes"]) == "wrong_answer"


def test_the_rates_of_table_2s_first_row() -> None:
    # Grok-4.3 of 746 labelled required tasks: 644 correct, 88 skips, 13 ignores, 1 fabrication.
    required = (
        ["correct"] * 644 + ["tool_skip"] * 88 + ["result_ignore"] * 13 + ["output_fabrication"]
    )
    control = ["correct"] * 241 + ["unnecessary_tool_use"] * 2 + ["wrong_answer"] * 5
    found = failures.rates([*required, *[None] * 4], [*control, None, None])
    shown = {name: round(100 * value, 2) for name, value in found.items() if value is not None}
    assert shown == {
        "CTUR": 86.33, "TSR": 11.8, "RIR": 1.74, "OFR": 0.13, "UTR": 0.81, "CTRL-Acc": 97.18,
    }  # fmt: skip
    assert sum(found[name] for name in ("CTUR", "TSR", "RIR", "OFR")) == pytest.approx(1)


def test_rates_over_nothing_are_unknown() -> None:
    assert set(failures.rates([], [None]).values()) == {None}


def test_ties_go_to_the_rule_and_a_silent_judge_is_left_out() -> None:
    assert failures.majority("a", {"x": "b", "y": "b"}) == ("b", 3, False)
    assert failures.majority("a", {"x": "b", "y": "c"}) == ("a", 3, True)
    assert failures.majority("a", {"x": "b", "y": None}) == ("a", 2, True)
    assert failures.majority("a", {"x": None, "y": None}) == ("a", 1, False)
    assert failures.majority("a", {"x": "b", "y": "b", "z": "a"}) == ("a", 4, True)
    assert failures.majority(None, {"x": "b", "y": "c"}) == (None, 2, True)
    assert failures.majority(None, {}) == (None, 0, True)
