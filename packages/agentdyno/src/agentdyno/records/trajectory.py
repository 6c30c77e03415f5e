"""The values every other part of AgentDyno reads: one attempt at one task, as the model saw it.

A trajectory is a list of *parts* (texts that stood in the context), a list of *turns* (model
calls) and a list of *calls* (tool calls). A part knows the first turn that had it in context and
the first turn that no longer had it, so every turn's context can be rebuilt, also after a
compaction. Nothing here knows of files, prices or hardware.

What intake builds holds these three as `Rows`: columns underneath, values for whoever asks. A
trajectory made elsewhere may hold tuples.
"""

from collections.abc import Sequence
from typing import Literal, get_args

from msgspec import Struct

from agentdyno.records.tokens import TokenCount

PartKind = Literal["system", "schema", "user", "reasoning", "text", "request", "result", "unseen"]
"""`system` prompt · `schema` of an offered tool · `user` message · `reasoning` and `text` of the
assistant · `request` and `result` of a call · `unseen`: the provider counted it, no text of it."""

HarnessMessage = Literal["sibling_error", "rejected", "interrupted", "not_started", "cwd_reset"]
"""Answers of the agent's program in a tool's place: another call of the batch failed · the user
or a permission refused · stopped before it came back · its program did not start · only the note
that the shell is back in its folder."""

ContextEvent = Literal[
    "compacted", "cleared", "rewound", "restarted", "provider switched", "mode switched",
    "tools loaded",
]  # fmt: skip
"""Events between two turns: a summary in place of the conversation · old results taken out · a
prompt that goes back · the program started again or the session resumed · a router asked another
provider."""

PART_KINDS: tuple[PartKind, ...] = get_args(PartKind)


class Part(Struct, frozen=True, gc=False):
    """A text at one place in the context, over an unbroken interval of turns."""

    kind: PartKind
    """The kind of text."""
    text: str
    """The text itself, as the model saw it; empty when only its size is known."""
    name: str | None = None
    """The tool's name for a schema, a request, a result, or a text by which the model answered as
    by a call; None otherwise."""
    call: int | None = None
    """Index into `Trajectory.calls` for a request, a result, or what the client adds for a call (a
    skill's text); None otherwise."""
    made: int | None = None
    """The turn that decoded this part; None when it was given to the model."""
    enters: int | None = None
    """The first turn that has the part in its context; None when no turn ever has."""
    leaves: int | None = None
    """The first later turn that no longer has it; None when it stays to the end."""
    tokens: int | None = None
    """The part's own size where the provider reported it (reasoning, say); None otherwise."""
    line: int | None = None
    """The line of the file that it stands in; None where that is the trajectory's, or unknown."""


class Turn(Struct, frozen=True, gc=False):
    model: str | None = None
    """The model that answered, as the trace names it; None when the trace does not say."""
    prefill: TokenCount | None = None
    """All tokens of the context the call was sent, cached ones included."""
    cached_tokens: int | None = None
    """How many of the context's tokens the provider read from its cache."""
    cache_write_tokens: int | None = None
    """How many of the context's tokens the provider wrote to its cache and charged for that."""
    decode: TokenCount | None = None
    """All tokens generated in the call, reasoning included."""
    reasoning_tokens: int | None = None
    """How many of the decoded tokens were reasoning."""
    latency_seconds: float | None = None
    """Generation only, tool time excluded. None when the trace has no timings."""
    first_token_seconds: float | None = None
    """Time to the first token, where the call was streamed and the trace says so."""
    latency_valid: bool | None = None
    """False when the process that took the times was too busy for them to be the model's alone;
    None when the trace does not say."""
    started_at: float | None = None
    """When the call was sent, in seconds since 1970; None when unknown."""
    ended_at: float | None = None
    """When the answer was complete, in seconds since 1970; None when unknown."""
    finish: str | None = None
    """Why the model stopped, in the provider's word."""
    error: str | None = None
    """The error of the model call itself; None without one."""
    reported_usd: float | None = None
    """The call's cost in US dollars, as reported in the trace."""
    cache_write_hour_tokens: int | None = None
    """How many of the tokens written to the cache were to be kept for an hour; None when unsaid."""
    service_tier: str | None = None
    """The terms that the provider says it served the call at (`batch`, `priority`, `fast`), joined
    by `+` where they are several (`fast+us`)."""
    response_id: str | None = None
    """The provider's id of the response; None when the trace has none."""
    request_id: str | None = None
    """The provider's id of the request; None when the trace has none."""
    identity: str | None = None
    """Names the response wherever it is written: its ids, or a digest. Set by intake."""
    stands_for: str | None = None
    """The identity that a bare total of a response shares with the response, where a format has
    both (a sub-agent's last answer); `identity` is the same text for the bare total."""
    web_searches: int | None = None
    """Web searches that the provider ran for the model and charges for; None when unsaid."""
    line: int | None = None
    """The line of the file that it begins in; None where that is the trajectory's, or unknown."""
    thinking: bool | None = None
    """True when the request asked for thinking; None when the trace does not say."""
    client_version: str | None = None
    """The version of the agent's program that sent it; None when the trace does not say."""
    context_event: ContextEvent | None = None
    """A change of the context or the program since the turn before, by the trace."""
    cache_miss_reason: str | None = None
    """Why the cache was missed, in the provider's word; None when it says nothing."""


