"""tau2-bench simulations into trajectories.

The agent's calls are the ones with `requestor` assistant. The simulated user calls tools as well:
those calls, their results and what the user says beside them go to the environment and never
reach the agent. The agent's own wrapping of the policy is not in the files.

OpenAI's `prompt_tokens` hold the cached ones; Anthropic's `input_tokens` do not.
"""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Raw, Struct

from agentdyno.intake.builder import Schemas, TrajectoryBuilder
from agentdyno.intake.formats.tau2_bench.wire import (
    NULL,
    PROVIDER,
    Choice,
    Details,
    Message,
    Provider,
    ProviderUsage,
    Simulation,
)
from agentdyno.intake.texts import arguments_of, first_line, flat_text, read_solved, seconds, whole
from agentdyno.records import Trajectory, UnreadableError, printable, read_reported

NO_DETAILS = Details()


def provider_of(raw: Raw) -> Provider:
    """The response; an empty one where it is missing or of a shape nobody knows."""
    try:
        return PROVIDER.decode(raw) if raw != NULL else Provider()
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
        return Provider()


def finish_of(provider: Provider) -> str | None:
    """Why the model stopped."""
    return _choice(provider).finish_reason or provider.stop_reason


def read_reasoning(message: Message, provider: Provider) -> str:
    """The reasoning's text, wherever it was put."""
    answer = _choice(provider).message
    if answer is not None and answer.reasoning_content:
        return answer.reasoning_content
    # LiteLLM keeps Anthropic's blocks beside the message; some writers only those.
    candidates = (answer.thinking_blocks if answer is not None else None, provider.thinking_blocks)
    for blocks in (*candidates, provider.content):
        if thought := _thoughts(blocks):
            return thought
    return flat_text(message.reasoning)


def _thoughts(blocks: Any) -> str:
    listed = blocks if isinstance(blocks, list) else []
    thoughts = [block.get("thinking") for block in listed if isinstance(block, dict)]
    return "\n".join(text for text in thoughts if isinstance(text, str))


def _choice(provider: Provider) -> Choice:
    return provider.choices[0] if provider.choices else provider


def usage_fields(message: Message, usage: ProviderUsage | None) -> dict[str, Any]:
    """Token counts as fields of a `Turn`, the provider's own where they are known."""
    fine = _fine_fields(usage) if usage is not None else {}
    if fine:
        return fine
    coarse = message.usage
    if coarse is None or not (coarse.prompt_tokens or coarse.completion_tokens):
        return {}  # Zero usage with an answer means that nobody counted.
    return {
        "prefill": read_reported(whole(coarse.prompt_tokens)),
        "decode": read_reported(whole(coarse.completion_tokens)),
    }


def _fine_fields(usage: ProviderUsage) -> dict[str, Any]:
    decode = whole(usage.completion_tokens or usage.output_tokens)
    prefill, cached = _prefill(usage)
    if not prefill and not decode:
        return {}
    details = usage.completion_tokens_details or usage.output_tokens_details or NO_DETAILS
    thought = details.reasoning_tokens
    return {
        "prefill": read_reported(prefill),
        "cached_tokens": cached,
        "cache_write_tokens": whole(usage.cache_creation_input_tokens),
        "decode": read_reported(decode),
        "reasoning_tokens": whole(details.thinking_tokens if thought is None else thought),
    }


def _prefill(usage: ProviderUsage) -> tuple[int | None, int | None]:
    """All prompt tokens, and how many of them came from the cache."""
    details = usage.prompt_tokens_details or usage.input_tokens_details or NO_DETAILS
    read, written = whole(usage.cache_read_input_tokens), whole(usage.cache_creation_input_tokens)
    cached = whole(details.cached_tokens) if read is None else read
    beside = (read or 0) + (written or 0)
    if usage.prompt_tokens is not None:
        prompt = whole(usage.prompt_tokens)
        # More cached than sent cannot be: this count left the cached ones out.
        excluded = prompt is not None and beside > prompt
    else:
        prompt = whole(usage.input_tokens)
        excluded = usage.input_tokens_details is None
    return (prompt + beside if excluded and prompt is not None else prompt), cached


FORMAT_NAME = "tau2_bench"


class Shared(Struct, frozen=True):
    """Facts that all simulations of a document share."""

    model: str | None = None
    domain: str | None = None
    """The domain, `airline` say."""
    policy: str | None = None
    """The domain's policy, the larger part of the system prompt."""
    schemas: Schemas = ()
    """The offered tools, where the file lists them."""
    expected: Mapping[str, str] = {}
    """Answers that the agent has to give the user, by task."""
    history: Mapping[str, int] = {}
    """How many messages a task begins with, by task; tasks that begin with none are left out."""


