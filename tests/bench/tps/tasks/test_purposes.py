"""Tasks with a purpose: what they ask for, that nothing of them is trained on, and that a user who
answers back is served through the real runner, faults included."""

import re
from pathlib import Path

import pytest

from agentdyno_bench.shared.bench_run import run_bench
from agentdyno_bench.shared.running.options import ModelSpec, RunOptions
from agentdyno_bench.tps.measured_run import TpsPlanOptions, measure_samples, tps_plans
from agentdyno_bench.tps.outcomes import RequestedCall, mark
from agentdyno_bench.tps.outcomes.paths import paths
from agentdyno_bench.tps.outcomes.submission import answers_of
from agentdyno_bench.tps.run.options import PURPOSE_FAULTS
from agentdyno_bench.tps.tasks.dataset import TaskSet, load_bundled, write_tasks
from agentdyno_bench.tps.tasks.execution import levels_of, run_plan
from agentdyno_bench.tps.tasks.pipeline import make_tasks
from agentdyno_bench.tps.tasks.placing import place_calls
from agentdyno_bench.tps.tasks.scenes import CHAINS, CLOSINGS, PURPOSES, SMALL
from agentdyno_bench.tps.tasks.scenes.scene import Scene
from agentdyno_bench.tps.tasks.screening import find_calls
from agentdyno_bench.tps.tasks.stages import split_stages
from agentdyno_bench.tps.tasks.validation import validate
from agentdyno_bench.tps.tasks.values import CompoundTask
from agentdyno_bench.tps.world import World
from agentdyno_bench.tps.world.directory import SERVERS
from agentdyno_train.prompt_templates import read_templates

FOUND = load_bundled("purpose")
TASKS, SEED = FOUND.tasks, FOUND.world_seed
PHRASE = 8
"""Words in a row that no two wordings of tests and training may share; a name is one word."""


def phrases(text: str) -> set[tuple[str, ...]]:
    words = re.findall(r"[\w']+", re.sub(r"“[^”]*”|\{[^}]*\}", "_", text).lower())
    return {tuple(words[at : at + PHRASE]) for at in range(len(words) - PHRASE + 1)}


def wordings(scene: Scene) -> list[str]:
    return [*scene.say, *(scene.then.say if scene.then else [])]


def test_scenes_have_three_wordings_and_the_tasks_use_every_server() -> None:
    assert len(PURPOSES) >= 60
    for scene in PURPOSES.values():
        assert len(scene.say) >= 3
        assert scene.then is None or len(scene.then.say) >= 3
    assert sum(len(wordings(scene)) for scene in PURPOSES.values()) >= 280
    assert {s.tool.partition("_")[0] for task in TASKS for s in task.subtasks} == set(SERVERS)
    assert {task.scenes[0] for task in TASKS} == set(PURPOSES)
    assert all(5 <= len(task.subtasks) <= 14 for task in TASKS)
    assert all(len(levels_of(task)) >= 3 - bool(task.forbidden) for task in TASKS)


def test_half_change_their_mind_and_every_rule_forbids_in_one_task_and_not_in_another() -> None:
    assert 55 <= sum(bool(task.follow_ups) for task in TASKS) <= 75
    ruled = {(task.scenes[0], task.forbidden) for task in TASKS if task.forbidden is not None}
    assert len(ruled) >= 40
    assert {(name, not forbidden) for name, forbidden in ruled} == ruled


def test_no_scene_call_or_phrase_is_in_training_or_in_the_other_tests() -> None:
    others = {**SMALL, **CHAINS, **CLOSINGS}
    assert not others.keys() & PURPOSES.keys()
    known = [text for scene in others.values() for text in wordings(scene)]
    known += [str(text) for template in read_templates() for text in template.wordings]
    taken = set[tuple[str, ...]]().union(*map(phrases, known))
    for scene in PURPOSES.values():
        assert not [text for text in wordings(scene) if phrases(text) & taken], scene.name
    train = load_bundled("train")
    taught = frozenset[str]().union(*(find_calls(t, train.world_seed) for t in train.tasks))
    assert not any(find_calls(task, SEED) & taught for task in TASKS)


def test_every_plan_solves_its_task_and_the_first_answer_alone_does_not() -> None:
    assert validate(TASKS, SEED) == []
    for task in [task for task in TASKS if task.follow_ups][::8]:
        first, _ = split_stages(task)
        run = run_plan(first, World(SEED), by_levels=False)
        assert not mark(task, run.calls, answers_of(task)[:1], SEED).solved


