"""Options beside plays that are there; depths and the decoder of plays."""

from pathlib import Path
from typing import Any

import pytest

from agentdyno.records import InputError
from agentdyno_depth.engines.chat import ChatMessage, chat_ids
from agentdyno_depth.probes.profiles import label_sequences
from agentdyno_depth.records.depth import PAPER
from agentdyno_depth.records.sequences import TokenSequence
from agentdyno_train.models.recorded import RecordedTurn, chat_key
from agentdyno_train.rollouts.batch_decoder import BatchDecoder, Slot
from agentdyno_train.rollouts.depths import measure_turn_depths, token_kinds
from agentdyno_train.rollouts.episodes import Outcome
from agentdyno_train.rollouts.journal import Journal, RolloutOptions, RolloutRecord
from agentdyno_train.rollouts.selection import select_recorded
from tests.labelled import from_set
from tests.tiny import tiny_model, writing_model


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    Journal(tmp_path).begin(RolloutOptions({"one": "a"}, easy=60, hard=24, toolfail=100, samples=8))
    return tmp_path


@pytest.mark.parametrize(
    ("given", "left_out"),
    [
        ({}, set()),
        ({"level": ["easy"]}, {"hard"}),
        ({"level": ["hard", "easy"]}, set()),
        ({"toolfail": 0, "tir": 0}, {"toolfail", "tir"}),
        ({"samples": 0, "timed": 0, "continued": 0}, {"samples", "timed", "continued"}),
        ({"toolfail": 100, "turns": 16, "max_tokens": 512, "offer": "needed"}, set()),
        ({"level": ["hard"], "limit": 24}, {"easy"}),
        ({"play": False, "out": Path("x"), "hardware": "h100", "tir_tokens": 5}, set()),
    ],
)
def test_levels_and_zeros_choose_and_what_says_the_same_is_no_matter(
    folder: Path, given: dict[str, Any], left_out: set[str]
) -> None:
    assert select_recorded(folder, given) == left_out


@from_set("train/rollouts/selection", "given", "told")
def test_what_the_plays_decide_is_refused_with_what_they_say(
    folder: Path, given: dict[str, Any], told: str
) -> None:
    with pytest.raises(InputError) as refused:
        select_recorded(folder, given)
    assert str(refused.value).startswith(told)
    assert str(folder / "play.json") in str(refused.value)


def test_a_level_that_nobody_was_asked_to_play_is_refused(tmp_path: Path) -> None:
    Journal(tmp_path).begin(RolloutOptions({"one": "a"}, easy=5, hard=0))
    with pytest.raises(InputError, match=r"--level hard \(easy 5, hard 0\)"):
        select_recorded(tmp_path, {"level": ["hard"]})
    assert select_recorded(tmp_path, {"limit": 5}) == set()


def test_tokens_are_names_arguments_letters_of_calls_or_words() -> None:
    texts = ['{"', "name", '":', ' "', "mail", "_find", '",', ' "', "arguments", '":', ' {"', "to",
             '":', " 5", "}}", "\n", "Done", "."]  # fmt: skip
    kinds = dict(zip(texts, token_kinds(texts), strict=True))
    assert kinds["mail"] == kinds["_find"] == "n"
    assert kinds["to"] == kinds[" 5"] == "a"
    assert kinds["arguments"] == kinds["name"] == "s"
    assert kinds["Done"] == kinds["."] == "t"
    assert token_kinds([]) == ""
    named = ['{"name": "', "mail", '", "arguments": {"', "name", '": "', "Ada", '"}}']
    assert dict(zip(named, token_kinds(named), strict=True))["Ada"] == "a"


def test_only_what_the_model_wrote_is_counted_and_in_its_whole_context() -> None:
    opened = tiny_model()
    first, results, second = list(b"abc"), list(b"(result)"), list(b"xyz!")
    turns = [RecordedTurn("", "abc", first, True), RecordedTurn("", "xyz!", second, True)]
    prompt = list(b"hello ")
    slot = Slot.__new__(Slot)
    slot.prompt, slot.context = prompt, prompt + first + results + second
    slot.starts = [len(prompt), len(prompt) + len(first) + len(results)]
    play = RolloutRecord("a", "tps", "easy", "t", 0, 6, turns, slot.starts, 1.0, 1.0, True)
    found = measure_turn_depths(opened, [play], [slot])
    assert [len(row.deep) for row in found] == [3, 4]
    alone = label_sequences(
        opened, [TokenSequence(tuple(prompt + first + results), tuple(second))], [PAPER]
    ).labels[0]
    assert found[1].deep == "".join("1" if deep else "0" for deep in alone.deep[0])
    assert found[1].log_prob == pytest.approx(float(alone.confidence.log_probs.mean()), abs=1e-4)


def test_what_is_thought_is_a_kind_of_its_own_calls_in_it_included() -> None:
    texts = ["<", "think", ">\n", '{"name', '": "', "mail", '"}', "\n</think>", "\n", '{"name": "',
             "mail", '", "arguments": {"', "to", '": "', "Ada", '"}}']  # fmt: skip
    assert token_kinds(texts) == "wwwwwwww" + token_kinds(texts[8:])
    assert "n" in token_kinds(texts)


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


def test_more_games_than_seats_take_their_turns() -> None:
    words = ["a", "bc", "d e f"]
    found = table(1).run([Talk(word) for word in words])
    assert said(found) == [said(table(1).run([Talk(word)]))[0] for word in words]
    assert all(turn.seconds for slot in found for turn in slot.turns)
