"""The bundled tasks: how many, how large, what they give away, and that they can be solved; how
tasks are written, checked and matched, and how steps refer to results."""

import asyncio
import re
from typing import Any

import pytest
from tools.publish_planning_tasks import remake

from agentdyno_bench.tps.pool import PoolSpec, open_pool
from agentdyno_bench.tps.run.marking import ceilings
from agentdyno_bench.tps.run.options import TpsOptions
from agentdyno_bench.tps.tasks.checking import ExecutedCall, first_evidence
from agentdyno_bench.tps.tasks.dataset import LEVELS, load_bundled
from agentdyno_bench.tps.tasks.execution import levels_of
from agentdyno_bench.tps.tasks.matching import holds
from agentdyno_bench.tps.tasks.pipeline import make_tasks, redraw
from agentdyno_bench.tps.tasks.placing import place_calls
from agentdyno_bench.tps.tasks.references import UnclearError, fill, find_needed, resolve
from agentdyno_bench.tps.tasks.screening import find_answered_pairs, signature
from agentdyno_bench.tps.tasks.stages import read_request
from agentdyno_bench.tps.tasks.validation import validate, validate_live
from agentdyno_bench.tps.tasks.values import CompoundTask, StateCheck, Subtask
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
        assert len(task.goals) >= 2
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


def sample_by_world() -> list[tuple[int, list[CompoundTask]]]:
    seeds = {task.task_id: load_bundled(task.level).world_seed for task in sample_tasks()}
    return [
        (seed, [task for task in sample_tasks() if seeds[task.task_id] == seed])
        for seed in sorted(set(seeds.values()))
    ]


def test_a_sample_of_reference_plans_solves_its_tasks() -> None:
    for seed, tasks in sample_by_world():
        assert validate(tasks, seed) == []


def test_another_world_does_not_solve_them() -> None:
    """So the proof can fail."""
    unsolved = [validate(tasks, seed + 1) for seed, tasks in sample_by_world()]
    assert sum(map(len, unsolved)) > 20


def test_reference_plans_solve_their_tasks_over_mcp() -> None:
    for seed, tasks in sample_by_world():
        with open_pool(PoolSpec(transport="memory", seed=seed)) as pool:
            assert asyncio.run(validate_live(tasks[::3], pool)) == []


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


SEARCH = Subtask("s1", "find", "a_search", {"city": "Rome"}, [], ["a_search", "a_best"], ["Rome"],
                 ["x1", 80.5], [80.5], None, 1.0)  # fmt: skip
LEFT = StateCheck("a", "rows", {"id": "x1"}, {"text": ["80.5"]})
BOOK = Subtask("s2", "book", "a_book", {"id": {"$from": "s1", "path": "id"}}, ["s1"], ["a_book"],
               ["x1"], [], [], LEFT, 2.0)  # fmt: skip
TASK = CompoundTask("t", "easy", "Rome, cheap", [], [SEARCH, BOOK])
FOUND = {"city": "Rome", "id": "x1", "price": 80.5}


def call(
    turn: int, tool: str, arguments: Any, result: Any, error: str | None = None
) -> ExecutedCall:
    return ExecutedCall(turn, tool, arguments, result, error, 1.0, ran=True)


ARGUMENTS = [
    call(0, "a_search", {"city": "rome"}, FOUND),
    call(1, "a_book", {"id": "x1"}, {"id": "x1"}),
]


def test_failed_calls_other_tools_and_other_cities_did_nothing() -> None:
    failed = call(0, "a_search", {"city": "Rome"}, FOUND, "500")
    other_tool = call(0, "a_list", {"city": "Rome"}, FOUND)
    elsewhere = call(0, "a_search", {"city": "Oslo"}, {**FOUND, "city": "Oslo"})
    assert first_evidence(SEARCH, [failed, other_tool, elsewhere]) is None
    assert first_evidence(SEARCH, [elsewhere, *ARGUMENTS]) == 1
    assert first_evidence(SEARCH, [call(0, "a_best", {"city": "Rome"}, FOUND)]) == 0


def test_calls_are_placed_on_the_graph_with_guesses_repeats_and_strangers() -> None:
    guess = call(0, "a_book", {"id": "?"}, {}, "not found")
    stranger = call(0, "b_else", {}, {})
    placed = place_calls(TASK, [guess, stranger, *ARGUMENTS, ARGUMENTS[0]])
    assert [p.node for p in placed] == ["s2", None, "s1", "s2", "s1"]
    assert [p.did for p in placed] == [[], [], ["s1"], ["s2"], []]
    assert [p.repeated for p in placed] == [False, False, False, False, True]
    assert [p.failed for p in placed] == [True, False, False, False, False]


def test_a_result_holds_leaves_and_figures_within_texts_but_no_keys() -> None:
    result = {"rows": [{"id": "NW412", "price": 80.0}], "text": "The invoice over 310 euros"}
    assert holds(result, "nw412")
    assert holds(result, 80)
    assert holds(result, 310.0)
    assert not holds(result, "rows")
    assert not holds(result, 31)


ROWS = {"rows": [{"id": "a", "p": 3, "left": 0}, {"id": "b", "p": 5, "left": 2},
                 {"id": "c", "p": 4, "left": 1}], "text": "over 310 euros"}  # fmt: skip
RESULTS = {"s1": ROWS, "s2": {"day": "2026-05-30T10:00", "n": 2.0}}


def row(**kw: Any) -> dict[str, Any]:
    return {"$from": "s1", "list": "rows", "field": "id", **kw}


@pytest.mark.parametrize(
    ("ref", "value"),
    [
        ({"$from": "s1", "path": "rows.1.id"}, "b"),
        ({"$from": "s1", "path": "text", "pattern": r"over (\d+)"}, 310.0),
        (row(take="min", by="p"), "a"),
        (row(take="min", by="p", where=[["left", ">", 0]]), "c"),
        (row(take="only", where=[["id", "=", "b"]]), "b"),
        ({"$day": {"$from": "s2", "path": "day"}}, "2026-05-30"),
        ({"$days_after": {"$from": "s2", "path": "day"}, "days": 3}, "2026-06-02"),
        ({"$text": "n is {0}", "of": [{"$from": "s2", "path": "n"}]}, "n is 2"),
        ({"$list": [{"$from": "s2", "path": "n"}]}, [2.0]),
        ({"$best": [{"value": 1, "give": "x"}, {"value": 2, "give": "y"}], "take": "max"}, "y"),
        ({"a": [{"$from": "s2", "path": "n"}]}, {"a": [2.0]}),
    ],
)
def test_a_reference_leads_to_its_value(ref: Any, value: Any) -> None:
    assert resolve(ref, RESULTS) == value


@pytest.mark.parametrize(
    "ref",
    [
        {"$from": "s9", "path": "x"},
        {"$from": "s1", "path": "rows.7.id"},
        row(take="only"),
        row(take="min", by="p", where=[["left", ">", 9]]),
        {"$best": [{"value": 1, "give": "x"}, {"value": 1, "give": "y"}], "take": "max"},
    ],
)
def test_what_nobody_could_know_is_an_error(ref: Any) -> None:
    with pytest.raises(UnclearError):
        resolve(ref, RESULTS)


def test_edges_and_guesses_come_from_the_references() -> None:
    arguments = {
        "x": {"$text": "at {0}", "of": [{"$from": "s2", "path": "n"}]},
        "y": row(take="first"),
    }
    assert find_needed(arguments) == ["s2", "s1"]
    assert fill(arguments, "?") == {"x": "at ?", "y": "?"}
