"""The events of a streamed answer put together again, whichever provider streamed it.

Takes the decoded events, or the text of server-sent events; returns the body that the same call
would have had without streaming, or None. Events of no known shape are left out.
"""

from collections.abc import Iterator
from typing import Any

import msgspec

Body = dict[str, Any]


def join_events(stream: list[Any] | str) -> Body | None:
    """The body that these events add up to."""
    events = [e for e in map(_unwrap, _parse(stream)) if e is not None]
    for shape, join in _SHAPES:
        if any(shape in event for event in events) or any(e.get("type") == shape for e in events):
            return join(events)
    return _join_gemini(events)


def _parse(stream: list[Any] | str) -> list[Any]:
    return list(_sse(stream)) if isinstance(stream, str) else stream


def _sse(text: str) -> Iterator[Any]:
    """Objects of `data:` lines, or of a whole JSON text."""
    lines = [line[5:].strip() for line in text.splitlines() if line.startswith("data:")]
    for line in lines or [text]:
        try:
            yield msgspec.json.decode(line)
        except (msgspec.DecodeError, RecursionError, UnicodeError):
            continue


def _unwrap(event: Any) -> Body | None:
    """Some loggers put the event's name beside its data, or leave the data as text."""
    if isinstance(event, str):
        event = next(_sse(event), None)
    if isinstance(event, dict) and "data" in event and "type" not in event:
        inner = event["data"]
        event = next(_sse(inner), None) if isinstance(inner, str) else inner
    return event if isinstance(event, dict) else None


def _join_anthropic(events: list[Body]) -> Body:
    body: Body = {"type": "message", "content": []}
    blocks: dict[Any, Body] = {}
    for event in events:
        kind = event.get("type")
        if kind == "message_start" and isinstance(event.get("message"), dict):
            body |= event["message"] | {"content": []}
        elif kind == "content_block_start" and isinstance(event.get("content_block"), dict):
            blocks[str(event.get("index"))] = dict(event["content_block"])
        elif kind == "content_block_delta":
            _extend(blocks.setdefault(str(event.get("index")), {}), event.get("delta"))
        elif kind == "message_delta":
            _merge_final_counts(body, event)
        elif kind == "error":
            body["error"] = event.get("error")
    body["content"] = [_close(block) for block in blocks.values()]
    return body


def _merge_final_counts(body: Body, event: Body) -> None:
    """The last event has the final counts, some of which repeat those of the first."""
    if isinstance(event.get("delta"), dict):
        body |= {k: v for k, v in event["delta"].items() if v is not None}
    if isinstance(event.get("usage"), dict):
        before = body.get("usage")
        final = {k: v for k, v in event["usage"].items() if v is not None}
        body["usage"] = {**(before if isinstance(before, dict) else {}), **final}


def _extend(block: Body, delta: Any) -> None:
    for key, into in (("text", "text"), ("thinking", "thinking"), ("partial_json", "json")):
        if isinstance(delta, dict) and isinstance(delta.get(key), str):
            block.setdefault("type", "thinking" if key == "thinking" else "text")
            block[into] = str(block.get(into) or "") + delta[key]


def _close(block: Body) -> Body:
    text = block.pop("json", None)
    if text is not None:
        block["input"] = next(_sse(text), text)
    return block


def _join_openai(events: list[Body]) -> Body:
    body: Body = {}
    message: Body = {"role": "assistant", "content": ""}
    calls: dict[Any, Body] = {}
    finish = None
    for event in events:
        body |= {k: v for k, v in event.items() if k in _KEPT and v is not None}
        choices = event.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(choice, dict) or choice.get("index") not in (None, 0):
            continue
        finish = choice.get("finish_reason") or finish
        delta = choice.get("delta")
        if isinstance(delta, dict):
            _add_delta(message, calls, delta)
    message["tool_calls"] = list(calls.values())
    return body | {"choices": [{"message": message, "finish_reason": finish}]}


_KEPT = ("id", "model", "usage", "service_tier", "error", "created")


def _add_delta(message: Body, calls: dict[Any, Body], delta: Body) -> None:
    for key in ("content", "reasoning_content", "reasoning", "refusal"):
        if isinstance(delta.get(key), str):
            message[key] = str(message.get(key) or "") + delta[key]
    pieces = delta.get("tool_calls")
    for piece in pieces if isinstance(pieces, list) else ():
        if not isinstance(piece, dict):
            continue
        call = calls.setdefault(str(piece.get("index")), {"function": {"arguments": ""}})
        call["id"] = piece.get("id") or call.get("id")
        function = piece.get("function")
        if isinstance(function, dict):
            inner = call["function"]
            inner["name"] = function.get("name") or inner.get("name")
            inner["arguments"] += str(function.get("arguments") or "")


def _join_responses(events: list[Body]) -> Body:
    """The last response among the events; where it has no items, theirs."""
    body: Body = {}
    items: list[Any] = []
    for event in events:
        if isinstance(event.get("response"), dict):
            body = event["response"]
        if event.get("type") == "response.output_item.done":
            items.append(event.get("item"))
    return body if body.get("output") else body | {"output": items}


def _join_converse(events: list[Body]) -> Body:
    body: Body = {}
    blocks: dict[Any, Body] = {}
    for event in events:
        for kind, inner in event.items():
            if not isinstance(inner, dict):
                continue
            if kind == "contentBlockStart" and isinstance(inner.get("start"), dict):
                blocks[str(inner.get("contentBlockIndex"))] = _start(inner["start"])
            elif kind == "contentBlockDelta":
                _extend_block(blocks.setdefault(str(inner.get("contentBlockIndex")), {}), inner)
            elif kind in ("messageStop", "metadata"):
                body |= inner
    content = [_close_block(block) for block in blocks.values()]
    return body | {"output": {"message": {"role": "assistant", "content": content}}}


def _start(start: Body) -> Body:
    use = start.get("toolUse")
    return {"toolUse": {**use, "input": ""}} if isinstance(use, dict) else {}


def _extend_block(block: Body, inner: Body) -> None:
    delta = inner.get("delta")
    if not isinstance(delta, dict):
        return
    if isinstance(delta.get("text"), str):
        block["text"] = str(block.get("text") or "") + delta["text"]
    use, more = block.get("toolUse"), delta.get("toolUse")
    if isinstance(use, dict) and isinstance(more, dict):
        use["input"] = str(use.get("input") or "") + str(more.get("input") or "")


def _close_block(block: Body) -> Body:
    if isinstance(use := block.get("toolUse"), dict) and isinstance(use.get("input"), str):
        use["input"] = next(_sse(use["input"]), use["input"])
    return block


def _join_gemini(events: list[Body]) -> Body | None:
    """Every chunk holds new parts; the last has the counts."""
    body: Body = {}
    parts: list[Any] = []
    for event in events:
        body |= event
        candidates = event.get("candidates")
        first = candidates[0] if isinstance(candidates, list) and candidates else None
        content = first.get("content") if isinstance(first, dict) else None
        new_parts = content.get("parts") if isinstance(content, dict) else None
        parts += new_parts if isinstance(new_parts, list) else []
    if not parts:
        return events[-1] if events else None
    return body | {"candidates": [{"content": {"role": "model", "parts": parts}}]}


_SHAPES = (
    ("message_start", _join_anthropic),
    ("response.created", _join_responses),
    ("response.completed", _join_responses),
    ("messageStart", _join_converse),
    ("contentBlockDelta", _join_converse),
    ("choices", _join_openai),
)
"""Signs of a provider's events: the type of one, or a field."""
