"""What is submitted: right values in any honest form earn all, cheats nothing; what did not run
brings nothing; and no schema gives anything away."""

import json
import re
from functools import cache

import pytest
from msgspec import structs

from agentdyno_bench.shared.values import fold
from agentdyno_bench.tps.outcomes import mark
from agentdyno_bench.tps.outcomes.evidence import Seen
from agentdyno_bench.tps.outcomes.replaying import replay
from agentdyno_bench.tps.outcomes.same_values import is_same
from agentdyno_bench.tps.outcomes.submission import (
    fields_of,
    find_alternatives,
    in_user_words,
    read_labels,
    submit_schema,
    write_answer,
)
from agentdyno_bench.tps.tasks.dataset import LEVELS, load_bundled
from agentdyno_bench.tps.tasks.execution import PlanRun, run_plan
from agentdyno_bench.tps.tasks.stages import read_request
from agentdyno_bench.tps.tasks.values import CompoundTask, Level, Slot
from agentdyno_bench.tps.world import World
from agentdyno_bench.tps.world.directory import all_tools
from tests.bench.tps.outcomes.cheats import CHEATS, HONEST, cheat_all, submit_all

TESTS: tuple[Level, ...] = ("easy", "hard", "purpose")
STEPS = (16, pytest.param(1, marks=pytest.mark.slow))


@cache
def run_of(level: Level, place: int) -> tuple[CompoundTask, PlanRun, Seen, int]:
    found = load_bundled(level)
    task = found.tasks[place]
    run = run_plan(task, World(found.world_seed, timed=False), by_levels=True)
    return task, run, Seen(replay(run.calls, found.world_seed).answered), found.world_seed


def tasks_of(step: int, levels: tuple[Level, ...] = TESTS):  # type: ignore[no-untyped-def]
    for level in levels:
        for place in range(0, len(load_bundled(level).tasks), step):
            yield run_of(level, place)


def values_met(task: CompoundTask, calls: list, answers: list[str], seed: int) -> tuple[int, int]:  # type: ignore[type-arg]
    asked = {goal.goal_id for goal in task.goals if goal.slot is not None}
    return len(asked.intersection(mark(task, calls, answers, seed).done)), len(asked)


def earned(step: int, answer) -> tuple[int, int]:  # type: ignore[no-untyped-def]
    met = asked = 0
    for task, run, seen, seed in tasks_of(step):
        more, of = values_met(task, run.calls, answer(task, run, seen), seed)
        met, asked = met + more, asked + of
    return met, asked


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("name", CHEATS)
def test_a_cheat_earns_nothing(name: str, step: int) -> None:
    met, asked = earned(step, lambda task, _, seen: cheat_all(task, CHEATS[name], seen))
    assert (met, asked > 50) == (0, True)


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("name", HONEST)
def test_an_honest_form_earns_everything(name: str, step: int) -> None:
    met, asked = earned(step, lambda task, *_: submit_all(task, HONEST[name]))
    assert met == asked > 50


OTHER_CHEATS = {
    "two submissions in one": lambda task, run: [f"[{a},{a}]" for a in run.answers],
    "prose with every value": lambda task, run: [
        "\n".join(f"{f.goal.asks}: {f.slot.value}" for f in fields_of(task, stage))
        for stage in range(len(task.follow_ups) + 1)
    ],
    "values under other names": lambda task, run: [
        write_answer({f"x{n}": f.slot.value for n, f in enumerate(fields_of(task, stage))})
        for stage in range(len(task.follow_ups) + 1)
    ],
}


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("name", OTHER_CHEATS)
def test_what_is_no_submission_earns_nothing(name: str, step: int) -> None:
    assert earned(step, lambda task, run, _: OTHER_CHEATS[name](task, run))[0] == 0


@pytest.mark.parametrize("step", STEPS)
def test_right_values_without_a_call_that_ran_earn_nothing(step: int) -> None:
    for task, run, _, seed in tasks_of(step):
        refused = [structs.replace(call, ran=False) for call in run.calls]
        assert mark(task, refused, run.answers, seed).score == 0, task.task_id
        assert values_met(task, [], run.answers, seed)[0] == 0, task.task_id


@pytest.mark.parametrize("step", STEPS)
def test_the_right_answers_of_every_level_solve_their_tasks(step: int) -> None:
    for task, run, _, seed in tasks_of(step, LEVELS):
        assert mark(task, run.calls, run.answers, seed).solved, task.task_id


