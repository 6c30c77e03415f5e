"""Many games at once on a tiny model."""

import pytest

from agentdyno_depth.engines.chat import ChatMessage, chat_ids
from agentdyno_train.models.recorded import chat_key
from agentdyno_train.rollouts.batch_decoder import BatchDecoder, Slot
from agentdyno_train.rollouts.episodes import Outcome
from tests.tiny import writing_model


class Talk:
    """A game of a few turns that answers every turn with the same words."""

    bench = level = "talk"

    def __init__(self, said: str, turns: int = 2) -> None:
        self.task_id, self._left = said, turns
        self.messages = [ChatMessage("user", said)]
        self.heard: list[str] = []

    def take(self, text: str, ended: bool) -> list[ChatMessage]:
        self.heard.append(text)
        self.messages.append(ChatMessage("assistant", text))
        self._left -= 1
        new = [ChatMessage("user", "go on")] if self._left else []
        self.messages += new
        return new

    def outcome(self) -> Outcome:
        return Outcome()


def table(seats: int, window: int = 400) -> BatchDecoder:
    opened = writing_model()
    return BatchDecoder(opened.model, opened.tokenizer, seats, window, 12)


def said(seats: list[Slot]) -> list[list[list[int]]]:
    return [[turn.ids for turn in slot.turns] for slot in seats]


def test_games_go_as_if_each_were_alone() -> None:
    words = ["hello", "what is there to do", "x"]
    together = table(4).run(
        [Talk(word, turns) for word, turns in zip(words, (2, 3, 1), strict=True)]
    )
    alone = [
        table(1).run([Talk(word, turns)])[0] for word, turns in zip(words, (2, 3, 1), strict=True)
    ]
    assert said(together) == said(alone)
    assert [len(slot.turns) for slot in together] == [2, 3, 1]
    assert all(turn.seconds is not None for turn in alone[0].turns)
    assert all(turn.seconds is None for turn in together[0].turns)


def test_every_turn_knows_the_chat_and_the_place_that_it_answers() -> None:
    slot = table(2).run([Talk("hello", 2)])[0]
    tokenizer = writing_model().tokenizer
    first = [ChatMessage("user", "hello")]
    assert slot.turns[0].key == chat_key(first)
    second = [*first, ChatMessage("assistant", slot.turns[0].text), ChatMessage("user", "go on")]
    assert slot.turns[1].key == chat_key(second)
    assert slot.starts[0] == len(chat_ids(tokenizer, first))
    for turn, start in zip(slot.turns, slot.starts, strict=True):
        assert slot.context[start : start + len(turn.ids)] == turn.ids


def test_a_game_ends_where_the_window_does() -> None:
    long = table(2, window=60).run([Talk("a" * 200), Talk("b" * 30, 9)])
    assert long[0].turns == []
    assert len(long[1].context) <= 60
    assert 1 <= len(long[1].turns) < 9


def test_more_games_than_seats_are_refused() -> None:
    with pytest.raises(ValueError, match="1 episodes at most"):
        table(1).run([Talk("a"), Talk("b")])
