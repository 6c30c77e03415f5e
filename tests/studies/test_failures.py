"""Labels of several models become one report and rows of the ledger."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from msgspec import structs

from agentdyno.records import Part, ToolCall, Trajectory, Turn
from agentdyno.records.failures import FAILURES, FailureLabel, Submission, TaskSuite
from agentdyno.reports.markdown import render_markdown
from agentdyno_bench.findings.failures import classify
from agentdyno_bench.reports.failures import render_failures
from agentdyno_bench.studies.failures.labels import LabelledTrajectory, answer_of, failure_rows
from agentdyno_bench.studies.failures.rated_attempts import RatedTrajectory
from agentdyno_bench.studies.failures.report import Failures, family_of, report_failures
from agentdyno_bench.toolfail.scripts import Behaviour, answer_as
from agentdyno_bench.toolfail.suite import load_suite


@pytest.fixture(scope="module")
def suite() -> TaskSuite:
    return load_suite()


def _labelled(suite: TaskSuite, model: str, behaviour: Behaviour) -> list[LabelledTrajectory]:
    made = []
    for task in suite.tasks[::20]:
        tools = suite.tools[task.domain]
        answer = answer_as(behaviour, task, tools[0].name)
        labels: dict[str, FailureLabel | None] = {
            "submitted": classify("submitted", task, answer, tools)
        }
        places = tuple((0, i) for i in range(len(answer.calls)))
        name = f"{model}#{task.task_id}"
        made.append(LabelledTrajectory(name, model, task, answer, "submitted", labels, places))
    return made


def _rated(labelled: Sequence[LabelledTrajectory]) -> list[RatedTrajectory]:
    """As the ledger would give them back, without costs."""
    return [
        RatedTrajectory(
            trajectory_id=each.trajectory_id,
            model=each.model,
            task_id=each.task.task_id,
            domain=each.task.domain,
            kind=each.task.kind,
            trap=each.task.trap,
            labels={rater: label and label.label for rater, label in each.labels.items()},
            phantom=each.by_rule.phantom,
            broken=each.by_rule.broken,
            cost=None,
            calls=len(each.calls),
            calls_cost=None,
        )
        for each in labelled
    ]


def test_the_report_ranks_and_profiles(suite: TaskSuite) -> None:
    labelled = [
        *_labelled(suite, "acme/good", "faithful"),
        *_labelled(suite, "acme/eager", "always_caller"),
        *_labelled(suite, "acme/phantom", "phantom_caller"),
    ]
    report = report_failures("toolfail", _rated(labelled))
    profiles = {s.model: s.profile.name for s in report.leaderboard.standings}
    assert profiles == {
        "acme/good": "disciplined",
        "acme/eager": "always-call",
        "acme/phantom": "phantom-call",
    }
    assert len(report.leaderboard.tests) == 3
    text = render_markdown([render_failures(Failures([report], []))])
    assert "Of 3 models acme/eager uses tools best" in text
    assert "| acme/eager | " in text
    found = {(cost.label, cost.unpriced) for cost in report.costs if cost.kind == "required"}
    assert found == {("correct", 40), ("tool_skip", 40)}


def test_rows_for_the_ledger_have_its_columns_and_one_row_per_call(suite: TaskSuite) -> None:
    labelled = _labelled(suite, "m", "faithful")
    rows = failure_rows(labelled)
    assert set(rows[0]) | {"pte"} == {column.name for column in FAILURES}
    calls = sum(len(each.calls) for each in labelled)
    assert len(rows) == len(labelled) + calls


def test_a_silent_judge_has_a_row_without_a_label(suite: TaskSuite) -> None:
    (first, *_) = _labelled(suite, "m", "skipper")
    silent = structs.replace(first, labels={**first.labels, "evidence_first:j": None})
    rows = [row for row in failure_rows([silent]) if row["rule"] == "evidence_first:j"]
    assert [(row["label"], row["evidence"]) for row in rows] == [(None, "")]


def _submits(*turns: list[tuple[str, Any]], asked_in: int = 0) -> Trajectory:
    """A trajectory whose turns make these calls, as a log is read; asked again in a turn."""
    parts = [Part("user", "What is it?", enters=0), Part("user", "And now?", enters=asked_in)]
    calls = []
    for turn, made in enumerate(turns):
        for place, (tool, given) in enumerate(made):
            if tool == "submit":
                parts.append(Part("text", json.dumps(given), name="submit", made=turn))
            else:
                calls.append(ToolCall(turn, place, tool, json.dumps(given), executed=True))
    return Trajectory("t#1", "t", "inspect_ai", parts, [Turn()] * len(turns), calls)


RIGHT = {"answer": ["35"], "basis": "tool"}
ODD = {"answer": "35", "basis": "a hunch"}


@pytest.mark.parametrize(
    ("why", "trajectory", "counts"),
    [
        ("alone and once", _submits([("look", {})], [("submit", RIGHT)]), True),
        ("beside another call", _submits([("look", {}), ("submit", RIGHT)]), False),
        ("twice in a turn", _submits([("submit", RIGHT)] * 2), False),
        ("in two turns", _submits([("submit", RIGHT)], [("submit", RIGHT)]), False),
        ("not by the schema", _submits([("submit", ODD)]), False),
        ("first not by the schema", _submits([("submit", ODD)], [("submit", RIGHT)]), True),
        ("hasty, then alone",
         _submits([("look", {}), ("submit", RIGHT)], [("submit", RIGHT)]), True),
        ("before the last question", _submits([("submit", RIGHT)], [], asked_in=1), False),
        ("once for each question",
         _submits([("submit", RIGHT)], [("submit", RIGHT)], asked_in=1), True),
    ],
)  # fmt: skip
def test_a_submission_counts_alone_in_its_turn_and_once(
    why: str, trajectory: Trajectory, counts: bool
) -> None:
    answer = answer_of(trajectory)
    assert answer.submission == (Submission(("35",), "tool") if counts else None), why
    assert {call.name for call in answer.calls} <= {"look"}


def test_the_same_written_as_text_is_no_submission() -> None:
    parts = [Part("user", "What is it?", enters=0), Part("text", json.dumps(RIGHT), made=0)]
    answer = answer_of(Trajectory("t#1", "t", "inspect_ai", parts, [Turn()], []))
    assert answer.submission is None
    assert answer.answer == json.dumps(RIGHT)


def test_families_are_the_letters_a_name_begins_with() -> None:
    assert family_of("openai-api/vllm/Qwen2.5-72B") == "qwen"
    assert family_of("anthropic/claude-sonnet-4") == "claude"