def slot(kind: str, value: object, unit: str | None = None) -> Slot:
    return Slot(kind, value, unit)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("asked", "given"),
    [
        (slot("number", 49.17, "EUR"), "€49.17"),
        (slot("number", 49.17, "EUR"), "EUR 49.17"),
        (slot("number", 90, "min"), "1.5 hours"),
        (slot("number", -4.5, "°C"), "−4.5 °C"),
        (slot("number", 19, "%"), "19 percent"),
        (slot("date", "2026-05-01"), "Friday, 1st of May 2026"),
        (slot("date", "2026-05-01"), "May 1"),
        (slot("moment", "2026-04-26T06:08"), "26 April at 6:08 a.m."),
        (slot("moment", "2026-04-26T06:08"), "06:08 on 26.04.2026"),
        (slot("time", "18:00"), "6 pm"),
        (slot("entity", "Café d’Été"), "cafe d'ete"),
        (slot("entity", "+39 465 2467"), "+39-465-2467"),
        (slot("entity", "2025-11"), "November 2025"),
        (slot("list", ["Rome", 3]), [3, "rome"]),
    ],
)
def test_a_value_is_right_however_it_is_written(asked: Slot, given: object) -> None:
    assert is_same(asked, given)


@pytest.mark.parametrize(
    ("asked", "given"),
    [
        (slot("number", 49.17, "EUR"), "$49.17"),
        (slot("number", 49.17, "EUR"), 49.18),
        (slot("number", 3, "1"), True),
        (slot("number", 3, "1"), "3 kg"),
        (slot("number", 3, "1"), "3 4"),
        (slot("date", "2026-05-01"), "2027-05-01"),
        (slot("date", "2026-05-01"), "01/05/2026"),
        (slot("moment", "2026-04-26T06:08"), "06:08"),
        (slot("moment", "2026-05-08T00:00"), "Thursday 2026-05-08T00:00"),
        (slot("time", "18:00"), "6:00"),
        (slot("entity", "B+"), "B"),
        (slot("entity", "Rome"), ["Rome"]),
        (slot("list", ["Rome", "Oslo"]), ["Rome", "Rome"]),
        (slot("list", ["Rome"]), ["Rome", "Oslo"]),
    ],
)
def test_another_value_is_wrong(asked: Slot, given: object) -> None:
    assert not is_same(asked, given)


def stages_of_all_tasks():  # type: ignore[no-untyped-def]
    for level in LEVELS:
        for task in load_bundled(level).tasks:
            for stage in range(len(task.follow_ups) + 1):
                yield task, stage


def test_every_value_has_a_field_of_its_own_and_every_field_a_label() -> None:
    labels = read_labels()
    for task, stage in stages_of_all_tasks():
        fields = fields_of(task, stage)
        goals = [g for g in task.goals if g.slot is not None and g.stage == stage]
        assert len({field.name for field in fields}) == len(fields) == len(goals), task.task_id
        assert {field.slot.field for field in fields} <= labels.keys(), task.task_id


def test_a_label_has_a_word_of_the_services_only_where_users_say_it() -> None:
    said: dict[str, str] = {}
    for task, stage in stages_of_all_tasks():
        for field in fields_of(task, stage):
            heard = said.get(field.slot.field, "")
            said[field.slot.field] = f"{heard} {fold(read_request(task, stage))}"
    assert said.keys() == read_labels().keys()
    for name, label in read_labels().items():
        words = {word for word in re.findall("[a-z]+", fold(label)) if len(word) > 3}
        for word in words & set(name.split("_")):
            assert word[:5] in said[name], (name, word)


def test_no_schema_holds_its_values_a_tool_or_what_the_task_leaves_open() -> None:
    tools = {name.casefold() for name in all_tools()}
    for task, stage in stages_of_all_tasks():
        request = read_request(task, stage)
        text = fold(json.dumps(submit_schema(task, stage), ensure_ascii=False))
        assert not any(name in text for name in tools), task.task_id
        left_open = find_alternatives(request)
        for field in fields_of(task, stage):
            value = fold(str(field.slot.value))
            leaks = re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text)
            assert not leaks or value in fold(request), (task.task_id, field.name)
            own = [name for name in field.about if is_same(field.slot, name)]
            assert not own
            assert in_user_words(str(field.slot.value), request) not in field.about
            assert all(name.casefold() in request.casefold() for name in field.about)
            assert not any(name in left_open for name in field.about), (task.task_id, field.name)


def test_where_the_user_answers_back_each_message_has_its_own_fields() -> None:
    task = next(t for t in load_bundled("purpose").tasks if t.task_id == "purpose-001")
    assert list(submit_schema(task, 0)["properties"]) == ["hotel", "converted_amount", "name"]
    assert list(submit_schema(task, 1)["properties"]) == ["converted_amount"]
