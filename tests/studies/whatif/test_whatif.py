"""What is said around the figures: matches, refusals, what cannot be said."""

import msgspec
import pytest

from agentdyno.ledger.manifest import load, save
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.samples import sample_traces
from agentdyno.pipelines.whatif import WhatIfOptions, whatif
from agentdyno.records import InputError
from agentdyno.studies.whatif.scenario import NO_TIMES

from .traces import chat, ledger_of, turn

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


def test_what_was_recorded_is_the_ledger_s_own_total(samples):
    answer, rows = whatif(samples, WhatIfOptions(cap_results=1_000_000))
    pte = _figure(answer.together, "pte")
    assert pte.difference == pytest.approx(0, abs=1e-6)
    assert pte.before == pytest.approx(rows["pte_before"].sum())
    assert pte.trajectories == 67


def test_unpriced_trajectories_are_left_out_of_money(samples):
    answer, rows = whatif(samples, WhatIfOptions(cap_results=10))
    money = _figure(answer.together, "usd")
    assert money.trajectories + money.left_out == 67
    assert money.left_out == rows["usd_before"].null_count() > 0


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


def test_an_unknown_tool_lists_those_there_are(tmp_path):
    ledger = ledger_of(tmp_path / "x", [CHAT])
    with pytest.raises(
        InputError, match=r"'gamma': no such tool in the ledger. There are: findAlpha"
    ):
        whatif(ledger, WhatIfOptions(drop_tools=("findBeta", "gamma")))


def test_nothing_to_change_is_refused(tmp_path):
    ledger = ledger_of(tmp_path / "x", [CHAT])
    with pytest.raises(InputError, match="expected something to change"):
        whatif(ledger, WhatIfOptions())


def test_an_unknown_model_is_refused_instead_of_taken_for_the_proxy(tmp_path):
    ledger = ledger_of(tmp_path / "x", [CHAT])
    with pytest.raises(InputError, match="'no-such-model': neither its architecture nor its price"):
        whatif(ledger, WhatIfOptions(model="no-such-model"))


def test_a_ledger_that_cannot_be_computed_again_is_refused(tmp_path):
    ledger = ledger_of(tmp_path / "x", [CHAT])
    manifest = load(ledger)
    save(ledger, msgspec.structs.replace(manifest, options=manifest.options | {"hardware": "h200"}))
    with pytest.raises(InputError, match=r"pte cannot be computed again.*Measure the traces again"):
        whatif(ledger, WhatIfOptions(cap_results=1))
