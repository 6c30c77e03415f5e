"""What is said around the figures, and figures that equal those of a trace that was changed."""

from itertools import count

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdyno.ledger.manifest import load, save
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.samples import sample_traces
from agentdyno.pipelines.whatif import WhatIfOptions, whatif
from agentdyno.records import InputError
from agentdyno.studies.whatif.scenario import NO_TIMES

from .traces import chat, costs, ledger_of, turn, with_short_results, without_tool

CHAT = chat(
    turn("Let me look.", ("findAlpha", "gate", " red red red"), ("findBeta", "ship", " tide tide")),
    turn("", ("findBeta", "moon", " rope")),
    turn("It is red."),
)


@pytest.fixture(scope="module")
def samples(tmp_path_factory):
    ledger = tmp_path_factory.mktemp("samples") / "ledger"
    # All as one architecture: PTE of several have no sum.
    measure([sample_traces()], ledger, MeasureOptions(workers=1, arch="qwen3-32b"))
    return ledger


def _figure(scenario, name):
    return next(figure for figure in scenario.figures if figure.name == name)


def test_each_change_stands_alone_and_all_together(samples):
    answer, _ = whatif(samples, WhatIfOptions(drop_tools=("search_*",), cap_results=50))
    assert [s.title for s in answer.scenarios] == ["drop search_*", "cap results at 50 tokens"]
    alone = [_figure(s, "pte").difference for s in answer.scenarios]
    together = _figure(answer.together, "pte").difference
    # The long results are those of the dropped tool: what both take away is saved once.
    assert sum(alone) < together < min(alone) < 0


def test_every_figure_names_its_assumption(samples):
    options = WhatIfOptions(
        drop_tools=("search_help",), cap_results=50, keep_cache_seconds=300, hardware="h200",
        model="gpt-4o", batch_independent=True,
    )  # fmt: skip
    answer, _ = whatif(samples, options)
    for scenario in [*answer.scenarios, answer.together]:
        assert all(len(figure.assumption) > 20 for figure in scenario.figures)
    assert "every turn still happens" in answer.scenarios[0].figures[0].assumption


@pytest.mark.daily
def test_what_was_recorded_is_the_ledger_s_own_total(samples):
    answer, rows = whatif(samples, WhatIfOptions(cap_results=1_000_000))
    pte = _figure(answer.together, "pte")
    assert pte.difference == pytest.approx(0, abs=1e-6)
    assert (pte.before, pte.trajectories) == (pytest.approx(rows["pte_before"].sum()), 67)


@pytest.mark.daily
def test_unpriced_trajectories_are_left_out_of_money(samples):
    answer, rows = whatif(samples, WhatIfOptions(cap_results=10))
    money = _figure(answer.together, "usd")
    assert money.trajectories + money.left_out == 67
    assert money.left_out == rows["usd_before"].null_count() > 0


@pytest.mark.daily
def test_trajectories_without_timestamps_are_counted_apart(samples):
    answer, rows = whatif(samples, WhatIfOptions(keep_cache_seconds=300))
    assert answer.together.cannot_say == {NO_TIMES: 65}
    assert _figure(answer.together, "pte").trajectories == 2
    assert rows.filter(rows["cannot_say"].is_not_null())["pte_after"].null_count() == 65


def test_a_cache_that_is_kept_for_ever_is_not_said_in_seconds(samples):
    answer, _ = whatif(samples, WhatIfOptions(keep_cache_seconds=float("inf")))
    said = str(answer)
    assert "keep the cache for ever" in said
    assert "Before every turn only what is new is prefilled." in said
    assert "inf s" not in said


def test_a_changed_trace_cannot_be_looked_at_for_batches(tmp_path):
    ledger = ledger_of(tmp_path / "x", [CHAT], costs_only=True)
    (tmp_path / "x" / "chats.jsonl").write_text("{}")
    answer, _ = whatif(ledger, WhatIfOptions(batch_independent=True))
    assert answer.together.cannot_say == {
        "the trace that it was measured from is gone or has changed": 1
    }
    assert _figure(answer.together, "pte").after is None


def test_dropped_turns_are_counted(tmp_path):
    ledger = ledger_of(tmp_path / "x", [CHAT])
    kept, _ = whatif(ledger, WhatIfOptions(drop_tools=("findBeta",)))
    gone, _ = whatif(ledger, WhatIfOptions(drop_tools=("findBeta",), drop_turns=True))
    assert (kept.together.turns_before, kept.together.turns_after) == (3, 3)
    assert gone.together.turns_after == 2
    assert "1 schema, 2 requests, 2 results" in kept.together.touched


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"drop_tools": ("findBeta", "gamma")}, "'gamma': no such tool .* There are: findAlpha"),
        ({}, "expected something to change"),
        ({"model": "no-such-model"}, "'no-such-model': neither its architecture nor its price"),
    ],
    ids=["unknown tool", "nothing", "unknown model"],
)
def test_what_cannot_be_changed_is_refused(tmp_path, options, said):
    with pytest.raises(InputError, match=said):
        whatif(ledger_of(tmp_path / "x", [CHAT]), WhatIfOptions(**options))


def test_a_ledger_that_cannot_be_computed_again_is_refused(tmp_path):
    ledger = ledger_of(tmp_path / "x", [CHAT])
    manifest = load(ledger)
    save(ledger, msgspec.structs.replace(manifest, options=manifest.options | {"hardware": "h200"}))
    with pytest.raises(InputError, match=r"pte cannot be computed again.*Measure the traces again"):
        whatif(ledger, WhatIfOptions(cap_results=1))


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


@pytest.mark.parametrize("options", [{"hardware": "h200"}, {"arch": "gpt-oss-120b"}])
def test_other_hardware_and_architecture_equal_measuring_with_them(tmp_path, options):
    before = ledger_of(tmp_path / "before", [CHAT])
    after = ledger_of(tmp_path / "after", [CHAT], **options)
    _same(_predicted(before, **options), costs(after, *COLUMNS))


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
        ("TaskCreate", "gate", " red"),
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
