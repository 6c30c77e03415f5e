"""The shapes of ATIF on disk, as loose as real files are.

Token ids and log probabilities are not read: they are large and we do not need them.
"""

from typing import Any

import msgspec
from msgspec import Raw, Struct

Number = int | float


class Agent(Struct, gc=False):
    name: str | None = None
    model_name: str | None = None
    tool_definitions: Any = None
    extra: Any = None


class Call(Struct, gc=False):
    """A tool call; `arguments` is an object."""

    tool_call_id: str | None = None
    function_name: str | None = None
    arguments: Any = None
    extra: Any = None


class Reference(Struct, gc=False):
    """Names the trajectory of a sub-agent, in this file or in another."""

    trajectory_id: str | None = None
    trajectory_path: str | None = None
    session_id: str | None = None


class Result(Struct, gc=False):
    """A tool's result; `source_call_id` is often missing."""

    source_call_id: str | None = None
    content: str | list[Any] | dict[str, Any] | None = None
    subagent_trajectory_ref: list[Reference] | Reference | None = None
    extra: Any = None


class Observation(Struct, gc=False):
    results: list[Result] = []


class Metrics(Struct, gc=False):
    """Token counts of a step; cached tokens are inside `prompt_tokens`."""

    prompt_tokens: Number | None = None
    completion_tokens: Number | None = None
    cached_tokens: Number | None = None
    cost_usd: float | None = None
    extra: Any = None


class Step(Struct, gc=False):
    """One step of any source."""

    source: str
    message: str | list[Any] | dict[str, Any] | None = None
    model_name: str | None = None
    reasoning_content: str | None = None
    tool_calls: list[Call] | None = None
    observation: Observation | None = None
    metrics: Metrics | None = None
    is_copied_context: bool | None = None
    llm_call_count: int | None = None
    extra: Any = None


class Document(Struct, gc=False):
    """A trajectory that stands inside another file: embedded, on a line, in a list."""

    steps: list[Raw]
    agent: Raw = Raw(b"{}")
    session_id: str | None = None
    trajectory_id: str | None = None
    continued_trajectory_ref: Any = None
    subagent_trajectories: list[Raw] | None = None


class VerifierResult(Struct, gc=False):
    """The marks of a trial."""

    rewards: dict[str, Any] | None = None


class ModelInfo(Struct, gc=False):
    """The model a trial was run with."""

    name: str | None = None


class AgentInfo(Struct, gc=False):
    """The agent a trial was run with."""

    model_info: ModelInfo | None = None


class TrialResult(Struct, gc=False):
    """Harbor's `result.json` of one trial."""

    verifier_result: VerifierResult | None
    task_name: str | None = None
    source: str | None = None
    agent_info: AgentInfo | None = None


AGENT = msgspec.json.Decoder(Agent)
STEP = msgspec.json.Decoder(Step)
DOCUMENT = msgspec.json.Decoder(Document)
TRIAL_RESULT = msgspec.json.Decoder(TrialResult)
REWARDS = msgspec.json.Decoder(dict[str, Any])
