"""What is trained on, how tasks are drawn, and the templates of their prompts."""

import json
import random
import re
from datetime import date
from importlib.resources import files
from pathlib import Path

import pytest

from agentdyno.records import InputError
from agentdyno_bench.tps.tasks.dataset import load_bundled
from agentdyno_bench.tps.tasks.references import read_reference
from agentdyno_bench.tps.tasks.scenes import chains_for, closings_for, small_for
from agentdyno_bench.tps.tasks.values import Level
from agentdyno_bench.tps.world import World
from agentdyno_bench.tps.world.directory import all_tools
from agentdyno_train.curriculum import FLOOR, Curriculum, bin_of
from agentdyno_train.exercises import AnswerField, Exercise, Step, run_exercises
from agentdyno_train.natural import natural_exercise
from agentdyno_train.options import RECIPES, TrainSettings, read_recipe
from agentdyno_train.prompt_templates import PromptTemplate, Wording, read_templates
from agentdyno_train.slots import Slots, write_out
from agentdyno_train.tool_offers import FEWEST, by_rule, offer
from agentdyno_train.training_tasks import (
    TrainingTask,
    make_training_tasks,
    read_training_tasks,
    write_training_tasks,
)
from tests.labelled import from_set


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


SLOTS = Slots(1001)
LEVELS: tuple[Level, ...] = ("easy", "hard")


def tried(template: PromptTemplate, wording: Wording, tries: int = 60) -> Exercise | None:
    rng = random.Random(f"{template.tool}-{wording.text}")
    drawn = (natural_exercise(template, wording, 1001, SLOTS, rng) for _ in range(tries))
    return next((e for e in drawn if e is not None and run_exercises(1001, [e]) is not None), None)


def test_every_tool_is_asked_for_in_at_least_ten_wordings() -> None:
    wordings: dict[str, set[str]] = {name: set() for name in all_tools()}
    for template in read_templates():
        wordings[template.tool] |= {wording.text for wording in template.wordings}
    assert {name for name, texts in wordings.items() if len(texts) < 10} == set()


def assert_works(template: PromptTemplate, wording: Wording) -> None:
    exercise = tried(template, wording)
    assert exercise is not None, wording.text
    assert not re.search(r"[{}]", exercise.request + exercise.subject)


def test_every_ask_works_in_a_world_and_leaves_no_blank() -> None:
    for number, template in enumerate(read_templates()):
        assert_works(template, template.wordings[number % len(template.wordings)])


@pytest.mark.slow
def test_every_wording_works_in_a_world_and_leaves_no_blank() -> None:
    for template in read_templates():
        for wording in template.wordings:
            assert_works(template, wording)


def test_what_a_tool_shall_change_is_changed() -> None:
    request = [template for template in read_templates() if all_tools()[template.tool].writes]
    assert len({template.tool for template in request}) == sum(
        tool.writes for tool in all_tools().values()
    )
    for template in request:
        exercise = tried(template, template.wordings[0])
        assert exercise is not None
        played = run_exercises(1001, [exercise])
        *before, last = played.calls
        server = template.tool.partition("_")[0]
        world = World(1001)
        for call in before:
            world.call(call.tool, call.arguments)
        earlier = repr(world.state(server))
        world.call(last.tool, last.arguments)
        assert repr(world.state(server)) != earlier, template.tool


def test_asks_share_no_six_words_with_a_test_prompt() -> None:
    def phrases(text: str) -> set[tuple[str, ...]]:
        words = re.findall(r"[\w']+", text.lower())
        return {tuple(words[i : i + 6]) for i in range(len(words) - 5)}

    tests = [*load_bundled("easy").tasks, *load_bundled("hard").tasks]
    known = set().union(*(phrases(task.prompt) for task in tests))
    shared = {
        (wording.text, phrase)
        for template in read_templates()
        for wording in template.wordings
        for phrase in phrases(wording.text) & known
    }
    assert shared == set()


def test_what_users_write_themselves_stands_in_no_test_prompt() -> None:
    own = ["label", "plan", "todo", "subject", "text", "playlist"]
    prompts = " ".join(task.prompt for level in LEVELS for task in load_bundled(level).tasks)
    lists = json.loads(
        (files("agentdyno_train.prompt_templates") / "slots.json").read_text("utf-8")
    )["lists"]
    written = [text for name in own for text in lists[name]]
    assert [text for text in written if text.rstrip(".").lower() in prompts.lower()] == []


@from_set("train/training_tasks", "path", "found")
def test_a_path_is_read_as_a_reference(path: str, found: dict[str, object]) -> None:
    assert read_reference(path) == found


def test_blanks_are_of_one_world_different_and_in_order() -> None:
    rng = random.Random(4)
    for _ in range(50):
        filled = SLOTS.fill(["city", "city2", "later", "unit", "unit2", "topic_of_site"], rng)
        assert filled["city"] != filled["city2"]
        assert filled["unit"] != filled["unit2"]
        assert date.fromisoformat(filled["date"]) < date.fromisoformat(filled["later"])
        assert filled["site"].endswith(".example")


def test_days_are_written_as_people_write_them() -> None:
    rng = random.Random(1)
    soon = {write_out("date", "2026-04-17", rng) for _ in range(200)}
    assert {"17 April", "April 17", "the 17th of April", "Friday", "2026-04-17"} <= soon
    assert "Friday" not in {write_out("date", "2026-04-24", rng) for _ in range(200)}
    past = {write_out("past", "2024-03-02", rng) for _ in range(200)}
    assert {"2 March 2024", "March 2, 2024", "the 2nd of March 2024"} <= past
    this = {write_out("month", "2026-02", rng) for _ in range(60)}
    assert this == {"February 2026", "February", "2026-02"}
    assert "last December" in {write_out("month", "2025-12", rng) for _ in range(60)}


def test_calls_wait_for_what_they_need_and_the_others_do_not() -> None:
    share = Exercise("", [
        Step("s1", "finance_find_symbol", {"company": "Halden Bank"}),
        Step("s2", "finance_stock_quote",
             {"symbol": {"$from": "s1", "list": "matches", "take": "first", "field": "symbol"}}),
    ], "Halden Bank", [AnswerField("name", {"$from": "s2", "path": "name"})])  # fmt: skip
    money = Exercise("", [Step("s1", "finance_all_balances", {})], "", [])
    played = run_exercises(1001, [share, money])
    got = [[call.tool for call in level] for level in played.levels]
    assert got == [["finance_find_symbol", "finance_all_balances"], ["finance_stock_quote"]]
    assert played.results[0]["s2"]["name"] == "Halden Bank"


def test_an_exercise_with_a_call_that_fails_is_none() -> None:
    step = Step("s1", "finance_stock_quote", {"symbol": "NOPE"})
    assert run_exercises(1001, [Exercise("", [step], "", [])]) is None
