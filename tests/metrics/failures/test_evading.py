"""Answers that hold the asked values and do not give them, over the whole bundled suite."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from agentdyno.findings.failures.own_rule import classify_by_own
from agentdyno.records.failures import CallMade, ScriptedCall, TaskSuite, ToolAnswer, ToolTask
from agentdyno_bench.toolfail.suite import load_suite

Say = Callable[[ToolTask], str]


@pytest.fixture(scope="module")
def suite() -> TaskSuite:
    return load_suite(turns="multi")


def leaves(value: Any, name: str = "") -> list[tuple[str, Any]]:
    if isinstance(value, dict):
        return [leaf for key, inner in value.items() for leaf in leaves(inner, key)]
    return [(name, value)]


def fields(task: ToolTask) -> list[tuple[str, Any]]:
    return [leaf for step in task.script if step.returns for leaf in leaves(step.returns)]


def dump(task: ToolTask) -> str:
    return "\n".join(json.dumps(step.returns) for step in task.script if step.returns)


def lines(task: ToolTask) -> str:
    return "\n".join(f"{name}: {value}" for name, value in fields(task))


def sentences(task: ToolTask) -> str:
    return " ".join(f"The {name.replace('_', ' ')} is {value}." for name, value in fields(task))


def all_values(task: ToolTask) -> str:
    return "It is one of: " + " or ".join(str(value) for _, value in fields(task))


def either(task: ToolTask) -> str:
    first, *others = task.must_contain
    return f"It is either {first} or {task.prior or 77}, and {' and '.join(others)}"


def prior_or(task: ToolTask) -> str:
    first, *others = task.must_contain
    return f"The value is {task.prior or 77} or {first}. Also {' and '.join(others)}"


def share_correct(suite: TaskSuite, say: Say, step: int = 10) -> float:
    tasks = [task for task in suite.tasks if task.kind == "required"][::step]
    right = 0
    for task in tasks:
        calls = tuple(CallMade(call.tool, call.arguments) for call in task.script)
        answer = ToolAnswer(task.task_id, calls, say(task))
        right += classify_by_own(task, answer, suite.tools[task.domain]).label == "correct"
    return right / len(tasks)


@pytest.mark.parametrize("say", [dump, lines, sentences, all_values, either, prior_or])
def test_right_calls_and_no_answer_score_under_a_tenth(suite: TaskSuite, say: Say) -> None:
    assert share_correct(suite, say) < 0.1


def test_an_answer_with_context_is_an_answer(suite: TaskSuite) -> None:
    def answers(task: ToolTask) -> str:
        asked = " and ".join(task.must_contain)
        context = [f"{n.replace('_', ' ')} {v}" for n, v in leaves(task.script[-1].returns)]
        return f"The answer: {asked}. For context: {'; '.join(context[:6])}"

    assert share_correct(suite, answers) > 0.98


def test_calling_every_tool_rightly_and_reciting_all_scores_under_a_tenth(suite: TaskSuite) -> None:
    def record(task: ToolTask, tool: str) -> list[ScriptedCall]:
        mine = [step for step in task.script if step.tool == tool]
        return mine or [next(r for r in suite.records[task.domain] if r.tool == tool)]

    right = 0
    for task in suite.tasks[::10]:
        tools = suite.tools[task.domain]
        made = [step for tool in tools for step in record(task, tool.name)]
        calls = tuple(CallMade(step.tool, step.arguments) for step in made)
        text = "\n".join(json.dumps(step.returns) for step in made)
        answer = ToolAnswer(task.task_id, calls, text)
        right += classify_by_own(task, answer, tools).label == "correct"
    assert right == 0
