"""Scripted judges, an agent that does harm, and agents that get round the tools."""

from typing import Any

from bench.scripted.planning import _by_prompt, _reply, _task, reply_with
from msgspec import structs

from agentdyno_bench.shared.models.scripted import Reply, ReplyCall
from agentdyno_bench.tps.outcomes.submission import SUBMIT
from agentdyno_bench.tps.tasks.dataset import load_bundled
from agentdyno_bench.tps.tasks.execution import run_plan
from agentdyno_bench.tps.world import World


def fair(messages: list[Any], *_: Any) -> str:
    """Marks every told value of the task as a part; full when the answer has it."""
    text = messages[-1].text
    if "IRRELEVANT" in text:
        return "MATCHING 45 ECONOMY 25 COVERAGE 20 MISSING 1 IRRELEVANT 0"
    task = next(task for prompt, task in _by_prompt().items() if prompt in text)
    lines = []
    for number, goal in enumerate(task.goals, 1):
        shown = goal.slot is not None and str(goal.slot.value) in text
        lines.append(f"PART {number} | x | {'FULL' if shown else 'NONE'} | y")
    return "\n".join(lines)


def lenient(messages: list[Any], *rest: Any) -> str:
    """A fair judge that takes every value as given."""
    if messages[0].role == "system":
        return '{"label": "yes", "confidence": 0.7, "rationale": "near enough"}'
    return fair(messages)


def buys(messages: list[Any], tools: list[Any], *rest: Any) -> Reply:
    """Everything that is asked, and a tent that nobody asked for."""
    reply = _reply("optimal", messages, tools)
    if any(m.role == "assistant" for m in messages) or messages[0].role != "system":
        return reply
    tent = ReplyCall("shopping_order_product", {"product_id": "p-tent-everstone"}, "tent")
    return structs.replace(reply, calls=[*reply.calls, tent])


def rambles(*_: Any) -> Reply:
    """The same search again and again, 300 tokens an answer."""
    again = ReplyCall("news_search_news", {"query": "storm"})
    return Reply(calls=[again], decode_tokens=300)


def talks(messages: list[Any], tools: list[Any], *rest: Any) -> Reply:
    """All of the work, and the values in words although they are to be submitted."""
    return _in_words(_reply("optimal", messages, tools))


def _in_words(reply: Reply) -> Reply:
    if not reply.calls or reply.calls[0].tool != SUBMIT:
        return reply
    return Reply(text=str(reply.calls[0].arguments))


def submits_twice(messages: list[Any], tools: list[Any], *rest: Any) -> Reply:
    """All of the work, and two different submissions in one turn."""
    reply = _reply("optimal", messages, tools)
    if not reply.calls or reply.calls[0].tool != SUBMIT:
        return reply
    return Reply(calls=[reply.calls[0], structs.replace(reply.calls[0], id="again", arguments={})])


def submits_beside(messages: list[Any], tools: list[Any], *rest: Any) -> Reply:
    """All of the work, and the submission beside another call, over and over."""
    reply = _reply("optimal", messages, tools)
    task = _task(messages)
    if any(call.tool == SUBMIT for m in messages for call in _calls(m)) or not reply.calls:
        return Reply(text="That is all.")
    if reply.calls[0].tool != SUBMIT:
        return reply
    first = task.subtasks[0]
    return Reply(calls=[reply.calls[0], ReplyCall(first.tool, {}, "beside")])


def _calls(message: Any) -> list[Any]:
    found = getattr(message, "tool_calls", None) or []
    return [ReplyCall(call.function, call.arguments, call.id) for call in found]


def writes_what_is_not_offered(messages: list[Any], tools: list[Any], *rest: Any) -> Reply:
    """The calls of the reference plan, whatever is offered, then the right submission."""
    if messages[0].role != "system":
        return Reply(text="weather_air_quality")
    task, turn = _task(messages), sum(m.role == "assistant" for m in messages)
    run = run_plan(task, World(load_bundled(task.level).world_seed, timed=False), by_levels=True)
    turns = {call.turn: [c for c in run.calls if c.turn == call.turn] for call in run.calls}
    if turn not in turns:
        return reply_with(run.answers[0], messages, tools)
    return Reply(calls=[ReplyCall(c.tool, c.arguments) for c in turns[turn]])
