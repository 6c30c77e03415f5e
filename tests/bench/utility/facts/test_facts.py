"""The world of facts: its exact chances against hand and against play."""

import json
from pathlib import Path

import pytest

from agentdyno_bench.utility.facts import (
    DISTRACTORS,
    TOOLS,
    Progress,
    World,
    attempt,
    true_delta,
    value,
)
from agentdyno_bench.utility.facts.attempting import state_after
from agentdyno_bench.utility.facts.traces import attempt_all, write_attempts

LEAN = tuple(tool for tool in TOOLS if tool not in DISTRACTORS)


def test_the_chance_without_rumours_is_that_of_the_binomial() -> None:
    # Four of at most five lookups that find with 3/4: 5 * 0.75^4 * 0.25 + 0.75^5; else a guess.
    finds = 5 * 0.75**4 * 0.25 + 0.75**5
    assert value(Progress(), LEAN) == pytest.approx(finds + (1 - finds) * 0.1)


def test_a_rumour_can_be_worked_by_hand() -> None:
    # One lookup left and one fact missing: it comes with 3/4 unless a rumour comes first.
    state = Progress(found=3, looked=4)
    lookup, rumour = 0.56, 0.06 * 0.5
    misled = 0.75 * 0.5 + 0.25 * 0.1
    plain = 0.75 * 1.0 + 0.25 * 0.1
    expected = (lookup * plain + rumour * misled) / (lookup + rumour)
    assert value(state, TOOLS) == pytest.approx(expected)


def test_gossip_and_notes_do_nothing_and_a_found_fact_helps() -> None:
    start = Progress()
    assert true_delta(start, start) == 0.0
    assert true_delta(start, Progress(found=1, looked=1)) > 0.09
    assert true_delta(start, Progress(looked=1)) < -0.2
    assert true_delta(start, Progress(misled=True)) < -0.1


def test_play_solves_as_often_as_computed() -> None:
    for world in (World(), World(LEAN)):
        solved = sum(one.solved for one in attempt_all(1500, 3, world)) / 1500
        assert solved == pytest.approx(value(Progress(), world.suite), abs=0.04)


def test_the_same_task_and_seed_is_the_same_attempt_and_can_be_replayed() -> None:
    one = attempt(5, 2, World())
    assert one == attempt(5, 2, World())
    results = [(call.tool, call.result) for call in one.calls]
    for index, call in enumerate(one.calls):
        assert state_after(results[:index]) == call.before
        assert state_after(results[: index + 1]) == call.after


def test_attempts_are_written_as_a_chat_log(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    write_attempts(path, "lean", attempt_all(2, 1, World(LEAN)), World(LEAN))
    first = json.loads(path.read_text().splitlines()[0])
    assert (first["variant"], first["task_id"]) == ("lean", "facts-0")
    assert [tool["function"]["name"] for tool in first["tools"]] == list(LEAN)
