"""One agent's model calls as a trajectory: every request is laid beside the one before it.

The log repeats, for each call, all messages that were sent. What both requests begin with stays
in the context, what is gone leaves it (compaction, edits, dropped reasoning), the rest is new.
Messages are compared by content: Inspect gives an edited message a new id, or keeps the old one.
"""

from typing import Any

from msgspec import Raw, Struct

from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.conversation import Conversation
from agentdyno.intake.formats.inspect_ai.texts import SampleTexts, as_text, without_id
from agentdyno.intake.formats.inspect_ai.usage import (
    own_notes,
    read_reasoning_tokens,
    tool_times,
    turn_fields,
)
from agentdyno.intake.formats.inspect_ai.wire import (
    NULL,
    OUTPUT,
    TOOL_ERROR,
    WIRE_CALL,
    Block,
    Call,
    Event,
    Message,
    Output,
    ToolError,
    WireItem,
    WireResponse,
)
from agentdyno.intake.streams import decode
from agentdyno.intake.texts import compact_json, error_in, seconds
from agentdyno.records import UnreadableError, printable


# Inspect repairs malformed arguments without a word (`5` becomes the first parameter, a stray
# quote is dropped) or replaces them by nothing and quotes them in an error. The provider's answer,
# which the log keeps beside, still has the text.
def read_written_arguments(event: Event, message: Message, texts: SampleTexts) -> dict[str, str]:
    """Arguments by call id, for the calls whose text the log still has."""
    if not message.tool_calls:
        return {}
    written: dict[str, str] = {}
    for item in _items(event):
        text = item.function.arguments if item.function is not None else item.arguments
        call_id = item.call_id or item.id
        if isinstance(text, str) and isinstance(call_id, str):
            written[call_id] = texts.text(text)
    for call in message.tool_calls:
        if call.parse_error and call.id and call.id not in written:
            quoted = _find_quoted(texts.text(call.parse_error))
            if quoted is not None:
                written[call.id] = quoted
    return written


def _items(event: Event) -> list[WireItem]:
    try:
        exchange = decode(bytes(event.call), WIRE_CALL)
    except UnreadableError:
        return []  # A provider with another shape; its calls are as Inspect parsed them.
    response: WireResponse | None = exchange.response if exchange is not None else None
    if response is None:
        return []
    if response.choices and response.choices[0].message is not None:
        return response.choices[0].message.tool_calls or []
    return response.output or []


def _find_quoted(parse_error: str) -> str | None:
    """The text an error quotes between two blank lines; None when it quotes none."""
    pieces = parse_error.split("\n\n")
    return "\n\n".join(pieces[1:-1]) if len(pieces) > 2 else None


NOT_RUN = ("parsing", "approval")
"""Errors that kept a call from running: malformed, unknown tool, refused."""
_NONE = Raw(b'"none"')


class _Answer(Struct, gc=False):
    """The last answer, which the next request is expected to repeat."""

    key: bytes
    message: Message
    reasoning: int | None


