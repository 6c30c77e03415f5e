"""One chain of lines as one trajectory: the main talk of a session, or one sub-agent's.

How the numbers come about:
- A response is written line by line, each with the response's `usage`. Lines with the same
  message id and request id are one turn; the last usage counts, with the largest output count.
- The output count is often the placeholder that stood there when streaming began. It is taken as
  reported when it is at least a tenth of the characters that can be seen, and is unknown (None,
  to be counted from the text) when it is less.
- A turn starts when the last line before it was given and ends with the response's last line.
  That span holds network and hooks but no tool; it is None where a failed request lies between.
  Lines of old versions say `durationMs` themselves.
- A tool's time is what its own result reports. The time between call and result is not taken for
  it: people are asked for leave in between.
"""

from typing import Any

import msgspec
from msgspec import Struct

from agentdyno.intake.anthropic import (
    Block,
    BlockWriter,
    Usage,
    arguments_of,
    as_blocks,
    is_call,
    is_result,
    usage_fields,
)
from agentdyno.intake.anthropic_results import first_line, is_refusal, result_text
from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.formats.claude_code.wire import MESSAGE, OUTCOME, Line, Message, Outcome
from agentdyno.intake.streams import decode
from agentdyno.intake.texts import error_in, seconds, whole

SYNTHETIC = "<synthetic>"
CHARACTERS_PER_TOKEN = 10
"""No text has more characters to a token than this; a count that says so is a placeholder."""


class _Response(Struct):
    """The response that is being written down."""

    key: tuple[str | None, ...]
    turn: int
    started_at: float | None
    usage: Usage | None = None
    output: int = 0
    visible: int = 0
    ended_at: float | None = None
    finish: str | None = None
    usd: float | None = None
    reported_seconds: float | None = None


class Chain:
    """A trajectory under construction."""

    def __init__(self, number: int, key: str, locator: str, parent_id: str | None) -> None:
        self.number = number
        self.key = key
        self.locator = locator
        self.parent_id = parent_id
        self.builder = TrajectoryBuilder()
        self._writer = BlockWriter(self.builder)
        self._response: _Response | None = None
        self._seen: set[tuple[str | None, ...]] = set()
        self._given_at: float | None = None
        self._failed = False

    @property
    def is_side(self) -> bool:
        """Whether this is a sub-agent's."""
        return self.parent_id is not None

    # Lines --------------------------------------------------------------------------------------

    def user(self, line: Line, branched_at: int | None) -> None:
        """A prompt, results of tools, or a summary; `branched_at`: parts from there on are left."""
        message: Message = decode(bytes(line.message), MESSAGE)
        blocks = as_blocks(message.content)
        if line.isCompactSummary:
            self.compact()
        elif line.isVisibleInTranscriptOnly:
            return
        if branched_at is not None:
            self._retire_from(branched_at)
        if any(not is_result(block) for block in blocks):
            self._writer.prompted(self.builder.turns[-1].model if self.builder.turns else None)
        outcome = _outcome(line, blocks)
        at = seconds(line.timestamp)
        for block in blocks:
            if is_result(block):
                self._result(block, outcome, at)
            elif block.text:
                self.builder.user(block.text)
        self._given_at = at

    def _result(self, block: Block, outcome: Outcome, at: float | None) -> None:
        took = _duration(outcome)
        started = at - took if at is not None and took is not None else None
        text = result_text(block.content)
        index = self.builder.result(
            text,
            block.tool_use_id,
            executed=not (block.is_error and is_refusal(text)),
            wait_seconds=took,
            started_at=started,
            ended_at=at,
        )
        if index is not None:
            tool = self.builder.parts[-1].name or ""
            self.builder.annotate(index, error=_error(block, text, outcome, tool))

    def assistant(self, line: Line) -> None:
        """One line of a response; the client's own words are none of the model's."""
        message: Message = decode(bytes(line.message), MESSAGE)
        if message.model == SYNTHETIC:
            self.failed(bool(line.isApiErrorMessage))
            return
        key = (message.id, line.requestId)
        if key == (None, None):
            key = (line.uuid, None)
        response = self._response
        if response is None or response.key != key:
            if key in self._seen:
                return  # A copy of what was already read, not another call.
            response = self._begin(key, message.model)
        blocks = as_blocks(message.content)
        self._writer.answer(blocks)
        self._note(response, line, message, blocks)

    def _begin(self, key: tuple[str | None, ...], model: str | None) -> _Response:
        self._seen.add(key)
        started = None if self._failed else self._given_at
        self._failed = False
        self._response = _Response(key, self.builder.turn(model), started)
        return self._response

    def _note(self, response: _Response, line: Line, message: Message, blocks: list[Block]) -> None:
        """Takes over what this line says about the whole response."""
        if message.usage is not None:
            response.usage = message.usage
            response.output = max(response.output, whole(message.usage.output_tokens) or 0)
        response.visible += sum(map(_visible, blocks))
        response.ended_at = seconds(line.timestamp)
        response.finish = message.stop_reason or response.finish
        response.usd = line.costUSD if line.costUSD is not None else response.usd
        if line.durationMs is not None and line.durationMs >= 0:
            response.reported_seconds = line.durationMs / 1000
        self.builder.amend_turn(response.turn, **_turn_fields(response))

    def failed(self, counts: bool = True) -> None:
        """A request that brought no answer."""
        if counts:
            self.builder.retries += 1
            self._failed = True

    def compact(self) -> None:
        """The context is replaced by what follows."""
        self._retire_from(0)

    def _retire_from(self, part: int) -> None:
        self.builder.retire(range(part, len(self.builder.parts)))
        self._writer.thinking = [index for index in self._writer.thinking if index < part]


