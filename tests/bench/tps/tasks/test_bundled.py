"""The bundled tasks: how many, how large, what they give away, and that they can be solved."""

import asyncio
import re

import pytest
from tools.publish_planning_tasks import remake

from agentdyno_bench.tps.pool import PoolSpec, open_pool
from agentdyno_bench.tps.run.marking import ceilings
from agentdyno_bench.tps.run.options import TpsOptions
from agentdyno_bench.tps.tasks.dataset import LEVELS, load_bundled
from agentdyno_bench.tps.tasks.execution import levels_of
from agentdyno_bench.tps.tasks.pipeline import make_tasks, redraw
from agentdyno_bench.tps.tasks.screening import find_answered_pairs, signature
from agentdyno_bench.tps.tasks.stages import read_request
from agentdyno_bench.tps.tasks.validation import validate, validate_live
from agentdyno_bench.tps.tasks.values import CompoundTask
from agentdyno_bench.tps.world.directory import DEFAULT_SEED, all_tools

NAMED = ("city", "origin", "destination", "film", "album", "company", "country", "book")


def every_task() -> list[CompoundTask]:
    return [task for level in LEVELS for task in load_bundled(level).tasks]


def sample_tasks() -> list[CompoundTask]:
    """Thirty, the largest and the smallest of the hard ones among them."""
    hard = sorted(load_bundled("hard").tasks, key=lambda task: len(task.subtasks))
    return [
        *load_bundled("easy").tasks[:10],
        *hard[:8],
        *hard[-4:],
        *load_bundled("train").tasks[:8],
    ]


def test_there_are_100_easy_100_hard_120_with_a_purpose_and_at_least_597_for_training() -> None:
    counts = [len(load_bundled(level).tasks) for level in LEVELS]
    assert counts[:3] == [100, 100, 120]
    assert counts[3] >= 597
    assert len({task.task_id for task in every_task()}) == sum(counts)
    assert len({task.prompt for task in every_task()}) == sum(counts)
    assert len({signature(task) for task in every_task()}) == sum(counts)


def test_easy_tasks_have_two_to_five_subtasks_and_hard_ones_up_to_fifty_in_chains() -> None:
    assert {len(task.subtasks) for task in load_bundled("easy").tasks} <= {2, 3, 4, 5}
    sizes = [len(task.subtasks) for task in load_bundled("hard").tasks]
    assert min(sizes) >= 6
    assert 40 < max(sizes) <= 50
    assert all(len(levels_of(task)) >= 3 for task in load_bundled("hard").tasks)
    assert all(len(levels_of(task)) <= 3 for task in load_bundled("easy").tasks)


def test_prompts_name_no_tool_and_list_no_steps() -> None:
    names = set(all_tools()) | {n.partition("_")[2] for n in all_tools() if n.count("_") > 1}
    for task in every_task():
        request = read_request(task)
        assert not re.search(r"(^|\n)\s*(\d+[.)]|[-*•])\s", request)
        assert not any(name in request.casefold() for name in names)
        assert not re.search(r"\bs\d+\b", request)


def test_graphs_have_no_circles_and_every_subtask_has_tools_and_a_check() -> None:
    tools = all_tools()
    for task in every_task():
        seen: set[str] = set()
        for subtask in task.subtasks:
            assert seen.issuperset(subtask.needs)
            seen.add(subtask.subtask_id)
            assert subtask.tool == subtask.serves[0]
            assert set(subtask.serves) <= tools.keys()
            assert subtask.evidence or subtask.state
            assert tools[subtask.tool].writes == (subtask.state is not None)
        assert len(task.wishes) >= 2
    both = [s for task in every_task() for s in task.subtasks if len(s.serves) > 1]
    assert len(both) > 500


def test_everything_that_cannot_be_looked_up_stands_in_the_prompt() -> None:
    """Fixed arguments are known from the prompt; dates as people say them."""
    for task in every_task():
        for subtask in task.subtasks:
            for name, value in subtask.arguments.items():
                if isinstance(value, str) and name in NAMED:
                    assert value in read_request(task), (task.task_id, name, value)


def test_the_pipeline_makes_the_bundled_tasks_again() -> None:
    for level, count in (("easy", 30), ("hard", 1), ("purpose", 20), ("train", 4)):
        bundled = load_bundled(level)
        again = redraw(level, bundled.draws[:count], world_seed=bundled.world_seed)
        assert again == bundled.tasks[:count]


def test_the_pipeline_screens_what_it_draws() -> None:
    made = make_tasks({"easy": 3}, seed=7)
    assert [task.task_id for task in made] == ["easy-001", "easy-002", "easy-003"]
    assert validate(made, DEFAULT_SEED) == []


def test_a_sample_of_reference_plans_solves_its_tasks() -> None:
    assert validate(sample_tasks(), DEFAULT_SEED) == []


def test_another_world_does_not_solve_them() -> None:
    """So the proof can fail."""
    assert len(validate(sample_tasks(), DEFAULT_SEED + 1)) > 20


def test_reference_plans_solve_their_tasks_over_mcp() -> None:
    with open_pool(PoolSpec(transport="memory")) as pool:
        assert asyncio.run(validate_live(sample_tasks()[::3], pool)) == []


@pytest.mark.slow
def test_every_reference_plan_solves_its_task_over_live_servers() -> None:
    for found in map(load_bundled, LEVELS):
        with open_pool(PoolSpec(seed=found.world_seed)) as pool:
            assert asyncio.run(validate_live(found.tasks, pool)) == []


@pytest.mark.slow
def test_the_pipeline_makes_all_bundled_tasks_again() -> None:
    assert [remake(level) for level in LEVELS] == [load_bundled(level) for level in LEVELS]


def test_no_scene_and_no_answer_about_the_same_things_is_in_training_and_tests() -> None:
    tests = [task for level in LEVELS[:3] for task in load_bundled(level).tasks]
    train = load_bundled("train").tasks
    asked, taught = ({s for task in tasks for s in task.scenes} for tasks in (tests, train))
    assert asked & taught == set()
    assert len(asked | taught) >= 120
    known = set[object]().union(*(find_answered_pairs(task) for task in train))
    assert not any(find_answered_pairs(task) & known for task in tests)


def test_under_the_defaults_every_test_task_can_be_finished_and_the_ceiling_says_where_not() -> (
    None
):
    tests = [task for level in LEVELS[:3] for task in load_bundled(level).tasks]
    for scheduling in ("parallel", "sequential"):
        found = ceilings(tests, TpsOptions(scheduling=scheduling))  # type: ignore[arg-type]
        assert (found.mean, found.below) == (1.0, 0)
    paper = ceilings(load_bundled("hard").tasks, TpsOptions(most_tools=10))
    assert paper.below > 50
    assert ceilings(tests, TpsOptions(turns=2)).mean < 0.8
