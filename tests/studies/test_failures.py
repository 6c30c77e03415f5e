"""Labels of several models become one report and rows of the ledger."""

from collections.abc import Sequence

import pytest
from msgspec import structs

from agentdyno.findings.failures import classify
from agentdyno.records.failures import FAILURES, FailureLabel, TaskSuite
from agentdyno.reports.markdown import render_markdown
from agentdyno.reports.topics.failures import render_failures
from agentdyno.studies.failures.labels import RULES, LabelledTrajectory, failure_rows
from agentdyno.studies.failures.rated_attempts import RatedTrajectory
from agentdyno.studies.failures.report import Failures, family_of, report_failures
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
        labels: dict[str, FailureLabel | None] = {}
        labels |= {rule: classify(rule, task, answer, tools) for rule in RULES}
        places = tuple((0, i) for i in range(len(answer.calls)))
        made.append(
            LabelledTrajectory(f"{model}#{task.task_id}", model, task, answer, labels, places)
        )
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
            phantom=each.own.phantom,
            broken=each.own.broken,
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
    text = render_markdown([render_failures(Failures(report, []))])
    assert "Of 3 models acme/eager uses tools best" in text
    assert "| acme/eager | " in text
    found = {(cost.label, cost.unpriced) for cost in report.costs if cost.kind == "required"}
    assert found == {("correct", 40), ("tool_skip", 40)}


def test_rows_for_the_ledger_have_its_columns_and_one_row_per_call(suite: TaskSuite) -> None:
    labelled = _labelled(suite, "m", "faithful")
    rows = failure_rows(labelled)
    assert set(rows[0]) | {"pte"} == {column.name for column in FAILURES}
    calls = sum(len(each.calls) for each in labelled)
    assert len(rows) == 2 * (len(labelled) + calls)


def test_a_silent_judge_has_a_row_without_a_label(suite: TaskSuite) -> None:
    (first, *_) = _labelled(suite, "m", "skipper")
    silent = structs.replace(first, labels={**first.labels, "evidence_first:j": None})
    rows = [row for row in failure_rows([silent]) if row["rule"] == "evidence_first:j"]
    assert [(row["label"], row["evidence"]) for row in rows] == [(None, "")]


def test_families_are_the_letters_a_name_begins_with() -> None:
    assert family_of("openai-api/vllm/Qwen2.5-72B") == "qwen"
    assert family_of("anthropic/claude-sonnet-4") == "claude"
