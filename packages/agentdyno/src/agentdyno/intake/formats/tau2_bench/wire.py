"""The shapes of tau2-bench results on disk, as loose as real files are.

`raw_data` is whatever the provider answered, so it is decoded apart: what does not fit there
costs the finer counts, not the simulation.
"""

from typing import Any

import msgspec
from msgspec import Raw, Struct

NULL = Raw(b"null")


class AgentInfo(Struct, gc=False):
    llm: str | None = None


class EnvironmentInfo(Struct, gc=False):
    """The agent's environment; `tool_defs` is null in most published files."""

    domain_name: str | None = None
    policy: str | None = None
    tool_defs: Any = None


class Info(Struct, gc=False):
    """Facts that all simulations of a document share."""

    agent_info: AgentInfo | None = None
    environment_info: EnvironmentInfo | None = None


class Criteria(Struct, gc=False):
    communicate_info: Any = None


class InitialState(Struct, gc=False):
    """The start of a task: some begin in the middle of a conversation."""

    message_history: list[Raw] | None = None


class Task(Struct, gc=False):
    id: str | int | None = None
    evaluation_criteria: Criteria | None = None
    initial_state: InitialState | None = None


class Call(Struct, gc=False):
    """A tool call; `requestor` says whose."""

    id: str | None = None
    name: str | None = None
    arguments: Any = None
    requestor: str | None = None


class Usage(Struct, gc=False):
    """Token counts of one model call."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class Truncation(Struct, gc=False):
    """Set when the oldest messages were left out of what the model was sent."""

    messages_dropped: int | None = None


class Message(Struct, gc=False):
    """One message of any role; for a tool's, `id` is the call's."""

    role: str
    content: str | list[Any] | dict[str, Any] | None = None
    tool_calls: list[Call] | None = None
    id: str | None = None
    requestor: str | None = None
    error: bool | None = None
    timestamp: str | float | None = None
    cost: float | None = None
    usage: Usage | None = None
    raw_data: Raw = NULL
    reasoning: Any = None
    generation_time_seconds: float | None = None
    context_truncation: Truncation | None = None
    tool_messages: list["Message"] | None = None


class RewardInfo(Struct, gc=False):
    reward: bool | float | None = None


class Simulation(Struct, gc=False):
    """One attempt at one task; stripped files keep only id, reward_info and messages."""

    id: str | int | None = None
    task_id: str | int | None = None
    trial: int | None = None
    termination_reason: str | None = None
    reward_info: RewardInfo | None = None
    messages: list[Message] | None = None
    ticks: list[Raw] | None = None


class Details(Struct, gc=False):
    """Finer counts inside a provider's usage."""

    cached_tokens: int | None = None
    reasoning_tokens: int | None = None
    thinking_tokens: int | None = None


class ProviderUsage(Struct, gc=False):
    """Usage in OpenAI's shape (chat or Responses) or in Anthropic's."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    prompt_tokens_details: Details | None = None
    completion_tokens_details: Details | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    input_tokens_details: Details | None = None
    output_tokens_details: Details | None = None
    cache_read_input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None


class ProviderMessage(Struct, gc=False):
    """The message inside a choice, for its reasoning."""

    reasoning_content: str | None = None
    thinking_blocks: Any = None


class Choice(Struct, gc=False):
    """One answer of a chat completion."""

    message: ProviderMessage | None = None
    finish_reason: str | None = None


class Provider(Choice, gc=False):
    """`raw_data`: a whole response, or only its choice (then `message` is at the top)."""

    id: str | None = None
    thinking_blocks: Any = None
    model: str | None = None
    usage: ProviderUsage | None = None
    choices: list[Choice] | None = None
    stop_reason: str | None = None
    content: Any = None


class SimulationId(Struct, gc=False):
    """A simulation when only its id is wanted."""

    id: str | int | None = None


INFO = msgspec.json.Decoder(Info)
TASKS = msgspec.json.Decoder(list[Task])
SIMULATION = msgspec.json.Decoder(Simulation)
SIMULATION_ID = msgspec.json.Decoder(SimulationId)
PROVIDER = msgspec.json.Decoder(Provider)
