"""The mock tools of one conversation: a name and arguments in, a text or an error out.

Where the suite holds its tools' records, a tool answers by its arguments; in a suite of the
published format an expected tool gives the next return of the task's script. Needs no Inspect.

The right arguments bring the record, in any case and spacing, by the codes or by the name that
people use. Another thing's arguments bring that thing's record. An unknown thing is not found, and
the tool says what it looked for; arguments that are missing or not allowed are refused.
"""

from typing import Any

import msgspec

from agentdyno_bench.findings.failures.arguments import same_argument, same_arguments
from agentdyno_bench.records.failures import OfferedTool, ScriptedCall, ToolTask

NO_RECORD = "No record found."


class Mocks:
    """The tools of a task, with what is left of its script."""

    def __init__(self, task: ToolTask, records: tuple[ScriptedCall, ...] = ()) -> None:
        self._task, self._records = task, records
        self._left = list(task.script)

    def answer(self, tool: OfferedTool, arguments: dict[str, Any]) -> tuple[str, bool]:
        """What a call brings, and whether it failed."""
        step = next((s for s in self._left if self._fits(s, tool, arguments)), None)
        if step is None and self._task.by_arguments and self._is_foreign(tool, arguments):
            found, error = look_up(tool, arguments, self._records)
            return (msgspec.json.encode(found).decode(), False) if error is None else (error, True)
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
        """Whether the task's script says nothing about such a call."""
        return not any(self._fits(step, tool, arguments) for step in self._task.script)


def look_up(
    tool: OfferedTool, arguments: dict[str, Any], register: tuple[ScriptedCall, ...]
) -> tuple[Any, str | None]:
    """What the tool returns, or the error that it gives."""
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
    asked = {name: str(value)[:80] for name, value in arguments.items()}
    return {"status": "not_found", "query": asked, "records": []}, None
