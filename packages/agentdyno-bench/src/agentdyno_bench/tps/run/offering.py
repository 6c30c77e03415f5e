"""The pool's tools and `submit` as Inspect tools of one sample, and what became of every call.

Calls of one turn run at the same time. Each tool notes that it ran: a call that Inspect refused (no
such tool, arguments against the schema) never got there. Times are the services' own, as results
report them; the log's own times are real.
"""

from typing import Any

import msgspec
from inspect_ai.model import ChatMessage, ChatMessageTool
from inspect_ai.tool import ToolCall, ToolDef, ToolError, ToolParams

from agentdyno_bench.tps.outcomes.submission import (
    DESCRIPTION,
    NOT_ALONE,
    SUBMIT,
    write_answer,
)
from agentdyno_bench.tps.pool.pool import Pool, PoolTool
from agentdyno_bench.tps.tasks.checking import ExecutedCall

_canonical = msgspec.json.Encoder(order="sorted").encode


class Bench:
    """One sample's tools and its calls so far."""

    def __init__(self, pool: Pool, workspace: str, parallel: bool) -> None:
        self.pool = pool
        self.workspace = workspace
        self.calls: list[ExecutedCall] = []
        self._parallel = parallel
        self._took: dict[bytes, list[float]] = {}
        """What ran and was not taken down yet: tool and arguments -> seconds of each."""
        self._submitted: list[dict[str, Any]] = []
        self._is_alone = True

    def tools(self, names: list[str]) -> list[ToolDef]:
        """These tools, for the model and for execution."""
        return [self._define_tool(self.pool.tools[name]) for name in names]

    def submit_tool(self, schema: dict[str, Any]) -> ToolDef:
        """The tool by which the agent answers the user's last message."""

        async def submit(**fields: Any) -> str:
            if not self._is_alone:
                raise ToolError(NOT_ALONE)
            self._submitted.append(fields)
            return "Submitted."

        parameters = ToolParams.model_validate(schema)
        return ToolDef(submit, SUBMIT, DESCRIPTION, parameters, parallel=self._parallel)

    def begin_turn(self, calls: list[ToolCall]) -> None:
        """Before the calls of a turn are executed; what is submitted beside others does not
        count."""
        self._is_alone = all(call.function == SUBMIT for call in calls)

    def take_submission(self) -> str | None:
        """The submission of the last turn; empty where there were several, None without one."""
        submissions, self._submitted = self._submitted, []
        if not submissions:
            return None
        return write_answer(submissions[0]) if len(submissions) == 1 else ""

    def _define_tool(self, tool: PoolTool) -> ToolDef:
        async def execute(**arguments: Any) -> str:
            answer = await self.pool.call(tool.name, arguments, self.workspace)
            key = _canonical([tool.name, arguments])
            self._took.setdefault(key, []).append(answer.latency_seconds)
            if answer.failed:
                raise ToolError(answer.text)
            return answer.text

        parameters = ToolParams.model_validate(tool.schema)
        for name, parameter in parameters.properties.items():
            parameter.description = parameter.description or name
        return ToolDef(
            execute,
            name=tool.name,
            description=tool.description,
            parameters=parameters,
            parallel=self._parallel,
        )

    def note(self, turn: int, calls: list[ToolCall], messages: list[ChatMessage]) -> None:
        """Takes down what a turn's calls gave."""
        answers = {m.tool_call_id: m for m in messages if isinstance(m, ChatMessageTool)}
        for call in calls:
            message = answers.get(call.id)
            if message is not None and call.function != SUBMIT:
                self.calls.append(self._record_call(turn, call, message))

    def _record_call(self, turn: int, call: ToolCall, message: ChatMessageTool) -> ExecutedCall:
        refused = message.error is not None and message.error.type == "parsing"
        noted = self._took.get(_canonical([call.function, call.arguments]), [])
        latencies = [] if refused else noted
        error = None if message.error is None else message.error.message
        return ExecutedCall(
            turn=turn,
            tool=call.function,
            arguments=call.arguments,
            result=_decode(message.text),
            error=error,
            ran=bool(latencies),
            # Refused before it reached the service: that takes no time.
            latency_seconds=latencies.pop(0) if latencies else 0.0,
        )


def _decode(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return text
