"""Growth per layer kind: the closed form against a sum over every decoded token."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdyno.cost.architectures import frontier_moe, load_architectures
from agentdyno.cost.gamma import decode_cost, gamma, sum_grown_pairs, turn_gammas
from agentdyno.cost.hardware import resolve_hardware
from agentdyno.cost.pte import turn_pte_growth

ARCHITECTURES = (
    "qwen2.5-7b", "qwen3-32b", "qwen3-30b-a3b", "llama-3.1-8b", "llama-4-scout", "deepseek-v3",
    "deepseek-v3.2", "gpt-oss-20b", "gpt-oss-120b", "glm-4.5", "gemma-3-1b", "gemma-3-27b",
    "mixtral-8x7b", "smollm2-135m",
)  # fmt: skip
"""Full attention, grouped, latent, chunked, sliding and picked."""


@pytest.mark.parametrize("name", ARCHITECTURES)
def test_growth_is_the_sum_over_every_decoded_token(name: str) -> None:
    one = gamma(load_architectures()[name], resolve_hardware())
    window = one.window_tokens
    for context, decode in ((1, 1), (50, 300), (window, 7), (window + 5, 90), (9_000, 2_500)):
        by_token = sum(decode_cost(one, context + j) for j in range(decode))
        assert turn_pte_growth(0, context, decode, one) == pytest.approx(by_token, rel=1e-9)


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 400), st.integers(0, 300), st.integers(0, 300))
def test_pairs_up_to_a_window_have_a_closed_form(context: int, decode: int, window: int) -> None:
    found = sum_grown_pairs(np.array([context]), np.array([decode]), np.array([window]))
    assert found[0] == sum(min(context + j, window) for j in range(decode))


def test_one_effective_gamma_was_wrong_on_windows() -> None:
    # Gemma 3 27B over 4,000 tokens of context: its windows of 1,024 are full and grow no more.
    one = turn_gammas([gamma(load_architectures()["gemma-3-27b"], resolve_hardware())])
    context, decode = np.array([4000.0]), np.array([2000.0])
    before = one.effective(context) * decode * (decode - 1) / 2
    assert before[0] / one.growth(context, decode)[0] == pytest.approx(2.33, abs=0.05)


def test_the_proxy_grows_too() -> None:
    one = gamma(frontier_moe(), resolve_hardware())
    assert turn_pte_growth(0, 100, 10, one) == pytest.approx(
        sum(decode_cost(one, 100 + j) for j in range(10))
    )
