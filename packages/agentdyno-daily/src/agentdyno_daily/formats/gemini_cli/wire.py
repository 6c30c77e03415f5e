"""The shapes of Gemini CLI's session files, as loose as real files are."""

from typing import Any

import msgspec
from msgspec import Raw, Struct, field


class Tokens(Struct, gc=False):
    """The counts of one response: input includes what was cached, output no thoughts."""

    input: Any = None
    output: Any = None
    cached: Any = None
    thoughts: Any = None
    tool: Any = None
    total: Any = None


class ToolCall(Struct, gc=False):
    """A call with its result, once it is done."""

    id: str | None = None
    name: str | None = None
    args: Any = None
    result: Any = None
    status: str | None = None
    timestamp: Any = None


class Message(Struct, gc=False):
    """A message; written again, with the same id, when something about it becomes known."""

    id: str | None = None
    timestamp: Any = None
    type: str | None = None
    content: Any = None
    model: str | None = None
    thoughts: Any = None
    tokens: Tokens | None = None
    toolCalls: list[ToolCall] | None = None


class Update(Struct, gc=False):
    """Fields of the session that change; with messages, all that stand in the context now."""

    messages: list[Message] | None = None
    summary: str | None = None


class Record(Struct, gc=False):
    """A line of any kind: what the session is, a message, a change or a rewind."""

    id: str | None = None
    sessionId: str | None = None
    projectHash: str | None = None
    kind: str | None = None
    summary: str | None = None
    messages: list[Message] | None = None
    update: Raw = field(default=Raw(b""), name="$set")
    rewind_to: str | None = field(default=None, name="$rewindTo")


RECORD = msgspec.json.Decoder(Record)
MESSAGE = msgspec.json.Decoder(Message)
UPDATE = msgspec.json.Decoder(Update)
