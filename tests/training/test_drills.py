"""Exercises of single tools, and other names for tools."""

import json
import random

from agentdyno.benchmarks.tps.tasks.dataset import bundled
from agentdyno.benchmarks.tps.world import World
from agentdyno.engines.dialect import read_turn
from agentdyno.training.aliases import aliased
from agentdyno.training.drills import drill_conversations
from agentdyno.training.lessons import apart, make_lessons
from agentdyno.training.plans import conversation
from agentdyno.training.settings import read_recipe

TALKS = drill_conversations(120, 1, [1001], 30)


def test_drills_make_calls_that_succeed_with_tools_on_offer_and_give_their_results() -> None:
    for talk in TALKS:
        offered = talk.messages[0].text
        for message, results in zip(talk.messages[2:-1:2], talk.messages[3::2], strict=True):
            calls = read_turn(message.text).calls
            assert calls
            for name, arguments in calls:
                assert f"\n{name}(" in offered
                outcome = World(1001).call(name, arguments)
                assert outcome.error is None
                assert outcome.text in results.text


def test_drills_reach_most_tools_and_some_need_an_earlier_result() -> None:
    names = {
        name
        for talk in TALKS
        for message in talk.messages[2:-1:2]
        for name, _ in read_turn(message.text).calls
    }
    assert len(names) > 90
    assert sum(len(talk.messages) == 7 for talk in TALKS) > 20


def test_equal_settings_give_equal_drills() -> None:
    assert drill_conversations(5, 1, [1001], 30) == TALKS[:5]


def test_no_prompt_of_a_drill_has_words_of_a_test_prompt() -> None:
    def phrases(text: str) -> set[tuple[str, ...]]:
        words = text.split()
        return {tuple(words[i : i + 7]) for i in range(len(words) - 6)}

    tests = [*bundled("easy").tasks, *bundled("hard").tasks]
    known = set().union(*(phrases(task.prompt) for task in tests))
    assert not any(phrases(talk.messages[1].text) & known for talk in TALKS)


def test_aliases_rename_lists_and_calls_alike_and_nothing_else() -> None:
    task = bundled("train").tasks[3]
    tools = list(dict.fromkeys(step.tool for step in task.subtasks))
    talk = conversation(task, tools)
    assert talk is not None
    other = aliased(talk, random.Random(3))
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
    scenes = apart(0.2)
    warm = make_lessons(read_recipe("sft", {"worlds": 0, "apart": 0.2}))
    later = make_lessons(read_recipe("grpo", {"worlds": 0, "apart": 0.2}))
    assert not any(scenes & set(lesson.task.scenes) for lesson in warm)
    assert all(scenes & set(lesson.task.scenes) for lesson in later)
