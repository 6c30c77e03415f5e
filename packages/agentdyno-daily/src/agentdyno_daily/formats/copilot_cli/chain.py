"""One conversation of a session: the main agent's, or a sub-agent's.

How the numbers come about:
- A model call has an id (`apiCallId`): its usage record and its messages are one turn, also where a
  message is written again as it is refined. Without one, a message is a turn.
- A tool's time runs from `tool.execution_start` to `tool.execution_complete`, less the time that a
  person took to allow it.
- The record states how many tokens all tool schemas have: one schema part without text.
"""

from typing import Any

from msgspec import Struct

from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.identity import is_random
from agentdyno.intake.texts import arguments_of, first_line, flat_text, whole
from agentdyno.records import read_reported
from agentdyno_daily.formats.copilot_cli.usage import HIDDEN_CHARACTERS, Counts, usage_fields
from agentdyno_daily.formats.copilot_cli.wire import Compaction, Execution, Message, Usage


class Began(Struct, frozen=True):
    """Identity of a conversation, from its first event on."""

    locator: str
    """Its place in the file, unique there."""
    agent_id: str | None = None
    """The sub-agent's id; None for the main one."""
    parent_call_id: str | None = None
    """The call that started it."""
    line: int | None = None
    """The line it begins in."""


class Written(Struct):
    """A turn as far as totals are concerned."""

    turn: int
    context: float
    """How large what it was sent is, in characters."""
    first_part: int
    """The first part that it may have written."""
    text: int = 0
    """Characters that it wrote."""
    has_usage: bool = False
    """True when its counts were reported."""


