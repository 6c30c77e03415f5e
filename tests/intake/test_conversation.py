"""Following a conversation through requests that repeat it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.conversation import Conversation
from tests.intake.formats.conformance import context as texts_before
from tests.labelled import from_set
from tests.rows import differences


def add(builder: TrajectoryBuilder, message: str) -> None:
    """`r:x=42` is a result for call x, anything else is said by the user."""
    if message.startswith("r:"):
        call_id, text = message[2:].split("=")
        builder.result(text, call_id)
    else:
        builder.user(message)


def sent(talk: Conversation[str], *messages: str) -> None:
    """Messages that begin with `a:` are the assistant's."""
    talk.align(messages, str.encode, lambda m: m.startswith("a:"), add)
    talk.builder.turn()


def answered(talk: Conversation[str], text: str, call_id: str | None = None) -> None:
    before = len(talk.builder.parts)
    talk.builder.text(text)
    if call_id:
        talk.builder.call("f", "{}", call_id)
    talk.answered(before)


def context(talk: Conversation[str], turn: int) -> list[str]:
    return texts_before(talk.builder.build("f#1", "f", "test"), turn)


@from_set("intake/conversation", "why", "recall", "steps", "expected")
def test_a_conversation_is_followed(
    why: str, recall: bool, steps: list[list[str]], expected: dict[str, Any]
) -> None:
    talk: Conversation[str] = Conversation(recall)
    for step, *words in steps:
        {"sent": sent, "answered": answered}[step](talk, *words)
    found = {"run": talk.builder.build("f#1", "f", "test"), "length": talk.length}
    assert differences(found, expected) == {}, why


def test_with_recall_reasoning_that_was_not_sent_back_stays_away() -> None:
    talk: Conversation[str] = Conversation(recall=True)
    sent(talk, "9:00", "u")
    before = len(talk.builder.parts)
    talk.builder.reasoning("hm", resent=False)
    talk.builder.text("one")
    talk.answered(before)
    sent(talk, "9:01", "u", "a:one")
    assert context(talk, 1) == ["9:01", "u", "one"]


def test_parts_decoded_later_belong_to_the_answer_too() -> None:
    talk: Conversation[str] = Conversation()
    sent(talk, "u")
    answered(talk, "one")
    before = len(talk.builder.parts)
    talk.builder.call("f", "{}")
    talk.answered_also(before)
    sent(talk, "u", "a:one")
    sent(talk, "summary")
    assert (context(talk, 1), context(talk, 2)) == (["u", "one", "f {}"], ["summary"])


def test_a_message_that_cannot_be_read_leaves_the_rest_in_order() -> None:
    talk: Conversation[str] = Conversation()

    def fail(builder: TrajectoryBuilder, message: str) -> None:
        builder.user(message)
        raise ValueError(message)

    with pytest.raises(ValueError, match="bad"):
        talk.align(["bad"], str.encode, lambda m: False, fail)
    sent(talk, "good")
    assert context(talk, 0) == ["good"]


@given(st.lists(st.lists(st.sampled_from("abcd"), max_size=5), min_size=1, max_size=6))
@pytest.mark.parametrize("recall", [False, True])
def test_every_turn_has_just_what_its_request_held(recall: bool, requests: list[list[str]]) -> None:
    talk: Conversation[str] = Conversation(recall)
    for request in requests:
        sent(talk, *request)
    for turn, request in enumerate(requests):
        assert sorted(context(talk, turn)) == sorted(request)
