"""A task as one trajectory: the editor's rows say what a call cost, the history what it was sent.

How the numbers come about:
- A row `api_req_started` is a model call. Cline's `tokensIn` leaves cached tokens out. Where Roo
  Code and Kilo Code name the API's protocol, the input holds them; with Anthropic's only since
  November 2025, which shows in an input that is no smaller than they are.
- A row with a reason for being cancelled and without counts is a call that failed.
- The history's messages around a row are known by its index, or by their order. What is missing
  there is taken from the rows themselves.
- Messages that were taken out to make room (a range, a summary, a truncation) leave the context.
"""

import re
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from agentdyno.intake.anthropic import (
    Block,
    arguments_of,
    as_blocks,
    is_call,
    is_result,
    is_thinking,
)
from agentdyno.intake.anthropic_results import result_text
from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.split_usage import fresh_tokens, known_price, split_usage
from agentdyno.intake.texts import compact_json, first_line, seconds, whole
from agentdyno_daily.formats.cline.tool_texts import failure_in, split_calls, split_results
from agentdyno_daily.formats.cline.wire import Request, Row, Sent

_DISPLAYED_AS = {
    "editedExistingFile": "replace_in_file",
    "newFileCreated": "write_to_file",
    "listFilesTopLevel": "list_files",
    "listFilesRecursive": "list_files",
    "appliedDiff": "apply_diff",
}
"""Names that the editor shows, where they are not the tool's own in another spelling."""
_BY_KIND = {
    "command": "execute_command",
    "use_mcp_server": "use_mcp_tool",
    "browser_action_launch": "browser_action",
    "browser_action": "browser_action",
    "followup": "ask_followup_question",
    "plan_mode_respond": "plan_mode_respond",
}
_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def calls_in(row: Row) -> Iterator[tuple[str, str]]:
    """The tool call that a row shows, as (tool, arguments); none for most rows."""
    kind, displayed = row.say or row.ask or "", row.text or ""
    if kind == "tool":
        fields = _fields(displayed)
        name = str(fields.pop("tool", "tool"))
        yield _DISPLAYED_AS.get(name, _CAPITAL.sub("_", name).lower()), compact_json(fields)
    elif kind in _BY_KIND:
        yield (
            _BY_KIND[kind],
            displayed if displayed.startswith("{") else compact_json({"text": displayed}),
        )
    elif row.say == "completion_result":
        yield "attempt_completion", compact_json({"result": displayed})


def _fields(text: str) -> dict[str, Any]:
    try:
        decoded = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return {}
    return decoded if isinstance(decoded, dict) else {}


class ModelCall(Struct):
    """A model call and the rows that followed it."""

    row: Row
    request: Request
    following: list[Row]

    @property
    def index(self) -> int | None:
        """The place of the history's last message before the call."""
        index = self.row.conversationHistoryIndex
        return index if isinstance(index, int) and index >= -1 else None