class Chain:
    def __init__(self, began: Began, model: str | None = None) -> None:
        self.began, self.model = began, model
        self.builder = TrajectoryBuilder()
        self.reported_calls: int | None = None
        self.title: str | None = None
        """How the first prompt begins, without what the client puts before it."""
        self.written: list[Written] = []
        """The turns since the last total."""
        self._turns: dict[str, Written] = {}
        self._open: Written | None = None
        self._schema: tuple[int, int] | None = None
        self._system: int | None = None
        self._characters = 0
        self._started: dict[str, float] = {}
        self._held: dict[str, float] = {}
        self._reasoning: list[int] = []
        self._given_at: float | None = None
        """When the model was last given something."""

    # What the model is given ----------------------------------------------------------------------

    def prompt(self, text: str, at: float | None = None) -> None:
        """A user's message, or what the parent asks of a sub-agent."""
        self._reasoning.clear()
        self._given_at = at if at is not None else self._given_at
        self._open = None
        if text:
            self.builder.user(text)
            self._characters += len(text)

    def instruct(self, text: str) -> None:
        """A system prompt; it replaces the one before."""
        if self._system is not None and self.builder.parts[self._system].text == text:
            return
        self.builder.retire([] if self._system is None else [self._system])
        self._system = self.builder.system(text)
        self._characters += len(text)

    def _offer(self, usage: Usage) -> None:
        tokens, tools = whole(usage.toolTokenCount), whole(usage.availableToolCount)
        if not tokens or (self._schema is not None and self._schema[1] == tokens):
            return
        self.builder.retire([] if self._schema is None else [self._schema[0]])
        index = self.builder.given("schema", "", f"{tools or 'all'} tools")
        self.builder.parts.amend(index, tokens=tokens)
        self._schema = index, tokens

    def compact(self, compaction: Compaction, has_records: bool, at: float | None) -> None:
        """The context is replaced by a summary, which a model call of its own wrote."""
        if compaction.success is False:
            return
        used = compaction.compactionTokensUsed
        if isinstance(used, dict) and not has_records:
            self._count_compaction(used, at)
        fixed = {self._system, self._schema[0] if self._schema else None}
        self.builder.retire(i for i in range(len(self.builder.parts)) if i not in fixed)
        self._reasoning.clear()
        self._open, self._characters = None, 0
        if compaction.summaryContent:
            self.prompt(compaction.summaryContent, at)

    def _count_compaction(self, used: dict[str, Any], at: float | None) -> None:
        into = whole(used.get("inputTokens", used.get("input")))
        cached = whole(used.get("cacheReadTokens", used.get("cachedInput")))
        output = whole(used.get("outputTokens", used.get("output")))
        turn = self.builder.turn(
            self.model,
            prefill=read_reported(into),
            cached_tokens=cached,
            decode=read_reported(output),
            ended_at=at,
        )
        self.written.append(Written(turn, 0, len(self.builder.parts), has_usage=True))

    def rewind(self, parts: int) -> None:
        """Take back everything behind that part."""
        self.builder.retire_from(parts)
        self._open = None

    # What the model does --------------------------------------------------------------------------

    def count(self, usage: Usage, at: float | None) -> None:
        """The usage of a model call; its message may come before or after."""
        turn_written = self._turns.get(usage.apiCallId or "")
        if turn_written is None and usage.apiCallId is None and self._open is not None:
            turn_written = None if self._open.has_usage else self._open
        if turn_written is None:
            self._offer(usage)
            turn_written = self._begin(usage.apiCallId, usage.model)
        elif turn_written.has_usage:
            return  # The same record once more.
        turn_written.has_usage = True
        fields = usage_fields(usage)
        if at is not None and (latency := fields.get("latency_seconds")) is not None:
            fields |= {"started_at": at - latency, "ended_at": at}
        self.builder.amend_turn(turn_written.turn, **fields)

    def _begin(self, key: str | None, model: str | None) -> Written:
        self.model = model or self.model
        context = HIDDEN_CHARACTERS + self._characters
        turn_written = Written(self.builder.turn(self.model), context, len(self.builder.parts))
        if key:
            self._turns[key] = turn_written
            random_key = key if is_random(key) else None
            self.builder.amend_turn(turn_written.turn, response_id=key, identity=random_key)
        self.written.append(turn_written)
        self._open = turn_written
        return turn_written

    def answer(self, message: Message, event_id: str | None, at: float | None) -> None:
        """A message of the model; one that is written again adds only what is new."""
        key = message.apiCallId or message.messageId
        earlier = self._turns.get(key or "")
        is_again = earlier is not None and earlier.text > 0
        turn_written = earlier or self._begin(message.apiCallId, message.model)
        if earlier is None and not message.apiCallId:
            self._remember(turn_written, key, event_id)
        self._open = turn_written
        tokens = whole(message.outputTokens)
        if tokens and not turn_written.has_usage:
            self.builder.amend_turn(turn_written.turn, decode=read_reported(tokens))
        if self.builder.turns[turn_written.turn].ended_at is None:
            self._time(turn_written.turn, at)
        self._write(turn_written, message, is_again)

    def _time(self, turn: int, at: float | None) -> None:
        """Without a usage record: from what the model was last given to its message."""
        began = self._given_at
        is_timed = began is not None and at is not None and at > began
        latency = at - began if is_timed and at and began else None
        self.builder.amend_turn(turn, started_at=began, ended_at=at, latency_seconds=latency)

    def _remember(self, turn_written: Written, key: str | None, event_id: str | None) -> None:
        if key:
            self._turns[key] = turn_written
        if (name := key or event_id) and is_random(name):
            self.builder.amend_turn(turn_written.turn, identity=f"copilot {name}")

    def _write(self, turn_written: Written, message: Message, is_again: bool) -> None:
        # What is decoded belongs to the last turn: an older one cannot be added to.
        if turn_written.turn != len(self.builder.turns) - 1:
            return
        before, text = len(self.builder.parts), flat_text(message.content)
        if message.reasoningText and not is_again:
            self._reasoning.append(self.builder.reasoning(message.reasoningText))
        if text and not (is_again and text in self._written_texts(turn_written.first_part)):
            self.builder.text(text)
        for request in message.toolRequests or ():
            if not request.toolCallId or self.builder.call_index(request.toolCallId) is None:
                arguments = arguments_of(request.arguments)
                self.builder.call(request.name or "", arguments, request.toolCallId)
        size = sum(map(len, self._written_texts(before)))
        turn_written.text += size
        self._characters += size

    def _written_texts(self, first_part: int) -> list[str]:
        parts = self.builder.parts
        return [parts[index].text for index in range(first_part, len(parts))]

    # Tools ----------------------------------------------------------------------------------------

    def start(self, call_id: str, at: float | None) -> None:
        if at is not None:
            self._started[call_id] = at

    def hold(self, call_id: str, seconds: float) -> None:
        """The tool waited this long for somebody's permission."""
        self._held[call_id] = self._held.get(call_id, 0.0) + max(seconds, 0.0)

    def finish(self, execution: Execution, at: float | None) -> None:
        call_id = execution.toolCallId or ""
        began, paused = self._started.pop(call_id, None), self._held.pop(call_id, 0.0)
        is_timed = began is not None and at is not None and at >= began + paused
        error = _error(execution)
        text = _text(execution) or (error or "")
        self.builder.result(
            text,
            execution.toolCallId,
            error=error,
            executed=not _is_refused(execution),
            wait_seconds=at - began - paused if is_timed and at and began else None,
            started_at=began,
            ended_at=at,
        )
        self._characters += len(text)
        self._open = None
        self._given_at = at if at is not None else self._given_at


def known_counts(chain: Chain, turn: int) -> Counts:
    """The counts that a turn has already."""
    row = chain.builder.turns[turn]
    return Counts(
        row.prefill.tokens if row.prefill else 0,
        row.cached_tokens or 0,
        row.cache_write_tokens or 0,
        row.decode.tokens if row.decode else 0,
        row.reasoning_tokens or 0,
    )


def _text(execution: Execution) -> str:
    result = execution.result
    return flat_text(result.get("content") if isinstance(result, dict) else result)


def _error(execution: Execution) -> str | None:
    if execution.success is False:
        error = execution.error
        message = error.get("message") if isinstance(error, dict) else error
        return first_line(str(message or _text(execution))) or "failed"
    shell = execution.shellExecution
    code = shell.get("exitCode") if isinstance(shell, dict) else None
    return f"exit code {code}" if isinstance(code, int) and code else None


def _is_refused(execution: Execution) -> bool:
    code = execution.error.get("code") if isinstance(execution.error, dict) else None
    return execution.success is False and code in ("denied", "rejected", "permission_denied")
