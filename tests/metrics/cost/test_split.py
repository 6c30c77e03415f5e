"""How reported totals are split over the texts of a trace."""

import numpy as np
import polars as pl
import pytest

from agentdyno.metrics.cost.columns import CHARACTERS_PER_TOKEN, flatten
from agentdyno.metrics.cost.split import MAX_STRETCH, split_tokens
from agentdyno.metrics.cost.tables import measure_costs
from agentdyno.records import Trajectory
from tests.metrics.cost.builders import meter, weather, with_usage


def _split(trajectory: Trajectory, exact: bool = False):  # type: ignore[no-untyped-def]
    return split_tokens(flatten([trajectory], lambda _, text: len(text), exact))


def test_hidden_prompts_come_out_as_unseen_and_the_visible_texts_keep_their_sizes() -> None:
    # Visible by length: system 400 / 4.7 -> 86, each user text 40 / 4.4 -> 10, each answer 10.
    visible = [96, 116, 136, 156]
    hidden = 1000
    split = _split(with_usage([hidden + v for v in visible], [10, 10, 10, 10]))
    assert split.unseen == pytest.approx([1000] * 4, rel=0.01)
    assert split.scale == pytest.approx([1.0] * 4, rel=0.1)


def test_a_wrong_estimate_of_the_texts_is_scaled_not_called_unseen() -> None:
    visible = np.array([96, 116, 136, 156])
    split = _split(with_usage(list(np.round(1.2 * visible)), [10, 10, 10, 10]))
    assert split.unseen.max() < 0.1 * split.context.max()
    assert split.scale == pytest.approx([1.2] * 4, rel=0.05)


def test_every_turn_sums_to_its_report() -> None:
    split = _split(with_usage([700, 300, 950], [10, 80, 3]))
    columns = flatten([with_usage([700, 300, 950], [10, 80, 3])], lambda _, t: len(t))
    for turn in range(3):
        inside = (columns.enters >= 0) & (columns.enters <= turn) & (turn < columns.leaves)
        total = (split.tokens[inside] * split.scale[turn]).sum() + split.unseen[turn]
        assert total == pytest.approx([700, 300, 950][turn])
        made = split.tokens[columns.made == turn].sum() + split.unseen_decode[turn]
        assert made == pytest.approx([10, 80, 3][turn])


def test_a_single_turn_is_stretched_at_most_so_far_and_the_rest_is_unseen() -> None:
    split = _split(with_usage([2000], [10]))
    assert split.scale[0] == pytest.approx(MAX_STRETCH)
    assert split.unseen[0] == pytest.approx(2000 - MAX_STRETCH * 96)


def test_more_decoded_than_visible_is_unseen_decoding() -> None:
    split = _split(with_usage([100, 120, 140], [500, 10, 10]))
    assert split.unseen_decode[0] == pytest.approx(500 - MAX_STRETCH * 10)


def test_counted_texts_are_not_stretched_at_all() -> None:
    split = _split(with_usage([1000, 1100, 1200], [50, 50, 50]), exact=True)
    # Counted one token per character: 440, 524, 608 visible.
    assert split.scale == pytest.approx([1.0] * 3)
    assert split.unseen == pytest.approx([1000 - 440, 1100 - 524, 1200 - 608])


def test_texts_larger_than_the_report_are_scaled_down() -> None:
    split = _split(with_usage([100, 110, 120], [50, 50, 50]), exact=True)
    assert split.unseen.sum() == 0
    assert (split.scale < 1).all()


def test_sources_say_how_each_part_was_sized() -> None:
    fast = measure_costs([with_usage([700], [10])], meter())["parts"]
    assert set(fast.filter(pl.col("kind") != "unseen")["token_source"]) == {"scaled"}
    counted = measure_costs([weather()], meter())["parts"]
    assert set(counted["token_source"]) == {"counted"}


def test_every_kind_has_a_length_to_be_sized_by() -> None:
    assert all(value > 1 for value in CHARACTERS_PER_TOKEN.values())
