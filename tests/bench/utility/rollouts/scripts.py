"""Scripted agents whose calls are worth a known amount; also imported by the processes they start.

Each attempt is recorded under one seed; continuations have others. Under the recorded seed an
agent makes its calls; under another it makes none and answers by what it has seen so far. So the
worth of a recorded call is exactly what seeing its result is worth.
"""

import os
from pathlib import Path
from typing import Any
from uuid import uuid4

from bench.scripted.failures import _tasks, reply_as, text_of
from bench.scripted.planning import _results, _task, reply_with
from bench.scripted.ways import Move, next_move
from inspect_ai.tool import Tool

from agentdyno_bench.shared.models.scripted import Reply, ReplyCall
from tests.bench.pte.tir.tools import build_tools

HERE = "tests.bench.utility.rollouts.scripts"
RECORDED = 0
"""Seed of the recorded attempts of tir."""
RIGHT, WRONG = "<ANSWER>18</ANSWER>", "<ANSWER>5</ANSWER>"
"""Of the question that the tests of tir ask."""
MENDED = "AGENTDYNO_TEST_ROLLOUTS_MENDED"


def fresh_tools(names: list[str]) -> list[Tool]:
    """Tools that never say the same twice."""

    async def answer(name: str, code: str) -> str:
        return f"{name} ran {code}: {uuid4()}"

    return build_tools(names, answer)


def _call(*codes: str) -> Reply:
    return Reply(calls=[ReplyCall("python", {"code": code}) for code in codes])


def _ran(input: list[Any]) -> list[str]:
    """Codes whose results stand in the conversation, which must be whole."""
    asked = [c for m in input if m.role == "assistant" for c in m.tool_calls or ()]
    answered = [m for m in input if m.role == "tool"]
    assert [c.id for c in asked] == [m.tool_call_id for m in answered]
    return [c.arguments["code"] for c in asked]


def needs_python(input: list[Any], tools: list[Any], choice: Any, config: Any) -> Reply:
    """Calls once; right if and only if it has seen the result."""
    ran = _ran(input)
    if config.seed == RECORDED and not ran and tools:
        return _call("a")
    return Reply(text=RIGHT if ran else WRONG)


def two_at_once(input: list[Any], tools: list[Any], choice: Any, config: Any) -> Reply:
    """Two calls in one turn, then a third; only the second of them tells the answer."""
    ran = _ran(input)
    if config.seed == RECORDED and len(ran) < 3:
        return _call("c") if ran else _call("a", "b")
    return Reply(text=RIGHT if "b" in ran else WRONG)


def misled(input: list[Any], tools: list[Any], choice: Any, config: Any) -> Reply:
    """Knows the answer until a call talks it out of it."""
    ran = _ran(input)
    if config.seed == RECORDED and not ran:
        return _call("a")
    return Reply(text=WRONG if ran else RIGHT)


def more_likely(input: list[Any], tools: list[Any], choice: Any, config: Any) -> Reply:
    """Right with probability 0.25 without and 0.75 with the result, by its seed."""
    ran = _ran(input)
    if config.seed == RECORDED and not ran:
        return _call("a")
    return Reply(text=RIGHT if config.seed % 4 < (3 if ran else 1) else WRONG)


def breaks_sometimes(input: list[Any], tools: list[Any], choice: Any, config: Any) -> Reply:
    """As `needs_python`; every fourth continuation without a result fails."""
    if config.seed != RECORDED and config.seed % 4 == 0 and not _ran(input):
        return Reply(error="out of order")
    return needs_python(input, tools, choice, config)


def needs_mending(input: list[Any], tools: list[Any], choice: Any, config: Any) -> Reply:
    """As `needs_python`; continuations fail as long as something is broken."""
    if config.seed != RECORDED and not Path(os.environ[MENDED]).exists():
        return Reply(error="out of order")
    return needs_python(input, tools, choice, config)


def reports_what_it_saw(input: list[Any], tools: list[Any], choice: Any, config: Any) -> Reply:
    """Of toolfail: under the protocol's seed it calls what is needed; else it only reports."""
    task = _tasks()[next(m.text for m in input if m.role == "user")]
    if config.seed == 42:
        return reply_as("faithful", task, input, tools)
    seen = [m for m in input if m.role == "tool" and m.error is None]
    return Reply(text=text_of("faithful" if seen else "ignorer", task))


def tries_again(input: list[Any], tools: list[Any], choice: Any, config: Any) -> Reply:
    """Of toolfail: continuations repeat a call that failed, and report what they saw in the end."""
    task = _tasks()[next(m.text for m in input if m.role == "user")]
    results = [m for m in input if m.role == "tool"]
    if config.seed == 42 or len(results) == 1:
        return reply_as("faithful", task, input, tools)
    return Reply(text=text_of("faithful" if results and not results[-1].error else "ignorer", task))


def honest(input: list[Any], tools: list[Any], choice: Any, config: Any) -> Reply:
    """Of toolfail: calls what is needed where it is offered, and reports only what it saw."""
    task = _tasks()[next(m.text for m in input if m.role == "user")]
    offered = {tool.name for tool in tools}
    seen = any(message.role == "tool" for message in input)
    if task.kind == "required" and task.script[0].tool not in offered and not seen:
        given = {"answer": [], "basis": "not available"}
        return Reply(calls=[ReplyCall("submit", given)])
    return reply_as("faithful", task, input, tools)


def _do(move: Move, input: list[Any], tools: list[Any]) -> Reply:
    if not move.calls:
        return reply_with(move.answer, input, tools)
    return Reply(calls=[ReplyCall(c.tool, c.arguments, c.call_id) for c in move.calls])


def one_by_one_then_tells(input: list[Any], tools: list[Any], choice: Any, config: Any) -> Reply:
    """Of tps: one call a turn; a continuation makes none and answers as if all were done."""
    task = _task(input)
    turn = sum(message.role == "assistant" for message in input)
    if config.seed is not None:
        turn = len(task.subtasks)
    move = next_move("sequential", task, turn, _results(input))
    return _do(move, input, tools)


def selects_and_calls_at_once(
    input: list[Any], tools: list[Any], choice: Any, config: Any
) -> Reply:
    """Of tps: names its tools, then calls whatever can be; a continuation only answers."""
    task = _task(input)
    if input[0].role != "system":
        assert config.seed is None  # A selection is played back, never asked for again.
        return Reply(text="\n".join(subtask.tool for subtask in task.subtasks))
    turn = sum(message.role == "assistant" for message in input)
    turn = turn if config.seed is None else len(task.subtasks)
    move = next_move("optimal", task, turn, _results(input))
    return _do(move, input, tools)
