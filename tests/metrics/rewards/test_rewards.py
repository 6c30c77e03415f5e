"""Parts and weights of rewards."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentdyno.findings.rewards import (
    Parts,
    Weights,
    cost_part,
    parallelism_part,
    read_weights,
    reward,
    validity_part,
)
from agentdyno.records import InputError

W = Weights()
share = st.floats(0, 1)
maybe = st.none() | share


def test_the_worked_examples_come_out() -> None:
    assert parallelism_part(4, 2, 2) == 1
    assert parallelism_part(4, 4, 2) == 0.5
    assert validity_part(4, 1) == 0.75
    assert cost_part(6000, 4500) == 0.75
    assert reward(Parts(1, 0.5, 1, 0.75, 1), W) == pytest.approx(0.8875)
    assert reward(Parts(0.5, 1, 1, 1, 0.5), W) == pytest.approx(0.5)
    assert reward(Parts(0.3, 1, 1, 1, 0.3), W) == pytest.approx(0.3)


def test_doing_nothing_is_worth_nothing() -> None:
    assert parallelism_part(0, 0, 3) == 0
    assert validity_part(0, 0) == 0
    assert reward(Parts(0, 0, 0, 1, 0), W) == 0


def test_unknown_parts_are_left_out() -> None:
    assert cost_part(None, 5) is None
    assert cost_part(5, None) is None
    assert reward(Parts(0.5), W) == 0.5


def test_a_speed_up_beyond_the_available_is_not_paid() -> None:
    assert parallelism_part(10, 1, 2) == 1
    assert cost_part(10, 4500) == 1


@given(share, maybe, maybe, maybe, maybe, st.floats(0, 0.33), st.floats(0, 0.33), share)
def test_every_reward_is_bounded_and_never_falls_with_the_outcome(
    outcome: float, p: float | None, v: float | None, c: float | None, g: float | None,
    wp: float, wc: float, shaping: float,
) -> None:  # fmt: skip
    weights = Weights(wp, 0.33, wc, shaping)
    found = reward(Parts(outcome, p, v, c, g), weights)
    assert 0 <= found <= 1 + 1e-12
    assert reward(Parts(min(1.0, outcome + 0.1), p, v, c, g), weights) >= found - 1e-12


def test_the_bundled_weights_are_the_defaults() -> None:
    assert read_weights() == Weights()


def test_weights_come_from_a_file_and_wrong_ones_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "weights.toml"
    file.write_text('parallelism = 0.4\ncost_unit = "gpu_seconds"\n')
    assert read_weights(file) == Weights(parallelism=0.4, cost_unit="gpu_seconds")
    for text in ("parallelism = 1.5", "speed = 1", "cost = ", 'cost_unit = "euros"',
                 "parallelism = 0.5\nvalidity = 0.5"):  # fmt: skip
        file.write_text(text)
        with pytest.raises(InputError, match="weights of a reward"):
            read_weights(file)
    with pytest.raises(InputError, match="TOML"):
        read_weights(tmp_path / "none.toml")
