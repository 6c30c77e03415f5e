"""Messages in whatever shape an instrumentation wrote them, as one plain shape.

Content is a text or a list of blocks; blocks follow the GenAI conventions, or OpenAI, Anthropic,
Bedrock, Gemini or the Vercel SDK, whose shapes instrumentations pass on. Unknown blocks are left
out: their tokens show up as unseen.
"""

from collections.abc import Iterable
from hashlib import blake2b
from typing import Any, Literal

import msgspec
from msgspec import Struct

from agentdyno.intake.texts import (
    arguments_of,
    compact_json,
    dicts_of,
    error_in,
    flat_text,
    text_of,
)
from agentdyno.records.secrets.excerpts import cut_text

_ROLES = {
    "system": "system", "developer": "system", "assistant": "assistant", "model": "assistant",
    "ai": "assistant", "tool-call": "assistant", "tool": "tool", "function": "tool",
    "tool-response": "tool", "tool_response": "tool",
}  # fmt: skip
_CALL_TYPES = {"tool_call", "tool-call", "tool_use", "function_call", "server_tool_use"}
_RESULT_TYPES = {"tool_call_response", "tool-result", "tool_result", "function_call_output"}
_REASONING_TYPES = {"reasoning", "thinking", "redacted_thinking"}


class Piece(Struct, frozen=True, gc=False):
    kind: Literal["text", "reasoning", "call", "result"]
    text: str
    """For a call, its arguments as written."""
    name: str | None = None
    call_id: str | None = None
    error: str | None = None


class ChatRecord(Struct, gc=False):
    """A message: who, and what."""

    role: str
    pieces: list[Piece]
    finish: str | None = None
    _key: bytes = b""
    _spoken: bytes = b""

    @property
    def key(self) -> bytes:
        """Equal for equal messages."""
        if not self._key:
            reported = msgspec.json.encode((self.role, self.pieces))
            self._key = blake2b(reported, digest_size=16).digest()
        return self._key

    @property
    def spoken_key(self) -> bytes:
        """Equal for messages that are equal but for reasoning, which clients may drop."""
        if not self._spoken:
            spoken = [piece for piece in self.pieces if piece.kind != "reasoning"]
            reported = msgspec.json.encode((self.role, spoken))
            self._spoken = blake2b(reported, digest_size=16).digest()
        return self._spoken

    @property
    def is_answer(self) -> bool:
        return self.role == "assistant"


def conversation_of(messages: Any, role: str = "user") -> list[ChatRecord]:
    """A list of messages (or its JSON text) in order; empty ones are left out."""
    decoded = parse_json(messages)
    if isinstance(decoded, dict) and isinstance(decoded.get("messages"), list):
        decoded = decoded["messages"]
    listed = decoded if isinstance(decoded, list) else [decoded]
    return join_messages(record for item in listed if (record := parse_message(item, role)).pieces)


def join_messages(messages: Iterable[ChatRecord]) -> list[ChatRecord]:
    """Parallel calls that were written as messages of their own go back to their answer."""
    out: list[ChatRecord] = []
    for record in messages:
        calls_only = record.is_answer and all(piece.kind == "call" for piece in record.pieces)
        if calls_only and out and out[-1].is_answer:
            before = out.pop()
            record = ChatRecord(
                before.role, before.pieces + record.pieces, before.finish or record.finish
            )
        out.append(record)
    return out


def parse_message(message: Any, role: str = "user") -> ChatRecord:
    if not isinstance(message, dict):
        return ChatRecord(role, _content(message, role, {}))
    if isinstance(inner := message.get("message"), dict):
        message = message | inner
    reported = message.get("role")
    role = _ROLES.get(reported.lower(), "user") if isinstance(reported, str) and reported else role
    parts = message.get("parts")
    body = parts if parts is not None else _body(message)
    pieces = [*_thoughts(message), *_content(body, role, message), *_calls(message)]
    return ChatRecord(role, pieces, text_of(message.get("finish_reason")))


def _body(message: dict[str, Any]) -> Any:
    content = message.get("content")
    if content is not None:
        return content
    return message.get("contents") or message.get("refusal")


def _thoughts(message: dict[str, Any]) -> list[Piece]:
    for key in ("reasoning_content", "reasoning"):
        if isinstance(text := message.get(key), str) and text:
            return [Piece("reasoning", text)]
    return []


def _calls(message: dict[str, Any]) -> list[Piece]:
    listed = parse_json(message.get("tool_calls"))
    calls = [_call(call) for call in dicts_of(listed)]
    if isinstance(legacy := message.get("function_call"), dict):
        calls.append(_call(legacy))
    if name := text_of(message.get("function_call_name")):
        calls.append(Piece("call", arguments_of(message.get("function_call_arguments_json")), name))
    return calls


