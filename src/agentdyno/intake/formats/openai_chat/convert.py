"""OpenAI messages into builder events. Every assistant message is a turn."""

from functools import lru_cache

import msgspec

from agentdyno.intake.builder import Schemas, TrajectoryBuilder
from agentdyno.intake.formats.openai_chat.wire import Chat, Message, Usage
from agentdyno.intake.texts import compact_json, error_in, flat_text, function_schemas, whole
from agentdyno.records import TokenCount, Trajectory, UnreadableError, reported


def trajectory_of(chat: Chat, trajectory_id: str, source: str) -> Trajectory:
    """A whole list of messages as one trajectory."""
    builder = TrajectoryBuilder()
    builder.offer(offered(bytes(chat.tools), bytes(chat.functions)))
    for message in chat.messages:
        if message.role == "assistant":
            take_turn(builder, message, chat.model, message.usage)
        else:
            give(builder, message)
    if not builder.turns:
        raise UnreadableError("at least one assistant message", "none")
    if len(builder.turns) == 1 and chat.usage is not None:
        builder.amend_turn(0, **usage_fields(chat.usage))
    mark = chat.correct if chat.correct is not None else chat.reward
    return builder.build(
        trajectory_id,
        source,
        "openai_chat",
        model=chat.model,
        benchmark=chat.benchmark,
        variant=chat.variant,
        task_id=None if chat.task_id is None else str(chat.task_id),
        attempt=chat.trial,
        correct=is_correct(mark),
        score=None if mark is None else float(mark),
        level=None if chat.level is None else str(chat.level),
        expected=None if chat.expected is None else str(chat.expected),
    )


def is_correct(mark: bool | int | float | None) -> bool | None:
    """1 is solved, 0 is not; a mark in between is neither."""
    return bool(mark) if mark in (0, 1) else None


@lru_cache(maxsize=256)
def offered(tools: bytes, functions: bytes) -> Schemas:
    """The offered tools; the same bytes come back with every call of an agent, hence the cache."""
    decode = msgspec.json.decode
    return function_schemas(decode(tools)) + function_schemas(decode(functions))


def give(builder: TrajectoryBuilder, message: Message) -> None:
    """A message that the model did not write in this trajectory."""
    role = message.role
    text = message.content if isinstance(message.content, str) else flat_text(message.content)
    if role == "user":
        builder.given("user", text)
    elif role in ("tool", "function"):
        builder.result(text, message.tool_call_id, name=message.name, error=error_in(text))
    elif role in ("system", "developer"):
        builder.given("system", text)
    elif role == "assistant":
        _give_history(builder, message, text)
    else:
        raise UnreadableError("a role of the chat API", repr(role[:40]))


def _give_history(builder: TrajectoryBuilder, message: Message, text: str) -> None:
    """An assistant message put into the context by the caller: cost, but no turn and no call."""
    if text:
        builder.given("text", text)
    for call in message.tool_calls or ():
        function = call.function or call.custom
        if function is not None:
            builder.given("request", _written(function.name, function.arguments), function.name)


def take_turn(
    builder: TrajectoryBuilder,
    message: Message,
    model: str | None,
    usage: Usage | None,
    **timing: float | str | None,
) -> None:
    """An assistant message as a turn with what it decoded."""
    builder.turn(model, **(usage_fields(usage) if usage is not None else {}), **timing)
    if thought := message.reasoning_content or flat_text(message.reasoning):
        # Chat completions do not take reasoning back; it is paid once, where it was decoded.
        builder.reasoning(thought, resent=False, tokens=_reasoning_tokens(usage))
    elif hidden := _reasoning_tokens(usage):
        builder.reasoning("", resent=False, tokens=hidden)
    text = message.content if isinstance(message.content, str) else flat_text(message.content)
    if text or message.refusal:
        builder.text(text or message.refusal or "")
    if message.tool_calls is not None:
        for call in message.tool_calls:
            function = call.function or call.custom
            if function is not None:
                arguments = function.arguments if function.arguments is not None else function.input
                builder.call(function.name or "", compact_json(arguments or ""), call.id)
    if message.function_call is not None:
        function = message.function_call
        builder.call(function.name or "", compact_json(function.arguments or ""))


def _written(name: str | None, arguments: object) -> str:
    return f"{name or ''} {compact_json(arguments or '')}"


def usage_fields(usage: Usage) -> dict[str, TokenCount | int | None]:
    """Token counts as fields of a `Turn`."""
    if not usage.prompt_tokens and not usage.completion_tokens:
        return {}  # Zero usage with an answer means that nobody counted.
    details = usage.prompt_tokens_details
    cached = usage.prompt_cache_hit_tokens if details is None else details.cached_tokens
    return {
        "prefill": reported(whole(usage.prompt_tokens)),
        "cached_tokens": whole(cached),
        "decode": reported(whole(usage.completion_tokens)),
        "reasoning_tokens": _reasoning_tokens(usage),
    }


def _reasoning_tokens(usage: Usage | None) -> int | None:
    details = usage.completion_tokens_details if usage is not None else None
    return whole(details.reasoning_tokens) if details is not None else None
