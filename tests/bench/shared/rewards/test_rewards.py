"""Parts and weights of rewards."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentdyno.records import InputError
from agentdyno_bench.shared.rewards import (
    Parts,
    Weights,
    cost_part,
    parallelism_part,
    read_weights,
    reward,
    validity_part,
)
from tests.labelled import from_set

W = Weights()
share = st.floats(0, 1)
maybe = st.none() | share


FUNCTIONS: dict[str, Callable[..., float | None]] = {
    "parallelism_part": parallelism_part,
    "validity_part": validity_part,
    "cost_part": cost_part,
    "reward": lambda *parts: reward(Parts(*parts), W),
}


@from_set("bench/shared/rewards/rewards", "why", "function", "arguments", "worth")
def test_what_a_part_and_a_reward_are_worth(
    why: str, function: str, arguments: list[float | None], worth: float | None
) -> None:
    assert FUNCTIONS[function](*arguments) == pytest.approx(worth), why


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
