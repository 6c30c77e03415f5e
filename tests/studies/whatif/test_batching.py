"""Which calls needed what came back in between."""

import json

import pytest

from agentdyno.intake.format import Source, load_formats
from agentdyno.records import Trajectory
from agentdyno.studies.whatif.joined_turns import joined_turns
from tests.labelled import from_set

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


@from_set("studies/whatif/batching", "turns", "expected")
def test_calls_join_unless_they_need_what_came_back(joined, turns, expected):
    found = joined(*(turn(text, *calls) for text, *calls in turns))
    assert sorted(map(list, found.items())) == expected


def test_nothing_joins_when_somebody_spoke(joined):
    spoke = [*GATE, {"role": "user", "content": "And the harbour?"}]
    assert joined(spoke, turn("", ("findAlpha", "harbour", "x"))) == {}


def test_calls_of_a_dropped_tool_do_not_count(joined):
    turns = GATE, turn("", ("findAlpha", "harbour", "x"))
    assert joined(*turns, dropped=lambda tool: tool == "findAlpha") == {}
