"""A ledger under another view is what measuring with those options would have written."""

import shutil
from pathlib import Path

import polars as pl
import pytest
from msgspec.structs import replace
from polars.testing import assert_frame_equal

from agentdyno.cost.pte import CACHE_ASSUMPTIONS, CacheAssumption
from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.compare import compare
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.report import build_report
from agentdyno.pipelines.samples import sample_traces
from agentdyno.records import InputError
from agentdyno.records.ledger import COUNTED
from agentdyno.studies.cost.seconds import seconds_cache
from agentdyno.studies.cost.summary_results import Summary
from agentdyno.studies.tables import Volumes
from agentdyno.studies.views import View, ViewedTables, apply_view
from tests.labelled import mostly_slow
from tests.ledger.traces import KEYS, write_jsonl

DATA = Path(__file__).parents[1] / "data"
FORMATS = ("otel_genai", "inspect_ai", "claude_code", "tau2_bench", "openai_chat")
PRICES = """
["qwen3-32b"]
input = 0.5
output = 1.5
cached_input = 0.05
as_of = 2026-01-31
["gpt-4.1"]
input = 7
output = 9
as_of = 2026-01-31
"""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Traces of many formats: reported and counted tokens, caches, windows, repeats, unseen."""
    folder = tmp_path_factory.mktemp("views")
    shutil.copytree(sample_traces(), folder / "traces" / "samples")
    for name in FORMATS:
        shutil.copytree(DATA / name, folder / "traces" / name)
    # A session saved twice as it grew: some of its turns count elsewhere.
    session = (DATA / "claude_code" / "session.jsonl").read_text().splitlines(keepends=True)
    (folder / "traces" / "grown.jsonl").write_text("".join(session[: len(session) * 2 // 3]))
    (folder / "prices.toml").write_text(PRICES)
    measure([folder / "traces"], folder / "own", MeasureOptions(workers=1, costs_only=True))
    return folder


EVERYTHING = View(cache="reported", arch="qwen3-32b", prices="prices.toml")


@pytest.mark.parametrize(
    "view",
    mostly_slow(
        [
            View(cache="reported"),
            View(cache="kept", hardware="h200"),
            View(cache="observed", gamma="width"),
            View(hardware="a100", arch="gpt-oss-120b"),
            EVERYTHING,
        ],
        [EVERYTHING],
    ),
)
def test_a_view_equals_a_measurement_with_its_options(
    corpus: Path, tmp_path: Path, view: View
) -> None:
    prices = str(corpus / view.prices) if view.prices else None
    options = MeasureOptions(
        workers=1,
        cache=view.cache or "evicted",
        gamma=view.gamma or "paper",
        hardware=view.hardware or "h100-pcie",
        arch=view.arch or "auto",
        prices=prices,
    )
    fresh = Ledger(measure([corpus / "traces"], tmp_path / "fresh", options).ledger)
    seen = apply_view(Ledger(corpus / "own"), replace(view, prices=prices))
    assert len(fresh.read("repeats")) > 0
    for table in COUNTED:
        found, expected = (each.read(table).sort(KEYS[table]) for each in (seen, fresh))
        assert_frame_equal(found, expected, rel_tol=1e-9, abs_tol=1e-9)
    chosen = ("cache", "gamma", "hardware", "arch")
    assert {k: seen.options[k] for k in chosen} == {k: fresh.options[k] for k in chosen}


def test_a_view_that_chooses_nothing_else_is_the_ledger_itself(corpus: Path) -> None:
    ledger = Ledger(corpus / "own")
    assert apply_view(ledger, None) is ledger
    assert apply_view(ledger, View()) is ledger
    assert apply_view(ledger, View(hardware="h100-pcie")) is ledger
    # The rows stay; GPU-seconds take the provider's cache where it is asked for.
    asked = apply_view(ledger, View(cache="evicted", hardware="h100-pcie"))
    assert asked.read("turns").equals(ledger.read("turns"))
    assert (seconds_cache(ledger.options), seconds_cache(asked.options)) == ("served", "evicted")


def test_another_unit_changes_no_row_and_is_still_read_by_volume(corpus: Path) -> None:
    ledger = Ledger(corpus / "own")
    seen = apply_view(ledger, View(unit="gpu_seconds", concurrency=8))
    assert isinstance(seen, Volumes)
    assert seen.volumes == ledger.volumes
    assert seen.options["concurrency"] == 8
    assert not isinstance(apply_view(ledger, View(unit="gpu_seconds", cache="kept")), Volumes)


def test_a_ledger_begun_with_other_costs_keeps_them_for_new_files(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "t" / "a.jsonl", range(3))
    own = MeasureOptions(workers=1, costs_only=True, cache="kept", hardware="h200")
    ledger = measure([tmp_path / "t"], tmp_path / "ledger", own).ledger
    write_jsonl(tmp_path / "t" / "b.jsonl", range(5, 8))
    measure([tmp_path / "t"], ledger, MeasureOptions(workers=1, costs_only=True))
    fresh = measure([tmp_path / "t"], tmp_path / "fresh", own).ledger
    for table in COUNTED:
        one, other = (Ledger(folder).read(table).sort(KEYS[table]) for folder in (ledger, fresh))
        assert_frame_equal(one, other, rel_tol=1e-9)


def test_a_hardware_file_that_changed_is_said_and_nothing_is_mixed(tmp_path: Path) -> None:
    card = tmp_path / "card.toml"
    card.write_text("peak_flops = 3e14\npeak_bytes_per_second = 1e12\n")
    traces = write_jsonl(tmp_path / "a.jsonl", range(3))
    options = MeasureOptions(workers=1, costs_only=True, hardware=str(card))
    measure([traces], tmp_path / "ledger", options)
    card.write_text("peak_flops = 3e14\npeak_bytes_per_second = 2e12\n")
    with pytest.raises(InputError, match="that this ledger was begun with"):
        measure([traces], tmp_path / "ledger", options)
    # Seen on the changed card, its gammas are half as large.
    before = Ledger(tmp_path / "ledger").read("turns")["gamma"]
    after = apply_view(Ledger(tmp_path / "ledger"), View(hardware=str(card))).read("turns")["gamma"]
    assert after.to_list() == pytest.approx((before / 2).to_list())


def test_two_ledgers_of_other_views_are_compared_under_one(tmp_path: Path) -> None:
    traces = write_jsonl(tmp_path / "a.jsonl", range(8))
    one = measure([traces], tmp_path / "one", MeasureOptions(workers=1, costs_only=True)).ledger
    other = measure(
        [traces], tmp_path / "two", MeasureOptions(workers=1, costs_only=True, hardware="h200")
    ).ledger
    with pytest.raises(InputError, match="Pass --hardware"):
        compare(one, other)
    compared = compare(one, other, view=View(hardware="h200"))
    means = {m.metric: (m.a_mean, m.b_mean) for m in compared.metrics if m.a_mean is not None}
    assert means.keys() >= {"pte", "tokens"}
    assert all(a == pytest.approx(b, rel=1e-9) for a, b in means.values())


def _summary(ledger: Path, view: View | None = None) -> Summary:
    found: Summary = build_report(ledger, only=("glance",), view=view).results["glance"].summary
    return found


def test_a_report_shows_the_view_and_leaves_the_ledger_alone(tmp_path: Path) -> None:
    traces = write_jsonl(tmp_path / "a.jsonl", range(4))
    ledger = measure([traces], tmp_path / "ledger", MeasureOptions(workers=1)).ledger
    own = _summary(ledger)
    totals: dict[CacheAssumption, float | None] = {
        cache: _summary(ledger, View(cache=cache)).cost for cache in CACHE_ASSUMPTIONS
    }
    rows = Ledger(ledger).read("trajectories")
    for cache, total in totals.items():
        assert total == pytest.approx(rows[f"pte_{cache}"].sum())
    assert _summary(ledger).cost == own.cost == pytest.approx(totals["evicted"])


def test_derived_costs_follow_the_view(tmp_path: Path) -> None:
    traces = write_jsonl(tmp_path / "a.jsonl", range(2))
    ledger = Ledger(measure([traces], tmp_path / "ledger", MeasureOptions(workers=1)).ledger)
    seen = ViewedTables(ledger, View(cache="kept"))
    rows = pl.DataFrame(
        {
            "trajectory_id": ["a.jsonl#1", "a.jsonl#1"],
            "turn": [0, None],
            "call": [0, None],
            "pte": [1.0, 1.0],
        },
        schema_overrides={"turn": pl.Int64, "call": pl.Int64},
    )
    calls, whole = seen.read("calls"), seen.read("trajectories")
    first = calls.filter(trajectory_id="a.jsonl#1", turn=0, call=0)["pte"].item()
    expected = [first, whole.filter(trajectory_id="a.jsonl#1")["pte"].item()]
    assert seen._with_own_cost(rows)["pte"].to_list() == expected
