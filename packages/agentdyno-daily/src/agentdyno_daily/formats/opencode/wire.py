"""Records of OpenCode: messages and parts of version 1, messages of version 2."""

from typing import Any

import msgspec
from msgspec import Struct


class Cache(Struct, gc=False):
    """Tokens that went to or came from the provider's cache."""

    read: Any = None
    write: Any = None


class Tokens(Struct, gc=False):
    """Counts of one model call; `input` leaves out what the cache took or gave."""

    input: Any = None
    output: Any = None
    reasoning: Any = None
    total: Any = None
    cache: Cache | None = None


class Time(Struct, gc=False):
    """Moments in milliseconds since 1970."""

    created: float | None = None
    completed: float | None = None
    streamed: float | None = None
    ran: float | None = None
    start: float | None = None
    end: float | None = None
    compacted: float | None = None


class State(Struct, gc=False):
    """Progress of a tool call, in either version."""

    status: str = ""
    input: Any = None
    output: Any = None
    error: Any = None
    content: Any = None
    metadata: Any = None
    time: Time | None = None


class Part(Struct, gc=False):
    """A part of a message, in either version; only what some type needs is read."""

    type: str
    text: str | None = None
    ignored: bool | None = None
    time: Time | None = None
    state: State | None = None
    callID: str | None = None
    tool: str | None = None
    id: str | None = None
    name: str | None = None
    executed: bool | None = None
    tokens: Tokens | None = None
    cost: float | None = None
    reason: str | None = None
    tail_start_id: str | None = None


class Info(Struct, gc=False):
    """A message of version 1 without its parts."""

    role: str
    id: str | None = None
    time: Time | None = None
    modelID: str | None = None
    providerID: str | None = None
    model: Any = None
    tokens: Tokens | None = None
    cost: float | None = None
    finish: str | None = None
    error: Any = None
    summary: Any = None


class Exported(Struct, gc=False):
    info: Info
    parts: list[msgspec.Raw] = []


class Message(Struct, gc=False):
    """The data of a message of version 2, of any type."""

    text: str | None = None
    skills: list[Any] | None = None
    time: Time | None = None
    model: Any = None
    content: list[Part] = []
    tokens: Tokens | None = None
    cost: float | None = None
    finish: str | None = None
    error: Any = None
    retry: Any = None
    providerState: Any = None
    status: str | None = None
    summary: str | None = None
    recent: str | None = None
    command: str | None = None
    output: Any = None
    shellID: str | None = None
    metadata: Any = None


class Recorded(Struct, gc=False):
    """The usage of a call that is no message: a title, a summary."""

    source: str = "other"
    tokens: Tokens | None = None
    cost: float | None = None


class Session(Struct, gc=False):
    """A session: a row of its table, or the head of an export."""

    id: str
    title: str | None = None
    version: str | None = None
    parent: str | None = None
    directory: str | None = None
    parentID: str | None = None


INFO = msgspec.json.Decoder(Info)
PART = msgspec.json.Decoder(Part)
EXPORTED = msgspec.json.Decoder(Exported)
MESSAGE = msgspec.json.Decoder(Message)
SESSION = msgspec.json.Decoder(Session)
RECORDED = msgspec.json.Decoder(Recorded)
