"""Over all test tasks: what an answer earns when every call was right, in whatever words, and that
other ways get full marks and no cheat comes up to honest half-work."""

from collections.abc import Iterable

import pytest

from agentdyno_bench.tps.outcomes import mark
from agentdyno_bench.tps.outcomes.paths import paths
from agentdyno_bench.tps.tasks.dataset import load_bundled
from agentdyno_bench.tps.tasks.values import CompoundTask
from agentdyno_bench.tps.world.directory import DEFAULT_SEED
from tests.bench.tps.inprocess import run_agent
from tests.bench.tps.outcomes.answers import CHEATS, HELPFUL, Form, _is_deviation
from tests.bench.tps.outcomes.cheats import CHEATS as CHEATERS
from tests.bench.tps.outcomes.reference import run_of
from tests.bench.tps.outcomes.rewording import WORDINGS, Wording

TESTS = [*load_bundled("easy").tasks, *load_bundled("hard").tasks]
STEPS = [10, pytest.param(1, id="all", marks=pytest.mark.slow)]
"""Every tenth task, or all of them."""


def earned(form: Form, tasks: Iterable[CompoundTask], only: bool = False) -> tuple[int, int, int]:
    """Slots that are met and all slots; tasks that are solved."""
    met = slots = solved = 0
    for task in tasks:
        run = run_of(task)
        if (answer := form(task, run)) is None:
            continue
        marks = mark(task, run.calls, answer)
        asked = [w for w in task.wishes if w.slot is not None and (not only or _is_deviation(w))]
        met += len({w.wish_id for w in asked} & set(marks.done))
        slots, solved = slots + len(asked), solved + marks.solved
    return met, slots, solved


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("name", CHEATS)
def test_a_cheat_earns_next_to_nothing(name: str, step: int) -> None:
    tasks = TESTS[::step]
    met, slots, solved = earned(CHEATS[name], tasks)
    assert slots > len(tasks)
    assert met <= 0.05 * slots, (met, slots)
    assert solved <= 0.01 * len(tasks)


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("name", HELPFUL)
def test_a_helpful_answer_earns_everything(name: str, step: int) -> None:
    met, slots, _ = earned(HELPFUL[name], TESTS[::step], only=name == "below plan")
    assert slots
    assert met == slots


def check(wording: Wording, task: CompoundTask) -> None:
    run = run_of(task)
    told = [f"{w.asks.partition(': say')[0]}: {wording(w.slot)}" for w in task.wishes if w.slot]
    got = mark(task, run.calls, "\n".join(told))
    missed = [(w, task.wishes[n].slot) for n, w in enumerate(got.wishes) if not w.done]
    assert not missed, (task.task_id, missed, told)


@pytest.mark.parametrize("step", [20, pytest.param(1, id="all", marks=pytest.mark.slow)])
@pytest.mark.parametrize("wording", WORDINGS.values(), ids=WORDINGS)
def test_marks_are_the_same_in_other_words(wording: Wording, step: int) -> None:
    for task in TESTS[::step]:
        check(wording, task)


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
        for cheat in CHEATERS:
            calls, answer = cheat(task)
            assert mark(task, calls, answer).score < half, (cheat.__name__, task.task_id)
