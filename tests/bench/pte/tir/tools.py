"""Harmless tools and scripts for the tests; also imported by the processes they start."""

from collections.abc import Awaitable, Callable
from typing import Any

import anyio
from inspect_ai.tool import Tool, ToolDef

from agentdyno_bench.shared.models.scripted import Reply, ReplyCall

HERE = "tests.bench.pte.tir.tools"
SOLUTIONS = {
    "greatest common divisor": "18",
    "3x-7": "x = 15",
    "7^{100}": "nine",
    "capital of Australia": "Canberra",
}


def build_tools(names: list[str], answer: Callable[[str, str], Awaitable[str]]) -> list[Tool]:
    """Tools that take a program; the answer is told the tool's name besides."""

    def build(name: str) -> Tool:
        async def execute(code: str) -> str:
            return await answer(name, code)

        about = {"code": "What to do."}
        return ToolDef(
            execute, name=name, description="A tool.", parameters=about, parallel=True
        ).as_tool()

    return [build(name) for name in names]


def make_hanging(names: list[str]) -> list[Tool]:
    async def hang(name: str, code: str) -> str:
        await anyio.sleep_forever()
        return ""

    return build_tools(names, hang)


def make(names: list[str]) -> list[Tool]:
    async def echo(name: str, code: str) -> str:
        return f"{name} ran {code}"

    return build_tools(names, echo)


def solves_some(input: list[Any], tools: list[Any], *_: Any) -> Reply:
    """A tool call, then an answer: right for some, without tag for others."""
    question = input[1].text
    if tools and input[-1].role == "user":
        return Reply(calls=[ReplyCall(tools[0].name, {"code": "1"})])
    known = [answer for words, answer in SOLUTIONS.items() if words in question]
    return Reply(text=f"<ANSWER>{known[0]}</ANSWER>" if known else "I do not know.")


def never_stops(input: list[Any], tools: list[Any], choice: Any, *_: Any) -> Reply:
    if choice == "none":
        return Reply(text=f"<ANSWER>{len(tools)}</ANSWER>")
    return Reply(calls=[ReplyCall(tools[0].name, {"code": "1"})])


def rambles(input: list[Any], tools: list[Any], choice: Any, *_: Any) -> Reply:
    """Writes 512 tokens in every turn, and calls whenever it may."""
    calls = [] if choice == "none" else [ReplyCall(tools[0].name, {"code": "1"})]
    return Reply(text="Again.", calls=calls, decode_tokens=512)
