"""The texts of one sample: attachments resolved, messages taken out of their pools.

Long texts stand once per sample, under a hash; events refer to messages by their position in a
pool. Both are resolved here, and only where somebody asks.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from msgspec import Raw

from agentdyno.intake.builder import Schemas
from agentdyno.intake.formats.inspect_ai.wire import (
    ANYTHING,
    MESSAGE,
    RAWS,
    Block,
    Event,
    Message,
    Sample,
)
from agentdyno.intake.streams import decode
from agentdyno.intake.texts import compact_json, function_schemas
from agentdyno.records import UnreadableError

MAX_MESSAGES = 1_000_000
"""More messages than this in one request are damage or an attack, not a conversation."""

_PREFIXES = ("attachment://", "tc://")
_REFERENCE = re.compile(r"(?:attachment|tc)://([0-9a-f]{32}|[0-9]{1,9})")
_HAS_REFERENCE = (b"attachment://", b"tc://")
# Inspect writes the id first. It is no part of what a model is sent, and a message whose
# reasoning was left out gets a new one with every call.
_ID = re.compile(rb'\{\s*"id"\s*:\s*"[^"\\]*"\s*,')


class SampleTexts:
    """Looks up what a sample keeps apart from where it is used."""

    def __init__(self, sample: Sample, attachments: dict[str, Raw]) -> None:
        self.answer_tool: str | None = None
        """The tool by which agents answer, where the task names one."""
        self._attachments = attachments
        self._resolved: dict[str, str] = {}
        self._messages: dict[bytes, Message] = {}
        self._schemas: tuple[bytes, Schemas] = (b"", ())
        data = sample.events_data
        pool = data.messages if data is not None else sample.message_pool
        self._pool = [without_id(raw) for raw in pool or ()]

    def text(self, value: str) -> str:
        """The text itself, or the attachment it refers to; empty when that is missing."""
        if not value.startswith(_PREFIXES):
            return value
        match = _REFERENCE.fullmatch(value)
        return value if match is None else self._attachment(match[1])

    def _attachment(self, key: str) -> str:
        text = self._resolved.get(key)
        if text is None:
            raw = self._attachments.get(key)
            value = decode(bytes(raw), ANYTHING) if raw is not None else ""
            text = self._resolved[key] = value if isinstance(value, str) else compact_json(value)
        return text

    def content(self, content: str | list[Block | str] | None) -> str:
        """The visible text of a message; media have none."""
        if isinstance(content, str):
            return self.text(content)
        texts = [b if isinstance(b, str) else b.text for b in content or ()]
        return "\n".join(self.text(text) for text in texts if isinstance(text, str) and text)

    def json(self, raw: bytes) -> str:
        """A JSON value as compact text with its attachments in place."""
        if b"\n" in raw or any(mark in raw for mark in _HAS_REFERENCE):
            return compact_json(self._fill(decode(raw, ANYTHING)))
        return raw.decode("utf-8", "replace")

    def _fill(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self._fill(item) for item in value]
        if isinstance(value, dict):
            return {key: self._fill(item) for key, item in value.items()}
        return value

    def result(self, raw: Raw) -> str:
        """A tool's result: text, a number, or a list of blocks."""
        value = self._fill(decode(bytes(raw), ANYTHING))
        if isinstance(value, list):
            texts = [b.get("text") if isinstance(b, dict) else b for b in value]
            return "\n".join(text for text in texts if isinstance(text, str))
        return "" if value is None else compact_json(value)

    def schemas(self, raw: Raw) -> Schemas:
        """The offered tools; nearly every event of a log repeats the same bytes."""
        data = bytes(raw)
        if data != self._schemas[0]:
            plain = not any(mark in data for mark in _HAS_REFERENCE)
            self._schemas = (data, _schemas(data if plain else self.json(data).encode()))
        return self._schemas[1]

    def message(self, key: bytes) -> Message:
        message = self._messages.get(key)
        if message is None:
            message = self._messages[key] = decode(key, MESSAGE)
        return message

    def sent(self, event: Event) -> list[bytes]:
        """The messages a model call was sent, as bytes that are equal when the messages are."""
        if not event.input_refs:
            return [without_id(raw) for raw in decode(bytes(event.input), RAWS) or ()]
        return self.pooled(event.input_refs)

    def pooled(self, ranges: Sequence[tuple[int, int]]) -> list[bytes]:
        """Messages by their places in the pool."""
        messages: list[bytes] = []
        for start, stop in ranges:
            if not 0 <= start <= stop <= len(self._pool) or len(messages) > MAX_MESSAGES:
                pool = f"[{start}, {stop})"
                raise UnreadableError(f"a range within {len(self._pool)} pooled messages", pool)
            messages += self._pool[start:stop]
        return messages


def without_id(raw: Raw) -> bytes:
    """A message's bytes, fit to be compared with another's."""
    data = bytes(raw)
    match = _ID.match(data)
    return data if match is None else b"{" + data[match.end() :]


@lru_cache(maxsize=64)
def _schemas(data: bytes) -> Schemas:
    return function_schemas(decode(data, ANYTHING))


def without_constants(data: bytes) -> bytes:
    """Null for NaN and infinities: Inspect writes them for a missing score, JSON has none."""
    return _CONSTANT.sub(lambda m: m[0] if m[0][:1] == b'"' else b"null", data)


_CONSTANT = re.compile(rb'"(?:[^"\\]|\\.)*"|-?Infinity|NaN')


def as_text(value: Any) -> str:
    """A value that should be text."""
    return value if isinstance(value, str) else ""
