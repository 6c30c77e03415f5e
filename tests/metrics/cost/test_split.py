"""How reported totals are split over the texts of a trace."""

import numpy as np
import polars as pl
import pytest
from msgspec import structs

from agentdyno.cost.columns import CHARACTERS_PER_TOKEN, flatten
from agentdyno.cost.split import MAX_STRETCH, is_first, split_tokens
from agentdyno.cost.tables import measure_costs
from agentdyno.records import Trajectory, Turn
from tests.metrics.cost.builders import meter, weather, with_usage


def _split(trajectory: Trajectory, exact: bool = False):  # type: ignore[no-untyped-def]
    return split_tokens(flatten([trajectory], lambda _, texts: list(map(len, texts)), exact))


# Sizes by length: system 400 / 4.8 -> 84, a user text 40 / 4.3 -> 10, an answer is as reported.
VISIBLE = [94, 114, 134, 154]


def test_hidden_prompts_come_out_as_unseen_and_the_visible_texts_keep_their_sizes() -> None:
    split = _split(with_usage([1000 + v for v in VISIBLE], [10, 10, 10, 10]))
    assert split.unseen == pytest.approx([1000] * 4)
    assert split.first_scale == pytest.approx([1.0] * 4)
    assert split.later_scale[1:] == pytest.approx([1.0] * 3)


def test_what_is_added_later_is_scaled_to_the_growth_of_the_report() -> None:
    # 20 by length are added in each turn, 24 in the report.
    split = _split(with_usage([94, 118, 142, 166], [10, 10, 10, 10]))
    assert split.unseen == pytest.approx([0.0] * 4, abs=1e-6)
    assert split.later_scale[1:] == pytest.approx([1.2] * 3)
    assert split.first_scale == pytest.approx([1.0] * 4)


def test_growth_beyond_what_stretching_explains_is_unseen() -> None:
    split = _split(with_usage([94, 194], [10, 10]))
    assert split.later_scale[1] == pytest.approx(MAX_STRETCH)
    assert split.unseen[1] == pytest.approx(194 - 94 - MAX_STRETCH * 20)


def test_every_turn_sums_to_its_report() -> None:
    trajectory = with_usage([700, 300, 950], [10, 80, 3])
    columns, split = (
        flatten([trajectory], lambda _, texts: list(map(len, texts))),
        _split(trajectory),
    )
    first = is_first(columns)
    for turn in range(3):
        inside = (columns.enters >= 0) & (columns.enters <= turn) & (turn < columns.leaves)
        scale = np.where(first, split.first_scale[turn], split.later_scale[turn])
        total = (split.tokens * scale)[inside].sum() + split.unseen[turn]
        assert total == pytest.approx([700, 300, 950][turn])
        made = split.tokens[columns.made == turn].sum() + split.unseen_decode[turn]
        assert made == pytest.approx([10, 80, 3][turn])


def test_a_single_turn_is_not_stretched_at_all() -> None:
    split = _split(with_usage([2000], [10]))
    assert split.unseen[0] == pytest.approx(2000 - 94)


def test_more_decoded_than_visible_is_unseen_decoding() -> None:
    split = _split(with_usage([100, 120, 140], [500, 10, 10]))
    assert split.unseen_decode[0] == pytest.approx(500 - MAX_STRETCH * 11)


def test_counted_texts_are_not_stretched() -> None:
    split = _split(with_usage([1000, 1100, 1200], [50, 50, 50]), exact=True)
    # One token per character: 440, 524, 608 visible.
    assert split.unseen == pytest.approx([1000 - 440, 1100 - 524, 1200 - 608])


def test_texts_larger_than_the_report_are_scaled_down() -> None:
    split = _split(with_usage([100, 110, 120], [50, 50, 50]), exact=True)
    assert split.unseen.sum() == pytest.approx(0.0, abs=1e-6)
    assert (split.first_scale < 1).all()


def test_a_turn_without_a_report_takes_what_the_others_did_not_show() -> None:
    reported = with_usage([594, 614, 634], [10, 10, 10])
    turns = (reported.turns[0], Turn("m", decode=reported.turns[1].decode), reported.turns[2])
    split = _split(structs.replace(reported, turns=turns))
    # Counted instead of sized, since a total is missing: 440 + 44 + 40 characters and the rest.
    assert split.context[1] > 524
    assert split.context[[0, 2]] == pytest.approx([594, 634])


def test_sources_say_how_each_part_was_sized() -> None:
    fast = measure_costs([with_usage([700], [10])], meter())["parts"]
    assert set(fast.filter(pl.col("kind") != "unseen")["token_source"]) == {"scaled"}
    counted = measure_costs([weather()], meter())["parts"]
    assert set(counted["token_source"]) == {"counted"}


def test_every_kind_has_a_length_to_be_sized_by() -> None:
    assert all(value > 1 for value in CHARACTERS_PER_TOKEN.values())
