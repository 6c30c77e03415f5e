"""Settling depths, ratios, bins and choosing among samples: by hand and by the paper's tables."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentdyno.measures import depth
from tests.labelled import from_set

FIGURE_3 = np.array([[0.96, 0.93, 0.85, 0.86, 0.82, 0.78, 0.76, 0.36, 0.08, 0.0]], np.float32)
"""Distances of the ten layers that the paper's Figure 3 draws, the first layer first."""


def test_divergence_is_in_bits_between_0_and_1() -> None:
    here, there = np.array([1.0, 0.0]), np.array([0.0, 1.0])
    assert depth.jensen_shannon(here, there) == pytest.approx(1.0)
    assert depth.jensen_shannon(here, here) == pytest.approx(0.0)
    # H(3/4, 1/4) - H(1/2, 1/2) / 2 = 0.8113 - 0.5.
    assert depth.jensen_shannon(here, np.array([0.5, 0.5])) == pytest.approx(0.31128, abs=1e-5)
    assert depth.kullback_leibler(np.array([0.5, 0.5]), here) == np.inf
    assert depth.cosine_distance(here, there) == pytest.approx(1.0)


def test_confidence_of_one_distribution() -> None:
    p = np.array([0.5, 0.25, 0.25])
    # 1.5 bits are 1.5 ln 2 nats; -(ln 1.5 + 2 ln 0.75) / 3.
    assert depth.entropy(p) == pytest.approx(1.5)
    assert depth.entropy(p, np.e) == pytest.approx(1.5 * np.log(2))
    assert depth.self_certainty(p) == pytest.approx(-(np.log(1.5) + 2 * np.log(0.75)) / 3)
    assert depth.self_certainty(np.full(4, 0.25)) == pytest.approx(0.0)


def test_the_papers_figure_3_is_deep_from_layer_8_on() -> None:
    assert depth.find_settling_depths(FIGURE_3).tolist() == [8]
    assert depth.deep_tokens(FIGURE_3, 0.5, 0.8).tolist() == [True]
    # With rho = 0.85 the deep layers begin at ceil(8.5) = 9.
    assert depth.deep_tokens(FIGURE_3).tolist() == [False]


@given(
    st.lists(st.lists(st.floats(0, 1, width=32), min_size=6, max_size=6), min_size=1, max_size=8),
    st.sampled_from([0.25, 0.5, 0.75]),
    st.sampled_from([0.3, 0.5, 0.85, 1.0]),
)
def test_a_token_is_deep_exactly_when_no_layer_below_the_cut_comes_within_g(
    rows: list[list[float]], g: float, rho: float
) -> None:
    distances = np.array(rows, np.float32)
    cut = depth.cut_layer(6, rho)
    below = [all(value > g for value in row[: cut - 1]) for row in distances.astype(float)]
    assert depth.deep_tokens(distances, g, rho).tolist() == below


def test_ties_fall_into_one_bin_and_negatives_into_the_mirrored_one() -> None:
    scores = np.array([1.0, 1, 1, 1, 1, 1, 2, 3, 3, 4, 4])
    # Middles of the ranks, of 11: 3, 6.5, 8, 10 -> fifths 1, 2, 3, 4.
    assert depth.find_bins(scores).tolist() == [1] * 6 + [2, 3, 3, 4, 4]
    assert (depth.find_bins(-scores) == 4 - depth.find_bins(scores)).all()


@given(st.lists(st.tuples(st.integers(0, 12), st.booleans()), min_size=5, max_size=60))
def test_length_and_its_negative_correlate_equally_whatever_the_ties(
    rows: list[tuple[int, bool]],
) -> None:
    outcomes = [float(right) for _, right in rows]
    longer = depth.correlate_bins([float(length) for length, _ in rows], outcomes)
    shorter = depth.correlate_bins([-float(length) for length, _ in rows], outcomes)
    assert longer.n == shorter.n
    if longer.value is None:
        assert shorter.value is None
    else:
        assert shorter.value == pytest.approx(-longer.value)


def test_bins_do_not_depend_on_the_order_of_the_rows() -> None:
    scores = [1.0, 1, 1, 1, 1, 1, 2, 3, 3, 4, 4]
    outcomes = [0.0, 1, 0, 1, 0, 0, 1, 0, 1, 1, 1]
    forward = depth.correlate_bins(scores, outcomes)
    backward = depth.correlate_bins(scores[::-1], outcomes[::-1])
    assert forward.value == pytest.approx(backward.value)
    assert forward.n == backward.n == 4


