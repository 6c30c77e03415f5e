"""Scripted judges, an agent that does harm, and one that hedges."""

from typing import Any

from msgspec import structs

from agentdyno_bench.models.scripted import Reply, ReplyCall
from agentdyno_bench.tps.run.scripted import _by_prompt, _reply


def fair(messages: list[Any], *_: Any) -> str:
    """Marks every told value of the task as a part; full when the answer has it."""
    text = messages[-1].text
    if "SCORE" in text:
        return "SCORE 80"
    task = next(task for prompt, task in _by_prompt().items() if prompt in text)
    lines = []
    for number, wish in enumerate(task.wishes, 1):
        shown = wish.slot is not None and str(wish.slot.value) in text
        lines.append(f"PART {number} | x | {'FULL' if shown else 'NONE'} | y")
    return "\n".join(lines)


def lenient(messages: list[Any], *rest: Any) -> str:
    """A fair judge that lets every unclear goal pass."""
    if messages[0].role == "system":
        return '{"label": "yes", "confidence": 0.7, "rationale": "near enough"}'
    return fair(messages)


def buys(messages: list[Any], *rest: Any) -> Reply:
    """Everything that is wished, and a tent that nobody asked for."""
    reply = _reply("optimal", messages)
    if any(m.role == "assistant" for m in messages) or messages[0].role != "system":
        return reply
    tent = ReplyCall("shopping_order_product", {"product_id": "p-tent-corvid"}, "tent")
    return structs.replace(reply, calls=[*reply.calls, tent])


def hedges(messages: list[Any], *rest: Any) -> Reply:
    """All of the work, and an answer that says of everything that it is probably so."""
    reply = _reply("optimal", messages)
    if reply.calls:
        return reply
    lines = [line.replace(": ", ": probably ", 1) for line in (reply.text or "").splitlines()]
    return structs.replace(reply, text="\n".join(lines))
