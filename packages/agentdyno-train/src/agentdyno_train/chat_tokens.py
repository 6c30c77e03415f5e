"""A conversation in tokens: what the model reads before each of its turns, and what it writes.

Takes a tokenizer and messages, returns all ids and where the assistant's turns stand in them. Every
message is read once, behind the end token of the one before, as an attempt in the live world reads
it; so what is learnt from plans is token for token what attempts are made of.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from agentdyno.records import InputError
from agentdyno_depth.engines.chat import ChatMessage, answer_ids, chat_ids, continuation_ids


class AssistantTurn(Struct, frozen=True):
    message: int
    """Position of the turn among the messages."""
    start: int
    """Tokens before it: its context."""
    end: int
    """Tokens up to its end token, which is the last of them."""


class TokenizedChat(Struct, frozen=True):
    """A conversation in token ids."""

    ids: list[int]
    """Everything up to the last turn's end token."""
    turns: list[AssistantTurn]
    """The assistant's turns, in order."""


def tokenize_chat(tokenizer: Any, messages: Sequence[ChatMessage]) -> TokenizedChat:
    """A conversation that ends with a turn of the assistant."""
    places = [index for index, message in enumerate(messages) if message.role == "assistant"]
    ids: list[int] = []
    turns = list[AssistantTurn]()
    before = 0
    for index in places:
        between = messages[before:index]
        ids += continuation_ids(tokenizer, between) if turns else chat_ids(tokenizer, between)
        answer = _tokenize_answer(tokenizer, messages[index])
        turns.append(AssistantTurn(index, len(ids), len(ids) + len(answer)))
        ids += answer
        before = index + 1
    return TokenizedChat(ids, turns)


def _tokenize_answer(tokenizer: Any, message: ChatMessage) -> tuple[int, ...]:
    answer = answer_ids(tokenizer, [ChatMessage("user", "a")], message)
    if answer is None:
        raise InputError(
            "expected a chat template that writes answers behind its own prompt, found one that "
            "does not: such a model cannot be trained on conversations."
        )
    return answer
