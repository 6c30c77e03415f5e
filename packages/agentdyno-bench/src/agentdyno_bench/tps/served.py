"""One task served to any agent over MCP: its tools and `submit`, with a log of what ran.

Takes a task and a file, returns a server of the SDK. The server notes every call itself, a JSON
line each, before it answers: what the agent says of its own work counts for nothing. A call that
breaks the tool's schema, names no tool, or comes after the end is noted as not run. The task is the
prompt `task` of the server; what the user answers back to a submission is the result of `submit`.

    {"attempt": "3f9a…", "task_id": "easy-001"}
    {"attempt": "3f9a…", "tool": "mail_list_inbox", "arguments": {}, "ran": true, "seconds": 0.21}
    {"attempt": "3f9a…", "submitted": {"price": 49.17}}

One process is one attempt, in a world of its own, over however many connections: a client that
starts a process for each call needs HTTP. `outcomes.transcripts` reads the log.
"""

import os
import time
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any
from uuid import uuid4

import anyio
import mcp_types as types
import msgspec
from mcp.server.lowlevel.server import Server as SdkServer

from agentdyno.records import InputError, printable
from agentdyno_bench.shared.models.refusals import invalid, not_found
from agentdyno_bench.tps.briefs import TOGETHER, write_brief, write_prompt
from agentdyno_bench.tps.outcomes.submission import (
    DESCRIPTION,
    NOT_ALONE,
    SUBMIT,
    submit_schema,
)
from agentdyno_bench.tps.tasks.values import CompoundTask
from agentdyno_bench.tps.world.directory import World, all_tools
from agentdyno_bench.tps.world.kit.mcp import Latency, describe_tool, result_of
from agentdyno_bench.tps.world.kit.tool import Tool

OVER = "The task is over: it was handed in."
BESIDE_SECONDS = 0.05
"""A call takes so long at least, so that a submission sent in the same turn is seen beside it."""


class ServedTask:
    """An attempt at a task, as the server sees it."""

    def __init__(
        self,
        task: CompoundTask,
        seed: int,
        log: Path,
        tools: tuple[str, ...] = (),
        latency: Latency = "virtual",
    ) -> None:
        self._task, self._world, self._latency = task, World(seed), latency
        self._tools = _choose_tools(tools)
        self._file = _open_log(log)
        self._attempt, self._stage, self._running = "", 0, 0

    def server(self) -> SdkServer[Any]:
        return SdkServer(
            "agentdyno-task",
            title=f"AgentDyno task {self._task.task_id}",
            instructions=write_brief(TOGETHER),
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_prompts=self._list_prompts,
            on_get_prompt=self._get_prompt,
        )

    async def _list_tools(self, ctx: Any, params: Any) -> types.ListToolsResult:
        self._begin()
        tools = [
            describe_tool(name.partition("_")[0], tool).model_copy(update={"name": name})
            for name, tool in self._tools.items()
        ]
        stage = min(self._stage, len(self._task.follow_ups))
        schema = submit_schema(self._task, stage)
        submit = types.Tool(name=SUBMIT, description=DESCRIPTION, input_schema=schema)
        return types.ListToolsResult(tools=[*tools, submit])

    async def _list_prompts(self, ctx: Any, params: Any) -> types.ListPromptsResult:
        about = "What the user asks for, with the brief for the agent."
        return types.ListPromptsResult(prompts=[types.Prompt(name="task", description=about)])

    async def _get_prompt(
        self, ctx: Any, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        content = types.TextContent(type="text", text=write_prompt(self._task.prompt))
        message = types.PromptMessage(role="user", content=content)
        return types.GetPromptResult(messages=[message])

    async def _call_tool(
        self, ctx: Any, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        self._begin()
        self._running += 1
        try:
            arguments = params.arguments or {}
            if params.name == SUBMIT:
                return self._submit(arguments)
            return await self._execute(params.name, arguments)
        finally:
            self._running -= 1

    async def _execute(self, name: str, arguments: dict[str, Any]) -> types.CallToolResult:
        why = self._refuse(name, arguments)
        if why is not None:
            self._note(tool=printable(name, 120), arguments=arguments, ran=False, error=why)
            return _say(why, failed=True)
        outcome = self._world.call(name, arguments)
        self._note(
            tool=name, arguments=arguments, ran=True, error=outcome.error,
            seconds=outcome.latency_seconds,
        )  # fmt: skip
        seconds = outcome.latency_seconds if self._latency == "real" else 0.0
        await anyio.sleep(max(seconds, BESIDE_SECONDS))
        return result_of(outcome)

    def _refuse(self, name: str, arguments: dict[str, Any]) -> str | None:
        if self._stage > len(self._task.follow_ups):
            return OVER
        tool = self._tools.get(name)
        return not_found(printable(name, 80)) if tool is None else invalid(arguments, tool.schema)

    def _submit(self, arguments: dict[str, Any]) -> types.CallToolResult:
        if self._stage > len(self._task.follow_ups):
            why: str | None = OVER
        elif self._running > 1:
            why = NOT_ALONE
        else:
            why = invalid(arguments, submit_schema(self._task, self._stage))
        if why is not None:
            self._note(tool=SUBMIT, arguments=arguments, ran=False, error=why)
            return _say(why, failed=True)
        self._note(submitted=arguments)
        self._stage += 1
        if self._stage > len(self._task.follow_ups):
            return _say("Submitted. The task is over.")
        fields = msgspec.json.encode(submit_schema(self._task, self._stage)["properties"]).decode()
        message = self._task.follow_ups[self._stage - 1]
        return _say(f"The user answers:\n{message}\n\nWhat {SUBMIT} takes now: {fields}")

    def _begin(self) -> None:
        """An attempt begins with the first request: a server that nobody reached is none."""
        if not self._attempt:
            self._attempt = uuid4().hex[:12]
            self._note(task_id=self._task.task_id)

    def _note(self, **event: Any) -> None:
        """A line of the log, on disk before anybody is answered."""
        line = {"attempt": self._attempt, **event, "at": round(time.time(), 3)}
        os.write(self._file, msgspec.json.encode(line) + b"\n")


def _choose_tools(patterns: tuple[str, ...]) -> dict[str, Tool]:
    tools = {
        name: tool
        for name, tool in all_tools().items()
        if not patterns or any(fnmatchcase(name, pattern) for pattern in patterns)
    }
    if not tools:
        named = printable(", ".join(patterns), 80)
        raise InputError(
            f"--tool {named}: expected names of tools or patterns such as mail_*, found none that "
            "fits. `agentdyno world list --json` names all."
        )
    return tools


def _open_log(path: Path) -> int:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    except OSError as error:
        raise InputError(
            f"--record {path}: expected a file to write to, found {error.strerror}."
        ) from None


def _say(text: str, failed: bool = False) -> types.CallToolResult:
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text)], is_error=failed
    )
