"""What the own rule says of an answer: labels, and unclear with its reason and place."""

from pathlib import Path

import pytest

from agentdyno.findings.failures import classify
from agentdyno.matching.values.leaves import leaves
from agentdyno.records.failures import (
    ExecutedCall,
    FailureLabel,
    ScriptedCall,
    ToolAnswer,
    ToolTask,
)
from agentdyno_bench.toolfail.suite import load_suite
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
    assert found.unclear is not None
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