def trajectory_of(
    simulation: Simulation, shared: Shared, trajectory_id: str, source: str
) -> Trajectory:
    if not simulation.messages and simulation.ticks:
        raise UnreadableError("messages", "voice ticks (full duplex), which are not supported")
    agent = _Agent(shared)
    messages = simulation.messages or []
    task_id = None if simulation.task_id is None else str(simulation.task_id)
    history = _history_length(messages, shared.history.get(task_id or "", 0))
    for index, message in enumerate(messages):
        agent.see(message, is_history=index < history)
    if not agent.builder.turns:
        reason = simulation.termination_reason
        ended = f"; the simulation ended with {printable(reason)}" if reason else ""
        raise UnreadableError("at least one answer of the agent's model", f"none{ended}")
    mark = simulation.reward_info.reward if simulation.reward_info is not None else None
    return agent.builder.build(
        trajectory_id,
        source,
        FORMAT_NAME,
        model=shared.model or agent.builder.turns[0].model,
        benchmark=f"tau2-bench/{shared.domain}" if shared.domain else "tau2-bench",
        task_id=task_id,
        attempt=whole(simulation.trial),
        correct=read_solved(mark),
        score=None if mark is None else float(mark),
        expected=shared.expected.get(task_id or ""),
        session_id=None if simulation.id is None else str(simulation.id),
    )


def _history_length(messages: list[Message], initial: int) -> int:
    """Number of messages at the start that no model wrote in this run.

    That is the conversation a task begins with, or else the canned greeting: the agent's first
    message, which carries neither usage nor a provider's response.
    """
    if initial or not messages:
        return initial
    first = messages[0]
    greets = first.role == "assistant" and not first.tool_calls and not _was_generated(first)
    return 1 if greets else 0


def _was_generated(message: Message) -> bool:
    return message.usage is not None or message.raw_data != NULL or bool(message.cost)


class _Agent:
    """The agent's side of one simulation."""

    def __init__(self, shared: Shared) -> None:
        self.shared = shared
        self.builder = TrajectoryBuilder()
        self.builder.offer(shared.schemas)
        if shared.policy:
            self.builder.system(shared.policy)
        self._starts: list[int] = []
        self._clock: float | None = None

    def see(self, message: Message, is_history: bool) -> None:
        for part in message.tool_messages or (message,):
            before = self._clock
            self._clock = seconds(part.timestamp)
            self._take(part, is_history, before)

    def _take(self, message: Message, is_history: bool, before: float | None) -> None:
        start = len(self.builder.parts)
        if message.role == "assistant" and is_history:
            self._give_history(message)
        elif message.role == "assistant":
            self._forget_dropped(message)
            self._take_turn(message, before)
        elif message.role == "user":
            if not message.tool_calls:
                self.builder.user(flat_text(message.content))
        elif message.role == "tool":
            if message.requestor != "user":
                self._take_result(message, before)
        elif message.role == "system":
            self.builder.system(flat_text(message.content))
        else:
            raise UnreadableError("a role of tau2-bench", repr(printable(message.role, 40)))
        if len(self.builder.parts) > start:
            self._starts.append(start)

    def _give_history(self, message: Message) -> None:
        """In the context, but the model did not decode it here."""
        if text := flat_text(message.content):
            self.builder.given("text", text)
        for call in message.tool_calls or ():
            written = f"{call.name or ''} {arguments_of(call.arguments)}"
            self.builder.given("request", written, call.name)

    def _forget_dropped(self, message: Message) -> None:
        """The oldest messages that were left out to fit the model's window."""
        cut = message.context_truncation
        dropped = min(whole(cut.messages_dropped) or 0, len(self._starts)) if cut else 0
        if dropped:
            ends = [*self._starts, len(self.builder.parts)]
            self.builder.retire(range(self._starts[0], ends[dropped]))

    def _take_turn(self, message: Message, before: float | None) -> None:
        builder, provider = self.builder, provider_of(message.raw_data)
        usage = usage_fields(message, provider.usage)
        builder.turn(
            provider.model or self.shared.model,
            **usage,
            **_generation_time(message, before, self._clock),
            finish=finish_of(provider),
            # A model without a known price is written down as 0.
            reported_usd=message.cost or None,
            response_id=provider.id,
        )
        tokens = usage.get("reasoning_tokens")
        thought = read_reasoning(message, provider)
        if thought or tokens:
            # The agent sends back content and calls only.
            size = tokens if isinstance(tokens, int) else None
            builder.reasoning(thought, resent=False, tokens=size)
        if text := flat_text(message.content):
            builder.text(text)
        for call in message.tool_calls or ():
            if call.requestor != "user":
                builder.call(call.name or "", arguments_of(call.arguments), call.id)

    def _take_result(self, message: Message, before: float | None) -> None:
        text = flat_text(message.content)
        # Stripped files have no flag; the environment begins every error with this word.
        failed = message.error or text.startswith("Error:")
        unknown = failed and text.startswith("Error: Tool '") and "not found" in text[:300]
        error = (first_line(text) or "error") if failed else None
        index = self.builder.result(text, message.id, error=error, executed=not unknown)
        if index is not None:
            self.builder.annotate(index, **_span("wait_seconds", before, self._clock))


def _generation_time(message: Message, before: float | None, after: float | None) -> dict[str, Any]:
    """Its own measure where there is one; else from the message before, as sides take turns."""
    measured = message.generation_time_seconds
    if measured is None or measured < 0:
        return _span("latency_seconds", before, after)
    started = after - measured if after is not None else None
    return {"latency_seconds": measured, "started_at": started, "ended_at": after}


def _span(name: str, before: float | None, after: float | None) -> dict[str, Any]:
    """A message is stamped when it is complete: the time since the one before is its own."""
    if before is None or after is None or after < before:
        return {"ended_at": after}
    return {name: after - before, "started_at": before, "ended_at": after}
