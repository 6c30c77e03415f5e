"""OpenAI messages into builder events. Every assistant message is a turn."""

from functools import lru_cache

import msgspec

from agentdyno.intake.builder import Schemas, TrajectoryBuilder
from agentdyno.intake.chats import Function, about
from agentdyno.intake.formats.openai_chat.wire import Chat, Message, Usage
from agentdyno.intake.streams import decode
from agentdyno.intake.texts import (
    beyond,
    compact_json,
    error_in,
    flat_text,
    function_schemas,
    is_beside,
    whole,
)
from agentdyno.records import TokenCount, Trajectory, UnreadableError, printable

_ANY = msgspec.json.Decoder()


def trajectory_of(
    chat: Chat, trajectory_id: str, source: str, line: int | None = None
) -> Trajectory:
    """A whole list of messages as one trajectory."""
    builder = TrajectoryBuilder()
    builder.offer(_is_offered_again(bytes(chat.tools), bytes(chat.functions)))
    for message in chat.messages:
        if message.role == "assistant":
            take_turn(builder, message, chat.model, message.usage)
        else:
            give(builder, message)
    if not builder.turns:
        raise UnreadableError("at least one assistant message", "none")
    if len(builder.turns) == 1 and chat.usage is not None:
        _count_again(builder, chat.usage)
    return builder.build(trajectory_id, source, "openai_chat", line=line, **about(chat))


def _count_again(builder: TrajectoryBuilder, usage: Usage) -> None:
    """The only turn's counts stand beside the messages."""
    counts = counts_of(usage)
    usd = None if counts is NO_COUNTS else usage.cost
    names = "prefill", "cached_tokens", "cache_write_tokens", "decode", "reasoning_tokens"
    builder.amend_turn(0, **dict(zip(names, counts, strict=True)), reported_usd=usd)


class _Last:
    """The tools of the last chat. The next one mostly offers the same, and to compare that is much
    quicker than to hash it."""

    tools = functions = b""
    schemas: Schemas = ()


def _is_offered_again(tools: bytes, functions: bytes) -> Schemas:
    if tools != _Last.tools or functions != _Last.functions:
        _Last.schemas = read_offered(tools, functions)
        _Last.tools, _Last.functions = tools, functions
    return _Last.schemas


@lru_cache(maxsize=256)
def read_offered(tools: bytes, functions: bytes) -> Schemas:
    """The offered tools; the same bytes come back with every call of an agent, hence the cache."""
    return function_schemas(decode(tools, _ANY)) + function_schemas(decode(functions, _ANY))


def give(builder: TrajectoryBuilder, message: Message) -> None:
    """A message that the model did not write in this trajectory."""
    role = message.role
    text = message.content if isinstance(message.content, str) else flat_text(message.content)
    if role in ("tool", "function"):
        builder.result(text, message.tool_call_id, name=message.name, error=error_in(text))
    elif role == "user":
        builder.given("user", text)
    elif role in ("system", "developer"):
        builder.given("system", text)
    elif role == "assistant":
        _give_history(builder, message, text)
    else:
        raise UnreadableError("a role of the chat API", repr(printable(role, 40)))


def _give_history(builder: TrajectoryBuilder, message: Message, text: str) -> None:
    """An assistant message put into the context by the caller: cost, but no turn and no call."""
    if text:
        builder.given("text", text)
    for call in message.tool_calls or ():
        function = call.function or call.custom
        if function is not None:
            builder.given("request", _write(function.name, function.arguments), function.name)


def take_turn(
    builder: TrajectoryBuilder,
    message: Message,
    model: str | None,
    usage: Usage | None,
    latency_seconds: float | None = None,
    finish: str | None = None,
) -> None:
    """An assistant message as a turn with what it decoded."""
    counts = NO_COUNTS if usage is None else counts_of(usage)
    usd = None if counts is NO_COUNTS or usage is None else usage.cost
    prefill, read, written, decoded, spent = counts
    builder.turn(
        model, prefill, read, written, decoded, spent, latency_seconds,
        finish=finish, reported_usd=usd,
    )  # fmt: skip
    thought = message.reasoning_content
    if message.reasoning and not thought:
        thought = flat_text(message.reasoning)
    if thought or spent:
        # Chat completions do not take reasoning back; it is paid once, where it was decoded.
        builder.reasoning(thought or "", resent=False, tokens=spent or None)
    content = message.content
    text = content if isinstance(content, str) else content and flat_text(content)
    if text or message.refusal:
        builder.decoded("text", text or message.refusal or "")
    if message.tool_calls is not None:
        for call in message.tool_calls:
            _take_call(builder, call.function or call.custom, call.id)
    if message.function_call is not None:
        _take_call(builder, message.function_call, None)


def _take_call(builder: TrajectoryBuilder, function: Function | None, call_id: str | None) -> None:
    if function is None:
        return
    arguments = function.arguments if function.arguments is not None else function.input
    text = arguments if isinstance(arguments, str) else compact_json(arguments or "")
    builder.call(function.name or "", text, call_id)


def _write(name: str | None, arguments: object) -> str:
    return f"{name or ''} {compact_json(arguments or '')}"


Counts = tuple[TokenCount | None, int | None, int | None, TokenCount | None, int | None]
"""Prefill, read from the cache, written to it, decode, reasoning: as `Turn` has them in order."""

NO_COUNTS: Counts = (None, None, None, None, None)


def counts_of(usage: Usage) -> Counts:
    """The provider's counts; zero usage with an answer means that nobody counted."""
    prompt, produced = usage.prompt_tokens, usage.completion_tokens
    if not (prompt or produced):
        return NO_COUNTS
    inner, outer = usage.prompt_tokens_details, usage.completion_tokens_details
    reported = usage.prompt_cache_hit_tokens if inner is None else inner.cached_tokens
    read = usage.cache_read_input_tokens if reported is None else reported
    written = usage.cache_creation_input_tokens
    if written is None and inner is not None:
        written = inner.cache_creation_tokens
    spent = None if outer is None else outer.reasoning_tokens
    cached = (read or 0) + (written or 0)
    surplus = 0
    if (
        prompt and produced is not None and usage.total_tokens != prompt + produced
    ):  # It mostly is that.
        surplus = beyond(whole(usage.total_tokens), prompt, produced)
    if prompt is not None and is_beside(cached, prompt, surplus):
        # LiteLLM adds Anthropic's two counts to OpenAI's. They are inside the prompt as a rule;
        # more of them than the prompt has means that this version left them out.
        prompt += cached
        surplus = 0
    if produced is not None and (surplus or spent):
        produced, spent = _with_thoughts(produced, spent, surplus)
    return (
        None if prompt is None else TokenCount(prompt, "reported"),
        read,
        written,
        None if produced is None else TokenCount(produced, "reported"),
        spent,
    )


def _with_thoughts(produced: int, spent: int | None, surplus: int) -> tuple[int, int | None]:
    """The decoded tokens, and how many of them were thoughts: Grok's are beside the output, and
    Gemini's are in the total alone.
    """
    if not spent:
        return produced + surplus, surplus
    return (produced + spent if is_beside(spent, produced, surplus) else produced), spent
