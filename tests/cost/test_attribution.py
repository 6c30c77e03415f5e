"""Shares of PTE: worked by hand, and exact for any trajectory."""

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from agentdyno.cost.pte import CACHE_ASSUMPTIONS, CacheAssumption
from agentdyno.cost.tables import Frames, measure_costs
from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.records import Trajectory, read_reported
from tests.cost.builders import meter, weather


def _share(frames: Frames, **where: object) -> float:
    rows = frames["parts"].filter(**where)
    assert len(rows) == 1
    return float(rows["pte"][0])


def test_context_and_decoded_text_share_each_pair_half_and_half() -> None:
    b = TrajectoryBuilder()
    b.user("q" * 100)
    b.turn("m")
    b.text("t" * 10)
    frames = measure_costs([b.build("f#0", "f", "test")], meter())
    # 100 + 0.01 * 100 * 10 = 110, of which the pairs are 10.
    assert _share(frames, kind="user") == pytest.approx(105.0)
    assert _share(frames, kind="text") == pytest.approx(5.0)


def test_a_tool_that_nobody_calls_has_a_price() -> None:
    frames = measure_costs([weather()], meter())
    # 60 tokens prefilled in both turns, and half of the pairs with 40 and with 25 decoded tokens.
    expected = 60 * (1 + 0.005 * 40) + 60 * (1 + 0.005 * 25)
    assert _share(frames, kind="schema", name="unused") == pytest.approx(expected)


def test_a_call_bears_its_request_and_its_result() -> None:
    frames = measure_costs([weather()], meter())
    request = 10 * 0.005 * 220 + 10 * (1 + 0.005 * 25)  # decoded over 220, then once in context
    result = 50 * (1 + 0.005 * 25)
    assert frames["calls"]["pte"].to_list() == pytest.approx([request + result])
    assert frames["calls"]["result_tokens"].to_list() == [50]


def test_growth_is_borne_by_what_was_decoded() -> None:
    frames = measure_costs([weather()], meter())
    parts = frames["parts"].with_columns(extra=pl.col("pte_growth") - pl.col("pte"))
    extra = dict(parts.group_by("kind").agg(pl.col("extra").sum()).iter_rows())
    assert extra["reasoning"] == pytest.approx(30 * 0.005 * 39)
    assert (extra["text"], extra["system"]) == (pytest.approx(25 * 0.005 * 24), pytest.approx(0.0))


def test_a_compacted_part_stops_paying() -> None:
    b = TrajectoryBuilder()
    first = b.user("q" * 100)
    b.turn("m")
    b.text("t" * 10)
    b.retire([first])
    b.user("s" * 5)
    b.turn("m")
    b.text("t" * 10)
    frames = measure_costs([b.build("f#0", "f", "test")], meter())
    assert frames["turns"]["context_tokens"].to_list() == [100, 15]
    assert frames["parts"].filter(kind="user")["pte"][0] == pytest.approx(105.0)


@st.composite
def trajectories(draw: st.DrawFn) -> Trajectory:
    """Any order of events, with and without usage, cache reports and compaction."""
    b = TrajectoryBuilder()
    texts = st.integers(0, 400).map(lambda n: "x" * n)
    tokens = st.integers(0, 5000)
    b.offer([(f"tool{i}", draw(texts)) for i in range(draw(st.integers(0, 3)))])
    with_cache = draw(st.booleans())
    for turn in range(draw(st.integers(1, 6))):
        b.user(draw(texts))
        usage = draw(st.none() | st.tuples(tokens, tokens))
        cached = draw(st.integers(0, usage[0])) if usage and with_cache else None
        b.turn(
            "m",
            prefill=read_reported(usage[0]) if usage else None,
            decode=read_reported(usage[1]) if usage else None,
            cached_tokens=cached,
        )
        if draw(st.booleans()):
            b.reasoning(draw(texts), resent=draw(st.booleans()), tokens=draw(st.none() | tokens))
        if draw(st.booleans()):
            b.text(draw(texts))
        for call in range(draw(st.integers(0, 2))):
            b.call("tool0", draw(texts), f"{turn}-{call}")
            if draw(st.booleans()):
                b.result(draw(texts), f"{turn}-{call}")
        if draw(st.integers(0, 4)) == 0:
            b.retire(range(draw(st.integers(0, len(b.parts)))))
    return b.build("f#0", "f", "test", model="m")


@settings(max_examples=50)
@given(
    st.lists(trajectories(), min_size=1, max_size=3),
    st.sampled_from(CACHE_ASSUMPTIONS),
    st.booleans(),
    st.sampled_from([0.0, 0.0005, 0.01]),
)
def test_parts_sum_to_the_whole(
    drawn: list[Trajectory], cache: CacheAssumption, exact: bool, gamma: float
) -> None:
    named = [_renamed(t, f"f#{i}") for i, t in enumerate(drawn)]
    frames = measure_costs(named, meter(cache, exact, gamma))
    sums = frames["parts"].group_by("trajectory_id").agg(pl.col("pte", "pte_growth").sum())
    joined = frames["trajectories"].join(sums, on="trajectory_id", how="left", suffix="_parts")
    for row in joined.iter_rows(named=True):
        if row["pte"] is None:
            assert cache == "reported"
            continue
        assert (row["pte_parts"] or 0.0) == pytest.approx(row["pte"], rel=1e-6, abs=1e-3)
        assert (row["pte_growth_parts"] or 0.0) == pytest.approx(
            row["pte_growth"], rel=1e-6, abs=1e-3
        )
    assert (frames["parts"]["pte"].drop_nulls() >= -1e-6).all()


def _renamed(trajectory: Trajectory, trajectory_id: str) -> Trajectory:
    return structs.replace(trajectory, trajectory_id=trajectory_id)
