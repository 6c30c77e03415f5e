"""Synthetic dialogues, and the tasks that are made of them."""

import json
import random
import re
from functools import cache
from itertools import islice

import pytest

from agentdyno.records import InputError
from agentdyno_bench.tps.outcomes import mark
from agentdyno_bench.tps.outcomes.submission import answer_of, fields_of, right_fields
from agentdyno_bench.tps.tasks.dataset import load_bundled
from agentdyno_bench.tps.tasks.references import resolve
from agentdyno_bench.tps.tasks.validation import validate
from agentdyno_bench.tps.tasks.values import CompoundTask
from agentdyno_bench.tps.world import World
from agentdyno_depth.engines.dialect import read_turn, write_results
from agentdyno_train.exercises import Exercise, Step, run_exercises
from agentdyno_train.options import read_recipe, read_reward_weights
from agentdyno_train.plans import Conversation, conversation, find_references
from agentdyno_train.synthetic_dialogues import (
    SyntheticDialogue,
    _is_held,
    generate_dialogues,
)
from agentdyno_train.synthetic_tasks import (
    make_synthetic_dialogues,
    make_synthetic_tasks,
    outline,
    task_of,
)
from agentdyno_train.training_tasks import make_training_tasks, rename_tools, select_held_out_scenes


def test_a_recipe_has_its_own_reward() -> None:
    assert read_reward_weights(read_recipe("grpo", {"reward": {"cost": 0.5}})).cost == 0.5
    with pytest.raises(InputError, match="parallelism, validity, cost, shaping"):
        read_reward_weights(read_recipe("grpo", {"reward": {"speed": 0.5}}))


@cache
def talks() -> list[Conversation]:
    return make_synthetic_dialogues(150, 1, [1001])


def phrases(text: str) -> set[tuple[str, ...]]:
    """Runs of six words; a quoted title is the world's and counts as one word."""
    words = re.findall(r"[\w']+", re.sub(r"“[^”]*”", "_", text).lower())
    return {tuple(words[i : i + 6]) for i in range(len(words) - 5)}


def test_saying_what_a_drill_says_gives_the_results_that_stand_in_it() -> None:
    for talk in talks():
        world, offered = World(1001), talk.messages[0].text
        for message, results in zip(talk.messages[2:-1:2], talk.messages[3::2], strict=True):
            calls = read_turn(message.text).calls
            assert calls
            outcomes = [world.call(name, arguments) for name, arguments in calls]
            assert all(f"\n{name}(" in offered for name, _ in calls)
            assert [outcome.error for outcome in outcomes] == [None] * len(calls)
            assert write_results(outcome.text for outcome in outcomes) == results


def test_a_drill_ends_with_one_submission_of_values_that_stand_in_results() -> None:
    for talk in talks():
        results = "".join(message.text for message in talk.messages[3::2])
        ((name, fields),) = read_turn(talk.messages[-1].text).calls
        assert name == "submit"
        offered = talk.messages[0].text.partition("\nsubmit(")[2].partition(") - ")[0]
        assert [part.partition(":")[0] for part in offered.split(", ") if part] == list(fields)
        for value in fields.values():
            assert json.dumps(value, ensure_ascii=False).strip('"[]').split(", ")[0] in results


def test_a_choice_between_rows_is_weighed_before_it_is_made() -> None:
    turns = [read_turn(m.text) for talk in talks() for m in talk.messages if m.role == "assistant"]
    weighed = [line for turn in turns for line in turn.thought.splitlines()]
    assert len(weighed) > 0.1 * len(talks())
    for line in weighed:
        about, _, figures = line.rpartition(": ")
        assert "least " in about or "most " in about, line
        assert figures, line
    for talk in talks():
        lines = [x for m in talk.messages[2::2] for x in read_turn(m.text).thought.splitlines()]
        assert len(lines) == len(set(lines)), "once is enough"


def test_an_id_is_given_by_the_user_or_comes_from_an_earlier_result() -> None:
    made = re.compile(r"[A-Z]{1,2}-[A-Z0-9]{6}")
    for talk in talks():
        seen = talk.messages[1].text
        for message, results in zip(talk.messages[2:-1:2], talk.messages[3::2], strict=True):
            assert all(found in seen for found in made.findall(message.text))
            seen += results.text


def test_drills_reach_nearly_all_tools_in_lists_of_many_lengths() -> None:
    names = {
        name
        for talk in talks()
        for message in talk.messages[2:-1:2]
        for name, _ in read_turn(message.text).calls
    }
    assert len(names) > 150
    offered = [talk.messages[0].text.count(") - ") for talk in talks()]
    assert 8 <= min(offered) < 20
    assert max(offered) >= 46
    assert sum(len(talk.messages) >= 7 for talk in talks()) > 75
    assert sum(len(talk.messages) >= 9 for talk in talks()) > 5


def test_equal_settings_give_equal_drills_and_another_seed_others() -> None:
    assert make_synthetic_dialogues(5, 1, [1001]) == talks()[:5]
    assert make_synthetic_dialogues(5, 2, [1001]) != talks()[:5]


def test_no_prompt_of_a_drill_has_six_words_of_a_test_prompt() -> None:
    tests = [*load_bundled("easy").tasks, *load_bundled("hard").tasks]
    known = set().union(*(phrases(task.prompt) for task in tests))
    assert not any(phrases(talk.messages[1].text) & known for talk in talks())


