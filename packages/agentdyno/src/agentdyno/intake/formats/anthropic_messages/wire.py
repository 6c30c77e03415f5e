"""The shapes of the Anthropic Messages API on disk, as loose as real files are."""

from typing import Any

import msgspec
from msgspec import Raw, Struct

from agentdyno.intake.anthropic import Content, Usage
from agentdyno.intake.chats import CallFacts, ChatFacts


class Message(Struct, gc=False):
    """One message; an answer kept as the API gave it also has model, usage and stop reason."""

    role: str
    content: Content = None
    model: str | None = None
    usage: Usage | None = None
    stop_reason: str | None = None
    id: str | None = None


class Chat(ChatFacts, gc=False):
    """A list of messages with what stands around it."""

    messages: list[Message]
    system: Content = None
    tools: Raw = Raw(b"null")
    usage: Usage | None = None


class Request(Struct, gc=False):
    """The body that was sent; messages stay raw until it is known which of them are new."""

    messages: list[Raw]
    model: str | None = None
    system: Raw = Raw(b"null")
    tools: Raw = Raw(b"null")


class Response(Struct, gc=False):
    """The body that came back: a message, or an error."""

    content: Content = None
    model: str | None = None
    usage: Usage | None = None
    stop_reason: str | None = None
    id: str | None = None
    error: Any = None


class LoggedCall(CallFacts, gc=False):
    """One request with its response, as loggers write them."""

    request: Request | None = None
    body: Request | None = None
    response: Response | None = None


CHAT = msgspec.json.Decoder(Chat)
MESSAGES = msgspec.json.Decoder(list[Message])
MESSAGE = msgspec.json.Decoder(Message)
LOGGED = msgspec.json.Decoder(LoggedCall)
CONTENT: "msgspec.json.Decoder[Content]" = msgspec.json.Decoder(Content)
