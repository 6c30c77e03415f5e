"""PTE of turns, worked by hand."""

import polars as pl
import pytest

from agentdyno.cost.gamma import Gamma
from agentdyno.cost.pte import turn_pte, turn_pte_growth
from agentdyno.cost.tables import measure_costs
from tests.metrics.cost.builders import meter, weather, with_usage


def test_pte_is_prefill_plus_gamma_times_context_times_decode() -> None:
    assert turn_pte(1000, 1000, 100, 0.002) == pytest.approx(1200.0)


def test_growth_adds_the_pairs_inside_the_decoding() -> None:
    # 1,200 as above, and 0.002 * 100 * 99 / 2 = 9.9.
    assert turn_pte_growth(1000, 1000, 100, Gamma(0.002, "user")) == pytest.approx(1209.9)


def test_a_long_chain_of_thought_costs_mostly_growth() -> None:
    # 20,000 tokens decoded over 500: 0.002 * 500 * 20,000 = 20,000 against 399,980 of growth.
    grown = turn_pte_growth(0, 500, 20_000, Gamma(0.002, "user"))
    assert grown == pytest.approx(20_000.0 + 399_980.0)


def test_a_full_window_does_not_grow() -> None:
    # Context 3, four decoded, window 5, gamma 1 in windowed layers alone: 3 + 4 + 5 + 5 = 17.
    windowed = Gamma(0.0, "user", window_value=1.0, window_tokens=5)
    assert turn_pte_growth(0, 3, 4, windowed) == pytest.approx(17.0)
    # A context beyond the window: nothing grows, 4 * 5 = 20.
    assert turn_pte_growth(0, 9, 4, windowed) == pytest.approx(20.0)


def test_every_turn_prefills_its_whole_context_when_evicted() -> None:
    turns = measure_costs([weather()], meter())["turns"]
    # 40 + 60 + 100 + 20; then the request "weather aa" (10) and the result (50) are added.
    assert turns["prefill_tokens"].to_list() == [220, 280]
    assert turns["context_tokens"].to_list() == [220, 280]
    # Reasoning (30) and request (10), then the answer (25).
    assert turns["decode_tokens"].to_list() == [40, 25]
    assert turns["pte"].to_list() == pytest.approx([220 + 0.01 * 220 * 40, 280 + 0.01 * 280 * 25])
    assert turns["token_source"].to_list() == ["counted", "counted"]


def test_an_ideal_cache_prefills_each_token_once() -> None:
    frames = measure_costs([weather()], meter("kept"))
    turns = frames["turns"]
    # The request was decoded, so it is in the cache; only the result is new.
    assert turns["prefill_tokens"].to_list() == [220, 50]
    assert turns["context_tokens"].to_list() == [220, 280]
    assert turns["pte"].to_list() == pytest.approx([220 + 88, 50 + 70])
    assert turns["pte_evicted"].to_list() == pytest.approx([308, 350])


def test_reported_cache_hits_are_not_prefilled() -> None:
    trajectory = with_usage([150, 200], [10, 10], cached=[0, 128])
    turns = measure_costs([trajectory], meter("reported"))["turns"]
    assert turns["prefill_tokens"].to_list() == [150, 72]
    assert turns["pte"].to_list() == pytest.approx([150 + 15, 72 + 20])


def test_without_a_report_the_reported_cache_is_unknown_not_zero() -> None:
    frames = measure_costs([with_usage([150, 200], [10, 10])], meter("reported"))
    assert frames["turns"]["pte"].null_count() == 2
    assert frames["trajectories"]["pte"].to_list() == [None]
    assert frames["trajectories"]["pte_evicted"].to_list() == pytest.approx([350 + 35.0])


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
