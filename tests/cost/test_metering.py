"""Money of single turns by day, tier and length of context; how totals are split over texts, and
where a provider's cache ends."""

from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pytest
from msgspec import structs

from agentdyno.cost.attribution import _share_uncached
from agentdyno.cost.columns import CHARACTERS_PER_TOKEN, NEVER, Joined, flatten
from agentdyno.cost.engines import MeterOptions
from agentdyno.cost.metering import Batch
from agentdyno.cost.split import MAX_STRETCH, is_first, split_tokens
from agentdyno.cost.standing import first_beyond, stand
from agentdyno.cost.tables import measure_costs
from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.pipelines.meter import build_meter
from agentdyno.records import Trajectory, Turn, read_reported
from tests.cost.builders import meter, weather, with_usage
from tests.labelled import from_set
from tests.rows import differences


def list_usd(*turns: dict[str, Any], prices: Path | None = None) -> list[float]:
    """Money by the price list of turns of one trajectory, 100 tokens decoded in each."""
    b = TrajectoryBuilder()
    for turn in turns:
        b.user("q")
        b.turn(**{"decode": read_reported(100), **turn})
        b.text("t")
    meter = build_meter(MeterOptions(prices=str(prices) if prices else None))
    batch = Batch(Joined([b.build("f#0", "f", "test")]), meter)
    return [float(usd) for usd in batch.list_usd]


def seconds(day: str) -> float:
    return datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp()


@from_set("cost/metering", "why", "turns", "prices", "usd")
def test_what_turns_cost(
    tmp_path: Path, why: str, turns: list[dict[str, Any]], prices: str, usd: list[float | None]
) -> None:
    path = tmp_path / "prices.toml"
    path.write_text(prices)
    spelled = [{name: _spelled(name, value) for name, value in turn.items()} for turn in turns]
    found = list_usd(*spelled, prices=path if prices else None)
    assert [None if np.isnan(each) else each for each in found] == pytest.approx(usd), why


def _spelled(name: str, value: Any) -> Any:
    if name == "prefill":
        return read_reported(value)
    return seconds(value) if name.endswith("_at") else value


def _split(trajectory: Trajectory, exact: bool = False):  # type: ignore[no-untyped-def]
    return split_tokens(flatten([trajectory], lambda _, texts: list(map(len, texts)), exact))


@from_set("cost/metering", "why", "prefill", "decode", "exact", "expected")
def test_how_totals_are_split(
    why: str, prefill: list[int], decode: list[int], exact: bool, expected: dict[str, Any]
) -> None:
    split = _split(with_usage(prefill, decode), exact)
    names = ("unseen", "first_scale", "later_scale")
    found = {name: getattr(split, name).tolist() for name in names}
    assert differences(found, expected) == {}, why


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


def test_more_decoded_than_visible_is_unseen_decoding() -> None:
    split = _split(with_usage([100, 120, 140], [500, 10, 10]))
    assert split.unseen_decode[0] == pytest.approx(500 - MAX_STRETCH * 11)


def test_a_turn_without_a_report_takes_what_the_others_did_not_show() -> None:
    reported = with_usage([594, 614, 634], [10, 10, 10])
    turns = (reported.turns[0], Turn("m", decode=reported.turns[1].decode), reported.turns[2])
    split = _split(structs.replace(reported, turns=turns))
    # Counted instead of sized, since a total is missing: 440 + 44 + 40 characters and the rest.
    assert split.context[1] > 524
    assert split.context[[0, 2]] == pytest.approx([594, 634])


@pytest.mark.parametrize(("count_source", "scale"), [("counted", 1.0), ("estimated", MAX_STRETCH)])
def test_only_the_model_s_own_vocabulary_is_not_stretched(count_source: str, scale: float) -> None:
    reported = with_usage([594, 614, 900], [10, 10, 10])
    turns = (reported.turns[0], Turn("m", decode=reported.turns[1].decode), reported.turns[2])
    columns = flatten(
        [structs.replace(reported, turns=turns)],
        lambda _, texts: list(map(len, texts)),
        count_source=lambda model: count_source,
    )
    assert split_tokens(columns).later_scale[2] == pytest.approx(scale)


def test_sources_say_how_each_part_was_sized() -> None:
    fast = measure_costs([with_usage([700], [10])], meter())["parts"]
    assert set(fast.filter(pl.col("kind") != "unseen")["token_source"]) == {"scaled"}
    counted = measure_costs([weather()], meter())["parts"]
    assert set(counted["token_source"]) == {"counted"}


def test_every_kind_has_a_length_to_be_sized_by() -> None:
    assert all(value > 1 for value in CHARACTERS_PER_TOKEN.values())


Rng = np.random.Generator


def test_a_context_that_only_grows_is_the_beginning_of_its_stretch() -> None:
    # Two turns, then three of another trajectory; parts enter at 0 0 1 | 2 3 4, all stay.
    enters, leaves = np.array([0, 0, 1, 2, 3, 4]), np.array([2, 2, 2, 5, 5, 5])
    found = stand(enters, leaves, np.array([0, 0, 0, 1, 1, 1]), np.array([0, 2, 5]))
    assert (found.begins.tolist(), found.ends.tolist()) == ([0, 0, 3, 3, 3], [2, 3, 4, 5, 6])
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