def _turn_fields(response: _Response) -> dict[str, Any]:
    fields = usage_fields(response.usage)
    if response.output * CHARACTERS_PER_TOKEN < response.visible:
        fields["decode"] = None
    elif fields.get("decode") is not None:
        fields["decode"] = msgspec.structs.replace(fields["decode"], tokens=response.output)
    return {
        **fields,
        "started_at": response.started_at,
        "ended_at": response.ended_at,
        "latency_seconds": _latency(response),
        "finish": response.finish,
        "reported_usd": response.usd,
    }


def _latency(response: _Response) -> float | None:
    if response.reported_seconds is not None:
        return response.reported_seconds
    start, end = response.started_at, response.ended_at
    return end - start if start is not None and end is not None and end >= start else None


def _visible(block: Block) -> int:
    if is_call(block):
        return len(block.name or "") + len(arguments_of(block))
    return len(block.text or "") + len(block.thinking or "")


def _outcome(line: Line, blocks: list[Block]) -> Outcome:
    """The structured result; free text and lists say nothing beyond what the model saw."""
    raw = bytes(line.toolUseResult)
    if sum(map(is_result, blocks)) != 1 or raw[:1] != b"{":
        return Outcome()
    try:
        outcome: Outcome = OUTCOME.decode(raw)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return Outcome()  # Every tool has its own shape; another meaning of a name is no damage.
    return outcome


def _duration(outcome: Outcome) -> float | None:
    if outcome.durationSeconds is not None:
        took = outcome.durationSeconds
    elif (spent := outcome.totalDurationMs or outcome.durationMs) is not None:
        took = spent / 1000
    else:
        return None
    return took if took >= 0 else None


def _error(block: Block, text: str, outcome: Outcome, tool: str) -> str | None:
    """By the flag; by the text only where it is a program's report and not a file's content."""
    if block.is_error:
        return first_line(text) or "error"
    if outcome.interrupted:
        return "interrupted"
    return error_in(text) if tool == "Bash" or tool.startswith("mcp__") else None
