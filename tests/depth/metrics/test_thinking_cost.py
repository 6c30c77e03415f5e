"""Costs by hand, and beside the paper's Tables 2 and 3."""

import pytest

from agentdyno_depth.metrics.thinking_cost import (
    change,
    count_generated,
    full_cost,
    prefix_cost,
    short_cost,
)

LENGTHS = [80, 200, 120, 40]

# Table 2: tokens of Cons@n in thousands, then what Self-Certainty@n and Think@n cost and the
# printed changes in percent, for AIME 25, AIME 24, HMMT 25, GPQA-D of both models.
TABLE_2 = [
    (307.6, 150.6, -51, 155.4, -49),
    (235.1, 119.3, -49, 121.3, -48),
    (355.6, 177.0, -50, 181.9, -49),
    (93.5, 47.9, -49, 48.8, -48),
    (1073.1, 548.9, -49, 537.5, -50),
    (950.1, 480.9, -49, 482.2, -49),
    (1275.7, 641.4, -50, 641.4, -50),
    (410.6, 206.6, -50, 206.8, -50),
]


def test_everything_costs_all_tokens():
    assert full_cost(LENGTHS) == 440
    assert prefix_cost(LENGTHS, [0, 3], None) == 440


def test_a_prefix_is_charged_for_every_rejected_sample():
    assert prefix_cost(LENGTHS, [0, 3], 50) == 80 + 40 + 2 * 50


def test_the_overhead_counts_rejected_samples_when_the_share_is_not_half():
    assert prefix_cost(LENGTHS, [1], 50) == 200 + 3 * 50
    assert prefix_cost(LENGTHS, [0, 1, 2], 50) == 400 + 50


def test_short_runs_the_others_until_the_longest_kept_has_ended():
    assert short_cost(LENGTHS, [3, 0]) == 40 + 80 + 2 * 80


def test_a_rejected_sample_that_ended_early_is_charged_the_prefix_but_generated_less():
    assert prefix_cost(LENGTHS, [0, 1], 50) == 280 + 2 * 50
    assert count_generated(LENGTHS, [0, 1], 50) == 280 + 50 + 40
    assert count_generated(LENGTHS, [0, 1], None) == 440


@pytest.mark.parametrize("row", TABLE_2)
def test_printed_changes_of_table_2_follow_from_its_costs(row):
    full, *methods = row
    for cost, printed in zip(methods[::2], methods[1::2], strict=True):
        assert abs(100 * change(cost, full) - printed) <= 0.5 + 0.05


@pytest.mark.parametrize("row", TABLE_2)
def test_keeping_24_of_48_equal_samples_after_50_tokens_costs_what_table_2_prints(row):
    """All samples as long as the mean: what a rank that ignores length must cost."""
    full, certainty, _, think, _ = row
    lengths = [round(1000 * full / 48)] * 48
    ours = prefix_cost(lengths, range(24), 50)
    for printed in (certainty, think):
        # Within 3 % of the pool: kept samples are not exactly of mean length.
        assert ours / 1000 == pytest.approx(printed, abs=0.03 * full)


# Table 3: prefix and thousands of tokens of Think@48 on AIME 25, of 307.6 in all.
@pytest.mark.parametrize(
    ("prefix", "cost"), [(50, 155.4), (100, 154.1), (500, 153.2), (1000, 177.4), (2000, 198.8)]
)
def test_table_3_leaves_about_half_of_the_tokens_to_the_kept_samples(prefix, cost):
    kept = cost - 24 * prefix / 1000
    assert kept == pytest.approx(307.6 / 2, rel=0.09)
    lengths = [round(1000 * kept / 24)] * 48
    assert prefix_cost(lengths, range(24), prefix) / 1000 == pytest.approx(cost, abs=0.05)


# Table 2: thousands of tokens of Cons@n and Short@n, and the printed change in percent.
SHORT = [
    (307.6, 255.7, -17),
    (235.1, 200.9, -15),
    (355.6, 290.4, -18),
    (93.5, 84.4, -10),
    (1073.1, 983.6, -8),
    (950.1, 871.0, -8),
    (1275.7, 1165.7, -9),
    (410.6, 382.9, -7),
]


@pytest.mark.parametrize(("full", "cost", "printed"), SHORT)
def test_a_pool_of_two_lengths_costs_what_table_2_prints_for_short(full, cost, printed):
    """24 short samples of length a and 24 long ones of b: 48 a is the cost and 24 (a + b) all."""
    short, long = round(1000 * cost / 48), round(1000 * (full / 24 - cost / 48))
    lengths = [long] * 24 + [short] * 24
    ours = short_cost(lengths, range(24, 48))
    assert short < long
    assert ours / 1000 == pytest.approx(cost, abs=0.05)
    assert round(100 * change(ours, full_cost(lengths))) == printed
