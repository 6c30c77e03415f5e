"""Marks do not change with the wording of values, over all test tasks."""

import pytest

from agentdyno_bench.tps.outcomes import mark
from agentdyno_bench.tps.tasks.dataset import load_bundled
from agentdyno_bench.tps.tasks.values import CompoundTask
from tests.bench.tps.outcomes.reference import run_of
from tests.bench.tps.outcomes.rewording import WORDINGS, Wording

TESTS = [*load_bundled("easy").tasks, *load_bundled("hard").tasks]


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
