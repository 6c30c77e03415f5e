"""The shapes of Qwen Code's chat files, as loose as real files are."""

from typing import Any

import msgspec
from msgspec import Struct, field

from agentdyno_daily.intake.gemini_parts import Usage


class Content(Struct, gc=False):
    """A message in the shape of the Gemini API."""

    role: str | None = None
    parts: Any = None


class Result(Struct, gc=False):
    """Facts about a call besides its result."""

    callId: str | None = None
    status: str | None = None
    durationMs: Any = None


class Origin(Struct, gc=False):
    """The session that a record was copied from."""

    sessionId: str | None = None


class Line(Struct, gc=False):
    type: str
    uuid: str | None = None
    parentUuid: str | None = None
    sessionId: str | None = None
    timestamp: Any = None
    cwd: Any = None
    subtype: str | None = None
    agentId: str | None = None
    isSidechain: bool | None = None
    forkedFrom: Origin | None = None
    model: str | None = None
    message: Content | None = None
    usageMetadata: Usage | None = None
    toolCallResult: Result | None = None
    systemPayload: msgspec.Raw = msgspec.Raw(b"{}")


class Telemetry(Struct, gc=False):
    """A model call or a tool's run as the client measured it."""

    name: str | None = field(default=None, name="event.name")
    response_id: str | None = None
    model: str | None = None
    duration_ms: Any = None
    ttft_ms: Any = None
    input_token_count: Any = None
    output_token_count: Any = None
    cached_content_token_count: Any = None
    thoughts_token_count: Any = None
    total_token_count: Any = None
    call_id: str | None = None
    decision: str | None = None

    def usage(self) -> Usage:
        return Usage(
            self.input_token_count,
            self.output_token_count,
            self.cached_content_token_count,
            self.thoughts_token_count,
            None,
            self.total_token_count,
        )


class Payload(Struct, gc=False):
    """Content of a system record, whatever its subtype."""

    uiEvent: Telemetry | None = None
    compressedHistory: list[Content] | None = None
    history: list[Content] | None = None
    systemInstruction: Any = None
    tools: Any = None
    customTitle: Any = None
    parentSessionId: str | None = None
    modelId: str | None = None


LINE = msgspec.json.Decoder(Line)
PAYLOAD = msgspec.json.Decoder(Payload)
