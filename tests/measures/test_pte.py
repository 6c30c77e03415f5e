"""PTE by hand and by the paper's tables: gammas, operational intensities, cache assumptions."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentdyno.cost.architectures import load_architectures
from agentdyno.cost.hardware import load_hardware, resolve_hardware
from agentdyno.measures import pte
from agentdyno.records import InputError
from tests.labelled import read_table

H100 = 756.5
TABLE_3_GAMMAS = read_table("measures/gamma_table_3")
"""Twelve of the thirteen rows; the thirteenth, DeepSeek-V3.1-Terminus, does not follow from its
formula and has a test of its own."""

TABLE_3 = [
    # Active parameters in billions, layers, d_model, kv heads, query heads, gamma.
    ("Qwen2.5-7B", 6.53, 28, 3584, 1, 7, 0.00329),
    ("Qwen2.5-32B", 31.0, 64, 5120, 1, 5, 0.00320),  # Printed 1/2; its gamma needs 1/5.
    ("Qwen2.5-72B", 70.0, 80, 8192, 1, 8, 0.00175),
    ("Qwen3-32B", 31.2, 64, 5120, 1, 8, 0.00200),
    ("Llama-3.1-8B", 8.0, 32, 4096, 1, 4, 0.00625),
    ("Llama-3.1-70B", 70.6, 80, 8192, 1, 8, 0.00175),
    ("Qwen3-30B-A3B", 3.3, 48, 2048, 1, 8, 0.00563),
    ("Qwen3-235B-A22B", 22.0, 94, 4096, 1, 16, 0.00163),
    ("GLM-4.5-Air", 12.0, 46, 4096, 1, 12, 0.00200),
    ("GLM-4.5", 32.0, 92, 5120, 1, 12, 0.00183),
    ("GPT-OSS-120B", 5.1, 36, 2880, 1, 8, 0.00388),
]


@pytest.mark.parametrize("row", TABLE_3, ids=lambda row: row[0])
def test_the_papers_gammas_follow_from_its_own_table(row: tuple) -> None:
    _, billions, layers, d_model, kv, query, printed = row
    numbers = pte.count_numbers(layers, d_model, kv, query)
    # 1.53 % at the most, for Qwen3-235B, whose 22 billion are rounded.
    assert pte.gamma(numbers, H100, billions * 1e9) == pytest.approx(printed, rel=0.016)


@pytest.mark.parametrize(("name", "printed"), TABLE_3_GAMMAS.items())
def test_the_registry_reproduces_them_by_name(name: str, printed: float) -> None:
    assert pte.find_gamma(name, "h100-pcie") == pytest.approx(printed, rel=0.015)
    assert load_architectures()[name].paper_gamma == printed


def test_the_printed_head_ratio_of_qwen25_32b_gives_another_gamma() -> None:
    printed_ratio = pte.gamma(pte.count_numbers(64, 5120, 1, 2), H100, 31.0e9)
    assert printed_ratio == pytest.approx(2.5 * 0.0032, rel=0.015)


def test_deepseeks_latent_counts_once() -> None:
    # 61 layers * (512 + 64) * 756.5 / 37e9; the paper prints 0.00068, its formula gives 0.00144.
    once = pte.gamma(pte.count_latent_numbers(61, 512, 64), H100, 37e9)
    assert once == pytest.approx(0.00071839, rel=1e-4)
    assert 2 * once == pytest.approx(0.00144, rel=0.01)
    assert pte.find_gamma("deepseek-v3.1-terminus", "h100-pcie") == pytest.approx(once)


@pytest.mark.parametrize(
    ("name", "wide", "by_paper"),
    # kv_heads * head_dim against d_model * kv_heads / query_heads, over all layers, twice.
    [("glm-4.5", 8 * 128, 5120 * 8 / 96), ("qwen3-30b-a3b", 4 * 128, 2048 * 4 / 32)],
)
def test_the_real_width_of_the_cache_is_twice_the_papers_and_more(
    name: str, wide: float, by_paper: float
) -> None:
    model = load_architectures()[name]
    numbers = pte.count_numbers_by_width(model.layers, model.kv_heads, model.head_dim)
    assert numbers == 2 * model.layers * wide == model.growing_numbers
    assert numbers / model.paper_numbers == pytest.approx(wide / by_paper)
    assert wide / by_paper >= 2


@pytest.mark.parametrize(
    ("flops", "bandwidth", "found", "printed"),
    [
        (1513e12, 2.00e12, 756.5, 756.5),
        (1617e12, 4.80e12, 336.9, 348.1),  # Two digits swapped: 1671 / 4.80.
        (330e12, 1.00e12, 330.0, 327.4),  # A bandwidth of 1.008, rounded.
    ],
)
def test_operational_intensity_and_its_errata(
    flops: float, bandwidth: float, found: float, printed: float
) -> None:
    assert pte.hoi(flops, bandwidth) == pytest.approx(found, abs=0.05)
    assert printed in {row.paper_hoi for row in load_hardware()}


def test_a_trajectory_needs_no_ledger() -> None:
    turns = [(1000, 200), (1500, 300)]
    found = pte.trajectory(turns=turns, architecture="qwen3-32b", hardware="h100-pcie")
    # 1,000 + 1,500 prefilled; 1,000 * 200 + 1,500 * 300 = 650,000 pairs at 81,920 * 756.5 / 31.2e9.
    assert found == pytest.approx(2500 + 650_000 * 81_920 * 756.5 / 31.2e9)
    width = pte.trajectory(turns, architecture="qwen3-32b", form="width")
    assert width == pytest.approx(2500 + 650_000 * 131_072 * 756.5 / 31.2e9)


def test_three_cache_assumptions_share_the_context() -> None:
    turns = [(1000, 200, 0), (1500, 300, 1100)]
    costs = [pte.trajectory(turns, 0.002, cache=cache) for cache in ("evicted", "reported", "kept")]
    # Prefill 2,500; 1,000 + 400; 1,000 + 300. Reading is 400 + 900 in all of them.
    assert costs == pytest.approx([3800.0, 2700.0, 2600.0])


def test_a_cache_that_nobody_reported_is_unknown_not_empty() -> None:
    assert pte.trajectory([(1000, 200, 0), (1500, 300)], 0.002, cache="reported") is None


def test_growth_adds_the_pairs_inside_each_turn() -> None:
    # 0.002 * (100 * 99 / 2 + 10 * 9 / 2) = 9.99.
    plain = pte.trajectory([(1000, 100), (1100, 10)], 0.002)
    grown = pte.trajectory([(1000, 100), (1100, 10)], 0.002, with_growth=True)
    assert grown - plain == pytest.approx(9.99)
    assert plain == pytest.approx(1000 + 200 + 1100 + 22)


@given(st.integers(0, 400), st.integers(0, 300), st.floats(1e-5, 0.1))
def test_growth_is_the_sum_over_every_decoded_token(
    context: int, decode: int, gamma: float
) -> None:
    by_token = gamma * sum(context + j for j in range(decode))
    found = pte.reading(context, decode, gamma) + pte.growth(decode, gamma)
    assert found == pytest.approx(by_token)


def test_arrays_and_columns_cost_what_numbers_do() -> None:
    context, decode = [1000.0, 1500.0], [200.0, 300.0]
    by_hand = [1400.0, 2400.0]
    arrays = np.array(context), np.array(context), np.array(decode), np.full(2, 0.002)
    assert pte.turn(*arrays).tolist() == pytest.approx(by_hand)
    table = pl.DataFrame({"context": context, "decode": decode, "gamma": [0.002, 0.002]})
    columns = pl.col("context"), pl.col("context"), pl.col("decode"), pl.col("gamma")
    assert table.select(pte.turn(*columns)).to_series().to_list() == pytest.approx(by_hand)


def test_hardware_scales_what_is_read_and_not_what_is_prefilled() -> None:
    h100, v100 = resolve_hardware().hoi, resolve_hardware("v100").hoi
    turns = [(1000, 200), (1500, 300)]
    here = pte.trajectory(turns, architecture="llama-3.1-8b")
    there = pte.trajectory(turns, architecture="llama-3.1-8b", hardware="v100")
    assert pte.on_other_hardware(here, here - 2500, v100 / h100) == pytest.approx(there)
    assert pte.rank_correlation([1, 2, 3, 4], [2, 4, 8, 9]).value == 1


def test_price_baselines_take_the_whole_context_at_every_turn() -> None:
    assert [pte.token_price(1000, 200, ratio) for ratio in pte.PRICE_RATIOS] == [
        1200, 1300, 1600, 1800,
    ]  # fmt: skip


def test_an_unknown_model_is_named_and_no_model_is_an_error() -> None:
    with pytest.raises(InputError, match="qwen9"):
        pte.trajectory([(1, 1)], architecture="qwen9")
    with pytest.raises(ValueError, match="gamma or an architecture"):
        pte.trajectory([(1, 1)])
