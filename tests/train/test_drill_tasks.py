"""Drills that are marked by their outcome."""

from itertools import islice

from agentdyno_bench.tps.outcomes import mark
from agentdyno_bench.tps.tasks.validation import validate
from agentdyno_train.drill_tasks import drill_tasks, task_of
from agentdyno_train.drills import drills_of
from agentdyno_train.lessons import make_lessons
from agentdyno_train.options import read_recipe

DRILLS = list(islice(drills_of(2001, 1, 24), 60))
PAIRS = [(drill, task) for drill in DRILLS if (task := task_of(drill)) is not None]


def test_what_a_drill_does_and_says_solves_its_task_and_silence_does_nothing() -> None:
    assert len(PAIRS) > 25
    for drill, task in PAIRS:
        answer = "\n".join(drill.played.answers)
        assert mark(task, drill.played.made, answer, drill.world).solved
        assert not mark(task, [], answer, drill.world).solved, "said without having seen it"
        assert not mark(task, [], "", drill.world).done
    assert not validate([task for _, task in PAIRS], 2001)


def test_an_answer_of_another_value_does_not_count() -> None:
    numbers = 0
    for drill, task in PAIRS:
        slots = [wish.slot for wish in task.wishes if wish.slot is not None]
        for slot in slots:
            if slot.kind == "number" and str(slot.value) in "\n".join(drill.played.answers):
                said = "\n".join(drill.played.answers)
                wrong = said.replace(str(slot.value), str(slot.value * 3 + 7))
                marks = mark(task, drill.played.made, wrong, drill.world)
                numbers += 1
                assert not marks.solved, (task.prompt, wrong)
    assert numbers > 10


def test_a_change_that_is_wished_must_be_made() -> None:
    changing = [(d, t) for d, t in PAIRS if any(wish.state is not None for wish in t.wishes)]
    assert len(changing) > 5
    for drill, task in changing:
        states = [wish for wish in task.wishes if wish.state is not None]
        done = mark(task, [], "\n".join(drill.played.answers), drill.world).done
        assert not {wish.wish_id for wish in states} & set(done)


def test_reinforcement_has_drills_as_lessons() -> None:
    lessons = make_lessons(read_recipe("grpo", {"drills": 30, "worlds": 2}))
    assert {lesson.world_seed for lesson in lessons} == {2001, 2002}
    assert all(len(lesson.task.subtasks) <= 6 for lesson in lessons)
    for lesson in lessons:
        assert {step.tool for step in lesson.task.subtasks} <= set(lesson.tools)
    assert lessons == make_lessons(read_recipe("grpo", {"drills": 30, "worlds": 2}))


def test_there_are_as_many_as_were_asked_for() -> None:
    assert len(drill_tasks(7, 1, range(2001, 2003), 24)) == 7
