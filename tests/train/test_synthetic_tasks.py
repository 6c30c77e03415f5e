"""Drills that are marked by their outcome."""

from itertools import islice

from agentdyno_bench.tps.outcomes import mark
from agentdyno_bench.tps.tasks.validation import validate
from agentdyno_train.options import read_recipe
from agentdyno_train.synthetic_dialogues import generate_dialogues
from agentdyno_train.synthetic_tasks import make_synthetic_tasks, task_of
from agentdyno_train.training_tasks import make_training_tasks

DRILLS = list(islice(generate_dialogues(2001, 1, 24), 60))
PAIRS = [(dialogue, task) for dialogue in DRILLS if (task := task_of(dialogue)) is not None]


def test_what_a_drill_does_and_says_solves_its_task_and_silence_does_nothing() -> None:
    assert len(PAIRS) > 25
    for dialogue, task in PAIRS:
        answer = "\n".join(dialogue.run.answers)
        assert mark(task, dialogue.run.calls, answer, dialogue.world).solved
        assert not mark(task, [], answer, dialogue.world).solved, "said without having seen it"
        assert not mark(task, [], "", dialogue.world).done
    assert not validate([task for _, task in PAIRS], 2001)


def test_an_answer_of_another_value_does_not_count() -> None:
    numbers = 0
    for dialogue, task in PAIRS:
        slots = [wish.slot for wish in task.wishes if wish.slot is not None]
        for slot in slots:
            if slot.kind == "number" and str(slot.value) in "\n".join(dialogue.run.answers):
                said = "\n".join(dialogue.run.answers)
                wrong = said.replace(str(slot.value), str(slot.value * 3 + 7))
                marks = mark(task, dialogue.run.calls, wrong, dialogue.world)
                numbers += 1
                assert not marks.solved, (task.prompt, wrong)
    assert numbers > 10


def test_a_change_that_is_wished_must_be_made() -> None:
    changing = [(d, t) for d, t in PAIRS if any(wish.state is not None for wish in t.wishes)]
    assert len(changing) > 5
    for dialogue, task in changing:
        states = [wish for wish in task.wishes if wish.state is not None]
        done = mark(task, [], "\n".join(dialogue.run.answers), dialogue.world).done
        assert not {wish.wish_id for wish in states} & set(done)


def test_reinforcement_has_drills_as_lessons() -> None:
    training_tasks = make_training_tasks(read_recipe("grpo", {"drills": 30, "worlds": 2}))
    assert {training_task.world_seed for training_task in training_tasks} == {2001, 2002}
    assert all(len(training_task.task.subtasks) <= 6 for training_task in training_tasks)
    for training_task in training_tasks:
        assert {step.tool for step in training_task.task.subtasks} <= set(training_task.tools)
    assert training_tasks == make_training_tasks(read_recipe("grpo", {"drills": 30, "worlds": 2}))


def test_there_are_as_many_as_were_asked_for() -> None:
    assert len(make_synthetic_tasks(7, 1, range(2001, 2003), 24)) == 7