def test_ten_distinct_scores_make_five_bins_of_two() -> None:
    assert depth.find_bins(np.arange(10.0)).tolist() == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]


# Right is 7. Six samples: answers, tokens, ratios and self-certainties of the first 50.
ANSWERS = ["7", "9", "9", "7", "9", "7"]
TOKENS = [60, 90, 120, 150, 40, 200]
RATIOS = [0.10, 0.30, 0.20, 0.40, 0.05, 0.35]
CERTAIN = [3.0, 9.0, 8.0, 1.0, 7.0, 2.0]


def test_every_way_of_choosing_among_six_samples() -> None:
    assert depth.cons_at_n(ANSWERS, TOKENS)[0::2] == ("7", 660)
    assert depth.long_at_n(ANSWERS, TOKENS) == ("7", [5, 3, 2], 660, 660)
    # 40, 60 and 90 tokens, and 3 * 90 of the others.
    assert depth.short_at_n(ANSWERS, TOKENS) == ("9", [4, 0, 1], 460, 460)
    assert depth.think_at_n(ANSWERS, TOKENS, CERTAIN) == ("9", [1, 2, 4], 400, 400)
    # 150 + 200 + 90 tokens and 3 * 50, of which the sample of 40 wrote 40.
    assert depth.think_at_n(ANSWERS, TOKENS, RATIOS) == ("7", [3, 5, 1], 590, 580)
    assert depth.think_at_n(ANSWERS, TOKENS, RATIOS, prefix=None).cost_tokens == 660


def test_a_sweep_reads_one_profile_with_every_pair() -> None:
    distances = np.array([[0.9, 0.6, 0.3, 0.0], [0.2, 0.1, 0.1, 0.0]], np.float32)
    # g = 0.5: settled at 3 and 1; g = 0.25: at 4 and 1. The cut is at 3, then at 4.
    found = depth.sweep(distances, [(0.5, 0.75), (0.5, 1.0), (0.25, 1.0)])
    assert list(found.values()) == [0.5, 0.0, 0.5]


def test_baselines_of_no_tokens_are_unknown_not_zero() -> None:
    found = depth.baselines(*(np.zeros(0, np.float32) for _ in range(3)))
    assert (found.length, found.mean_log_prob, found.negative_perplexity) == (0, None, None)


@from_set("measures/depth", "why", "distances", "g", "depths")
def test_where_a_token_settles(
    why: str, distances: list[list[float]], g: float, depths: list[int]
) -> None:
    assert depth.find_settling_depths(np.array(distances, np.float32), g).tolist() == depths, why


@pytest.mark.parametrize(
    ("layers", "rho", "first"),
    [(30, 0.85, 26), (36, 0.85, 31), (20, 0.55, 11), (10, 0.8, 8), (10, 1.0, 10), (10, 0.01, 1)],
)
def test_the_cut_takes_rho_as_it_is_written(layers: int, rho: float, first: int) -> None:
    assert depth.cut_layer(layers, rho) == first


def test_a_response_without_tokens_has_no_ratio() -> None:
    assert depth.deep_thinking_ratio(np.zeros(0, dtype=np.bool_)) is None


@pytest.mark.parametrize(
    ("n", "keep", "kept"), [(48, 0.5, 24), (5, 0.5, 3), (48, 0.25, 12), (10, 0.15, 2), (3, 0.01, 1)]
)
def test_the_share_is_rounded_and_somebody_is_always_kept(n, keep, kept):
    assert depth.count_selected(n, keep) == kept


COSTS = {
    "count_generated": depth.count_generated, "full_cost": depth.full_cost,
    "prefix_cost": depth.prefix_cost,
}  # fmt: skip


@from_set("measures/depth", "why", "function", "arguments", "tokens")
def test_what_thinking_costs(why: str, function: str, arguments: list[Any], tokens: int) -> None:
    assert COSTS[function](*arguments) == tokens, why


@from_set("measures/depth", "full", "certainty", "think")
def test_keeping_24_of_48_equal_samples_after_50_tokens_costs_what_table_2_prints(
    full: float, certainty: float, think: float
) -> None:
    """Thousands of tokens of Cons@n, Self-Certainty@n and Think@n for AIME 25, AIME 24, HMMT 25 and
    GPQA-D of both models; all samples as long as the mean: what a rank that ignores length must
    cost."""
    lengths = [round(1000 * full / 48)] * 48
    ours = depth.prefix_cost(lengths, range(24), 50)
    for printed in (certainty, think):
        # Within 3 % of the pool: kept samples are not exactly of mean length.
        assert ours / 1000 == pytest.approx(printed, abs=0.03 * full)
