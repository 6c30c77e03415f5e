"""Messages of Pi as events of a trajectory.

How the numbers come about:
- `input` leaves cached tokens out; reasoning is in `output`, unless the total shows otherwise.
- A message's own time is when its call was sent, the entry's when it was written down.
- An answer that failed or was broken off is not sent again. Without usage and text it is no turn;
  with text, its output count is the placeholder that streaming began with (1 to 25 in 14 real ones,
  one of them with 21,000 characters), so it is unknown and counted from the text.
- OpenClaw writes what it delivered to a chat as an answer of its own: no model gave it.
"""

from typing import Any

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from agentdyno.intake.anthropic_results import is_refusal
from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.identity import is_random
from agentdyno.intake.split_usage import known_price, split_usage
from agentdyno.intake.texts import beyond, compact_json, first_line, is_beside, seconds, whole


class Block(Struct, gc=False):
    """A piece of a message's content."""

    type: str = "text"
    text: str | None = None
    thinking: str | None = None
    id: str | None = None
    name: str | None = None
    arguments: Any = None


Content = str | list[Block] | None
"""Content of a message: text, or blocks."""


class Usage(Struct, gc=False):
    """Counts of one model call; `input` leaves out what the cache took or gave."""

    input: Any = None
    output: Any = None
    cacheRead: Any = None
    cacheWrite: Any = None
    reasoning: Any = None
    totalTokens: Any = None
    cost: Any = None


class Message(Struct, gc=False):
    """A message of any role; only what some role needs is read."""

    role: str
    content: Content = None
    provider: str | None = None
    model: str | None = None
    usage: Usage | None = None
    stopReason: str | None = None
    errorMessage: str | None = None
    responseId: str | None = None
    timestamp: Any = None
    duration: Any = None
    ttft: Any = None
    toolCallId: str | None = None
    toolName: str | None = None
    isError: bool | None = None
    details: Any = None
    command: str | None = None
    output: str | None = None
    excludeFromContext: bool | None = None
    summary: str | None = None


class Entry(Struct, gc=False):
    """A line of a session file, of any type."""

    type: str
    id: str | None = None
    parentId: str | UnsetType | None = UNSET
    timestamp: Any = None
    cwd: Any = None
    message: Raw = Raw(b"")
    summary: str | None = None
    firstKeptEntryId: str | None = None
    firstKeptEntryIndex: int | None = None
    content: Content = None
    name: str | None = None
    title: str | None = None
    customType: str | None = None
    toolCallId: str | None = None
    durationMs: float | None = None


ENTRY = msgspec.json.Decoder(Entry)
MESSAGE = msgspec.json.Decoder(Message)


_BROKEN_OFF = ("error", "aborted")
_NO_MODEL = {"delivery-mirror", "gateway-injected", "openclaw"}
"""Models, or the provider, of answers that the agent wrote itself."""
_SUMMARIES = ("branchSummary", "compactionSummary")


