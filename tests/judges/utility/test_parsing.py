"""Answers of every bad kind: read, or without a label and with the reason."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentdyno.judges.utility.parsing import parse_answer

GOOD = '{"label": "positive", "confidence": 0.8, "rationale": "It named the error."}'
OTHER = '{"label": "non_positive", "confidence": 0.6, "rationale": "Nothing new."}'


def test_the_answer_as_asked_for() -> None:
    parsed = parse_answer(GOOD)
    assert (parsed.label, parsed.confidence, parsed.problem) == ("positive", 0.8, None)
    assert parsed.rationale == "It named the error."


@pytest.mark.parametrize(
    "text",
    [
        f"```json\n{GOOD}\n```",
        f"Let me see. The call was fine {{as far as I can tell}}.\n\n{GOOD}\nThat is all.",
        f"<think>perhaps {OTHER}</think>{GOOD}",
        GOOD.replace("positive", " Positive "),
        f"{GOOD}\n{GOOD}",
        f"[{GOOD}]",
        f'{{"verdict": {GOOD}}}',
        GOOD.replace("0.8", '"80%"'),
        GOOD.replace("0.8", '"0.8"'),
    ],
    ids=["fence", "prose", "thought", "capital", "twice", "list", "nested", "percent", "string"],
)
def test_matters_of_form_are_forgiven(text: str) -> None:
    parsed = parse_answer(text)
    assert (parsed.label, parsed.confidence, parsed.problem) == ("positive", 0.8, None)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "the answer is empty"),
        ("  \n ", "the answer is empty"),
        (None, "the answer is empty"),
        ("The call was clearly positive for the task.", "prose without an object"),
        ("I'm sorry, but I cannot assist with that.", "the judge refused"),
        (GOOD.replace("positive", "neutral"), "the label is 'neutral'"),
        (GOOD.replace('"positive"', "1"), "the label is 1"),
        (GOOD.replace('"positive"', "null"), "the label is None"),
        (f"{GOOD} {OTHER}", "2 answers that differ"),
        ('{"label": "positive", "label": "non_positive"}', "the object names its label twice"),
        (GOOD[:40], "the object is cut off or malformed"),
        ('{"useful": true}', "an object without a label"),
        ("{" * 5000, "the object is cut off or malformed"),
    ],
)
def test_what_cannot_be_read_has_no_label_and_a_reason(text: str | None, problem: str) -> None:
    parsed = parse_answer(text)
    assert (parsed.label, parsed.problem) == (None, problem)


@pytest.mark.parametrize(
    ("confidence", "problem"),
    [
        ("7", "the confidence is 7, outside 0 to 1"),
        ("-0.1", "the confidence is -0.1, outside 0 to 1"),
        ('"high"', "the confidence is 'high'"),
        ("true", "the confidence is True"),
        ("NaN", "the confidence is nan, outside 0 to 1"),
        ("null", "no confidence is given"),
    ],
)
def test_an_impossible_confidence_is_unknown_and_the_label_stays(
    confidence: str, problem: str
) -> None:
    parsed = parse_answer(GOOD.replace("0.8", confidence))
    assert (parsed.label, parsed.confidence, parsed.problem) == ("positive", None, problem)


@given(st.text())
def test_no_text_is_a_crash_or_a_label_by_accident(text: str) -> None:
    parsed = parse_answer(text)
    assert parsed.label is None or '"label"' in text


@given(st.recursive(st.none() | st.booleans() | st.floats() | st.text(), st.lists, max_leaves=5))
def test_any_label_value_is_survived(value: object) -> None:
    import json

    parsed = parse_answer(json.dumps({"label": value}))
    assert parsed.label in (None, "positive", "non_positive")
