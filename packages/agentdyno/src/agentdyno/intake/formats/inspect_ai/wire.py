"""The shapes of Inspect AI logs on disk, from the first versions to today's.

Only what is measured is declared; msgspec skips the rest without building it. What has another
type in another kind of event, or is needed rarely, stays raw bytes until it is needed.
"""

from typing import Any

import msgspec
from msgspec import Raw, Struct

NULL = Raw(b"null")
NO_LIST = Raw(b"[]")


class Suite(Struct, gc=False):
    """Arguments or metadata of a task; only the tool suite's name, the tool by which agents answer
    and our own are of interest."""

    variant: Any = None
    agentdyno: Any = None
    answer_tool: Any = None


class Spec(Struct, gc=False):
    task: Any = None
    model: Any = None
    task_args: Suite | None = None
    metadata: Suite | None = None


class Header(Struct, gc=False):
    """`header.json`, or `_journal/start.json` of a log that was never finished."""

    eval: Spec


class Event(Struct, gc=False):
    """One event of any kind; only calls to models and tools and their nesting are used."""

    event: str = ""
    span_id: str | None = None
    id: str | int | None = None
    parent_id: str | None = None
    type: Any = None
    action: Any = None
    timestamp: Any = None
    completed: Any = None
    working_time: Any = None
    pending: Any = None
    model: Any = None
    role: Any = None
    input: Raw = NULL
    input_refs: list[tuple[int, int]] | None = None
    tools: Raw = NULL
    tool_choice: Raw = NULL
    output: Raw = NULL
    call: Raw = NULL
    retries: Any = None
    cache: Any = None
    function: Any = None
    result: Raw = NULL
    error: Raw = NULL
    events: Raw = NULL
    agent_span_id: Any = None


class Score(Struct, gc=False):
    """A scorer's mark: a letter, a number, or several of them."""

    value: Any = None
    metadata: Raw = NULL


class Remarks(Struct, gc=False):
    """A scorer's metadata: whether it calls a part mark a solution, and how it decided."""

    solved: Any = None
    graded_by: Any = None


class Metadata(Struct, gc=False):
    """The sample's metadata; only the task's difficulty is of interest."""

    level: Any = None
    difficulty: Any = None


class Pools(Struct, gc=False):
    """Messages that events refer to by position; the provider's own copies are left alone."""

    messages: list[Raw] = []


class Transcript(Struct, gc=False):
    """Events as the first versions kept them, with their long texts beside them."""

    events: list[Event] = []
    content: dict[str, Raw] = {}


class SampleError(Struct, gc=False):
    message: Any = None


class Sample(Struct, gc=False):
    id: str | int | float | None = None
    uuid: Any = None
    epoch: Any = None
    target: Any = None
    messages: Raw = NO_LIST
    output: Raw = NULL
    scores: dict[str, Score] | None = None
    score: Score | None = None
    metadata: Metadata | None = None
    events: list[Event] | None = None
    transcript: Transcript | None = None
    attachments: dict[str, Raw] | None = None
    message_pool: list[Raw] | None = None
    events_data: Pools | None = None
    message_refs: list[tuple[int, int]] | None = None
    error: SampleError | str | None = None


class Block(Struct, gc=False):
    """A piece of a message's content: text, reasoning, a server's own tool use, or media."""

    type: Any = None
    text: Any = None
    reasoning: Any = None
    summary: Any = None
    redacted: Any = None
    id: Any = None
    name: Any = None
    arguments: Any = None
    result: Any = None
    error: Any = None


class Call(Struct, gc=False):
    """A tool call, its arguments already parsed by Inspect."""

    id: str | None = None
    function: str | None = None
    arguments: Raw = NULL
    parse_error: str | None = None


class ToolError(Struct, gc=False):
    type: Any = None
    message: Any = None


class Message(Struct, gc=False):
    role: str
    content: str | list[Block | str] | None = None
    tool_calls: list[Call] | None = None
    tool_call_id: str | None = None
    function: str | None = None
    error: ToolError | str | None = None
    reasoning: Any = None
    source: Any = None


class Usage(Struct, gc=False):
    """Token counts of one model call; whether `input_tokens` holds cached ones changed in time."""

    input_tokens: Any = None
    output_tokens: Any = None
    total_tokens: Any = None
    input_tokens_cache_read: Any = None
    input_tokens_cache_write: Any = None
    reasoning_tokens: Any = None
    total_cost: Any = None


class Choice(Struct, gc=False):
    """One answer; only the first is the agent's."""

    message: Raw = NULL
    stop_reason: Any = None


class Output(Struct, gc=False):
    choices: list[Choice] | None = None
    usage: Usage | None = None
    time: Any = None
    error: Any = None
    metadata: Raw = NULL


class OwnNotes(Struct, gc=False):
    """Notes of AgentDyno's own runner beside an answer."""

    first_token_seconds: Any = None
    latency_valid: Any = None
    tools_kept: Any = None


class OutputMetadata(Struct, gc=False):
    """An answer's metadata; only our own notes are of interest."""

    agentdyno: OwnNotes | None = None


class WireFunction(Struct, gc=False):
    """A function call as a provider wrote it."""

    arguments: Any = None


class WireItem(Struct, gc=False):
    """A call in a provider's answer: of chat completions, or an output item of responses."""

    id: Any = None
    call_id: Any = None
    function: WireFunction | None = None
    arguments: Any = None


class WireMessage(Struct, gc=False):
    tool_calls: list[WireItem] | None = None


class WireChoice(Struct, gc=False):
    message: WireMessage | None = None


class WireResponse(Struct, gc=False):
    """A provider's answer, for the arguments before Inspect parsed or repaired them."""

    choices: list[WireChoice] | None = None
    output: list[WireItem] | None = None


class WireCall(Struct, gc=False):
    """The raw exchange with a provider; the request is skipped."""

    response: WireResponse | None = None


HEADER = msgspec.json.Decoder(Header)
SPEC = msgspec.json.Decoder(Spec)
SAMPLE = msgspec.json.Decoder(Sample)
METADATA = msgspec.json.Decoder(Metadata)
REMARKS = msgspec.json.Decoder(Remarks)
EVENTS = msgspec.json.Decoder(list[Event] | None)
RAWS = msgspec.json.Decoder(list[Raw] | None)
MESSAGE = msgspec.json.Decoder(Message)
OUTPUT = msgspec.json.Decoder(Output | None)
OUTPUT_METADATA = msgspec.json.Decoder(OutputMetadata)
TOOL_ERROR = msgspec.json.Decoder(ToolError | str | None)
WIRE_CALL = msgspec.json.Decoder(WireCall | None)
ANYTHING = msgspec.json.Decoder()
