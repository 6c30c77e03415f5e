"""A conversation in tokens: what the model reads before each of its turns, and what it says there.

Takes a tokenizer and messages, returns all ids and where the assistant's turns stand in them. Every
message is read once, behind the end token of the one before, as an attempt in the live world reads
it; so what is learnt from plans is token for token what attempts are made of.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from agentdyno.records import InputError
from agentdyno_depth.engines.chat import ChatMessage, answer_ids, chat_ids, following_ids


class SaidTurn(Struct, frozen=True):
    """One turn of the assistant."""

    message: int
    """Its place among the messages."""
    start: int
    """Tokens before it: its context."""
    end: int
    """Tokens up to its end token, which is the last of them."""


class InTokens(Struct, frozen=True):
    """A conversation."""

    ids: list[int]
    """Everything up to the last turn's end token."""
    turns: list[SaidTurn]
    """The assistant's turns, in order."""


def in_tokens(tokenizer: Any, messages: Sequence[ChatMessage]) -> InTokens:
    """A conversation that ends with a turn of the assistant."""
    places = [place for place, message in enumerate(messages) if message.role == "assistant"]
    ids: list[int] = []
    turns = list[SaidTurn]()
    before = 0
    for place in places:
        between = messages[before:place]
        ids += following_ids(tokenizer, between) if turns else chat_ids(tokenizer, between)
        said = _said(tokenizer, messages[place])
        turns.append(SaidTurn(place, len(ids), len(ids) + len(said)))
        ids += said
        before = place + 1
    return InTokens(ids, turns)


def _said(tokenizer: Any, message: ChatMessage) -> tuple[int, ...]:
    said = answer_ids(tokenizer, [ChatMessage("user", "a")], message)
    if said is None:
        raise InputError(
            "expected a chat template that writes answers behind its own prompt, found one that "
            "does not: such a model cannot be trained on conversations."
        )
    return said
