"""The shapes of Codex's files, as loose as real files are."""

from typing import Any

import msgspec
from msgspec import Raw, Struct

NOTHING = Raw(b"null")


class Line(Struct, gc=False):
    """One line of a rollout; versions before September 2025 wrote the items without a payload."""

    type: str | None = None
    timestamp: Any = None
    ordinal: int | None = None
    payload: Raw = NOTHING
    id: str | None = None
    """The session's id, on the first line of the oldest files."""


class Meta(Struct, gc=False):
    """Facts about a session from its first line; copies of a parent's may follow."""

    id: str | None = None
    session_id: str | None = None
    timestamp: Any = None
    cwd: Any = None
    forked_from_id: str | None = None
    parent_thread_id: str | None = None
    source: Any = None
    thread_source: Any = None
    base_instructions: Any = None
    dynamic_tools: Any = None
    history_base: Any = None
    subagent_history_start_ordinal: int | None = None


class Context(Struct, gc=False):
    """The settings that hold from here on."""

    turn_id: str | None = None
    model: str | None = None
    cwd: Any = None


class Item(Struct, gc=False):
    """A message, a call, a result or reasoning, in the words of the Responses API."""

    type: str | None = None
    role: str | None = None
    call_id: str | None = None
    content: Any = None
    summary: Any = None
    name: str | None = None
    namespace: str | None = None
    arguments: Any = None
    input: Any = None
    action: Any = None
    output: Any = None
    tools: Any = None
    status: Any = None


class Usage(Struct, gc=False):
    """Token counts: input includes what was cached and written, output includes reasoning."""

    input_tokens: Any = None
    cached_input_tokens: Any = None
    cache_write_input_tokens: Any = None
    output_tokens: Any = None
    reasoning_output_tokens: Any = None
    total_tokens: Any = None


class UsageInfo(Struct, gc=False):
    """A count as a `token_count` event has it: the running total, and the last response's."""

    total_token_usage: Usage | None = None
    last_token_usage: Usage | None = None


class UsageRecord(Struct, gc=False):
    """The count of one response; written since September 2026, before the `token_count` event."""

    thread_id: str | None = None
    turn_id: str | None = None
    response_id: str | None = None
    usage: Usage | None = None


class Message(Struct, gc=False):
    """A message from another agent."""

    content: Any = None


class EventHead(Struct, gc=False):
    """The client's reports of turns and counts."""

    type: str | None = None
    turn_id: str | None = None
    started_at: Any = None
    info: UsageInfo | None = None
    call_id: str | None = None
    num_turns: Any = None
    thread_settings: Any = None


class Event(EventHead, gc=False):
    """The client's reports beside the conversation."""

    duration: Any = None
    exit_code: Any = None
    success: Any = None
    result: Any = None
    item: Any = None


class Compacted(Struct, gc=False):
    """A compaction: the summary, or everything that stands in the context from here on."""

    message: str | None = None
    replacement_history: list[Item] | None = None


class ExecItem(Struct, gc=False):
    """A message, a command or a tool call in the stream of `codex exec`."""

    id: str | None = None
    type: str | None = None
    text: str | None = None
    command: Any = None
    aggregated_output: str | None = None
    exit_code: Any = None
    status: str | None = None
    server: str | None = None
    tool: str | None = None
    arguments: Any = None
    result: Any = None
    error: Any = None
    query: Any = None
    changes: Any = None
    prompt: Any = None


class ExecLine(Struct, gc=False):
    type: str | None = None
    thread_id: str | None = None
    usage: Usage | None = None
    item: ExecItem | None = None
    error: Any = None
    message: Any = None


LINE = msgspec.json.Decoder(Line)
META = msgspec.json.Decoder(Meta)
CONTEXT = msgspec.json.Decoder(Context)
ITEM = msgspec.json.Decoder(Item)
USAGE_RECORD = msgspec.json.Decoder(UsageRecord)
MESSAGE = msgspec.json.Decoder(Message)
EVENT = msgspec.json.Decoder(Event)
COMPACTED = msgspec.json.Decoder(Compacted)
EXEC_LINE = msgspec.json.Decoder(ExecLine)

EXEC_TYPES = frozenset(
    {
        "thread.started", "turn.started", "turn.completed", "turn.failed", "item.started",
        "item.updated", "item.completed",
    }
)  # fmt: skip
"""Lines of an exec stream; `error` is too common a word to recognise one by."""
