"""Where a provider's cache ends in a context: bisection against looking at every part."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from agentdyno.cost.attribution import _share_uncached
from agentdyno.cost.columns import NEVER
from agentdyno.cost.standing import first_beyond, stand

Rng = np.random.Generator


def test_a_context_that_only_grows_is_the_beginning_of_its_stretch() -> None:
    # Two turns, then three of another trajectory; parts enter at 0 0 1 | 2 3 4, all stay.
    enters, leaves = np.array([0, 0, 1, 2, 3, 4]), np.array([2, 2, 2, 5, 5, 5])
    found = stand(enters, leaves, np.array([0, 0, 0, 1, 1, 1]), np.array([0, 2, 5]))
    assert found.begins.tolist() == [0, 0, 3, 3, 3]
    assert found.ends.tolist() == [2, 3, 4, 5, 6]
    assert not found.unordered.any()


def test_what_leaves_begins_a_new_stretch_of_what_stays() -> None:
    # Part 0 is gone from turn 2 on: the context is then 1, and 1 2 when part 2 enters with turn 3.
    found = stand(np.array([0, 1, 3]), np.array([2, 4, 4]), np.zeros(3, int), np.array([0, 4]))
    contexts = [
        found.parts[begin:end].tolist() for begin, end in zip(found.begins, found.ends, strict=True)
    ]
    assert contexts == [[0], [0, 1], [1], [1, 2]]


def test_a_part_that_enters_before_one_that_stands_before_it_has_no_order() -> None:
    found = stand(np.array([1, 0]), np.array([2, 2]), np.zeros(2, int), np.array([0, 2]))
    assert found.unordered.tolist() == [True, True]


def test_the_first_place_beyond_a_limit() -> None:
    sums = np.array([0.0, 2, 5, 9])
    begins, ends = np.zeros(4, int), np.full(4, 3)
    found = first_beyond(lambda at: sums[at], np.array([0.0, 2, 8.9, 9]), begins, ends)
    assert found.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("seed", range(25))
def test_shares_of_what_a_cache_leaves_equal_those_of_every_part_looked_at(seed: int) -> None:
    rng = np.random.default_rng(seed)
    columns, split, counts = _batch(rng)
    paid, unseen = _share_uncached(columns, split, counts)
    slow, slow_unseen = _every_part(columns, split, counts)
    np.testing.assert_allclose(paid, slow, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(unseen, slow_unseen, rtol=1e-9, atol=1e-9)


def _batch(rng: Rng) -> tuple[Any, Any, Any]:
    """Trajectories of up to six turns: some lose parts, some hold parts out of order."""
    first_turn, first_part, enters, leaves = [0], [0], [], []
    for _ in range(20):
        turns, parts, start = int(rng.integers(0, 7)), int(rng.integers(0, 12)), first_turn[-1]
        own = rng.integers(0, max(turns, 1), parts)
        ordered = np.sort(own) if rng.random() < 0.8 else own
        for at in ordered:
            never = not turns or rng.random() < 0.1
            stays = rng.random() < 0.7
            enters.append(NEVER if never else start + at)
            leaves.append(start + (turns if stays or never else int(rng.integers(at, turns + 1))))
        first_turn.append(start + turns)
        first_part.append(first_part[-1] + parts)
    many = first_turn[-1]
    cached = rng.integers(0, 120, many).astype(float)
    cached[rng.random(many) < 0.02] = np.nan
    columns = SimpleNamespace(
        turns=many,
        first_turn=np.array(first_turn),
        first_part=np.array(first_part),
        turn_trajectory=np.repeat(np.arange(20), np.diff(first_turn)),
        part_trajectory=np.repeat(np.arange(20), np.diff(first_part)),
        enters=np.array(enters),
        leaves=np.array(leaves),
        cached=cached,
    )
    split = SimpleNamespace(
        tokens=rng.integers(0, 20, len(enters)).astype(float),
        first_scale=rng.random(many) * 2,
        later_scale=rng.random(many) * 2,
        unseen=rng.random(many) * 10 * (rng.random(many) < 0.7),
    )
    return columns, split, (rng.random(many) < 0.8).astype(float)


def _every_part(columns: Any, split: Any, counts: Any) -> tuple[Any, Any]:
    """As the formula says it, turn by turn."""
    paid, unseen = np.zeros(len(split.tokens)), np.zeros(columns.turns)
    for turn, of in enumerate(columns.turn_trajectory):
        span = slice(columns.first_part[of], columns.first_part[of + 1])
        enters, leaves = columns.enters[span], columns.leaves[span]
        here = (enters != NEVER) & (enters <= turn) & (turn < leaves)
        first = enters == columns.first_turn[of]
        scale = np.where(first, split.first_scale[turn], split.later_scale[turn])
        sizes = np.where(here, split.tokens[span] * scale, 0.0)
        behind = split.unseen[turn] + np.cumsum(sizes) - columns.cached[turn]
        paid[span] += counts[turn] * np.clip(behind, 0.0, sizes)
        unseen[turn] = np.clip(split.unseen[turn] - columns.cached[turn], 0.0, split.unseen[turn])
    return paid, unseen
