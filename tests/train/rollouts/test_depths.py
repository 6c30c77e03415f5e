"""Depth of plays, token by token."""

import pytest

from agentdyno_depth.probes.profiles import label_sequences
from agentdyno_depth.records.depth import PAPER
from agentdyno_depth.records.sequences import TokenSequence
from agentdyno_train.models.recorded import RecordedTurn
from agentdyno_train.rollouts.batch_decoder import Slot
from agentdyno_train.rollouts.depths import measure_turn_depths, token_kinds
from agentdyno_train.rollouts.journal import RolloutRecord
from tests.tiny import tiny_model


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
