"""A calibration is compared with theory on bursts that it did not fit."""

import numpy as np
import pytest

from agentdyno.cost.architectures import load_architectures
from agentdyno.cost.hardware import resolve_hardware
from agentdyno.cost.replay import Turn, replay
from agentdyno.cost.steps import StepModel, theoretical_steps
from agentdyno.records import InputError
from agentdyno_depth.fitting.calibration import Burst
from agentdyno_depth.fitting.held_out import HeldOut, hold_out, refuse_worse_than_theory

QWEN = load_architectures()["qwen2.5-7b"]
THEORY = theoretical_steps(QWEN, resolve_hardware("h200-sxm"))


def slowed(at: float) -> StepModel:
    """A machine whose steps take three times as long with so many sequences, and only then."""
    seconds = [3 * s if t == at else s for t, s in zip(THEORY.tokens, THEORY.seconds, strict=True)]
    return StepModel(THEORY.tokens, tuple(seconds), 0.0, 1e-15, 0.001)


def send(model: StepModel, batches: tuple[int, ...]) -> list[Burst]:
    rows = [("prefill", 1, tokens, 1) for tokens in (16, 512, 4096)]
    rows += [("decode", batch, 129, decode) for batch in batches for decode in (9, 73)]
    found = []
    for kind, batch, context, decode in rows:
        turns = [[Turn(context, decode, 128 if kind == "decode" else 0)]] * batch
        seconds = replay(turns, batch, QWEN, model).makespan_seconds
        found += [Burst(kind, batch, context, decode, repeat, seconds) for repeat in range(2)]
    return found


def test_the_batches_in_between_are_left_out_and_predicted_from_the_others() -> None:
    plain = StepModel(THEORY.tokens, THEORY.seconds, 0.0, 1e-15, 0.001)
    found = hold_out(send(plain, (1, 8, 64)), QWEN, plain)
    assert found is not None
    assert found.bursts == 2
    assert found.error < 0.2
    assert found.theory_error == pytest.approx(0.0, abs=1e-9)


def test_what_only_the_bursts_left_out_show_counts_against_the_fit() -> None:
    found = hold_out(send(slowed(8), (1, 8, 64)), QWEN, None)
    assert found is not None
    assert 0.5 < found.error < 0.7  # A third of what it took.
    assert found.theory_error is None


def test_two_batches_leave_nothing_to_hold_out() -> None:
    assert hold_out(send(THEORY, (1, 8)), QWEN, THEORY) is None


def test_a_fit_worse_than_theory_is_refused() -> None:
    refuse_worse_than_theory(None)
    refuse_worse_than_theory(HeldOut(9, 0.2, None))
    refuse_worse_than_theory(HeldOut(9, 0.05, 0.06))
    with pytest.raises(InputError, match=r"9 bursts left out of the fit it is 6.1% off.* 6.0%"):
        refuse_worse_than_theory(HeldOut(9, float(np.float64(0.061)), 0.06))