def test_an_exercise_that_is_about_a_test_answer_is_dropped() -> None:
    quote = Exercise("", [Step("s1", "flights_airports_of", {"city": "Dubai"})], "", [])
    played = run_exercises(1001, [quote])
    assert played is not None
    assert _is_held(played, {(frozenset({"Dubai"}), "DXB")})
    assert not _is_held(played, {(frozenset({"Dubai"}), "DX"), (frozenset({"Oslo"}), "DXB")})


def test_aliases_rename_lists_and_calls_alike_and_nothing_else() -> None:
    task = load_bundled("train").tasks[3]
    tools = list(dict.fromkeys(step.tool for step in task.subtasks))
    talk = conversation(task, tools)
    other = rename_tools(talk, random.Random(3))
    assert not any(f"\n{name}(" in other.messages[0].text for name in tools)
    for old, new in zip(talk.messages, other.messages, strict=True):
        if old.role == "user":
            assert old == new
    calls = [json.loads(line) for line in other.messages[2].text.splitlines()]
    planned = [json.loads(line) for line in talk.messages[2].text.splitlines()]
    assert [c["arguments"] for c in calls] == [c["arguments"] for c in planned]
    for call in calls:
        assert f"\n{call['name']}(" in other.messages[0].text


def test_scenes_that_stand_apart_are_met_by_reinforcement_alone() -> None:
    scenes = select_held_out_scenes(0.2)
    warm = make_training_tasks(read_recipe("sft", {"worlds": 0, "apart": 0.2}))
    later = make_training_tasks(
        read_recipe("grpo", {"worlds": 0, "apart": 0.2, "drills": 0, "bundled": True})
    )
    assert not any(scenes & set(training_task.task.scenes) for training_task in warm)
    assert all(scenes & set(training_task.task.scenes) for training_task in later)


@cache
def pairs() -> list[tuple[SyntheticDialogue, CompoundTask]]:
    """Of sixty drills those that make a task, with it."""
    drills = islice(generate_dialogues(2001, 1, 24), 60)
    return [(drill, task) for drill in drills if (task := task_of(drill)) is not None]


def test_what_a_drill_does_and_says_solves_its_task_and_silence_does_nothing() -> None:
    assert len(pairs()) > 25
    for dialogue, task in pairs():
        answer = answer_of(task)
        assert mark(task, dialogue.run.calls, answer, dialogue.world).solved
        assert not mark(task, [], answer, dialogue.world).solved, "said without having seen it"
        assert not mark(task, [], "", dialogue.world).done
    assert not validate([task for _, task in pairs()], 2001)


def test_a_drill_is_learnt_from_with_the_fields_that_its_task_is_marked_by() -> None:
    for dialogue, task in pairs():
        assert right_fields(outline(dialogue)) == right_fields(task), task.prompt


def test_an_answer_of_another_value_does_not_count() -> None:
    numbers = 0
    for dialogue, task in pairs():
        right = json.loads(answer_of(task))
        for field in fields_of(task):
            if field.slot.kind == "number":
                wrong = json.dumps(right | {field.name: field.slot.value * 3 + 7})
                numbers += 1
                assert not mark(task, dialogue.run.calls, wrong, dialogue.world).solved
    assert numbers > 10


def test_a_change_that_is_asked_for_must_be_made() -> None:
    changing = [(d, t) for d, t in pairs() if any(goal.state is not None for goal in t.goals)]
    assert len(changing) > 5
    for dialogue, task in changing:
        states = [goal for goal in task.goals if goal.state is not None]
        done = mark(task, [], answer_of(task), dialogue.world).done
        assert not {goal.goal_id for goal in states} & set(done)


def test_reinforcement_has_drills_as_lessons() -> None:
    recipe = read_recipe("grpo", {"drills": 12, "worlds": 2})
    training_tasks = make_training_tasks(recipe)
    assert {training_task.world_seed for training_task in training_tasks} == {2001, 2002}
    assert all(len(training_task.task.subtasks) <= 6 for training_task in training_tasks)
    for training_task in training_tasks:
        assert {step.tool for step in training_task.task.subtasks} <= set(training_task.tools)
    assert training_tasks == make_training_tasks(recipe)


def test_there_are_as_many_as_were_asked_for() -> None:
    assert len(make_synthetic_tasks(7, 1, range(2001, 2003), 24)) == 7


def test_references_lead_to_the_values_that_a_task_wants() -> None:
    found = 0
    for task in load_bundled("train").tasks[:80]:
        world, results = World(7), {}
        for step in task.subtasks:
            results[step.subtask_id] = world.call(step.tool, resolve(step.arguments, results)).value
        for step in task.subtasks:
            wanted = [w.slot.value for w in task.goals if w.step == step.subtask_id and w.slot]
            for at in find_references(task, step, results):
                assert resolve(at, results) in wanted
                found += at["take"] in ("min", "max")
    assert found >= 10


def test_a_value_that_a_scene_does_not_lead_to_is_left_out() -> None:
    task = next(t for t in load_bundled("train").tasks if "early_bird" in t.scenes)
    step = next(s for s in task.subtasks if s.tool == "flights_search_flights")
    other = {"flights": [{"departs": "2026-01-01T00:00", "price_eur": 1.0}]}
    assert find_references(task, step, {step.subtask_id: other}) == []
