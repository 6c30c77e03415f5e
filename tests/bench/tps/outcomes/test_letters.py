"""Letters: what an honest one may look like, and what earns nothing; over the bundled tasks, and
one by one."""

from functools import cache
from typing import Any

import pytest
from msgspec import structs

from agentdyno_bench.tps.outcomes import mark
from agentdyno_bench.tps.outcomes.evidence import Seen
from agentdyno_bench.tps.outcomes.letters import gives
from agentdyno_bench.tps.outcomes.replaying import replay
from agentdyno_bench.tps.tasks.checking import ExecutedCall
from agentdyno_bench.tps.tasks.dataset import load_bundled
from agentdyno_bench.tps.tasks.execution import run_plan
from agentdyno_bench.tps.tasks.values import CompoundTask, Level
from agentdyno_bench.tps.world import World
from tests.bench.tps.outcomes.letter_cheats import (
    CHEATS,
    HONEST,
    Cheat,
    by_another_author,
    goals_of_another,
    write_letters,
    written_goals,
)
from tests.labelled import from_set

TESTS: tuple[Level, ...] = ("hard", "purpose")
STEPS = (16, pytest.param(1, marks=pytest.mark.slow))


@cache
def planned(level: Level, place: int) -> tuple[CompoundTask, list[ExecutedCall], Seen, int]:
    found = load_bundled(level)
    task = found.tasks[place]
    calls = run_plan(task, World(found.world_seed, timed=False), by_levels=False).calls
    return task, calls, Seen(replay(calls, found.world_seed).answered), found.world_seed


def earned(
    step: int, cheat: Cheat | list[Cheat], letters: list[dict[str, Any]] | None = None
) -> tuple[int, int]:
    met = asked = 0
    for level in TESTS:
        for place in range(0, len(load_bundled(level).tasks), step):
            task, calls, seen, seed = planned(level, place)
            goals = set(written_goals(task)) if letters is None else goals_of_another(task, letters)
            written = write_letters(task, calls, cheat, seen)
            met += len(goals.intersection(mark(task, written, "", seed).done))
            asked += len(goals)
    return met, asked


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("name", CHEATS)
def test_a_letter_that_commits_to_nothing_earns_nothing(name: str, step: int) -> None:
    met, asked = earned(step, CHEATS[name])
    assert (met, asked > 20) == (0, True)


@pytest.mark.parametrize("step", STEPS)
@from_set("bench/tps/outcomes/letters", "why", "letters")
def test_a_letter_by_another_author_earns_nothing(
    why: str, letters: list[dict[str, Any]], step: int
) -> None:
    met, asked = earned(step, by_another_author(letters), letters)
    assert (met, asked > 10) == (0, True), why


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("name", HONEST)
def test_an_honest_letter_earns_everything(name: str, step: int) -> None:
    met, asked = earned(step, HONEST[name])
    assert met == asked > 20


@pytest.mark.parametrize("step", STEPS)
def test_a_right_letter_of_which_nothing_was_read_or_sent_earns_nothing(step: int) -> None:
    for level in TESTS:
        for place in range(0, len(load_bundled(level).tasks), step):
            task, calls, _, seed = planned(level, place)
            goals = set(written_goals(task))
            refused = [
                structs.replace(call, ran=False) if "text" in call.arguments else call
                for call in calls
            ]
            assert not goals.intersection(mark(task, refused, "", seed).done), task.task_id


def rivals(value: object, other: object) -> bool:
    return {value, other} <= {"Hotel Alder", "Hotel Birch"}


@pytest.mark.parametrize(
    ("facts", "values", "others"),
    [
        ({"dates": ["2026-04-26", "06:08"]}, ["2026-04-26T06:08"], []),
        ({"amounts": [385.2, 412]}, [385.2], [412.0]),
        ({"names": ["Hotel Alder"], "ids": ["H-7K2M9P"]}, ["Hotel Alder"], []),
        ({"names": ["Hotel Alder", "Hotel Birch"]}, ["Hotel Alder"], ["Hotel Birch"]),
        ({"dates": ["2026-04-26"], "amounts": [2]}, ["2026-04-26"], []),
    ],
)
def test_a_letter_gives_its_values(facts: dict, values: list, others: list) -> None:  # type: ignore[type-arg]
    assert gives(facts, values, others, rivals)


@pytest.mark.parametrize(
    ("facts", "values", "others"),
    [
        (None, [385.2], []),
        ({"dates": ["06:08"]}, ["2026-04-26T06:08"], []),
        ({"dates": ["2026-04-26"]}, ["2026-04-26T06:08"], []),
        ({"dates": ["2026-04-26", "2026-04-27", "06:08", "09:30"]},
         ["2026-04-26T06:08", "2026-04-27T09:30"], []),
        ({"dates": ["2026-04-26T06:08", "06:09"]}, ["2026-04-26T06:08"], []),
        ({"names": ["Hotel Alder"], "ids": ["Hotel Birch"]}, ["Hotel Alder"], []),
        ({"names": ["Hotel Alder", "Rome"]}, ["Hotel Alder"], []),
        ({"names": ["385.2"]}, [385.2], []),
        ({"amounts": [-42.19]}, [42.19], []),
    ],
)  # fmt: skip
def test_a_letter_that_gives_more_or_less_gives_nothing(
    facts: dict | None,  # type: ignore[type-arg]
    values: list,  # type: ignore[type-arg]
    others: list,  # type: ignore[type-arg]
) -> None:
    assert not gives(facts, values, others, rivals)
