"""Answers of every bad kind, in every form: read, or without a label and with the reason."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentdyno.judges.forms import COMPLETIONS, MARKS, Form
from agentdyno.judges.parsing import parse_answer
from tests.judges.answering import FORMS, REASON, bad, good
from tests.labelled import from_set

UTILITY = FORMS["utility"]
GOOD, OTHER = good(UTILITY), good(UTILITY, 1)
THREE = FORMS["completion, three parts"]
each_form = pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)


@each_form
def test_the_answer_as_asked_for(form: Form) -> None:
    parsed = parse_answer(good(form), form)
    assert (parsed.confidence, parsed.problem) == (0.8, None)
    if form.parts is None:
        assert (parsed.label, parsed.rationale, parsed.score) == (form.labels[0], REASON, None)
    else:
        assert (parsed.label, parsed.score) == ("complete", 1.0)


@each_form
@pytest.mark.parametrize("around", ["fence", "prose", "thought", "twice", "list", "nested"])
def test_matters_of_form_are_forgiven(form: Form, around: str) -> None:
    plain = good(form)
    text = {
        "fence": f"```json\n{plain}\n```",
        "prose": f"Let me see. It was fine {{as far as I can tell}}.\n\n{plain}\nThat is all.",
        "thought": f"<think>perhaps {good(form, 1)}</think>{plain}",
        "twice": f"{plain}\n{plain}",
        "list": f"[{plain}]",
        "nested": f'{{"verdict": {plain}}}',
    }[around]
    assert parse_answer(text, form) == parse_answer(plain, form)


@pytest.mark.parametrize(
    "text",
    [
        GOOD.replace("positive", " Positive "),
        GOOD.replace("0.8", '"80%"'),
        GOOD.replace("0.8", '"0.8"'),
    ],
    ids=["capital", "percent", "string"],
)
def test_small_matters_of_writing_are_forgiven(text: str) -> None:
    parsed = parse_answer(text, UTILITY)
    assert (parsed.label, parsed.confidence, parsed.problem) == ("positive", 0.8, None)


@each_form
@pytest.mark.parametrize("name", bad(UTILITY))
def test_what_cannot_be_read_has_no_label_and_a_reason(form: Form, name: str) -> None:
    text, problem = bad(form)[name]
    parsed = parse_answer(text, form)
    assert (parsed.label, parsed.score, parsed.problem) == (None, None, problem)


@from_set("judges/parsing", "confidence", "problem")
def test_an_impossible_confidence_is_unknown_and_the_label_stays(
    confidence: str, problem: str
) -> None:
    parsed = parse_answer(GOOD.replace("0.8", confidence), UTILITY)
    assert (parsed.label, parsed.confidence, parsed.problem) == ("positive", None, problem)


def marked(*marks: object, numbers: list[object] | None = None) -> str:
    names = numbers or list(range(1, len(marks) + 1))
    parts = [
        {"part": name, "mark": mark, "evidence": f"words {name}"}
        for name, mark in zip(names, marks, strict=True)
    ]
    return json.dumps({"parts": parts, "confidence": 0.5, "rationale": ""})


@from_set("judges/parsing", "marks", "label", "score")
def test_label_and_score_follow_from_the_marks(
    marks: tuple[str, ...], label: str, score: float
) -> None:
    parsed = parse_answer(marked(*marks), THREE)
    assert (parsed.label, parsed.score) == (label, pytest.approx(score))


def test_the_rationale_tells_every_part_with_its_evidence() -> None:
    parsed = parse_answer(marked("full", "none", "partly"), THREE)
    assert parsed.rationale == (
        "1 of 3 done. [full] 1: words 1 [none] 2: words 2 [partly] 3: words 3"
    )


@pytest.mark.parametrize(
    "text",
    [
        marked("full", "full"),
        marked("full", "full", "full", "full"),
        marked("full", "full", "full", numbers=[1, 2, 2]),
        marked("full", "full", "full", numbers=[1, 2, 4]),
        marked("full", "full", "full", numbers=["a", "b", "c"]),
        marked("full", "full", "full", numbers=[1, 2, True]),
    ],
    ids=["too few", "too many", "one twice", "one beyond", "words", "truth"],
)
def test_parts_that_were_given_must_all_be_marked_once(text: str) -> None:
    parsed = parse_answer(text, THREE)
    assert parsed.problem == "the marked parts are not 1 to 3, each once"
    assert parsed.label is None


def test_numbers_as_words_with_the_part_behind_are_read() -> None:
    text = marked("full", "full", "none", numbers=["1. book", "2", "3: tell"])
    assert parse_answer(text, THREE).score == pytest.approx(2 / 3)


@given(st.text())
def test_no_text_is_a_crash_or_a_label_by_accident(text: str) -> None:
    for form in (UTILITY, THREE):
        parsed = parse_answer(text, form)
        assert parsed.label is None or f'"{form.key}"' in text


VALUES = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["part", "mark"]), inner),
    max_leaves=6,
)


@given(VALUES)
def test_any_value_of_label_or_parts_is_survived(value: object) -> None:
    assert parse_answer(json.dumps({"label": value}), UTILITY).label in (None, *UTILITY.labels)
    assert parse_answer(json.dumps({"parts": value}), THREE).label in (None, *COMPLETIONS)
    assert parse_answer(json.dumps({"parts": value}), Form(MARKS, 0)).label in (None, *COMPLETIONS)
