"""Puts the records of a session together: each message in its fullest version, and what happened
to the context in which order.

A message may be written several times while its counts and results become known. A rewind removes
the messages from one on; a checkpoint lists all messages that stand in the context from then on,
after a compression or where large results were masked.
"""

from typing import Any

from msgspec import Struct, structs

from agentdyno_daily.formats.gemini_cli.wire import Message
from agentdyno_daily.intake.gemini_parts import iterate_responses, visible_text


class Add(Struct, frozen=True):
    """A message enters the conversation."""

    id: str


class Rewind(Struct, frozen=True):
    """The messages from this one on are taken back."""

    id: str


class Seen(Struct, frozen=True):
    """A message as a checkpoint shows it."""

    id: str
    type: str | None
    text: str
    results: dict[str, str]
    """Texts of results by call."""


class Checkpoint(Struct, frozen=True):
    """These messages are the context from here on."""

    messages: list[Seen]


class Conversation:
    """The records of a session so far."""

    def __init__(self) -> None:
        self.session_id: str | None = None
        self.is_agent = False
        self.summary: str | None = None
        self.messages: dict[str, Message] = {}
        self.lines: dict[str, int | None] = {}
        self.steps: list[Add | Rewind | Checkpoint] = []

    def add(self, message: Message, number: int | None = None) -> None:
        """A message, or a newer version of one."""
        key = message.id or f"#{len(self.messages)}"
        earlier = self.messages.get(key)
        if earlier is None:
            self.lines[key] = number
            self.steps.append(Add(key))
        elif message.tokens is None:
            message = structs.replace(message, tokens=earlier.tokens)
        self.messages[key] = message

    def rewind(self, message_id: str) -> None:
        """Messages are taken back; they were paid for all the same."""
        self.steps.append(Rewind(message_id))

    def replace(self, messages: list[Message], number: int | None) -> None:
        """A checkpoint; messages with counts that no line had are new responses."""
        for message in messages:
            earlier = self.messages.get(message.id or "")
            if earlier is not None and earlier.tokens is None and message.tokens is not None:
                self.messages[message.id or ""] = structs.replace(earlier, tokens=message.tokens)
            elif earlier is None and message.tokens is not None:
                self.add(message, number)
        self.steps.append(Checkpoint([_see(listed) for listed in messages if listed.id]))


def _see(message: Message) -> Seen:
    results = {
        call.id: text for call in message.toolCalls or () if call.id and (text := result_text(call))
    }
    return Seen(message.id or "", message.type, visible_text(message.content), results)


def result_text(call: Any) -> str:
    """The text of a call's result that the model saw."""
    responses = list(iterate_responses(call.result))
    texts = [response.text for response in responses if response.id in (None, call.id)]
    return "\n".join(texts) or visible_text(call.result)