class Thread:
    """The conversation of one agent, main or sub-agent."""

    def __init__(self, texts: SampleTexts, parent: "Thread | None" = None) -> None:
        self.texts = texts
        self.parent = parent
        self.started_by: str | None = None
        """The id of the call that it runs inside of."""
        self.model: str | None = None
        self._talk: Conversation[bytes] = Conversation(recall=True)
        self.failed: tuple[Event, list[bytes]] | None = None
        """The last call without an answer, and what it was sent."""
        self._last_sent: list[bytes] = []
        self._answer: _Answer | None = None
        self._tool_events: dict[str, list[Event]] = {}

    @property
    def builder(self) -> TrajectoryBuilder:
        return self._talk.builder

    def continues(self, sent: list[bytes]) -> bool:
        """True when a request continues this thread's last one and its answer."""
        last = self._last_sent
        return bool(self.builder.turns) and len(sent) > len(last) and sent[: len(last)] == last

    # Model calls --------------------------------------------------------------------------------

    def model_call(self, event: Event, sent: list[bytes]) -> None:
        """One call to the agent's model, with its answer where there is one."""
        output = decode(bytes(event.output), OUTPUT) or Output()
        if type(event.retries) is int and 0 < event.retries < 10_000:
            self.builder.retries += event.retries
        if not output.choices or self._is_unanswered(event, output):
            # Pending calls of an unfinished log are neither answered nor failed.
            if not event.pending:
                self.builder.retries += 1
                self.failed = (event, sent)
            return
        model = as_text(event.model) or None
        self.model = self.model or model
        notes = own_notes(output)
        self._bring_context_to(event, sent, notes.tools_kept is True)
        key = without_id(output.choices[0].message)
        message = self.texts.message(key)
        fields = turn_fields(event, output, notes)
        self.builder.turn(model, error=self._failure(event, output), **fields)
        self._take(message, key, output, read_written_arguments(event, message, self.texts))

    def _is_unanswered(self, event: Event, output: Output) -> bool:
        """True when the call failed: Inspect writes an empty answer then, which nobody counted."""
        if event.error == NULL or output.usage is not None or not output.choices:
            return False
        message = self.texts.message(without_id(output.choices[0].message))
        return not message.content and not message.tool_calls

    def take_failed(self) -> None:
        """Where no call was ever answered, add the last one as a turn: a failed attempt is one
        too.
        """
        if self.failed is None or self.builder.turns:
            return
        event, sent = self.failed
        self.builder.retries -= 1
        self.model = as_text(event.model) or None
        self._bring_context_to(event, sent, False)
        failure = self._failure(event, Output()) or "no answer"
        self.builder.turn(self.model, error=failure, started_at=seconds(event.timestamp))

    def past_turn(self, message: Message, key: bytes) -> None:
        """A turn of which only the message was kept."""
        self.builder.turn(self.model)
        self._take(message, key, Output(), {})

    def past_usage(self, output: Output | None) -> None:
        """Note the usage of the last turn of a log without events."""
        if output is not None:
            last = len(self.builder.turns) - 1
            self.builder.amend_turn(last, **turn_fields(Event(), output, own_notes(output)))

    def _failure(self, event: Event, output: Output) -> str | None:
        error = output.error if event.error == NULL else decode(bytes(event.error), TOOL_ERROR)
        return self._error_text(error) if error else None

    def _bring_context_to(self, event: Event, sent: list[bytes], tools_kept: bool) -> None:
        # Only Anthropic is still sent the tools when it is told to use none, and in our own runs
        # everybody.
        are_sent = tools_kept or as_text(event.model).startswith("anthropic")
        hidden = event.tool_choice == _NONE and not are_sent
        self.builder.offer(() if hidden else self.texts.schemas(event.tools))
        self._talk.align(sent, _same, self._is_answer, self._add)
        self._last_sent = sent

    def _is_answer(self, key: bytes) -> bool:
        """True when a message is the last answer, perhaps without its reasoning."""
        answer = self._answer
        if answer is None or key == answer.key:
            return answer is not None
        message = self.texts.message(key)
        if message.role != "assistant" or not self._same_answer(answer.message, message):
            return False
        if answer.reasoning is not None and not _thoughts(message):
            self.builder.retire([answer.reasoning])
        return True

    def _same_answer(self, ours: Message, message: Message) -> bool:
        if ours.tool_calls or message.tool_calls:
            return _call_names(ours) == _call_names(message)
        return self.texts.content(ours.content) == self.texts.content(message.content)

    # What the model wrote -----------------------------------------------------------------------

    def _take(self, message: Message, key: bytes, output: Output, written: dict[str, str]) -> None:
        before = len(self.builder.parts)
        reasoning = self._take_reasoning(message, read_reasoning_tokens(output.usage))
        if text := self.texts.content(message.content):
            self.builder.text(text)
        if type(message.content) is list:
            for block in message.content:
                if isinstance(block, Block) and block.type == "tool_use":
                    self._take_server_call(block)
        for call in message.tool_calls or ():
            self._take_call(call, written)
        self._answer = _Answer(key, message, reasoning)
        self._talk.answered(before)

    def _take_reasoning(self, message: Message, tokens: int | None) -> int | None:
        thoughts = _thoughts(message)
        if not thoughts and not tokens:
            return None
        text = "\n".join(filter(None, map(self.texts.text, thoughts)))
        return self.builder.reasoning(text, resent=bool(thoughts), tokens=tokens)

    def _take_call(self, call: Call, written: dict[str, str]) -> None:
        arguments = written.get(call.id or "")
        if arguments is None:
            arguments = self.texts.json(bytes(call.arguments))
        if self.texts.answer_tool is not None and call.function == self.texts.answer_tool:
            # The answer in the form of a call: no work was done by it.
            self.builder.decoded("text", arguments, name=call.function)
            return
        problem = None if call.parse_error is None else ToolError("parsing", call.parse_error)
        error = None if problem is None else self._error_text(problem)
        self.builder.call(call.function or "", arguments, call.id, error)

    def _take_server_call(self, block: Block) -> None:
        """A tool that ran at the provider: call and result stand in one answer."""
        builder = self.builder
        arguments = self.texts.text(compact_json(block.arguments or ""))
        index = builder.call(as_text(block.name), arguments, as_text(block.id))
        error = self.texts.text(as_text(block.error)) or None
        builder.answer(
            index, error or self.texts.text(compact_json(block.result or "")), error=error
        )
        # The provider read the result within the call, and counted it there.
        builder.given_within(len(builder.parts) - 1)

    # What the model is given --------------------------------------------------------------------

    def _add(self, builder: TrajectoryBuilder, key: bytes) -> None:
        self.give(self.texts.message(key))

    def give(self, message: Message) -> None:
        """A message that stands in the context and was not decoded here."""
        role = message.role
        if role == "tool":
            self._give_result(message)
        elif role == "assistant":
            self._give_history(message)
        elif role == "user":
            self.builder.user(self.texts.content(message.content))
        elif role == "system":
            self.builder.system(self.texts.content(message.content))
        else:
            raise UnreadableError("a role of Inspect's messages", repr(printable(role, 40)))

    def _give_history(self, message: Message) -> None:
        """An assistant's message that this thread did not generate, or an edited one."""
        builder = self.builder
        if thoughts := "\n".join(filter(None, map(self.texts.text, _thoughts(message)))):
            builder.given("reasoning", thoughts)
        if text := self.texts.content(message.content):
            builder.given("text", text)
        for call in message.tool_calls or ():
            name = call.function or ""
            written = f"{name} {self.texts.json(bytes(call.arguments))}"
            builder.given("request", written, name, builder.call_index(call.id or ""))

    def _give_result(self, message: Message) -> None:
        if self.texts.answer_tool is not None and message.function == self.texts.answer_tool:
            text = self.texts.content(message.content)
            self.builder.user(self._result_or_error(message.error, text))
            return
        call_id = message.tool_call_id or ""
        waiting = self._tool_events.get(call_id)
        self.builder.result(
            self._result_or_error(message.error, self.texts.content(message.content)),
            call_id,
            name=message.function,
            **self._end(message, waiting.pop(0) if waiting else None),
        )

    def _end(self, result: Message, event: Event | None) -> dict[str, Any]:
        """Fields of a call's end, from its result and its event."""
        error = result.error
        problem = error_in(self.texts.content(result.content)) if error is None else None
        return {
            "error": problem if error is None else self._error_text(error),
            "executed": not (isinstance(error, ToolError) and error.type in NOT_RUN),
            **(tool_times(event) if event is not None else {}),
        }

    def _result_or_error(self, error: ToolError | str | None, text: str) -> str:
        """Models are shown the error's message in place of the result."""
        if error is None:
            return text
        return self.texts.text(error if isinstance(error, str) else as_text(error.message)) or text

    def _error_text(self, error: Any) -> str:
        if not isinstance(error, ToolError):
            return self.texts.text(compact_json(error))
        kind, message = as_text(error.type), self.texts.text(as_text(error.message))
        return f"{kind}: {message}" if kind and message else kind or message or "failed"

    # Tools --------------------------------------------------------------------------------------

    def tool_call(self, event: Event) -> None:
        """Keeps what a tool event knows until the result is seen in a request."""
        self._tool_events.setdefault(str(event.id or ""), []).append(event)

    def finish(self) -> None:
        """Answers the calls whose results no request shows, such as those of the last turn."""
        for call_id, events in self._tool_events.items():
            index = self.builder.call_index(call_id)
            event = events[-1] if events else None
            if event is None or index is None or self.builder.is_answered(index):
                continue
            if not event.pending and event.result != NULL:
                error = decode(bytes(event.error), TOOL_ERROR)
                result = Message("tool", self.texts.result(event.result), error=error)
                text = self._result_or_error(error, as_text(result.content))
                self.builder.answer(index, text, **self._end(result, event))


def _same(key: bytes) -> bytes:
    return key


def _call_names(message: Message) -> list[str | None]:
    return [call.id or call.function for call in message.tool_calls or ()]


def _thoughts(message: Message) -> list[str]:
    """The readable reasoning of a message; of encrypted reasoning its summary, or nothing."""
    if isinstance(message.reasoning, str) and message.reasoning:
        return [message.reasoning]
    if type(message.content) is not list:
        return []
    blocks = [b for b in message.content if isinstance(b, Block) and b.type == "reasoning"]
    return [as_text(b.summary if b.redacted else b.reasoning or b.summary) for b in blocks]
