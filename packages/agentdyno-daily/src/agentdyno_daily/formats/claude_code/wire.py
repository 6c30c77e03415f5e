"""The shapes of Claude Code's session files, as loose as real files are."""

from typing import Any

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from agentdyno.intake.anthropic import Content, Usage


class Envelope(Struct, gc=False):
    """The fields of a line beside its message."""

    type: str
    uuid: str | None = None
    sessionId: str | None = None
    agentId: str | None = None
    requestId: str | None = None
    timestamp: str | None = None
    isSidechain: bool | None = None
    costUSD: float | None = None
    durationMs: float | None = None
    cwd: str | None = None
    version: str | None = None
    session_id: str | None = None
    parentUuid: str | UnsetType | None = UNSET
    subtype: str | None = None
    isMeta: bool | None = None
    isCompactSummary: bool | None = None
    isVisibleInTranscriptOnly: bool | None = None
    isApiErrorMessage: bool | None = None
    parentToolUseID: str | None = None
    gitBranch: str | None = None
    sourceToolUseID: str | None = None
    thinkingMetadata: Any = None
    permissionMode: str | None = None
    leafUuid: str | None = None
    summary: str | None = None
    aiTitle: str | None = None
    customTitle: str | None = None
    parent_tool_use_id: str | None = None


class Line(Envelope, gc=False):
    """One line of any type; the message stays raw until the type is known."""

    message: Raw = Raw(b"null")
    toolUseResult: Raw = Raw(b"null")
    data: Raw = Raw(b"null")
    tool_use_result: Raw = Raw(b"null")
    modelUsage: Raw = Raw(b"null")


class Progress(Struct, gc=False):
    """A `progress` line about a running call."""

    type: str | None = None
    hookEvent: str | None = None
    agentId: str | None = None
    message: Raw = Raw(b"null")
    elapsedTimeSeconds: float | None = None
    elapsedTimeMs: float | None = None
    status: str | None = None


class Head(Struct, gc=False):
    """Fields of a message beside its text; a response is spread over several lines."""

    id: str | None = None
    model: str | None = None
    usage: Usage | None = None
    stop_reason: str | None = None
    diagnostics: Any = None


class Message(Head, gc=False):
    content: Content = None


class Outcome(Struct, gc=False):
    """`toolUseResult`: facts about a call beside the text that the model sees."""

    interrupted: bool | None = None
    durationMs: float | None = None
    durationSeconds: float | None = None
    totalDurationMs: float | None = None
    totalToolUseCount: float | None = None
    agentId: str | None = None
    prompt: str | None = None
    content: Content = None
    usage: Usage | None = None
    searchCount: Any = None


class ModelUsage(Struct, gc=False):
    """A run's usage of one model, as its last line sums it up."""

    inputTokens: float | None = None
    outputTokens: float | None = None
    cacheReadInputTokens: float | None = None
    cacheCreationInputTokens: float | None = None


LINE = msgspec.json.Decoder(Line)
HEAD = msgspec.json.Decoder(Head)
MESSAGE = msgspec.json.Decoder(Message)
PROGRESS = msgspec.json.Decoder(Progress)
OUTCOME = msgspec.json.Decoder(Outcome)
TOTALS = msgspec.json.Decoder(dict[str, ModelUsage])
