"""What an answer earns when every call was right, over all test tasks."""

from collections.abc import Iterable

import pytest

from agentdyno_bench.tps.outcomes import mark
from agentdyno_bench.tps.tasks.dataset import load_bundled
from agentdyno_bench.tps.tasks.values import CompoundTask
from tests.bench.tps.outcomes.answers import CHEATS, HELPFUL, Form, _is_deviation
from tests.bench.tps.outcomes.reference import run_of

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
