"""Costs by hand, and beside the paper's Tables 2 and 3."""

import pytest

from agentdyno_depth.metrics.thinking_cost import (
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
def test_keeping_24_of_48_equal_samples_after_50_tokens_costs_what_table_2_prints(row):
    """All samples as long as the mean: what a rank that ignores length must cost."""
    full, certainty, _, think, _ = row
    lengths = [round(1000 * full / 48)] * 48
    ours = prefix_cost(lengths, range(24), 50)
    for printed in (certainty, think):
        # Within 3 % of the pool: kept samples are not exactly of mean length.
        assert ours / 1000 == pytest.approx(printed, abs=0.03 * full)