STEPS = [8, pytest.param(1, id="all", marks=pytest.mark.slow)]


FEWER_WAYS = {"purpose-111": 1} | dict.fromkeys(
    ("purpose-017", "purpose-025", "purpose-033", "purpose-050", "purpose-078", "purpose-086",
     "purpose-094", "purpose-120"), 2
)  # fmt: skip
"""Locked tasks of which another way had been a number that was the same by chance: the hour of a
forecast for that of a table."""


@pytest.mark.parametrize("step", STEPS)
def test_three_ways_found_by_search_get_full_marks(step: int) -> None:
    for task in TASKS[::step]:
        ways = len({path.tools() for path in paths(task, SEED)})
        assert ways == FEWER_WAYS.get(task.task_id, 3), task.task_id


def test_doing_what_a_rule_forbids_is_harm() -> None:
    """A seat above the limit: everything else is right."""
    task = next(t for t in TASKS if t.scenes == ["fare_limit"] and t.forbidden)
    run = run_plan(task, World(SEED), by_levels=False)
    flight = min(
        (f for f in run.calls[0].result["flights"] if f["seats_left"]),
        key=lambda f: float(f["price_eur"]),
    )
    bought = RequestedCall("flights_book_flight", {"flight_id": flight["flight_id"]})
    marks = mark(task, [*run.calls, bought], run.answers, SEED)
    assert marks.completion == 1
    assert [harm.severity for harm in marks.harms] == ["grave"]


def test_what_was_taken_back_must_be_cancelled_and_the_rest_must_stay() -> None:
    task = next(t for t in TASKS if t.scenes == ["cheaper_bed"])
    run = run_plan(task, World(SEED), by_levels=False)
    kept = [call for call in run.calls if call.tool != "hotels_cancel_reservation"]
    marks = mark(task, kept, run.answers, SEED)
    assert marks.harms
    assert not marks.solved
    # The values of one answer do not count for the other.
    assert mark(task, run.calls, run.answers[::-1], SEED).completion < 0.8
    assert mark(task, run.calls, run.answers, SEED).solved


def through_the_runner(tasks: list[CompoundTask], seed: int, folder: Path) -> list[bool]:
    """Whether the best agent solves each task, over MCP, with the level's faults."""
    write_tasks(folder / "tasks.json", TaskSet(seed, "test", tasks))
    script = {"script": "bench.scripted.planning:patient"}
    asked = TpsPlanOptions(
        [ModelSpec("agentdyno/scripted", None, script)], levels=["purpose"], selections=["none"],
        pool={"transport": "memory", "latency": "virtual"}, tasks=folder / "tasks.json",
    )  # fmt: skip
    plans = tps_plans(asked, RunOptions(out=folder / "out"))
    assert plans[0].task.arguments["options"]["pool"]["faults"] == PURPOSE_FAULTS
    run_bench(plans, folder / "out")
    return [bool(correct) for correct in measure_samples(folder / "out")["correct"]]


def test_the_best_agent_solves_them_through_the_runner_with_faults(tmp_path: Path) -> None:
    some = [task for task in TASKS if task.follow_ups][:3] + [t for t in TASKS if t.forbidden][:2]
    assert through_the_runner(some, SEED, tmp_path) == [True] * 5


def test_any_seed_gives_a_set_of_its_own() -> None:
    made = make_tasks({"purpose": 3}, seed=5, world_seed=503)
    assert len(made) == 3
    assert validate(made, 503) == []
    assert not {task.prompt for task in made} & {task.prompt for task in TASKS}


@pytest.mark.slow
def test_the_best_agent_solves_all_of_them_through_the_runner(tmp_path: Path) -> None:
    assert through_the_runner(TASKS, SEED, tmp_path) == [True] * len(TASKS)


def test_a_call_that_a_later_message_asks_for_again_is_no_repetition() -> None:
    task = next(task for task in TASKS if task.task_id == "purpose-030")
    calls = run_plan(task, World(SEED, timed=False), by_levels=False).calls
    once, again = calls[1], calls[5]
    assert (once.tool, once.arguments) == (again.tool, again.arguments)
    placed = place_calls(task, calls)
    assert [p.did for p in placed] == [[s.subtask_id] for s in task.subtasks]
    assert not any(p.repeated for p in placed)
    doubled = place_calls(task, [*calls[:2], once, *calls[2:6], again, *calls[6:]])
    assert [p.did for p in doubled if p.tool == once.tool] == [["s2"], [], ["s6"], []]
    assert [p.repeated for p in doubled if p.tool == once.tool] == [False, True, False, True]