class ToolCall(Struct, frozen=True, gc=False):
    """One tool call: what was asked, and what came back."""

    turn: int
    """The turn that made the call."""
    call: int
    """Its place among the calls of that turn, from 0."""
    tool: str
    """The tool's name, as the model wrote it; empty when it wrote none."""
    arguments: str
    """The arguments as the model wrote them; JSON when it was asked for an object."""
    call_id: str | None = None
    """The provider's id of the call; None when missing or empty. Not always unique."""
    request: int | None = None
    """Index into `Trajectory.parts` of the request."""
    result: int | None = None
    """Index into `Trajectory.parts` of the result; None when none is recorded."""
    executed: bool = False
    """True when the tool ran: a result is recorded and it is not a refusal to run the call."""
    error: str | None = None
    """The error, in the words of the trace; None without a known one."""
    wait_seconds: float | None = None
    """How long the tool took; None when the trace has no timings."""
    started_at: float | None = None
    """When the tool was started, in seconds since 1970; None when unknown."""
    ended_at: float | None = None
    """When the tool was done, in seconds since 1970; None when unknown."""
    line: int | None = None
    """The line of the file that it stands in; None where that is the trajectory's, or unknown."""
    harness: HarnessMessage | None = None
    """The answer of the agent's program in the tool's place; None where the tool answered."""


class Trajectory(Struct, frozen=True, gc=False):
    """One attempt at one task."""

    trajectory_id: str
    """Unique within a ledger: the source's name, `#`, and the place in it."""
    source: str
    """The file it came from, relative to the path that was given."""
    format: str
    """The format it was read as."""
    parts: Sequence[Part]
    """Every text that stood in the context or was decoded, in order of appearance."""
    turns: Sequence[Turn]
    """The model calls, in order."""
    calls: Sequence[ToolCall]
    """The tool calls, in order."""
    model: str | None = None
    """The agent's model; None when the trace names none."""
    benchmark: str | None = None
    """The task set, where the trace says so."""
    variant: str | None = None
    """The tool suite, where several are compared."""
    harness: str | None = None
    """The program that ran the agent, where the trace names one apart from the format."""
    task_id: str | None = None
    """The task, so that attempts at the same one can be paired."""
    attempt: int | None = None
    """Number of the attempt at the task (trial, epoch), where the trace counts them."""
    correct: bool | None = None
    """True when the task was solved; None when the trace does not say or gives part marks."""
    score: float | None = None
    """The mark as the trace gives it, usually between 0 and 1."""
    graded_by: str | None = None
    """How the mark was decided, in the scorer's words, where the trace holds them."""
    level: str | None = None
    """How hard the task is, where the benchmark grades that."""
    expected: str | None = None
    """The answer the task asks for, where the trace holds it."""
    parent_id: str | None = None
    """The trajectory that started this one as a sub-agent; None for a main one."""
    parent_call_id: str | None = None
    """The provider's id of the call that started this one as a sub-agent."""
    session_id: str | None = None
    """The session, conversation or sample that it is, in the words of the trace."""
    agent_id: str | None = None
    """The sub-agent's own id within its session; None for a main one."""
    reported_calls: int | None = None
    """Tool calls that it made by the account of whoever started it; None where nobody says."""
    title: str | None = None
    """The session's own title, or how the first prompt of a user begins."""
    project: str | None = None
    """The folder that the agent worked in; None where the trace does not say."""
    branch: str | None = None
    """The version control branch that it began on; None where the trace does not say."""
    begins_midway: bool = False
    """True when the trace says that conversation went before what it shows."""
    line: int | None = None
    """The line of the file that it begins in; None where the file is not read by line."""
    retries: int = 0
    """Model calls that failed without an answer and so are no turns."""
    stated: str | None = None
    """Fields that whoever measured the trace stated, because it does not say them, by name."""
