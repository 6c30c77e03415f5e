"""What Pi, OpenClaw and OMP write: a header, then entries that name the one before them."""

from typing import Any

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType


class Block(Struct, gc=False):
    """A piece of a message's content."""

    type: str = "text"
    text: str | None = None
    thinking: str | None = None
    id: str | None = None
    name: str | None = None
    arguments: Any = None


Content = str | list[Block] | None
"""What a message holds: text, or blocks."""


class Usage(Struct, gc=False):
    """Counts of one model call; `input` leaves out what the cache took or gave."""

    input: Any = None
    output: Any = None
    cacheRead: Any = None
    cacheWrite: Any = None
    reasoning: Any = None
    totalTokens: Any = None
    cost: Any = None


class Message(Struct, gc=False):
    """A message of any role; only what some role needs is read."""

    role: str
    content: Content = None
    provider: str | None = None
    model: str | None = None
    usage: Usage | None = None
    stopReason: str | None = None
    errorMessage: str | None = None
    responseId: str | None = None
    timestamp: Any = None
    duration: Any = None
    ttft: Any = None
    toolCallId: str | None = None
    toolName: str | None = None
    isError: bool | None = None
    details: Any = None
    command: str | None = None
    output: str | None = None
    excludeFromContext: bool | None = None
    summary: str | None = None


class Entry(Struct, gc=False):
    """A line of a session file, of any type."""

    type: str
    id: str | None = None
    parentId: str | UnsetType | None = UNSET
    timestamp: Any = None
    message: Raw = Raw(b"")
    summary: str | None = None
    firstKeptEntryId: str | None = None
    firstKeptEntryIndex: int | None = None
    content: Content = None
    name: str | None = None
    title: str | None = None
    task: str | None = None
    systemPrompt: str | list[str] | None = None
    customType: str | None = None
    toolCallId: str | None = None
    durationMs: float | None = None
    provider: str | None = None
    model: Any = None
    usage: Usage | None = None


ENTRY = msgspec.json.Decoder(Entry)
MESSAGE = msgspec.json.Decoder(Message)
