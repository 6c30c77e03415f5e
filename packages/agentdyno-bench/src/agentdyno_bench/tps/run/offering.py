"""The pool's tools and `submit` as Inspect tools of one sample, and what became of every call.

Calls of one turn run at the same time. Each tool notes itself that it ran, with the arguments that
reached it: ids are the model's, and two calls may have one. A call that Inspect refused (no such
tool, arguments against the schema) never got there. Times are the services' own, as results report
them; the log's own times are real.
"""

from collections import Counter
from typing import Any

import msgspec
from inspect_ai.model import ChatMessage, ChatMessageTool
from inspect_ai.tool import ToolCall, ToolDef, ToolError, ToolParams
from msgspec import structs

from agentdyno_bench.tps.outcomes.submission import (
    DESCRIPTION,
    NOT_ALONE,
    SUBMIT,
    write_answer,
)
from agentdyno_bench.tps.pool.pool import Pool, PoolTool
from agentdyno_bench.tps.tasks.checking import ExecutedCall

CUT = "The answer was cut off before it ended: submit again, in a shorter one."
LOST = "It was begun and gave nothing back."


class Bench:
    """One sample's tools and its calls so far."""

    def __init__(self, pool: Pool, workspace: str, parallel: bool) -> None:
        self.pool = pool
        self.workspace = workspace
        self.calls: list[ExecutedCall] = []
        self._parallel = parallel
        self._turn = 0
        self._running: dict[int, ExecutedCall] = {}
        """Calls of the turn that ran, by the order in which they began."""
        self._submitted: list[dict[str, Any]] = []
        self._problem: str | None = None

    def tools(self, names: list[str]) -> list[ToolDef]:
        """These tools, for the model and for execution."""
        return [self._define_tool(self.pool.tools[name]) for name in names]

    def submit_tool(self, schema: dict[str, Any]) -> ToolDef:
        """The tool by which the agent answers the user's last message."""

        async def submit(**fields: Any) -> str:
            if self._problem is not None:
                raise ToolError(self._problem)
            self._submitted.append(fields)
            return "Submitted."

        parameters = ToolParams.model_validate(schema)
        return ToolDef(submit, SUBMIT, DESCRIPTION, parameters, parallel=self._parallel)

    def begin_turn(self, turn: int, calls: list[ToolCall], is_cut: bool = False) -> None:
        """Before the calls of a turn are executed; what is submitted beside others, or in an answer
        that was cut off, does not count."""
        self._turn, self._running = turn, {}
        alone = all(call.function == SUBMIT for call in calls)
        self._problem = CUT if is_cut else None if alone else NOT_ALONE

    def take_submission(self) -> str | None:
        """The submission of the last turn; empty where there were different ones, None without
        one."""
        submissions = {write_answer(fields) for fields in self._submitted}
        self._submitted = []
        if not submissions:
            return None
        return submissions.pop() if len(submissions) == 1 else ""

    def _define_tool(self, tool: PoolTool) -> ToolDef:
        async def execute(**arguments: Any) -> str:
            number = len(self._running)
            begun = ExecutedCall(self._turn, tool.name, arguments, None, LOST, 0.0, ran=True)
            self._running[number] = begun
            answer = await self.pool.call(tool.name, arguments, self.workspace)
            self._running[number] = structs.replace(
                begun,
                result=_decode(answer.text),
                error=answer.text if answer.failed else None,
                latency_seconds=answer.latency_seconds,
            )
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

    def note(self, calls: list[ToolCall], messages: list[ChatMessage]) -> None:
        """Takes down the calls of a turn: those that ran, then those that were refused before."""
        self.calls += self._running.values()
        ran = Counter(call.tool for call in self._running.values())
        answers = [m for m in messages if isinstance(m, ChatMessageTool)]
        for call, message in sorted(zip(calls, answers, strict=False), key=_is_refused):
            if ran[call.function]:
                ran[call.function] -= 1
            elif call.function != SUBMIT:
                self.calls.append(self._record_refusal(call, message))

    def _record_refusal(self, call: ToolCall, message: ChatMessageTool) -> ExecutedCall:
        error = None if message.error is None else message.error.message
        result = _decode(message.text)
        return ExecutedCall(
            self._turn, call.function, call.arguments, result, error, 0.0, ran=False
        )


def _is_refused(pair: tuple[ToolCall, ChatMessageTool]) -> bool:
    """True for what Inspect refused; of one tool's calls, these are the ones that did not run."""
    error = pair[1].error
    return error is not None and error.type == "parsing"


def _decode(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return text
