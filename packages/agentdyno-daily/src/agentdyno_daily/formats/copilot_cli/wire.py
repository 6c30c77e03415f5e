"""The shapes of Copilot CLI's event log, as loose as real files are."""

from typing import Any

import msgspec
from msgspec import Raw, Struct


class Event(Struct, gc=False):
    """One line; what `data` holds depends on the type."""

    type: str
    id: str | None = None
    timestamp: Any = None
    agentId: str | None = None
    data: Raw = Raw(b"{}")


class ToolRequest(Struct, gc=False):
    """A call that the model asks for."""

    toolCallId: str | None = None
    name: str | None = None
    arguments: Any = None


class Message(Struct, gc=False):
    """A message of the user or the model; the model's may be written again as it is refined."""

    content: Any = None
    transformedContent: str | None = None
    messageId: str | None = None
    apiCallId: str | None = None
    parentToolCallId: str | None = None
    model: str | None = None
    reasoningText: str | None = None
    outputTokens: Any = None
    toolRequests: list[ToolRequest] | None = None


class Credits(Struct, gc=False):
    """Cost of a call, in billionths of an AI credit."""

    totalNanoAiu: Any = None


class Usage(Struct, gc=False):
    """The counts of one model call; input includes what was cached and written."""

    model: str | None = None
    inputTokens: Any = None
    outputTokens: Any = None
    cacheReadTokens: Any = None
    cacheWriteTokens: Any = None
    reasoningTokens: Any = None
    duration: Any = None
    timeToFirstTokenMs: Any = None
    cacheTtlSeconds: Any = None
    toolTokenCount: Any = None
    availableToolCount: Any = None
    finishReason: str | None = None
    apiCallId: str | None = None
    parentToolCallId: str | None = None
    copilotUsage: Credits | None = None


class UsageRecord(Struct, gc=False):
    """The event around it."""

    usage: Usage | None = None


class Execution(Struct, gc=False):
    """The start or the end of a tool's run."""

    toolCallId: str | None = None
    parentToolCallId: str | None = None
    success: bool | None = None
    result: Any = None
    error: Any = None
    shellExecution: Any = None


class Compaction(Struct, gc=False):
    success: bool | None = None
    summaryContent: str | None = None
    compactionTokensUsed: Any = None


class Agent(Struct, gc=False):
    """A sub-agent that was started, or that is done."""

    toolCallId: str | None = None
    model: str | None = None
    totalToolCalls: Any = None


class Requests(Struct, gc=False):
    count: Any = None


class Metrics(Struct, gc=False):
    requests: Requests | None = None
    usage: Usage | None = None


class Shutdown(Struct, gc=False):
    """The end of a session, with totals by model."""

    modelMetrics: dict[str, Metrics] | None = None


EVENT = msgspec.json.Decoder(Event)
MESSAGE = msgspec.json.Decoder(Message)
USAGE = msgspec.json.Decoder(Usage)
USAGE_RECORD = msgspec.json.Decoder(UsageRecord)
EXECUTION = msgspec.json.Decoder(Execution)
COMPACTION = msgspec.json.Decoder(Compaction)
AGENT = msgspec.json.Decoder(Agent)
SHUTDOWN = msgspec.json.Decoder(Shutdown)
OBJECT = msgspec.json.Decoder(dict[str, Any])
