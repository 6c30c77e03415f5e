"""A prediction is exactly what measuring the edited trace gives, through the real pipeline."""

from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdyno.pipelines.whatif import WhatIfOptions, whatif

from .traces import chat, costs, ledger_of, turn, with_short_results, without_tool

COLUMNS = ("pte", "pte_growth", "usd")
NUMBER = count()

WORDS = st.sampled_from(["red", "gate", "ship", "tide", "rope", "wind", "moon"])
RESULTS = st.lists(WORDS, min_size=0, max_size=12).map(lambda ws: "".join(f" {w}" for w in ws))
CALLS = st.tuples(st.sampled_from(["findAlpha", "findBeta"]), WORDS, RESULTS)
TURNS = st.builds(
    lambda text, calls: turn(text, *calls),
    st.lists(WORDS, max_size=6).map(" ".join),
    st.lists(CALLS, max_size=3, unique_by=lambda call: call[:2]),
)
CHATS = st.lists(
    st.lists(TURNS, min_size=1, max_size=5).map(lambda turns: chat(*turns, turn("The end."))),
    min_size=1,
    max_size=3,
)


def _predicted(ledger, **options):
    _, rows = whatif(ledger, WhatIfOptions(**options))
    return rows.sort("trajectory_id").select([f"{c}_after" for c in COLUMNS]).rows()


def _same(found, expected):
    for one, other in zip(found, expected, strict=True):
        assert one == pytest.approx(other, rel=1e-9)


@pytest.mark.parametrize("cache", ["evicted", "kept"])
@pytest.mark.parametrize("drop_turns", [False, True])
@settings(max_examples=6)
@given(chats=CHATS)
def test_dropping_a_tool_equals_a_trace_without_it(tmp_path, chats, drop_turns, cache):
    folder = tmp_path / str(next(NUMBER))
    before = ledger_of(folder / "before", chats, cache=cache, costs_only=True)
    edited = [without_tool(c, "findBeta", drop_turns) for c in chats]
    after = ledger_of(folder / "after", edited, cache=cache, costs_only=True)
    found = _predicted(before, drop_tools=("findBeta",), drop_turns=drop_turns)
    _same(found, costs(after, *COLUMNS))


@pytest.mark.parametrize("cache", ["evicted", "kept"])
@settings(max_examples=6)
@given(chats=CHATS, most=st.integers(0, 8))
def test_capping_results_equals_a_trace_with_cut_results(tmp_path, chats, most, cache):
    folder = tmp_path / str(next(NUMBER))
    before = ledger_of(folder / "before", chats, cache=cache, costs_only=True)
    edited = [with_short_results(c, most) for c in chats]
    after = ledger_of(folder / "after", edited, cache=cache, costs_only=True)
    _same(_predicted(before, cap_results=most), costs(after, *COLUMNS))


CHAT = chat(
    turn("Let me look.", ("findAlpha", "gate", " red red red"), ("findBeta", "ship", " tide tide")),
    turn("", ("findBeta", "moon", " rope")),
    turn("It is red."),
)


def test_other_hardware_equals_measuring_for_it(tmp_path):
    before = ledger_of(tmp_path / "before", [CHAT])
    after = ledger_of(tmp_path / "after", [CHAT], hardware="h200")
    _same(_predicted(before, hardware="h200"), costs(after, *COLUMNS))


def test_other_architecture_equals_measuring_with_it(tmp_path):
    before = ledger_of(tmp_path / "before", [CHAT])
    after = ledger_of(tmp_path / "after", [CHAT], arch="gpt-oss-120b")
    _same(_predicted(before, arch="gpt-oss-120b"), costs(after, *COLUMNS))


def test_another_model_equals_measuring_the_trace_under_its_name(tmp_path):
    # Both models count with the same vocabulary.
    before = ledger_of(tmp_path / "before", [CHAT])
    after = ledger_of(tmp_path / "after", [CHAT | {"model": "gpt-4o"}])
    _same(_predicted(before, model="gpt-4o"), costs(after, *COLUMNS))


@settings(max_examples=6)
@given(chats=CHATS)
def test_a_cache_kept_for_ever_is_ideal_and_one_never_kept_is_evicted(tmp_path, chats):
    ledger = ledger_of(tmp_path / str(next(NUMBER)), chats)
    for seconds, name in ((float("inf"), "kept"), (0.0, "evicted")):
        found = [row[:2] for row in _predicted(ledger, keep_cache_seconds=seconds)]
        _same(found, costs(ledger, f"pte_{name}", f"pte_growth_{name}"))


@pytest.mark.parametrize("cache", ["evicted", "kept"])
def test_batching_equals_a_trace_with_the_calls_in_one_turn(tmp_path, cache):
    gate, ship, moon = (
        ("findAlpha", "gate", " red"),
        ("findBeta", "colour", " tide"),
        ("findAlpha", "tide", ""),
    )
    apart = chat(turn("Let me look.", gate), turn("", ship), turn("", moon), turn("Red."))
    batched = chat(turn("Let me look.", gate, ship), turn("", moon), turn("Red."))
    before = ledger_of(tmp_path / "before", [apart], cache=cache, costs_only=True)
    after = ledger_of(tmp_path / "after", [batched], cache=cache, costs_only=True)
    # `moon` asks for the word that only the result of `ship` brought, so it has to wait.
    _same(_predicted(before, batch_independent=True), costs(after, *COLUMNS))


def test_changes_combine_exactly(tmp_path):
    before = ledger_of(tmp_path / "before", [CHAT])
    edited = with_short_results(without_tool(CHAT, "findBeta", drop_turns=True), 1)
    after = ledger_of(tmp_path / "after", [edited], hardware="a100", cache="kept")
    found = _predicted(
        before, drop_tools=("findBeta",), drop_turns=True, cap_results=1, hardware="a100",
        keep_cache_seconds=float("inf"),
    )  # fmt: skip
    _same([row[:2] for row in found], costs(after, "pte", "pte_growth"))
