"""Following a conversation through requests that repeat it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.conversation import Conversation
from tests.intake.formats.conformance import context as texts_before


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


def test_only_what_is_new_is_added() -> None:
    talk: Conversation[str] = Conversation()
    sent(talk, "s", "u")
    answered(talk, "one")
    sent(talk, "s", "u", "a:one", "v")
    assert [part.text for part in talk.builder.parts] == ["s", "u", "one", "v"]
    assert (context(talk, 0), context(talk, 1)) == (["s", "u"], ["s", "u", "one", "v"])


def test_the_answer_is_known_by_its_place_however_it_is_written() -> None:
    talk: Conversation[str] = Conversation()
    sent(talk, "u")
    answered(talk, "one")
    sent(talk, "u", "a:ONE, spelt otherwise", "v")
    answered(talk, "two")
    sent(talk, "u", "a:ONE, spelt otherwise", "v", "a:two", "w")
    assert context(talk, 2) == ["u", "one", "v", "two", "w"]


def test_what_is_gone_from_the_request_leaves_the_context() -> None:
    talk: Conversation[str] = Conversation()
    sent(talk, "s", "u")
    answered(talk, "one")
    sent(talk, "s", "summary")
    assert (context(talk, 0), context(talk, 1)) == (["s", "u"], ["s", "summary"])
    assert talk.length == 2


def test_a_shorter_request_that_is_a_beginning_keeps_just_that() -> None:
    talk: Conversation[str] = Conversation()
    sent(talk, "s", "u", "v")
    sent(talk, "s", "u")
    assert context(talk, 1) == ["s", "u"]


def test_behind_an_edit_everything_is_sent_anew() -> None:
    talk: Conversation[str] = Conversation()
    sent(talk, "9:00", "u")
    answered(talk, "one")
    sent(talk, "9:01", "u", "a:one", "v")
    first = [(part.text, part.enters, part.leaves) for part in talk.builder.parts[:3]]
    assert first == [("9:00", 0, 1), ("u", 0, 1), ("one", None, None)]
    assert context(talk, 1) == ["9:01", "u", "a:one", "v"]


def test_with_recall_messages_behind_an_edit_are_what_they_were() -> None:
    talk: Conversation[str] = Conversation(recall=True)
    sent(talk, "9:00", "u")
    answered(talk, "one", "x")
    sent(talk, "9:01", "u", "a:one", "r:x=42")
    answered(talk, "two")
    sent(talk, "9:02", "u", "a:one", "r:x=42", "a:two")
    assert context(talk, 2) == ["9:02", "u", "one", "f {}", "42", "two"]
    last = [part for part in talk.builder.parts if part.enters == 2]
    assert [(part.kind, part.call) for part in last] == [
        ("user", None), ("user", None), ("text", None), ("request", 0), ("result", 0),
        ("text", None),
    ]  # fmt: skip
    [call] = talk.builder.build("f#1", "f", "test").calls
    assert (call.executed, talk.builder.parts[call.result or 0].enters) == (True, 1)


def test_with_recall_reasoning_that_was_not_sent_back_stays_away() -> None:
    talk: Conversation[str] = Conversation(recall=True)
    sent(talk, "9:00", "u")
    before = len(talk.builder.parts)
    talk.builder.reasoning("hm", resent=False)
    talk.builder.text("one")
    talk.answered(before)
    sent(talk, "9:01", "u", "a:one")
    assert context(talk, 1) == ["9:01", "u", "one"]


def test_with_recall_another_conversations_example_is_not_the_answer() -> None:
    talk: Conversation[str] = Conversation(recall=True)
    sent(talk, "s", "u")
    answered(talk, "one")
    sent(talk, "other", "question", "a:example")
    assert context(talk, 1) == ["other", "question", "a:example"]


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
