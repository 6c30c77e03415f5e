"""A session of Goose as a trajectory.

- Messages of the assistant's that follow each other are one response: text and calls are written
  apart. Results stand in messages of the user's.
- Inputs hold cached tokens. The usage ledger has one row for every call; where it has as many as
  there are responses, each gets its own. Otherwise the sums are shared out over the responses.
- Messages that the agent no longer sees were sent until the first one after them that it does see.
"""

from typing import Any

import msgspec

from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.databases import Row
from agentdyno.intake.session_totals import Totals, share_totals
from agentdyno.intake.split_usage import fresh_tokens, known_price, split_usage
from agentdyno.intake.texts import compact_json, first_line, flat_text, whole


class Talk:
    """A trajectory under construction, message by message."""

    def __init__(self, session: Row) -> None:
        self.builder = TrajectoryBuilder()
        self._session = session
        self._model = _model(session)
        self._is_answering = False
        self._gone: list[int] = []
        """Parts that leave with the next message that the agent sees."""

    def add(self, role: Any, content: Any, at: Any, key: str, is_seen: bool = True) -> None:
        """The next message; `key` makes it known again."""
        if is_seen:
            self.builder.retire(self._gone)
            self._gone = []
        first = len(self.builder.parts)
        blocks = [block for block in content if isinstance(block, dict)]
        if role == "assistant" and any(map(_is_answer, blocks)):
            self._begin(float(at) if isinstance(at, int | float) and at > 0 else None, key)
        elif role == "user":
            self._is_answering = False
        for block in blocks:
            self._write(block, role == "assistant")
        if not is_seen:
            self._gone += range(first, len(self.builder.parts))

    def _begin(self, at: float | None, key: str) -> None:
        if not self._is_answering:
            self.builder.turn(self._model, identity=f"goose {key}")
        self._is_answering = True
        self.builder.amend_turn(len(self.builder.turns) - 1, ended_at=at)

    def _write(self, block: dict[str, Any], is_answer: bool) -> None:
        kind, text = block.get("type"), block.get("text")
        if kind == "text" and isinstance(text, str) and text:
            if is_answer:
                self.builder.text(text)
            else:
                self.builder.user(text)
        elif kind == "thinking" and is_answer:
            self.builder.reasoning(str(block.get("thinking") or ""))
        elif kind in ("toolRequest", "frontendToolRequest") and is_answer:
            self._call(block)
        elif kind == "toolResponse":
            self._result(block)

    def _call(self, block: dict[str, Any]) -> None:
        reported = _object(block.get("toolCall"))
        produced = _object(reported.get("value")) or reported
        error = first_line(str(reported["error"])) if reported.get("error") else None
        arguments = compact_json(produced.get("arguments") or {})
        own = block.get("id") if isinstance(block.get("id"), str) else None
        self.builder.call(str(produced.get("name") or ""), arguments, own, error)

    def _result(self, block: dict[str, Any]) -> None:
        reported = _object(block.get("toolResult"))
        value = reported.get("value")
        content = value.get("content") if isinstance(value, dict) else value
        text = flat_text(content) or str(reported.get("error") or "")
        is_failed = bool(reported.get("error") or _object(value).get("isError"))
        own = block.get("id") if isinstance(block.get("id"), str) else None
        error = (first_line(text) or "error") if is_failed else None
        self.builder.result(text, own, error=error)

    def finish(self, used: list[Row]) -> None:
        """Gives every response its counts: its own, or its share of the session's."""
        if used and len(used) == len(self.builder.turns):
            for turn, row in enumerate(used):
                self.builder.amend_turn(turn, **call_fields(row))
            return
        share_totals(self.builder, _sum(used) if used else _totals(self._session))


def call_fields(row: Row) -> dict[str, Any]:
    """A row of the usage ledger as fields of a turn."""
    read, written = row.get("cache_read_tokens"), row.get("cache_write_tokens")
    fresh = fresh_tokens(row.get("input_tokens"), read, written)
    fields = split_usage(fresh, row.get("output_tokens"), read, written)
    if isinstance(row.get("model"), str):
        fields["model"] = row["model"]
    return {**fields, "reported_usd": known_price(row.get("cost"))}


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _is_answer(block: dict[str, Any]) -> bool:
    return block.get("type") in ("text", "thinking", "toolRequest", "frontendToolRequest")


def _sum(used: list[Row]) -> Totals:
    def total(name: str) -> int:
        return sum(whole(row.get(name)) or 0 for row in used)

    usd = sum(known_price(row.get("cost")) or 0.0 for row in used)
    cached, written = total("cache_read_tokens"), total("cache_write_tokens")
    prompt = max(total("input_tokens"), cached + written)
    return Totals(prompt, cached, written, total("output_tokens"), None, usd or None)


def _totals(session: Row) -> Totals:
    """The session's sums; those of the last call alone where nothing else is written."""
    prompt = whole(session.get("accumulated_input_tokens"))
    output = whole(session.get("accumulated_output_tokens"))
    if not prompt and not output:
        return Totals()
    read = whole(session.get("accumulated_cache_read_tokens"))
    written = whole(session.get("accumulated_cache_write_tokens"))
    return Totals(prompt, read, written, output, None, known_price(session.get("accumulated_cost")))


def _model(session: Row) -> str | None:
    config = session.get("model_config_json")
    try:
        found = msgspec.json.decode(config) if isinstance(config, str) else config
    except (msgspec.DecodeError, RecursionError):
        return None
    name = found.get("model_name") if isinstance(found, dict) else None
    return name if isinstance(name, str) else None
