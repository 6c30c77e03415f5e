"""Answers labelled by hand (`tests/data/answers/*.jsonl`): read once, compared with a rule.

A file holds lines of tasks (`{"task": …}`) and of answers (`{"of": task_id, "label": …,
"answer": …}`, with `calls` where not just the expected ones were executed).
"""

import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from agentdyno.records.failures import ExecutedCall, FailureLabel, ToolAnswer, ToolTask

FOLDER = Path(__file__).parent / "data" / "answers"


class Case(NamedTuple):
    """An answer with the label that it deserves."""

    name: str
    """The set it is from."""
    task: ToolTask
    answer: ToolAnswer
    label: str
    kind: str
    """What makes it hard; empty when nobody wrote it down."""


class Score(NamedTuple):
    """How a rule does on a set."""

    right: int
    decided: int
    cases: int
    wrong: list[tuple[Case, FailureLabel]]

    @property
    def accuracy(self) -> float:
        """Right of decided."""
        return self.right / max(1, self.decided)

    @property
    def coverage(self) -> float:
        """Decided of all."""
        return self.decided / max(1, self.cases)


def names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.jsonl"))


@cache
def load(name: str, folder: Path = FOLDER) -> tuple[Case, ...]:
    return tuple(_cases(name, (folder / f"{name}.jsonl").read_text("utf-8")))


def _cases(name: str, text: str) -> Iterator[Case]:
    tasks: dict[str, ToolTask] = {}
    for line in text.splitlines():
        row: dict[str, Any] = json.loads(line)
        if "task" in row:
            task = msgspec.convert({"domain": "any", **row["task"]}, ToolTask)
            tasks[task.task_id] = task
            continue
        task = tasks[row["of"]]
        expected = [ExecutedCall(step.tool, step.arguments) for step in task.script]
        calls = [ExecutedCall(**call) for call in row["calls"]] if "calls" in row else expected
        answer = ToolAnswer(task.task_id, tuple(calls), row["answer"])
        yield Case(name, task, answer, row["label"], row.get("kind", ""))


def score(cases: tuple[Case, ...], rule: Callable[[ToolTask, ToolAnswer], FailureLabel]) -> Score:
    found = [(case, rule(case.task, case.answer)) for case in cases]
    decided = [(case, label) for case, label in found if label.label is not None]
    wrong = [(case, label) for case, label in decided if label.label != case.label]
    return Score(len(decided) - len(wrong), len(decided), len(cases), wrong)
