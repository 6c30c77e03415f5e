"""Every test task: other ways get full marks, and no cheat comes up to honest half-work."""

import pytest

from agentdyno_bench.tps.outcomes import mark
from agentdyno_bench.tps.outcomes.paths import paths
from agentdyno_bench.tps.tasks.dataset import load_bundled
from agentdyno_bench.tps.world.directory import DEFAULT_SEED
from tests.bench.tps.inprocess import run_agent
from tests.bench.tps.outcomes.cheats import CHEATS

TESTS = [*load_bundled("easy").tasks, *load_bundled("hard").tasks]


@pytest.mark.parametrize("step", [20, pytest.param(1, id="all", marks=pytest.mark.slow)])
def test_three_ways_found_by_search_get_full_marks(step: int) -> None:
    for task in TESTS[::step]:
        found = paths(task)
        assert len({path.tools() for path in found}) >= 3, task.task_id
        assert all(mark(task, path.calls, path.answers).score == 1 for path in found)


@pytest.mark.parametrize("step", [16, pytest.param(1, id="all", marks=pytest.mark.slow)])
def test_cheats_stay_below_honest_half_work(step: int) -> None:
    for task in TESTS[::step]:
        half = run_agent("half_work", task, DEFAULT_SEED).marks.score
        for cheat in CHEATS:
            calls, answer = cheat(task)
            assert mark(task, calls, answer).score < half, (cheat.__name__, task.task_id)
