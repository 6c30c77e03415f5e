"""What the own rule says of an answer, on answers labelled by hand, and the weights fitted for
it."""

from functools import cache
from math import exp
from pathlib import Path

import pytest

from agentdyno.findings.failures import classify
from agentdyno.findings.failures.fitted import Fitted, load_fitted, weigh
from agentdyno.findings.failures.new_words import find_new_words, stems_of
from agentdyno.matching.commitments import read_text
from agentdyno.matching.values.leaves import leaves
from agentdyno.records.failures import (
    ExecutedCall,
    FailureLabel,
    ScriptedCall,
    ToolAnswer,
    ToolTask,
)
from agentdyno_bench.toolfail.suite import load_suite
from tests.answer_sets import Score, load, names, score
from tests.labelled import from_set

PUBLISHED = Path(__file__).resolve().parents[3] / "../shared/data/toolfailbench"
RETURN = {"site": "Mill Quay 9", "monthly_rent_gbp": 1275, "signed_on": "2026-03-04", "rooms": 4}
TASK = ToolTask(
    task_id="T",
    domain="d",
    kind="required",
    messages=("What is the rent at Mill Quay 9?",),
    script=(ScriptedCall("look_up", {"site": "Mill Quay 9"}, RETURN),),
    must_contain=("1275",),
    prior="1450",
    fields=("monthly_rent_gbp",),
    entity="Mill Quay 9",
)


def label(text: str) -> FailureLabel:
    calls = tuple(ExecutedCall(step.tool, step.arguments) for step in TASK.script)
    return classify("own", TASK, ToolAnswer("T", calls, text))


@from_set("metrics/failures/own_rule", "text", "expected")
def test_an_answer_is_labelled_by_what_it_commits_to(text: str, expected: str | None) -> None:
    assert label(text).label == expected


@from_set("metrics/failures/own_rule", "text")
def test_a_right_value_that_the_writer_disowns_is_not_correct(text: str) -> None:
    found = label(text)
    assert found.label is None
    assert "but: " in (found.unclear or "")


@from_set("metrics/failures/own_rule", "text")
def test_a_value_that_the_writer_looked_up_is_not_disowned(text: str) -> None:
    assert label(text).label == "correct"


def test_an_answer_that_cannot_be_decided_says_why_and_where() -> None:
    text = "The rent is probably £1,275."
    found = label(text)
    assert found.label is None
    assert "hedged" in found.unclear
    assert found.span is not None
    assert text[slice(*found.span)] == "£1,275"


def test_quotes_of_the_published_returns_are_clean_at_least_as_often_as_by_the_published_rule() -> (
    None
):
    if not PUBLISHED.is_dir():
        pytest.skip("the published tasks are not here: ../shared/data/toolfailbench")
    own = paper = wrong = quoted = 0
    for task in load_suite(PUBLISHED).tasks:
        text = quote(task)
        if task.kind != "required" or any(
            word.lower() not in text.lower() for word in task.must_contain
        ):
            continue
        calls = tuple(ExecutedCall(step.tool, step.arguments) for step in task.script)
        answer = ToolAnswer(task.task_id, calls, text)
        found = classify("own", task, answer).label
        quoted += 1
        own += found == "correct"
        wrong += found not in ("correct", None)
        paper += classify("paper", task, answer).label == "correct"
    assert quoted == 387
    assert own >= paper
    assert wrong == 0


def quote(task: ToolTask) -> str:
    """The fields of the return that hold an asked word, word for word."""
    found = [leaf for step in task.script for leaf in leaves(step.returns)]
    asked = [word.lower() for word in task.must_contain]
    lines = [
        f"{leaf.name.replace('_', ' ')}: {leaf.value}."
        for leaf in found
        if any(word in f"{leaf.name} {leaf.value}".lower() for word in asked)
    ]
    return " ".join(dict.fromkeys(lines))


WRITTEN_BEFORE = ("27", "28", "29", "30", "31")
"""The last sets, each written by somebody who had not read the rule."""


def own(task: ToolTask, answer: ToolAnswer) -> FailureLabel:
    return classify("own", task, answer)


@cache
def score_set(name: str) -> Score:
    return score(load(name), own)


def summed(chosen: list[str]) -> Score:
    scores = [score_set(name) for name in chosen]
    return Score(
        right=sum(each.right for each in scores),
        decided=sum(each.decided for each in scores),
        cases=sum(each.cases for each in scores),
        wrong=[case for each in scores for case in each.wrong],
    )


def test_the_sets_written_without_the_code_are_right_where_they_are_decided() -> None:
    found = summed(list(WRITTEN_BEFORE))
    assert found.cases == 600
    assert found.accuracy >= 0.98, found.wrong
    assert found.coverage >= 0.85


def test_all_sets_together_keep_their_figures() -> None:
    found = summed([name for name in names() if name not in WRITTEN_BEFORE])
    assert found.cases > 3900
    assert found.accuracy >= 0.94
    assert found.coverage >= 0.78


@pytest.mark.parametrize("name", names())
def test_no_set_falls_far_behind(name: str) -> None:
    found = score_set(name)
    assert found.accuracy >= 0.8
    assert found.coverage >= 0.55


LOCKED = Path(__file__).resolve().parents[2] / "data/locked_answers"


def test_the_largest_sum_wins_and_its_chance_is_the_softmax() -> None:
    fitted = Fitted(0.8, {"any": [1.0, 0.0, 0.0], "new names": [0.0, 0.0, 2.0]}, {"park": 1.5}, {})
    label, chance = weigh(fitted, {"any": 1.0, "new names": 1.0, "unknown": 9.0}, {"park": 1.0})
    assert label == "output_fabrication"
    assert chance == pytest.approx(exp(3.5) / (exp(3.5) + exp(1.0) + 1))


@pytest.mark.parametrize("letter", "ghk")
def test_the_stored_weights_keep_the_figures_of_the_sets_that_they_were_fitted_on(
    letter: str,
) -> None:
    found = score(load(f"2026-11-17-{letter}", LOCKED), lambda t, a: classify("own", t, a))
    assert found.accuracy >= 0.97
    assert found.coverage >= 0.82


def test_a_rare_word_counts_where_something_is_stated_and_not_in_advice() -> None:
    sourced = stems_of(["the", "pitch", "is"])
    counts = load_fitted().counts
    stated = find_new_words(read_text("The pitch is waterlogged."), sourced, counts)
    advised = find_new_words(read_text("Please ask if it is waterlogged."), sourced, counts)
    assert (stated.stated, stated.rare["plain"]) == (["waterlogged"], 1)
    assert (advised.stated, advised.rare["advice"]) == ([], 1)


def test_words_are_not_counted_in_a_text_that_is_not_english() -> None:
    reading = read_text("Numer zostanie przeniesiony w nocy, a nie jutro, jak mówiono.")
    assert find_new_words(reading, frozenset(), load_fitted().counts) is None
