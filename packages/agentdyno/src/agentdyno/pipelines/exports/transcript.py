"""A trajectory as messages: what every format of a conversation is written from.

Takes a trajectory, returns messages in the order of the conversation, each with the parts that it
is made of. What was only counted and has no text is left out.
"""

from typing import Any, Literal

import msgspec
from msgspec import Struct

from agentdyno.records import Part, ToolCall, Trajectory

Role = Literal["system", "user", "assistant", "tool"]


class Block(Struct, frozen=True, gc=False):
    """One text of a message."""

    kind: Literal["text", "reasoning", "call", "result"]
    """What it is: a call is what the model asked of a tool."""
    text: str
    """The text; arguments as the model wrote them for a call."""
    call: ToolCall | None = None
    """The tool call, of a call or a result."""
    call_id: str | None = None
    """Its id, or one of our own where the trace has none."""
    part: Part | None = None
    """The part that it was; None for a call whose request is no part."""


class Message(Struct, gc=False):
    role: Role
    blocks: list[Block]
    """Its texts, in order."""
    turn: int | None = None
    """The turn that decoded it; None for what was given to the model."""


def list_messages(trajectory: Trajectory) -> list[Message]:
    """The conversation: before each turn what was given to it, then its answer and the results."""
    inputs: dict[int, list[Message]] = {}
    decoded: dict[int, list[Block]] = {}
    last = len(trajectory.turns)
    for part in trajectory.parts:
        if part.kind in ("schema", "unseen") or not part.text:
            continue
        if part.call is not None and part.kind != "user":
            continue
        if part.made is not None:
            kind: Literal["text", "reasoning"] = "reasoning" if part.kind == "reasoning" else "text"
            decoded.setdefault(part.made, []).append(Block(kind, part.text, part=part))
        else:
            at = last if part.enters is None else part.enters
            message = Message(_find_role(part), [Block("text", part.text, part=part)])
            inputs.setdefault(at, []).append(message)
    calls: dict[int, list[ToolCall]] = {}
    for call in trajectory.calls:
        calls.setdefault(call.turn, []).append(call)
    messages: list[Message] = []
    for turn in range(last):
        messages += inputs.get(turn, [])
        messages += _list_answer(trajectory, turn, decoded.get(turn, []), calls.get(turn, []))
    return messages + inputs.get(last, [])


def _list_answer(
    trajectory: Trajectory, turn: int, texts: list[Block], calls: list[ToolCall]
) -> list[Message]:
    asked, results = list[Block](), list[Message]()
    for call in calls:
        name = call.call_id or f"call_{call.turn}_{call.call}"
        request = None if call.request is None else trajectory.parts[call.request]
        asked.append(Block("call", call.arguments, call, name, request))
        if call.result is not None:
            part = trajectory.parts[call.result]
            results.append(Message("tool", [Block("result", part.text, call, name, part)]))
    return [Message("assistant", [*texts, *asked], turn), *results]


def _find_role(part: Part) -> Role:
    """History that no turn of this trajectory decoded keeps its role where it has one."""
    if part.kind == "system":
        return "system"
    return "assistant" if part.kind in ("text", "reasoning", "request") else "user"


def list_tools(trajectory: Trajectory) -> list[dict[str, Any]]:
    """The offered tools as OpenAI writes them, each name once."""
    tools: dict[str, dict[str, Any]] = {}
    for part in trajectory.parts:
        if part.kind == "schema" and part.name:
            tools.setdefault(part.name, _describe_tool(part.name, part.text))
    return [{"type": "function", "function": tool} for tool in tools.values()]


def _describe_tool(name: str, text: str) -> dict[str, Any]:
    schema = read_object(text)
    if schema is None:
        return {"name": name, "description": text}
    described: dict[str, Any] = {"name": name}
    if isinstance(schema.get("description"), str):
        described["description"] = schema["description"]
    for key in ("parameters", "input_schema", "inputSchema"):
        if isinstance(schema.get(key), dict):
            described["parameters"] = schema[key]
    return described


def read_arguments(text: str) -> dict[str, Any]:
    """The arguments as an object; what is none stands under `input`."""
    arguments = read_object(text)
    return arguments if arguments is not None else {"input": text} if text.strip() else {}


def read_object(text: str) -> dict[str, Any] | None:
    """A JSON object in a text; None where there is none."""
    try:
        value = msgspec.json.decode(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def join_texts(message: Message, kind: str = "text") -> str:
    """The texts of one kind as one."""
    return "\n\n".join(block.text for block in message.blocks if block.kind == kind)
