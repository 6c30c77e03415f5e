"""The pool's tools as Inspect tools of one sample, and what became of every call.

Calls of one turn run at the same time. Times are the services' own, as results report them; the
log's own times are real.
"""

from typing import Any

import msgspec
from inspect_ai.model import ChatMessage, ChatMessageTool
from inspect_ai.tool import ToolCall, ToolDef, ToolError, ToolParams

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

    def tools(self, names: list[str]) -> list[ToolDef]:
        """These tools, for the model and for execution."""
        return [self._define_tool(self.pool.tools[name]) for name in names]

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
            if message is not None:
                self.calls.append(self._record_call(turn, call, message))

    def _record_call(self, turn: int, call: ToolCall, message: ChatMessageTool) -> ExecutedCall:
        took = self._took.get(_canonical([call.function, call.arguments]), [])
        error = None if message.error is None else message.error.message
        return ExecutedCall(
            turn=turn,
            tool=call.function,
            arguments=call.arguments,
            result=_decode(message.text),
            error=error,
            # Refused before it reached the service: that takes no time.
            latency_seconds=took.pop(0) if took else 0.0,
        )


def _decode(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return text
