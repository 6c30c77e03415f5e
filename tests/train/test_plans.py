"""Reference plans as conversations that end with `submit`, and what is written before a row is
chosen."""

import json
import random
from collections.abc import Callable
from typing import Any

from agentdyno_bench.tps.outcomes.submission import answer_of
from agentdyno_bench.tps.tasks.dataset import load_bundled, task_by_id
from agentdyno_bench.tps.tasks.execution import levels_of
from agentdyno_depth.engines.dialect import read_turn
from agentdyno_train.environment import Environment
from agentdyno_train.plans import conversation, spoil
from agentdyno_train.weighing import drop_repeated, subject_of, weigh_rows
from tests.labelled import from_set


def needed(task_id: str) -> list[str]:
    return list(dict.fromkeys(step.tool for step in task_by_id(task_id).subtasks))


def test_a_plan_speaks_once_for_each_level_and_answers() -> None:
    easy = load_bundled("easy")
    task = next(task for task in easy.tasks if len(levels_of(task)) == 2)
    found = conversation(task, needed(task.task_id), easy.world_seed)
    said = [found.messages[place].text for place in found.learnt]
    assert len(said) == len(levels_of(task)) + 1
    assert [len(read_turn(text).calls) for text in said] == [*map(len, levels_of(task)), 1]
    assert read_turn(said[-1]).calls == [("submit", json.loads(answer_of(task)))]
    assert "\nsubmit(" in found.messages[0].text
    assert [m.role for m in found.messages[1:]] == ["user", "assistant"] * 3


def test_saying_what_a_plan_says_solves_the_task() -> None:
    hard = load_bundled("hard")
    for task in hard.tasks[:8]:
        found = conversation(task, needed(task.task_id), hard.world_seed)
        environment = Environment(task, hard.world_seed, needed(task.task_id))
        for place in found.learnt:
            environment.step(found.messages[place].text)
        assert environment.score().marks.solved


def test_a_slip_is_refused_made_good_and_not_learnt() -> None:
    slipped = 0
    for task in load_bundled("train").tasks[:20]:
        names = needed(task.task_id)
        found = conversation(task, names, slip=random.Random(task.task_id))
        if found is None:  # Marked too strictly; the test below says for how many.
            continue
        assert not set(found.slips) & set(found.learnt)
        for place in found.slips:
            slipped += 1
            assert '"error"' in found.messages[place + 1].text
    assert slipped > 5


def test_nearly_every_reference_plan_can_be_taught() -> None:
    tasks = load_bundled("train").tasks[:40]
    taught = [conversation(task, needed(task.task_id)) for task in tasks]
    assert sum(each is not None for each in taught) >= 38


def test_a_plan_whose_tools_are_not_offered_is_no_lesson() -> None:
    assert conversation(task_by_id("easy-001"), ["mail_find_contact"]) is None


def test_every_way_to_spoil_arguments_is_refused() -> None:
    given = {"city": "Lisbon", "date": "2026-04-14"}
    tool = "weather_air_quality"
    for seed in range(12):
        bad = spoil(given, tool, random.Random(seed))
        assert bad not in (None, given)
        environment = Environment(task_by_id("easy-001"))
        assert environment.act([(tool, bad)]).errors != [None]
    assert spoil({}, "mail_list_inbox", random.Random(1)) is None


LINES: dict[str, Callable[..., str]] = {each.__name__: each for each in (drop_repeated, subject_of)}


@from_set("train/plans", "why", "function", "arguments", "text")
def test_what_a_line_says(why: str, function: str, arguments: list[Any], text: str) -> None:
    assert LINES[function](*arguments) == text, why


TRACKS = [("Corner", 281), ("Window", 245), ("Ashes", 197), ("River", 392)]
RESULTS: dict[str, Any] = {
    "s1": {"tracks": [{"track": name, "seconds": length} for name, length in TRACKS]},
    "s2": {
        "shows": [
            {"cinema": "Arc", "price": 7.5, "seats": 0},
            {"cinema": "Rialto", "price": 9.0, "seats": 4},
            {"cinema": "Lumen", "price": 8.25, "seats": 9},
        ]
    },
}


@from_set("train/plans", "why", "subject", "chosen", "lines")
def test_how_a_choice_is_weighed(
    why: str, subject: str, chosen: list[dict[str, Any]], lines: list[str]
) -> None:
    assert weigh_rows(subject, chosen, RESULTS) == lines, why
