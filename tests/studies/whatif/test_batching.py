"""Which calls needed what came back in between."""

import json

import pytest

from agentdyno.intake.format import Source, load_formats
from agentdyno.records import Trajectory
from agentdyno.studies.whatif.joined_turns import joined_turns

from .traces import chat, turn


@pytest.fixture
def joined(tmp_path):
    def of(*turns, dropped=lambda tool: False):
        file = tmp_path / "chat.jsonl"
        file.write_text(json.dumps(chat(*turns)) + "\n")
        (trajectory,) = load_formats()["openai_chat"].read(Source(file, "chat.jsonl"))
        assert isinstance(trajectory, Trajectory)
        return joined_turns(trajectory, dropped)

    return of


GATE = turn("", ("findAlpha", "gate", "paint number 4711"))


def test_calls_with_values_from_the_question_join(joined):
    assert joined(GATE, turn("", ("findAlpha", "harbour", "x")), turn("Red.")) == {1: 0}


def test_a_value_from_the_result_has_to_wait(joined):
    assert joined(GATE, turn("", ("findBeta", "4711", "x")), turn("Red.")) == {}


def test_a_word_from_the_result_has_to_wait(joined):
    assert joined(GATE, turn("", ("findBeta", "which paint", "x")), turn("Red.")) == {}


def test_a_number_from_nowhere_may_be_worked_out_from_the_result(joined):
    assert joined(GATE, turn("", ("findBeta", "9422", "x")), turn("Red.")) == {}


def test_a_value_known_before_does_not_wait_although_it_comes_back(joined):
    echo = turn("", ("findAlpha", "gate", "the gate of the harbour"))
    assert joined(echo, turn("", ("findBeta", "harbour", "x")), turn("Red.")) == {1: 0}


def test_several_turns_join_the_first(joined):
    more = [turn("", ("findAlpha", word, "x")) for word in ("harbour", "colour")]
    assert joined(GATE, *more, turn("", ("findBeta", "paint", "x"))) == {1: 0, 2: 0}


def test_nothing_joins_after_a_failure(joined):
    failed = turn("", ("findAlpha", "gate", "Error: no such gate"))
    assert joined(failed, turn("", ("findAlpha", "harbour", "x"))) == {}


def test_nothing_joins_when_somebody_spoke(joined):
    spoke = [*GATE, {"role": "user", "content": "And the harbour?"}]
    assert joined(spoke, turn("", ("findAlpha", "harbour", "x"))) == {}


def test_a_turn_without_calls_ends_the_batch(joined):
    assert joined(GATE, turn("Hm."), turn("", ("findAlpha", "harbour", "x"))) == {}


def test_calls_of_a_dropped_tool_do_not_count(joined):
    turns = GATE, turn("", ("findAlpha", "harbour", "x"))
    assert joined(*turns, dropped=lambda tool: tool == "findAlpha") == {}