class Answers:
    """A talk under construction, message by message."""

    def __init__(self) -> None:
        self.builder = TrajectoryBuilder()
        self.children: list[tuple[str | None, list[Any]]] = []
        """Messages of sub-agents that a result holds, with the call that started each."""

    def add(self, message: Message, written_at: float | None) -> None:
        """The next message; `written_at` is when it was complete."""
        role = message.role
        if role == "assistant":
            self._answer_with(message, written_at)
        elif role == "toolResult":
            self._result(message, written_at)
        elif role == "bashExecution":
            if not message.excludeFromContext:
                self.builder.user(f"{message.command or ''}\n{message.output or ''}")
        elif role in _SUMMARIES:
            self.builder.user(message.summary or "")
        elif role in ("user", "custom", "hookMessage"):
            self.say(message.content)

    def say(self, content: Content) -> None:
        """Something that the model is given."""
        if text := text_of(content):
            self.builder.user(text)

    def _answer_with(self, message: Message, written_at: float | None) -> None:
        if message.provider in _NO_MODEL or message.model in _NO_MODEL:
            return
        blocks = _blocks(message.content)
        usage = usage_of(message.usage)
        is_broken_off = message.stopReason in _BROKEN_OFF
        if is_broken_off and not blocks and not usage:
            self.builder.retries += 1
            return
        if is_broken_off and blocks:
            usage["decode"] = None
        first = len(self.builder.parts)
        self.builder.turn(message.model, **usage, **_facts(message, written_at))
        for block in blocks:
            self._write(block)
        if is_broken_off:
            self.builder.retire_from(first)

    def _write(self, block: Block) -> None:
        if block.type == "thinking":
            self.builder.reasoning(block.thinking or "")
        elif block.type == "toolCall":
            arguments = compact_json(block.arguments if block.arguments is not None else {})
            self.builder.call(block.name or "", arguments, block.id)
        elif block.type == "text" and block.text:
            self.builder.text(block.text)

    def _result(self, message: Message, written_at: float | None) -> None:
        text = text_of(message.content)
        self.builder.result(
            text,
            message.toolCallId,
            name=message.toolName,
            error=(first_line(text) or "error") if message.isError else None,
            executed=not (message.isError and is_refusal(text)),
            ended_at=seconds(message.timestamp) or written_at,
        )
        results = message.details.get("results") if isinstance(message.details, dict) else None
        for result in results if isinstance(results, list) else []:
            messages = result.get("messages") if isinstance(result, dict) else None
            if isinstance(messages, list) and messages:
                self.children.append((message.toolCallId, messages))


def talk_of_child(messages: list[Any]) -> Answers:
    """The talk of a sub-agent, as a result holds it; what is no message is left out."""
    talk = Answers()
    for item in messages:
        try:
            message: Message = msgspec.convert(item, Message)
        except msgspec.ValidationError:
            continue
        talk.add(message, None)
    return talk


def decode_message(data: bytes) -> Message:
    """A message from its bytes; raises what msgspec raises."""
    return MESSAGE.decode(data)


def usage_of(usage: Usage | None) -> dict[str, Any]:
    """Counts and price as fields of a turn."""
    if usage is None:
        return {}
    prompt = sum(whole(count) or 0 for count in (usage.input, usage.cacheRead, usage.cacheWrite))
    thought, output = whole(usage.reasoning) or 0, whole(usage.output)
    surplus = beyond(whole(usage.totalTokens), prompt, output)
    fields = split_usage(
        usage.input, usage.output, usage.cacheRead, usage.cacheWrite, usage.reasoning,
        is_beside(thought, output, surplus),
    )  # fmt: skip
    cost = usage.cost.get("total") if isinstance(usage.cost, dict) else usage.cost
    return {**fields, "reported_usd": known_price(cost)} if fields else {}


def identity_of(moment: Any, model: Any, usage: Usage | None) -> str | None:
    """The answer's identity, equal in every copy; None when its moment is not known."""
    if moment is None:
        return None
    counts = (usage.input, usage.output, usage.cacheRead) if usage else ()
    return f"pi {moment} {model} {counts}"


def _facts(message: Message, written_at: float | None) -> dict[str, Any]:
    begun = seconds(message.timestamp)
    spent = _thousandth(message.duration)
    if spent is None and begun is not None and written_at is not None and written_at >= begun:
        spent = written_at - begun
    response = message.responseId
    is_known = response is not None and is_random(response)
    moment = message.timestamp if message.timestamp is not None else written_at
    return {
        "identity": None if is_known else identity_of(moment, message.model, message.usage),
        "response_id": response,
        "started_at": begun,
        "ended_at": written_at,
        "latency_seconds": spent,
        "first_token_seconds": _thousandth(message.ttft),
        "finish": message.stopReason,
        "error": first_line(message.errorMessage) if message.errorMessage else None,
    }


def text_of(content: Content) -> str:
    """The text of a message; images have none."""
    texts = (block.text for block in _blocks(content) if block.type == "text")
    return "\n".join(text for text in texts if text)


def _blocks(content: Content) -> list[Block]:
    return [Block(text=content)] if isinstance(content, str) else content or []


def _thousandth(value: Any) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value / 1000 if is_number and 0 <= value < 2**53 else None
