"""A session of Hermes as a trajectory.

- `input_tokens` of the session leaves cached tokens out, `output_tokens` holds reasoning. They are
  sums over the session and are shared out over its responses.
- Rows that are no longer active (rewound, or compacted) were sent once: they leave the context
  with the first row after them that is active.
- A branch begins with copies of its parent's rows, older than itself: history, not responses.
"""

from typing import Any

import msgspec

from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.databases import Row
from agentdyno.intake.session_totals import Totals, share_totals
from agentdyno.intake.split_usage import known_price
from agentdyno.intake.texts import (
    compact_json,
    error_in,
    first_line,
    flat_text,
    function_schemas,
    whole,
)

_ENCODED = "\0json:"
_SECONDS_APART = 1.0
"""A row that is older than its session by more than this was copied into it."""


class Talk:
    """A trajectory under construction, row by row."""

    def __init__(self, session: Row) -> None:
        self.builder = TrajectoryBuilder()
        self._session = session
        self._began = session.get("started_at")
        self._gone: list[int] = []
        """Parts that leave with the next row that is active."""
        if isinstance(prompt := session.get("system_prompt"), str) and prompt:
            self.builder.system(prompt)
        if schemas := function_schemas(session.get("tools")):
            self.builder.offer(schemas)

    def add(self, row: Row) -> None:
        """The next row."""
        first = len(self.builder.parts)
        if row.get("active") == 0:
            self._write(row)
            self._gone += range(first, len(self.builder.parts))
        else:
            self.builder.retire(self._gone)
            self._gone = []
            self._write(row)

    def _write(self, row: Row) -> None:
        role, text = row.get("role"), _text(row.get("content"))
        if role == "assistant":
            self._answer_with(row, text)
        elif role == "tool":
            call_id, name = row.get("tool_call_id"), row.get("tool_name")
            at = row.get("timestamp")
            self.builder.result(
                text,
                call_id if isinstance(call_id, str) else None,
                name=name if isinstance(name, str) else None,
                error=_failure(text),
                ended_at=float(at) if isinstance(at, int | float) else None,
            )
        elif role == "system" and text:
            self.builder.system(text)
        elif role == "user" and text:
            self.builder.user(text)

    def _answer_with(self, row: Row, text: str) -> None:
        at, calls = row.get("timestamp"), _calls(row.get("tool_calls"))
        moment = float(at) if isinstance(at, int | float) else None
        if self._is_copied(moment):
            self.builder.given("text", text)
            for name, arguments, _ in calls:
                self.builder.given("request", f"{name} {arguments}", name)
            return
        session, number = row.get("session_id"), row.get("id")
        model = self._session.get("model")
        self.builder.turn(
            model if isinstance(model, str) else None,
            identity=f"hermes {session} {number}" if session and number is not None else None,
            ended_at=moment,
            finish=row.get("finish_reason") if isinstance(row.get("finish_reason"), str) else None,
        )
        thought = row.get("reasoning_content") or row.get("reasoning")
        if isinstance(thought, str) and thought.strip():
            self.builder.reasoning(thought)
        if text:
            self.builder.text(text)
        for name, arguments, call_id in calls:
            self.builder.call(name, arguments, call_id)

    def _is_copied(self, moment: float | None) -> bool:
        if moment is None or not isinstance(self._began, int | float):
            return False
        return moment < self._began - _SECONDS_APART

    def finish(self) -> None:
        """Shares the session's totals out."""
        share_totals(self.builder, totals_of(self._session))


def totals_of(row: Row) -> Totals:
    """The sums that a row holds; unknown where it holds none."""
    names = ("input_tokens", "cache_read_tokens", "cache_write_tokens", "output_tokens")
    fresh, read, written, output = (whole(row.get(name)) for name in names)
    usd = known_price(row.get("actual_cost_usd")) or known_price(row.get("estimated_cost_usd"))
    if not any((fresh, read, written, output)):
        return Totals(usd=usd)
    prompt = (fresh or 0) + (read or 0) + (written or 0)
    return Totals(prompt, read, written, output, whole(row.get("reasoning_tokens")), usd)


def _text(content: Any) -> str:
    if isinstance(content, str) and content.startswith(_ENCODED):
        content = _decode(content.removeprefix(_ENCODED))
    return flat_text(content)


def _calls(listed: Any) -> list[tuple[str, str, str | None]]:
    """Calls as (tool, arguments, id), in either of the shapes that are stored."""
    calls = _decode(listed) if isinstance(listed, str) else listed
    found: list[tuple[str, str, str | None]] = []
    for call in calls if isinstance(calls, list) else []:
        if isinstance(call, dict):
            inner = call.get("function")
            reported = inner if isinstance(inner, dict) else call
            call_id = call.get("id") or call.get("call_id")
            arguments = compact_json(reported.get("arguments") or {})
            own = call_id if isinstance(call_id, str) else None
            found.append((str(reported.get("name") or ""), arguments, own))
    return found


def _failure(text: str) -> str | None:
    """Results are mostly JSON, with an error or an exit code in it."""
    reported = _decode(text) if text.startswith("{") else None
    if not isinstance(reported, dict):
        return error_in(text)
    if error := reported.get("error"):
        return first_line(error if isinstance(error, str) else compact_json(error))
    code = reported.get("exit_code")
    return f"exit code {code}" if isinstance(code, int) and code else None


def _decode(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return None