class Task:
    """A trajectory under construction, call by call."""

    def __init__(self, history: list[Sent], models: list[tuple[float, str]]) -> None:
        self.builder = TrajectoryBuilder()
        self._history = history
        self._models = models
        self._next = 0
        """The first message of the history that was not written yet."""
        self._places: dict[int, list[int]] = {}
        """Parts by the message of the history that they stand in."""
        self._open: list[tuple[str, int]] = []
        """Calls without a result: the tool's name and the call."""

    def add(self, call: ModelCall, is_answered: bool) -> None:
        """The next model call; `is_answered` says that the history holds the answer to this one."""
        usage = usage_of(call.request)
        if not usage and call.request.cancelReason:
            self.builder.retries += 1
            return
        number = (call.index + 2) if call.index is not None else self._next_answer()
        has_history = is_answered and number < len(self._history) and self._next <= number
        self._give(call, number - 1, has_history)
        self._leave(call.row.conversationHistoryDeletedRange)
        self._begin(call, usage, number)
        blocks = as_blocks(self._history[number].content) if has_history else []
        first = len(self.builder.parts)
        if has_history:
            self._next = number + 1
            self._write_blocks(blocks)
        else:
            self._write_rows(call.following)
        self._note(number, first)

    def _next_answer(self) -> int:
        places = range(self._next, len(self._history))
        return next((i for i in places if self._history[i].role == "assistant"), len(places))

    def _begin(self, call: ModelCall, usage: dict[str, Any], number: int) -> None:
        at, request = call.row.ts, call.request
        model = self._model(call, number)
        counts = (request.tokensIn, request.tokensOut, request.cacheReads)
        self.builder.turn(
            model,
            **usage,
            identity=f"cline {at:.0f} {counts}" if at else None,
            started_at=seconds(at),
            error=first_line(request.streamingFailedMessage or request.cancelReason or "") or None,
            finish=request.cancelReason,
            reported_usd=known_price(request.cost),
        )

    def _model(self, call: ModelCall, number: int) -> str | None:
        message = self._history[number] if number < len(self._history) else None
        for info in (call.row.modelInfo, message.modelInfo if message else None):
            name = info.get("modelId") if isinstance(info, dict) else None
            if isinstance(name, str):
                return name
        begun = [name for at, name in self._models if call.row.ts and at <= call.row.ts + 1000]
        return begun[-1] if begun else self._models[0][1] if self._models else None

    # What the model is given --------------------------------------------------------------------

    def _give(self, call: ModelCall, until: int, has_history: bool) -> None:
        if not has_history:
            first = len(self.builder.parts)
            self._give_text(call.request.request or "")
            self._note(until, first)
            return
        for number in range(self._next, until + 1):
            self._give_message(number, self._history[number])
        self._next = until + 1

    def _give_message(self, number: int, message: Sent) -> None:
        if message.condenseId and not message.condenseParent:
            self._leave_those(lambda other: other.condenseParent == message.condenseId)
        if message.truncationId:
            self._leave_those(lambda other: other.truncationParent == message.truncationId)
        first = len(self.builder.parts)
        blocks = as_blocks(message.content)
        if message.role == "assistant":
            # The client's own words: an answer that was broken off, say.
            for block in blocks:
                self.builder.given("text", block.text or "")
        else:
            for block in filter(is_result, blocks):
                self._answer_by_id(block)
            self._give_text("\n\n".join(b.text for b in blocks if b.text and not is_result(b)))
        self._note(number, first)

    def _give_text(self, text: str) -> None:
        for tool, piece in split_results(text):
            call = self._take_open(tool) if tool else None
            if tool is None or call is None:
                self.builder.user(piece)
                continue
            error, ran = failure_in(tool, piece)
            self.builder.answer(call, piece, error=error, executed=ran)

    def _answer_by_id(self, block: Block) -> None:
        call_id, text = block.tool_use_id, result_text(block.content)
        index = self.builder.call_index(call_id) if call_id else None
        tool = next((name for name, call in self._open if call == index), "")
        self._open = [open_call for open_call in self._open if open_call[1] != index]
        error, ran = failure_in(tool, text)
        error = error or (first_line(text) or "error" if block.is_error else None)
        self.builder.result(text, call_id, error=error, executed=ran)

    def _take_open(self, tool: str) -> int | None:
        """The oldest call of that tool without a result."""
        for position, (name, call) in enumerate(self._open):
            if name == tool:
                del self._open[position]
                return call
        return None

    # What it answers ----------------------------------------------------------------------------

    def _write_blocks(self, blocks: list[Block]) -> None:
        for block in blocks:
            if is_thinking(block):
                self.builder.reasoning(block.thinking or "")
            elif is_call(block):
                self._call(block.name or "", arguments_of(block), block.id)
            elif block.text:
                self._write_text(block.text)

    def _write_text(self, text: str) -> None:
        for tool, piece in split_calls(text):
            if tool is None:
                self.builder.text(piece)
            else:
                self._call(tool, piece)

    def _write_rows(self, rows: list[Row]) -> None:
        """The answer as the editor showed it."""
        for row in rows:
            if row.say == "reasoning" and row.text:
                self.builder.reasoning(row.text)
            elif row.say == "text" and row.text:
                self.builder.text(row.text)
            else:
                for tool, arguments in calls_in(row):
                    self._call(tool, arguments)

    def _call(self, tool: str, arguments: str, call_id: str | None = None) -> None:
        self._open.append((tool, self.builder.call(tool, arguments, call_id)))

    # The context --------------------------------------------------------------------------------

    def _note(self, number: int, first: int) -> None:
        self._places.setdefault(number, []).extend(range(first, len(self.builder.parts)))

    def _leave(self, gone: Any) -> None:
        """A range of the history that is no longer sent."""
        if isinstance(gone, list) and len(gone) == 2 and all(isinstance(i, int) for i in gone):
            for number in [p for p in self._places if gone[0] <= p <= gone[1]]:
                self.builder.retire(self._places[number])

    def _leave_those(self, is_gone: Any) -> None:
        for number, message in enumerate(self._history):
            if is_gone(message):
                self.builder.retire(self._places.get(number, []))


def usage_of(request: Request) -> dict[str, Any]:
    """Counts as fields of a turn."""
    fresh, read, written = request.tokensIn, request.cacheReads, request.cacheWrites
    if request.apiProtocol is not None:
        fresh = fresh_tokens(fresh, read, written)
    return split_usage(fresh, request.tokensOut, read, written)


def answered_calls(calls: list[ModelCall]) -> Iterator[bool]:
    """Per call: True when the history's next answer is its own, False when a later attempt's."""
    last = {call.index: position for position, call in enumerate(calls)}
    for position, call in enumerate(calls):
        has_counts = any(map(whole, (call.request.tokensIn, call.request.tokensOut)))
        yield last[call.index] == position if call.index is not None else has_counts
