"""The Inspect task with its mark: whether the loop ended well, written into the log itself.

A required task is solved when our own rule says `correct`; a control when nothing was called and
the answer is right, which is the same word. Any reader of the log sees the mark, the label and the
evidence, so accuracy, fronts and comparisons need nothing else. A conversation whose last model
call failed says nothing of the model and has no mark, and neither has an answer that the rule
leaves unclear.
"""

import math
from typing import TYPE_CHECKING, Any

from agentdyno.findings.failures import classify
from agentdyno.intake.task_suites import Turns
from agentdyno.records.failures import ExecutedCall, TaskSuite, ToolAnswer
from agentdyno_bench.toolfail.task import toolfail_task

if TYPE_CHECKING:
    from inspect_ai import Task
    from inspect_ai.scorer import Scorer

NOT_RUN = ("parsing", "approval")
"""Errors with which Inspect says that a call was not executed."""


def make_scored_task(
    tasks: str | None = None, turns: Turns = "single", stride: int | None = None
) -> "Task":
    """The task of the benchmark, marked by our own rule."""
    return toolfail_task(tasks, turns, stride, clean_use)


def clean_use(suite: TaskSuite) -> "Scorer":
    """1 for a loop that ended well, 0 for one that broke, no number where no model answered."""
    from inspect_ai.scorer import Score, Scorer, Target, scorer
    from inspect_ai.solver import TaskState

    by_id = {task.task_id: task for task in suite.tasks}

    @scorer(metrics=[], name="clean_use")
    def clean_use_scorer() -> Scorer:
        async def score(state: TaskState, target: Target) -> Score:
            if state.output.error is not None:
                return Score(value=math.nan, explanation="the last model call failed")
            task = by_id[str(state.sample_id)]
            answer = _answer_in(state)
            label = classify("own", task, answer, suite.tools[task.domain])
            return Score(
                value=math.nan if label.label is None else float(label.label == "correct"),
                answer=answer.answer,
                explanation=label.evidence,
                metadata={"label": label.label, "rule": label.rule, "unclear": label.unclear},
            )

        return score

    return clean_use_scorer()


def _answer_in(state: Any) -> ToolAnswer:
    """Calls and answer, as in a trajectory that is read from the log."""
    ran = {
        message.tool_call_id
        for message in state.messages
        if message.role == "tool" and not (message.error and message.error.type in NOT_RUN)
    }
    asked = [call for m in state.messages if m.role == "assistant" for call in m.tool_calls or ()]
    calls = tuple(ExecutedCall(call.function, call.arguments) for call in asked if call.id in ran)
    return ToolAnswer(str(state.sample_id), calls, state.output.completion)
