"""The Inspect task with its mark: whether the loop ended well, written into the log itself.

A required task is solved when its rule says `correct`; a control when nothing was called and the
answer is right, which is the same word. The rule is `submitted` for what is submitted, and the
published one for prose. Any reader of the log sees the mark, the label and the evidence, so
accuracy, fronts and comparisons need nothing else. What ran is what the tools noted, not what the
model wrote. A conversation whose last model call failed says nothing of the model and has no mark.
"""

import math
from collections.abc import Collection
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from agentdyno_bench.toolfail.findings import Rule, classify
from agentdyno_bench.toolfail.records import Answers, TaskSuite, ToolAnswer
from agentdyno_bench.toolfail.tasks.published import read_field_names
from agentdyno_bench.toolfail.tasks.task import ANSWER, toolfail_task
from agentdyno_bench.toolfail.tasks.task_suites import Turns

if TYPE_CHECKING:
    from inspect_ai import Task
    from inspect_ai.scorer import Scorer


def make_scored_task(
    tasks: str | None = None,
    turns: Turns = "single",
    stride: int | None = None,
    answers: Answers = "prose",
    published: str | None = None,
    prompt: str | None = None,
) -> "Task":
    """The task of the benchmark, marked by the rule for how it is answered."""
    fields = read_field_names(Path(published)) if published else None
    mark = partial(clean_use, answers=answers, fields=fields)
    return toolfail_task(tasks, turns, stride, answers, mark, prompt)


def clean_use(
    suite: TaskSuite, answers: Answers = "submit", fields: Collection[str] | None = None
) -> "Scorer":
    """1 for a loop that ended well, 0 for one that broke, no number where no model answered."""
    from inspect_ai.scorer import Score, Scorer, Target, scorer
    from inspect_ai.solver import TaskState

    by_id = {task.task_id: task for task in suite.tasks}
    rule: Rule = "submitted" if answers == "submit" else "paper"

    @scorer(metrics=[], name="clean_use")
    def clean_use_scorer() -> Scorer:
        async def score(state: TaskState, target: Target) -> Score:
            if state.output.error is not None:
                return Score(value=math.nan, explanation="the last model call failed")
            task = by_id[str(state.sample_id)]
            answer = msgspec.convert(state.store.get(ANSWER), ToolAnswer)
            label = classify(rule, task, answer, suite.tools[task.domain], fields)
            return Score(
                value=float(label.label == "correct"),
                answer=answer.final,
                explanation=label.evidence,
                metadata={"label": label.label, "rule": label.rule},
            )

        return score

    return clean_use_scorer()
