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

from agentdyno_bench.toolfail.findings.arguments import same_argument, same_arguments
from agentdyno_bench.toolfail.findings.submitted_rule import SCHEMA, read_submission
from agentdyno_bench.toolfail.records import (
    SUBMIT,
    Answers,
    ExecutedCall,
    OfferedTool,
    ScriptedCall,
    ToolAnswer,
    ToolTask,
)

DESCRIPTION = "Submit the answer to the user's message, once, when you have it."


class Bench:
    """The tools offered in one conversation, and the calls made there."""

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
        """The calls so far, with the last text, as plain values."""
        ran = Counter(call.name for call in self._answer.calls)
        unexecuted = self._written - ran
        refused = tuple(ExecutedCall(name) for name in unexecuted.elements() if name != SUBMIT)
        in_vain = self._written[SUBMIT] > 0 and self._answer.submission is None
        answer = structs.replace(self._answer, answer=text, refused=refused, unsubmitted=in_vain)
        values: dict[str, Any] = msgspec.to_builtins(answer)
        return values

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


# The mock tools of one conversation: a name and arguments in, a text or an error out.
#
# Where the suite holds its tools' records, a tool answers by its arguments; in a suite of the
# published format an expected tool gives the next return of the task's script. Needs no Inspect.
#
# The right arguments bring the record, in any case and spacing, by the codes or by the name that
# people use. Another thing's arguments bring that thing's record. An unknown thing is not found,
# and the tool says what it looked for; arguments that are missing or not allowed are refused.

NO_RECORD = "No record found."


class Mocks:
    """The tools of a task, with what is left of its script."""

    def __init__(self, task: ToolTask, records: tuple[ScriptedCall, ...] = ()) -> None:
        self._task, self._records = task, records
        self._left = list(task.script)

    def answer(self, tool: OfferedTool, arguments: dict[str, Any]) -> tuple[str, bool]:
        """A call's result as text, and True when it failed."""
        step = next((s for s in self._left if self._fits(s, tool, arguments)), None)
        if step is None and self._task.by_arguments and self._is_foreign(tool, arguments):
            result, error = look_up(tool, arguments, self._records)
            return (msgspec.json.encode(result).decode(), False) if error is None else (error, True)
        if step is not None:
            self._left.remove(step)
        else:  # Asked once more than needed: the same record again.
            again = reversed(self._task.script)
            step = next((s for s in again if self._fits(s, tool, arguments)), None)
        if step is None:
            return NO_RECORD, False
        if step.error is not None:
            return step.error, True
        return msgspec.json.encode(step.returns).decode(), False

    def _fits(self, step: ScriptedCall, tool: OfferedTool, arguments: dict[str, Any]) -> bool:
        if step.tool != tool.name:
            return False
        return not self._task.by_arguments or same_arguments(arguments, step.arguments)

    def _is_foreign(self, tool: OfferedTool, arguments: dict[str, Any]) -> bool:
        """True when the task's script has no such call."""
        return not any(self._fits(step, tool, arguments) for step in self._task.script)


def look_up(
    tool: OfferedTool, arguments: dict[str, Any], register: tuple[ScriptedCall, ...]
) -> tuple[Any, str | None]:
    """Look up the tool's return, or its error."""
    missing = [name for name in tool.parameters.get("required", ()) if name not in arguments]
    if missing:
        return None, f"missing argument {missing[0]}"
    for name, value in arguments.items():
        allowed = tool.parameters.get("properties", {}).get(name, {}).get("enum")
        if allowed and not any(same_argument(value, choice) for choice in allowed):
            return None, f"{name} must be one of {', '.join(map(str, allowed))}"
    for entry in register:
        if entry.tool == tool.name and same_arguments(arguments, entry.arguments):
            return entry.returns, None
    query = {name: str(value)[:80] for name, value in arguments.items()}
    return {"status": "not_found", "query": query, "records": []}, None
