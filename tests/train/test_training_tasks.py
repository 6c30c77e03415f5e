"""What is trained on, and how tasks are drawn."""

import random
from pathlib import Path

import pytest

from agentdyno.records import InputError
from agentdyno_bench.tps.tasks.dataset import load_bundled
from agentdyno_bench.tps.tasks.scenes import chains_for, closings_for, small_for
from agentdyno_train.curriculum import FLOOR, Curriculum, bin_of
from agentdyno_train.options import RECIPES, TrainSettings, read_recipe
from agentdyno_train.tool_offers import FEWEST, by_rule, offer
from agentdyno_train.training_tasks import (
    TrainingTask,
    make_training_tasks,
    read_training_tasks,
    write_training_tasks,
)


def test_no_scene_of_the_tests_is_trained_on() -> None:
    settings = TrainSettings("sft", worlds=1, per_world=15)
    held = {*small_for(True), *chains_for(True), *closings_for(True)}
    training_tasks = make_training_tasks(settings)
    assert {training_task.world_seed for training_task in training_tasks} == {7, 1001}
    assert not held & {
        scene for training_task in training_tasks for scene in training_task.task.scenes
    }


def test_every_offer_has_what_the_task_needs_and_no_more_than_allowed() -> None:
    rng, sizes, ruled = random.Random(3), set[int](), 0
    for task in load_bundled("train").tasks[:120]:
        needed = {step.tool for step in task.subtasks}
        tools = offer(task, rng, 12)
        if tools is None:
            assert len(needed) > 12
            continue
        assert needed <= set(tools)
        assert len(set(tools)) == len(tools) <= 12
        sizes.add(len(tools))
        ruled += len(set(by_rule(task.prompt, len(tools))) & set(tools)) > len(tools) // 2
    assert {FEWEST, 12} <= sizes
    assert 20 < ruled < 110


def test_the_same_settings_give_the_same_lessons_and_files_keep_them(tmp_path: Path) -> None:
    settings = TrainSettings("sft", most_steps=4)
    training_tasks = make_training_tasks(settings)
    assert training_tasks == make_training_tasks(settings)
    assert training_tasks != make_training_tasks(TrainSettings("sft", most_steps=4, seed=2))
    write_training_tasks(tmp_path / "l.gz", training_tasks[:9])
    assert read_training_tasks(tmp_path / "l.gz") == training_tasks[:9]
    (tmp_path / "bad.gz").write_bytes(b"no")
    with pytest.raises(InputError, match="file of training tasks"):
        read_training_tasks(tmp_path / "bad.gz")


def lessons_by_bin() -> dict[str, TrainingTask]:
    return {
        bin_of(training_task): training_task
        for training_task in make_training_tasks(TrainSettings("sft"))
    }


def test_tasks_whose_groups_differ_are_drawn_more_often() -> None:
    known = lessons_by_bin()
    short, long = known["03"], known["12"]
    curriculum = Curriculum([short, long], seed=1)
    for _ in range(60):
        curriculum.learn([short, long], [[1.0, 1.0], [0.2, 0.9]])
    drawn = curriculum.draw(5, 200)
    assert drawn == curriculum.draw(5, 200)
    share = drawn.count(short) / 200
    # Faded counts of 60 steps: (1 - 0.98^60) / 0.02 = 35.1 groups; weights 1/37.1 (the floor is
    # higher) and 36.1/37.1.
    wanted = FLOOR / (FLOOR + 36.1 / 37.1)
    assert abs(share - wanted) < 0.05
    plain = Curriculum([short, long, long], seed=1, steered=False)
    plain.learn([short, long], [[1.0, 1.0], [0.2, 0.9]])
    assert abs(plain.draw(5, 300).count(long) / 300 - 2 / 3) < 0.1


def test_signal_is_counted_and_survives_a_checkpoint() -> None:
    known = lessons_by_bin()
    curriculum = Curriculum(list(known.values()), seed=1)
    some = list(known.values())[:4]
    assert curriculum.learn(some, [[0, 0], [0, 1], [0.5, 0.5], [1, 0]]) == 0.5
    again = Curriculum(list(known.values()), seed=1)
    again.restore(curriculum.state())
    assert again.draw(3, 50) == curriculum.draw(3, 50)
    assert again.state() == curriculum.state()


def test_every_bundled_recipe_is_read_and_wrong_ones_are_refused(tmp_path: Path) -> None:
    for name in RECIPES:
        assert read_recipe(name).steps > 0
    paper = read_recipe("paper")
    assert (paper.group, paper.learning_rate, paper.steps) == (5, 1e-6, 125)
    assert read_recipe("sft", {"steps": 3, "seed": None}).steps == 3
    file = tmp_path / "mine.toml"
    for text in (
        'stage = "dpo"',
        'stage = "grpo"\nbatch = 9\ngroup = 8',
        "stage = ",
        'stage = "sft"\nx = 1',
    ):
        file.write_text(text)
        with pytest.raises(InputError, match="settings of a training"):
            read_recipe(str(file))
    with pytest.raises(InputError, match="TOML file"):
        read_recipe("nowhere")
