"""The tools of one conversation as Inspect runs them, each of which notes that it ran.

A call that Inspect refuses (an unknown tool, arguments that break the schema, a call that was cut
off) reaches no tool and is noted by nobody: it is among the refused. `submit` takes an answer where
it is alone in its turn and the first for the user's message.
"""

from collections import Counter
from typing import Any

import msgspec
from inspect_ai.tool import ToolCall, ToolDef, ToolError, ToolParams
from msgspec import structs

from agentdyno_bench.findings.failures.submitted_rule import SCHEMA, read_submission
from agentdyno_bench.records.failures import (
    SUBMIT,
    Answers,
    ExecutedCall,
    OfferedTool,
    ScriptedCall,
    ToolAnswer,
    ToolTask,
)
from agentdyno_bench.toolfail.mocking import Mocks

DESCRIPTION = "Submit the answer to the user's message, once, when you have it."


class Bench:
    """What one conversation offers, and what was done there."""

    def __init__(
        self,
        task: ToolTask,
        offered: tuple[OfferedTool, ...],
        records: tuple[ScriptedCall, ...] = (),
        answers: Answers = "submit",
    ) -> None:
        self._mocks = Mocks(task, records)
        self._submit = self._make_submit() if answers == "submit" else None
        self.tools = [self._make_mock(tool) for tool in offered]
        self.tools += [self._submit] if self._submit else []
        self._answer = ToolAnswer(task.task_id)
        self._written: Counter[str] = Counter()
        self._is_alone = False
        self.is_answered = False

    def next_message(self) -> None:
        """The user writes again: what was submitted before answers another message."""
        self._answer = structs.replace(self._answer, submission=None)
        self.is_answered = False

    def take_turn(self, calls: list[ToolCall], is_last: bool) -> list[ToolDef]:
        """Notes what the model wrote; the tools that may run for it. In the last turn that is
        `submit` alone: what another tool returned would be read by nobody."""
        self._written.update(call.function for call in calls)
        self._is_alone = len(calls) == 1
        if not is_last:
            return self.tools
        return [self._submit] if self._submit else []

    def note(self, text: str) -> dict[str, Any]:
        """What was done so far, with the last text, as plain values."""
        ran = Counter(call.name for call in self._answer.calls)
        left = self._written - ran
        refused = tuple(ExecutedCall(name) for name in left.elements() if name != SUBMIT)
        answer = structs.replace(self._answer, answer=text, refused=refused)
        found: dict[str, Any] = msgspec.to_builtins(answer)
        return found

    def _make_mock(self, tool: OfferedTool) -> ToolDef:
        async def execute(**arguments: Any) -> str:
            call = ExecutedCall(tool.name, arguments)
            self._answer = structs.replace(self._answer, calls=(*self._answer.calls, call))
            text, failed = self._mocks.answer(tool, arguments)
            if failed:
                raise ToolError(text)
            return text

        parameters = ToolParams.model_validate(tool.parameters)
        return ToolDef(execute, tool.name, tool.description, parameters)

    def _make_submit(self) -> ToolDef:
        async def submit(answer: list[Any], basis: str) -> str:
            if not self._is_alone:
                raise ToolError(f"Not submitted: call {SUBMIT} alone, after all results are there.")
            submission = read_submission({"answer": answer, "basis": basis})
            if submission is None:
                raise ToolError("Not submitted: expected a list of texts and numbers, and a basis.")
            self._answer = structs.replace(self._answer, submission=submission)
            self.is_answered = True
            return "Submitted."

        return ToolDef(submit, SUBMIT, DESCRIPTION, ToolParams.model_validate(SCHEMA))
