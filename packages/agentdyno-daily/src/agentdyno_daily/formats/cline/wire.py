"""Files of Cline and its descendants: rows of the editor, messages sent, sessions of the CLI."""

from typing import Any

import msgspec
from msgspec import Struct

from agentdyno.intake.anthropic import Content


class Row(Struct, gc=False):
    """A row that the editor shows."""

    ts: float | None = None
    type: str | None = None
    say: str | None = None
    ask: str | None = None
    text: str | None = None
    modelInfo: Any = None
    conversationHistoryIndex: Any = None
    conversationHistoryDeletedRange: Any = None
    contextCondense: Any = None


class Request(Struct, gc=False):
    """The text of a row that tells of a model call, or of the sum of several."""

    request: str | None = None
    tokensIn: Any = None
    tokensOut: Any = None
    cacheWrites: Any = None
    cacheReads: Any = None
    cost: Any = None
    cancelReason: str | None = None
    streamingFailedMessage: str | None = None
    apiProtocol: str | None = None


class Sent(Struct, gc=False):
    """A message of the history that is sent to the model."""

    role: str = "user"
    content: Content = None
    ts: Any = None
    modelInfo: Any = None
    metrics: Any = None
    condenseId: str | None = None
    condenseParent: str | None = None
    truncationId: str | None = None
    truncationParent: str | None = None


class Metrics(Struct, gc=False):
    """Counts of an answer in a session of the CLI; the input holds what the cache gave."""

    inputTokens: Any = None
    outputTokens: Any = None
    cacheReadTokens: Any = None
    cacheWriteTokens: Any = None
    cost: Any = None


class Message(Struct, gc=False):
    """A message of a session of the CLI."""

    role: str = "user"
    content: Content = None
    ts: Any = None
    modelInfo: Any = None
    metrics: Metrics | None = None


ROW = msgspec.json.Decoder(Row)
REQUEST = msgspec.json.Decoder(Request)
HISTORY = msgspec.json.Decoder(list[Sent])
SENT = msgspec.json.Decoder(Sent)
MESSAGE = msgspec.json.Decoder(Message)
