"""One response of a model, put together from the lines it was written in.

Takes lines with the same message id; returns the fields of a turn.

The output count of a line is often the placeholder that stood there when streaming began. It is
the final one when the response says why it stopped, when it grew from line to line, or when it is
larger than a placeholder ever is and than the text that can be seen. Otherwise it is unknown (None,
to be counted from the text). In real sessions the counts that a response begins with run from 1
to 27, and nineteen of twenty counts that never grow are among them.
"""

import re
from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Struct, structs

from agentdyno.intake.anthropic import (
    Block,
    Usage,
    arguments_of,
    cache_miss_reason,
    is_call,
    usage_fields,
)
from agentdyno.intake.exchange_streams import join_events
from agentdyno.intake.identity import is_random
from agentdyno.intake.streams import decode
from agentdyno.intake.texts import seconds, whole
from agentdyno_daily.formats.claude_code.wire import HEAD, MESSAGE, Envelope, Head, Message

LARGEST_PLACEHOLDER = 64
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
CHARACTERS_PER_TOKEN = 5
"""Visible text has fewer characters to a token than this, so a smaller count is no final one."""


class Response(Struct):
    """The response that is being written down."""

    key: str | None
    """The message id; without one the request's, else the line's own."""
    turn: int
    started_at: float | None
    response_id: str | None = None
    request_id: str | None = None
    usage: Usage | None = None
    first_output: int | None = None
    output: int = 0
    visible: int = 0
    ended_at: float | None = None
    finish: str | None = None
    usd: float | None = None
    miss: str | None = None
    reported_seconds: float | None = None
    searches: int = 0
    """Web searches that its calls came to, beside those that its own usage states."""

    def note(self, line: Envelope, message: Head, blocks: list[Block]) -> None:
        """Takes over what one line says about the whole response."""
        self.response_id = message.id
        self.note_bill(line, message)
        self.visible += sum(map(count_visible, blocks))
        self.ended_at = seconds(line.timestamp)
        self.miss = cache_miss_reason(message.diagnostics) or self.miss
        if line.durationMs is not None and line.durationMs >= 0:
            self.reported_seconds = line.durationMs / 1000

    def note_bill(self, line: Envelope, message: Head) -> None:
        """Note the parts of it that decide the bill."""
        if (usage := message.usage) is not None:
            count = whole(usage.output_tokens) or 0
            if self.usage is None:
                self.first_output = self.output = count
            elif count > self.output:
                self.output = count
            self.usage = usage
        self.request_id = self.request_id or line.requestId
        self.finish = message.stop_reason or self.finish
        if line.costUSD is not None:
            self.usd = line.costUSD

    @property
    def is_final(self) -> bool:
        """True when the output count is the one that the provider counted at the end."""
        if self.output * 2 * CHARACTERS_PER_TOKEN < self.visible:
            return False
        if self.finish or self.output > (self.first_output or 0):
            return True
        return self.output > max(LARGEST_PLACEHOLDER, self.visible / CHARACTERS_PER_TOKEN)

    def fields(self, agent_id: str | None) -> dict[str, Any]:
        fields = usage_fields(self.usage)
        decode = fields.get("decode")
        if decode is not None:
            fields["decode"] = (
                structs.replace(decode, tokens=self.output) if self.is_final else None
            )
        if self.searches:
            fields["web_searches"] = (fields.get("web_searches") or 0) + self.searches
        return {
            **fields,
            "identity": self.key,
            "stands_for": last_answer(agent_id, self.usage),
            "response_id": self.response_id,
            "request_id": self.request_id,
            "started_at": self.started_at,
            "ended_at": self.ended_at,
            "latency_seconds": self._latency(),
            "finish": self.finish,
            "reported_usd": self.usd,
            "cache_miss_reason": self.miss,
        }

    def _latency(self) -> float | None:
        if self.reported_seconds is not None:
            return self.reported_seconds
        start, end = self.started_at, self.ended_at
        return end - start if start is not None and end is not None and end >= start else None


class ResponseKeys:
    """Keys of a session's responses, equal in every file: the message id, where nobody else
    can have it. A server of one's own may number its messages in every session, or give all the
    same id. Claude Code 2.1.45 at times gives every line of a response a UUID of its own as message
    id: of those lines the request's id is one."""

    def __init__(self, session_id: str) -> None:
        self._session_id = session_id
        self._requests: dict[str, str | None] = {}
        """By the message id: the first request that was answered under it."""

    def find(self, message_id: str | None, line: Envelope) -> str | None:
        """The key of the response that a line is of."""
        if not message_id or (
            message_id[8:9] == "-"
            and _UUID.fullmatch(message_id)
            and is_random(line.requestId or "")
        ):
            return line.requestId or line.uuid
        if is_random(message_id):
            return message_id
        key = f"{self._session_id}/{message_id}"
        request = self._requests.setdefault(message_id, line.requestId)
        is_other = request is not None and line.requestId not in (None, request)
        return f"{key}/{line.requestId}" if is_other else key


def read_answer(raw: bytes) -> Message:
    """The message of a line. A client that is handed a stream where it expects a message writes it
    down as an object of the stream's letters."""
    if raw.startswith(_LETTERS):
        letters = decode(raw, _SPREAD)
        text = "".join(value for key, value in letters.items() if key.isdigit())
        if (joined := join_events(text)) is not None:
            raw = msgspec.json.encode(joined)
    message: Message = decode(raw, MESSAGE)
    return message


def read_bill(raw: bytes) -> Message:
    """The message of a line without what was written."""
    head: Head = decode(raw, HEAD)
    return Message(*structs.astuple(head))


_LETTERS = b'{"0":"'
_SPREAD = msgspec.json.Decoder(dict[str, Any])


def leave_out_plan(blocks: Iterable[Block | str], line: Envelope) -> None:
    """Takes out of calls the plan that the client wrote there: from 2.1 on the model writes it into
    a file, and it comes into the context with the user's consent."""
    for block in blocks:
        if not isinstance(block, Block) or block.name != "ExitPlanMode" or not is_call(block):
            continue
        if isinstance(block.input, dict) and not _WITH_PLANS.match(line.version or "0."):
            block.input = {k: v for k, v in block.input.items() if not k.startswith("plan")}


_WITH_PLANS = re.compile(r"[01]\.|2\.0\.")
"""Versions whose calls hold it: the context grew by it at 25 of 31 calls of one project; from 2.1
on, at 18 of 131 of four."""


def last_answer(agent_id: str | None, usage: Usage | None) -> str | None:
    """By what a sub-agent's answer is known again where only its usage was handed on."""
    if agent_id is None or usage is None:
        return None
    counts = (usage.input_tokens, usage.cache_creation_input_tokens, usage.cache_read_input_tokens)
    return f"agent {agent_id} {'/'.join(str(whole(count) or 0) for count in counts)}"


def count_visible(block: Block) -> int:
    """Characters of what the model wrote."""
    if is_call(block):
        return len(block.name or "") + len(arguments_of(block))
    return len(block.text or "") + len(block.thinking or "")
