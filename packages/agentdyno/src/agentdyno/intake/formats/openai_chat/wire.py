"""The shapes of OpenAI chat completions on disk, as loose as real files are."""

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Raw, Struct

from agentdyno.intake.chats import CallFacts, ChatFacts, ChatMessage

Tokens = Annotated[int, Meta(ge=0, lt=2**53)]
"""A count that can be one."""


class Details(Struct, gc=False):
    """Finer counts inside usage."""

    cached_tokens: Tokens | None = None
    cache_creation_tokens: Tokens | None = None
    reasoning_tokens: Tokens | None = None


class Usage(Struct, gc=False):
    """Token counts of one model call; cached tokens are inside `prompt_tokens`."""

    prompt_tokens: Tokens | None = None
    completion_tokens: Tokens | None = None
    total_tokens: Any = None
    """Of any type: nothing depends on it but what it has beyond the two others."""
    prompt_tokens_details: Details | None = None
    completion_tokens_details: Details | None = None
    prompt_cache_hit_tokens: Tokens | None = None
    cache_read_input_tokens: Tokens | None = None
    cache_creation_input_tokens: Tokens | None = None
    cost: float | None = None
    total_time: float | None = None


class Message(ChatMessage, gc=False):
    """One message of any role, with the counts that some write beside it."""

    reasoning: Any = None
    refusal: str | None = None
    usage: Usage | None = None


class Chat(ChatFacts, gc=False):
    """A list of messages with what stands around it."""

    messages: list[Message]
    tools: Raw = Raw(b"null")
    functions: Raw = Raw(b"null")
    usage: Usage | None = None


class Request(Struct, gc=False):
    """The body that was sent; messages stay raw until it is known which of them are new."""

    messages: list[Raw]
    model: str | None = None
    tools: Raw = Raw(b"null")
    functions: Raw = Raw(b"null")


class Choice(Struct, gc=False):
    """One answer; only the first is the agent's."""

    message: Message | None = None
    finish_reason: str | None = None


class Failure(Struct, gc=False):
    """An error body; Groq adds what the model had generated."""

    message: str | None = None
    code: str | int | None = None
    failed_generation: str | None = None


class FailedCall(Struct, gc=False):
    """A call that the provider refused to hand out, as the model wrote it."""

    name: str
    arguments: Raw = Raw(b'""')


class Response(Struct, gc=False):
    choices: list[Choice] | None = None
    usage: Usage | None = None
    model: str | None = None
    id: str | None = None
    service_tier: str | None = None
    created: float | None = None
    error: Failure | str | None = None
    body: "Response | None" = None
    """Some loggers put the response's body beside its status."""


class LoggedCall(CallFacts, gc=False):
    """One request with its response, as loggers write them."""

    request: Request | None = None
    response: Response | None = None
    body: Request | None = None
    status: int | None = None
    messages: list[Raw] | None = None
    """Of a request whose fields stand beside the response."""
    model: str | None = None
    tools: Raw = Raw(b"null")
    start_time: Any = None
    end_time: Any = None


CHAT = msgspec.json.Decoder(Chat)
MESSAGES = msgspec.json.Decoder(list[Message])
MESSAGE = msgspec.json.Decoder(Message)
FAILED_CALL = msgspec.json.Decoder(FailedCall)
LOGGED = msgspec.json.Decoder(LoggedCall)
