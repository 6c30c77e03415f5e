"""Anthropic messages into builder events. Every assistant message is a turn."""

from functools import lru_cache
from typing import Any

import msgspec

from agentdyno.intake.anthropic import BlockWriter, as_blocks, read_thinking_tokens, usage_fields
from agentdyno.intake.builder import Schemas, TrajectoryBuilder
from agentdyno.intake.chats import about
from agentdyno.intake.formats.anthropic_messages.wire import Chat, Message
from agentdyno.intake.streams import decode
from agentdyno.intake.texts import function_schemas
from agentdyno.records import Trajectory, UnreadableError, printable

_ANY = msgspec.json.Decoder()


def trajectory_of(
    chat: Chat, trajectory_id: str, source: str, line: int | None = None
) -> Trajectory:
    """A whole list of messages as one trajectory."""
    writer = BlockWriter(TrajectoryBuilder())
    tools = bytes(chat.tools)
    writer.builder.offer(read_offered(tools, frozenset()))
    writer.instruct(as_blocks(chat.system))
    for message in chat.messages:
        if message.role == "assistant":
            _take_turn(writer, message, chat)
        else:
            give(writer, message, chat.model)
        if writer.loaded:
            writer.builder.offer(read_offered(tools, frozenset(writer.loaded)))
    if not writer.builder.turns:
        raise UnreadableError("at least one assistant message", "none")
    if len(writer.builder.turns) == 1 and chat.usage is not None:
        writer.builder.amend_turn(0, **usage_fields(chat.usage))
    facts = about(chat)
    facts["model"] = chat.model or next((t.model for t in writer.builder.turns if t.model), None)
    return writer.builder.build(trajectory_id, source, "anthropic_messages", line=line, **facts)


def _take_turn(writer: BlockWriter, message: Message, chat: Chat) -> None:
    fields = usage_fields(message.usage)
    model, finish = message.model or chat.model, message.stop_reason
    writer.builder.turn(model, finish=finish, response_id=message.id, **fields)
    writer.answer(as_blocks(message.content), read_thinking_tokens(message.usage))


def give(writer: BlockWriter, message: Message, model: str | None) -> None:
    """A message that the model did not write in this trajectory."""
    blocks = as_blocks(message.content)
    if message.role == "user":
        writer.ask(blocks, model)
    elif message.role == "system":
        writer.instruct(blocks)
    elif message.role == "assistant":
        writer.history(blocks)
    else:
        raise UnreadableError("a role of the Messages API", ascii(printable(message.role, 40)))


@lru_cache(maxsize=256)
def read_offered(tools: bytes, loaded: frozenset[str]) -> Schemas:
    """The tools whose schemas are in the context: a deferred one only once it is referred to.

    The same bytes come back with every call of an agent, hence the cache.
    """
    listed = decode(tools, _ANY)
    if not isinstance(listed, list):
        return ()
    displayed = [tool for tool in listed if isinstance(tool, dict) and _is_visible(tool, loaded)]
    return function_schemas([_bare(tool) for tool in displayed])


def _is_visible(tool: dict[str, Any], loaded: frozenset[str]) -> bool:
    return not tool.get("defer_loading") or str(tool.get("name")) in loaded


def _bare(tool: dict[str, Any]) -> dict[str, Any]:
    """Without what is said to the API and not to the model."""
    return {k: v for k, v in tool.items() if k not in ("cache_control", "defer_loading")}
