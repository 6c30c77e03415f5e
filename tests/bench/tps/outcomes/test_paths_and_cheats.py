"""Every test task: other ways get full marks, and no cheat comes up to honest half-work."""

import pytest

from agentdyno_bench.tps.outcomes import mark
from agentdyno_bench.tps.outcomes.paths import paths
from agentdyno_bench.tps.tasks.dataset import load_bundled
from agentdyno_bench.tps.tasks.values import CompoundTask
from agentdyno_bench.tps.world.directory import DEFAULT_SEED
from tests.bench.tps.inprocess import run_agent
from tests.bench.tps.outcomes.cheats import CHEATS

TESTS = [*load_bundled("easy").tasks, *load_bundled("hard").tasks]


def check_paths(task: CompoundTask) -> None:
    found = paths(task)
    assert len({path.tools() for path in found}) >= 3, task.task_id
    assert all(mark(task, path.calls, path.answers).score == 1 for path in found)


def test_three_ways_found_by_search_get_full_marks_on_a_sample() -> None:
    for task in TESTS[::20]:
        check_paths(task)


@pytest.mark.slow
def test_three_ways_found_by_search_get_full_marks_on_all_200_tasks() -> None:
    for task in TESTS:
        check_paths(task)


def check_cheats(task: CompoundTask) -> None:
    half = run_agent("half_work", task, DEFAULT_SEED).marks.score
    for cheat in CHEATS:
        calls, answer = cheat(task)
        assert mark(task, calls, answer).score < half, (cheat.__name__, task.task_id)


def test_cheats_stay_below_honest_half_work_on_a_sample() -> None:
    for task in TESTS[::8]:
        check_cheats(task)


@pytest.mark.slow
def test_cheats_stay_below_honest_half_work_on_every_test_task() -> None:
    for task in TESTS:
        check_cheats(task)
