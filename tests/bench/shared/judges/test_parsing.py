"""Answers of judges: parsed, cited, voted on, and within a budget."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentdyno_bench.shared.judges.citations import unfounded
from agentdyno_bench.shared.judges.digests import digest
from agentdyno_bench.shared.judges.evidence import Event
from agentdyno_bench.shared.judges.evidence_budget import (
    _by_evidence,
    choose_events,
    describe_missing,
)
from agentdyno_bench.shared.judges.fencing import quote_block
from agentdyno_bench.shared.judges.forms import COMPLETIONS, MARKS, Form, Prompt
from agentdyno_bench.shared.judges.parsing import parse_answer
from tests.bench.shared.judges.answering import FORMS, REASON, bad, good
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
        assert parsed.scores == {name: score for score, name in enumerate(form.scores, 1)}
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


@pytest.mark.parametrize("score", ["4", "-1", "1.5", "true", '"2"', "null"])
def test_a_score_that_is_no_whole_number_from_0_to_3_is_unknown_and_the_label_stays(
    score: str,
) -> None:
    form = FORMS["failure, required"]
    parsed = parse_answer(
        good(form).replace('"tool_selection": 1', f'"tool_selection": {score}'), form
    )
    known = {"result_faithfulness": 2, "answer_correctness": 3}
    assert (parsed.label, parsed.scores) == (form.labels[0], {"tool_selection": None, **known})
    assert parsed.problem == "no whole number from 0 to 3 is given as tool_selection"


@from_set("bench/shared/judges/parsing", "confidence", "problem")
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


@from_set("bench/shared/judges/parsing", "marks", "label", "score")
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
    assert (parsed.problem, parsed.label) == ("the marked parts are not 1 to 3, each once", None)


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


FREQUENCIES = (3, 7, 11, 13, 17)


def _tied(trial: int) -> list[Event]:
    """Two events whose words are exactly as rare, then events that make them so."""
    sides = [[f"{side}{trial}word{f}" for f in FREQUENCIES] for side in ("left", "right")]
    spread = [
        [f"{side}{trial}word{f}" for side in ("left", "right") for f in FREQUENCIES if f > n]
        for n in range(1, max(FREQUENCIES))
    ]
    return [Event("text", " ".join(words), n) for n, words in enumerate([*sides, *spread])]


def test_events_that_are_equally_telling_are_chosen_by_their_place_and_not_by_chance() -> None:
    # The float sum of 1/3 + 1/7 + … depends on the order of its terms, and a set has none.
    for trial in range(40):
        events = _tied(trial)
        order = _by_evidence(events, f"{events[0].text} {events[1].text}", {})
        assert order.index(1) < order.index(0), trial


def test_what_is_left_out_is_said() -> None:
    events = [Event("text", "a" * 300, 0), Event("text", "b" * 300, 1)]
    shown = choose_events(events, "", 250)
    assert list(shown) == [2]
    assert describe_missing(events, shown, task_cut=True) == (
        "1 of 2 events (300 characters), the middle of 1 long ones, the middle of the task"
    )
    whole = choose_events(events, "", 10_000)
    assert describe_missing(events, whole, task_cut=False) == ""


DISPLAYED = 'The tool returned {"price_usd": 47500, "sold_on": "2024-09-03", "id": "TX-9921"}.'


def _prompt() -> Prompt:
    return Prompt(
        "Label the answer.", f"{quote_block('return 1', DISPLAYED, 'k3y')}\n", Form(("a", "b"))
    )


@from_set("bench/shared/judges/parsing", "reason")
def test_what_was_shown_may_be_cited_in_any_notation(reason: str) -> None:
    assert unfounded(reason, _prompt()) == []


@from_set("bench/shared/judges/parsing", "reason", "spans")
def test_what_nobody_showed_is_named(reason: str, spans: list[str]) -> None:
    assert unfounded(reason, _prompt()) == spans


def test_digests_know_borders() -> None:
    assert digest("ab", "c") != digest("a", "bc")


def test_digests_take_text_that_is_no_proper_unicode() -> None:
    assert digest("\ud800") != digest("\ud801")
