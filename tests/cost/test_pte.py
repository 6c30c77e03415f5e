"""Prefill token equivalents: what a decoded token costs, and how that grows."""

from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdyno.cost.architectures import Architecture, frontier_moe, load_architectures
from agentdyno.cost.gamma import Gamma, gamma, sum_grown_pairs, turn_gammas
from agentdyno.cost.hardware import resolve_hardware
from agentdyno.cost.tables import measure_costs
from agentdyno.records import Trajectory
from tests.cost.builders import meter, weather, with_usage
from tests.cost.by_token import cost_windowed_layers, decode_cost, turn_pte_growth
from tests.labelled import from_set
from tests.rows import differences


def known(name: str) -> Architecture:
    return load_architectures()[name]


def test_deepseek_is_counted_without_its_embeddings() -> None:
    # 61 layers * (512 + 64) * 756.5 / 35.147e9: two embeddings of 129,280 * 7,168 do not count.
    deepseek = known("deepseek-v3.1-terminus")
    assert gamma(deepseek, resolve_hardware(), form="width").value == pytest.approx(
        0.00075627, rel=1e-4
    )
    assert deepseek.paper_gamma == 0.00068


def test_all_thirteen_rows_of_the_paper_are_known() -> None:
    rows = [row for known in load_architectures().values() for row in known.paper_rows]
    assert len(rows) == len(set(rows)) == 13


def test_qwen25_32b_uses_the_heads_of_its_config_not_the_printed_ratio() -> None:
    qwen = known("qwen2.5-32b")
    assert qwen.paper_head_ratio == "1/2"
    assert qwen.kv_heads / qwen.query_heads == 1 / 5


def test_the_real_width_replaces_the_papers_where_heads_are_wider() -> None:
    # Qwen3-32B: 2 * 64 * (8 * 128) * 756.5 / 31.2e9, against 2 * 64 * 5120 / 8 in the paper's form.
    qwen = known("qwen3-32b")
    width = gamma(qwen, resolve_hardware(), form="width")
    assert width.value == pytest.approx(0.00317808, rel=1e-5)
    assert gamma(qwen, resolve_hardware()).value == pytest.approx(0.00198630, rel=1e-5)


def test_layers_with_a_window_stop_growing_at_it() -> None:
    # GPT-OSS-120B: 18 full and 18 windowed layers of 2 * 8 * 64 numbers: 18,432 * 756.5 / 4.5209e9.
    oss = gamma(known("gpt-oss-120b"), resolve_hardware(), form="width")
    assert (oss.value, oss.window_value) == (pytest.approx(0.00308433, rel=1e-5), oss.value)
    assert oss.window_tokens == 128
    assert cost_windowed_layers(oss, 100) == pytest.approx(0.308433, rel=1e-5)
    assert (
        cost_windowed_layers(oss, 128)
        == cost_windowed_layers(oss, 10_000)
        == pytest.approx(0.394794, rel=1e-5)
    )
    assert decode_cost(oss, 10_000) == pytest.approx(30.8433 + 0.394794, rel=1e-5)


def test_sparse_attention_grows_with_its_index_and_is_capped_at_what_it_picks() -> None:
    # DeepSeek-V3.2: 61 * 128 numbers of index over everything, 61 * 576 over 2,048 tokens.
    v32 = gamma(known("deepseek-v3.2"), resolve_hardware(), form="width")
    active = 37e9 - 2 * 129_280 * 7_168
    assert v32.value == pytest.approx(61 * 128 * 756.5 / active, rel=1e-9)
    assert v32.window_value == pytest.approx(61 * 576 * 756.5 / active, rel=1e-9)
    assert v32.window_tokens == 2048


ARCHITECTURES = (
    "qwen2.5-7b", "qwen3-32b", "qwen3-30b-a3b", "llama-3.1-8b", "llama-4-scout", "deepseek-v3",
    "deepseek-v3.2", "gpt-oss-20b", "gpt-oss-120b", "glm-4.5", "gemma-3-1b", "gemma-3-27b",
    "mixtral-8x7b", "smollm2-135m",
)  # fmt: skip
"""Full attention, grouped, latent, chunked, sliding and picked."""


@pytest.mark.parametrize("name", ARCHITECTURES)
def test_growth_is_the_sum_over_every_decoded_token(name: str) -> None:
    one = gamma(load_architectures()[name], resolve_hardware(), form="width")
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
    gemma = load_architectures()["gemma-3-27b"]
    one = turn_gammas([gamma(gemma, resolve_hardware(), form="width")])
    context, decode = np.array([4000.0]), np.array([2000.0])
    before = one.effective(context) * decode * (decode - 1) / 2
    assert before[0] / one.growth(context, decode)[0] == pytest.approx(2.33, abs=0.05)


def test_the_proxy_grows_too() -> None:
    one = gamma(frontier_moe(), resolve_hardware())
    assert turn_pte_growth(0, 100, 10, one) == pytest.approx(
        sum(decode_cost(one, 100 + j) for j in range(10))
    )


@from_set("cost/pte", "why", "turn", "gammas", "pte")
def test_what_decoding_adds(
    why: str, turn: list[int], gammas: dict[str, float], pte: float
) -> None:
    assert turn_pte_growth(*turn, Gamma(source="user", **gammas)) == pytest.approx(pte), why


BUILDERS: dict[str, Callable[..., Trajectory]] = {"weather": weather, "with_usage": with_usage}


@from_set("cost/pte", "why", "built", "cache", "expected")
def test_what_turns_cost(why: str, built: list[Any], cache: Any, expected: dict[str, Any]) -> None:
    name, *given = built
    frames = measure_costs([BUILDERS[name](*given)], meter(cache))
    found = {table: frame.to_dict(as_series=False) for table, frame in frames.items()}
    assert differences(found, expected) == {}, why


def test_trajectory_costs_are_the_sums_of_its_turns() -> None:
    frames = measure_costs([weather(), with_usage([150, 200], [10, 10])], meter())
    sums = (
        frames["turns"]
        .group_by("trajectory_id", maintain_order=True)
        .agg(pl.col("pte", "pte_growth", "pte_kept", "decode_tokens").sum())
    )
    whole = frames["trajectories"].select(sums.columns)
    for column in sums.columns[1:]:
        assert whole[column].to_list() == pytest.approx(sums[column].to_list())
    assert frames["trajectories"]["turns"].to_list() == [2, 2]
    assert frames["trajectories"]["calls"].to_list() == [1, 0]


def test_an_empty_batch_gives_empty_tables() -> None:
    frames = measure_costs([], meter())
    assert {name: len(frame) for name, frame in frames.items()} == {
        "trajectories": 0, "turns": 0, "calls": 0, "parts": 0,
    }  # fmt: skip