def _call(call: dict[str, Any]) -> Piece:
    wrapped = call.get("tool_call")
    call = wrapped if isinstance(wrapped, dict) else call
    function = call.get("function")
    inner = function if isinstance(function, dict) else call
    call_id = _any_of(call, "id", "call_id", "toolCallId", "toolUseId")
    name = _any_of(inner, "name", "toolName", "tool_name") or ""
    arguments = next(
        (inner[k] for k in ("arguments", "args", "input") if inner.get(k) is not None), None
    )
    return Piece("call", arguments_of(arguments), name, call_id)


def _content(body: Any, role: str, message: dict[str, Any]) -> list[Piece]:
    blocks = _blocks(body)
    if isinstance(blocks, str):
        return [_text_or_result(blocks, role, message)] if blocks else []
    pieces = [piece for block in blocks for piece in _block(block)]
    if role == "tool" and not any(piece.kind == "result" for piece in pieces):
        return [_text_or_result("\n".join(piece.text for piece in pieces), role, message)]
    return pieces


def _text_or_result(text: str, role: str, message: dict[str, Any]) -> Piece:
    if role != "tool":
        return Piece("text", text)
    call_id = _any_of(message, "tool_call_id", "id", "call_id")
    return Piece("result", text, text_of(message.get("name")), call_id, error_in(text))


def _blocks(body: Any) -> str | list[Any]:
    if isinstance(body, str):
        # Lists of blocks are written as text into attributes that take no lists.
        decoded = parse_json(body) if body.startswith(("[{", '["')) else None
        return decoded if isinstance(decoded, list) and _are_blocks(decoded) else body
    if body is None:
        return ""
    return body if isinstance(body, list) else [body]


def _are_blocks(items: list[Any]) -> bool:
    shapes = {"type", "text", "toolUse", "toolResult", "reasoningContent"}
    return bool(items) and all(isinstance(b, dict) and b.keys() & shapes for b in items)


def _block(block: Any) -> list[Piece]:
    if isinstance(block, str):
        return [Piece("text", block)] if block else []
    if not isinstance(block, dict):
        return []
    if isinstance(inner := block.get("message_content"), dict):
        block = inner
    kind = text_of(block.get("type"))
    for key in ("toolUse", "function_call", "functionCall"):
        if isinstance(inner := block.get(key), dict):
            return [_call(inner)]
    for key in ("toolResult", "function_response", "functionResponse"):
        if isinstance(inner := block.get(key), dict):
            return [_result(inner)]
    if kind is not None and (kind in _CALL_TYPES or kind.endswith("tool_use")):
        return [_call(block)]
    if kind is not None and (kind in _RESULT_TYPES or kind.endswith("tool_result")):
        return [_result(block)]
    return _words(block, kind)


def _result(block: dict[str, Any]) -> Piece:
    call_id = _any_of(block, "id", "tool_use_id", "toolUseId", "toolCallId", "call_id")
    keys = ("response", "result", "content", "output")
    value = next((block[k] for k in keys if block.get(k) is not None), "")
    text, error = result_text(value)
    flagged = block.get("is_error") is True or block.get("status") == "error"
    error = error or ((cut_text(text, 200) or "error") if flagged else None)
    return Piece("result", text, _any_of(block, "name", "toolName"), call_id, error)


def result_text(value: Any) -> tuple[str, str | None]:
    """A tool's result as text, and the error it reports."""
    decoded = parse_json(value) if isinstance(value, str) and value.startswith("{") else value
    text, flagged = value, False
    if isinstance(decoded, dict):
        flagged = decoded.get("isError") is True
        text = flat_text(decoded["content"]) if isinstance(decoded.get("content"), list) else value
    elif isinstance(decoded, list):
        text = flat_text(decoded)
    text = compact_json(text)
    return text, error_in(text) or ((cut_text(text, 200) or "error") if flagged else None)


def _words(block: dict[str, Any], kind: str | None) -> list[Piece]:
    if isinstance(inner := block.get("reasoningContent"), dict):
        reported = inner.get("reasoningText")
        text = reported.get("text") if isinstance(reported, dict) else None
        return [Piece("reasoning", text)] if isinstance(text, str) else []
    text = next(
        (block[k] for k in ("content", "text", "thinking") if isinstance(block.get(k), str)), ""
    )
    if not text:
        return []
    thought = kind in _REASONING_TYPES or block.get("thought") is True
    return [Piece("reasoning" if thought else "text", text)]


def parse_json(value: Any) -> Any:
    """JSON text decoded; other text, cut-off JSON and other values stay as they are."""
    if not isinstance(value, str) or not value.lstrip().startswith(("[", "{")):
        return value
    try:
        return msgspec.json.decode(value)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        return value


def _any_of(block: dict[str, Any], *keys: str) -> str | None:
    return next((text for key in keys if (text := text_of(block.get(key)))), None)
