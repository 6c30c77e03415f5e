"""Derived tables are made again when what makes them is newer, and what cannot be stays and is
named."""

from pathlib import Path

import polars as pl
import pytest
from msgspec import structs

from agentdyno.findings import patterns
from agentdyno.findings.patterns import DETECTORS
from agentdyno.findings.patterns.detector import Detector
from agentdyno.findings.patterns.reading import Reading
from agentdyno.ledger.derived import add_derived
from agentdyno.ledger.manifest import load
from agentdyno.ledger.reader import Ledger, empty_table
from agentdyno.pipelines.derivations import PATTERNS, SCHEDULES
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.rederive import find_outdated, rederive_tables
from agentdyno.pipelines.report import build_report
from agentdyno.records.patterns import Finding
from tests.old_ledger import unpack
from tests.plugins import install

BOTH = [PATTERNS, SCHEDULES]
KIND = "lack_of_tool_priors"
PRIORS = next(each.version for each in DETECTORS if each.name == KIND)
MADE, NOW = {KIND: PRIORS}, {KIND: PRIORS + 1}
NEWS = "seen only by the newer rule"


@pytest.fixture
def old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    ledger, traces = unpack(tmp_path)
    monkeypatch.setenv("AGENTDYNO_SOURCES", str(traces))
    return ledger, traces


def newer(by: int = 1) -> tuple[Detector, ...]:
    """Ours, one of them with a rule that finds something else in every trajectory."""

    def detect(reading: Reading) -> list[Finding]:
        return [Finding(KIND, 0, None, NEWS * by, "by the newer rule")]

    return tuple(
        structs.replace(each, version=each.version + by, detect=detect)
        if each.name == KIND
        else each
        for each in DETECTORS
    )


def rows(ledger: Path) -> pl.DataFrame:
    return Ledger(ledger).read("patterns").sort("trajectory_id", "pattern", "turn")


def files(ledger: Path) -> list[str]:
    return [entry.file for entry in load(ledger).derived["patterns"]]


def test_a_ledger_of_the_former_version_opens_with_its_rows(old: tuple[Path, Path]) -> None:
    ledger, _ = old
    before = rows(ledger)
    # One task searches four times for the same two lines, another twice.
    assert before["pattern"].to_list() == ["loop"] * 3 + ["repeated_call"] * 2
    assert len(Ledger(ledger).read("trajectories")) == 3
    assert [entry.versions for entry in load(ledger).derived["patterns"]] == [{}]


def test_it_is_looked_at_again_once(old: tuple[Path, Path]) -> None:
    ledger, _ = old
    kept = files(ledger)
    rederive_tables(ledger, BOTH)
    assert files(ledger) != kept
    (entry,) = load(ledger).derived["patterns"]
    assert entry.versions == {detector.name: detector.version for detector in DETECTORS}
    kept = files(ledger)
    rederive_tables(ledger, BOTH)
    assert files(ledger) == kept
    assert sorted(p.name for p in (ledger / "patterns").glob("*.parquet")) == kept
    assert find_outdated(Ledger(ledger), BOTH) == []


def test_a_changed_detectors_new_finding_is_in_the_next_report_of_an_old_ledger(
    old: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger, _ = old
    first = build_report(ledger, unproven=True)
    assert NEWS not in str(first)
    monkeypatch.setattr(patterns, "DETECTORS", newer())
    second = build_report(ledger, unproven=True)
    assert NEWS in str(second)
    loops = rows(ledger).filter(pl.col("pattern") == KIND)
    assert loops["evidence"].to_list() == [NEWS] * 3


def test_an_installed_plug_ins_findings_reach_a_ledger_that_was_reported_before(
    old: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger, _ = old
    rederive_tables(ledger, BOTH)
    code = """
from agentdyno.findings.patterns.detector import Detector
from agentdyno.records.patterns import Finding
DETECTOR = Detector("late", 1, lambda reading: [Finding("late", 0, None, "x", "late")])
"""
    monkeypatch.syspath_prepend(
        str(install(tmp_path / "site", "late", code, detectors="a=DETECTOR"))
    )
    rederive_tables(ledger, BOTH)
    assert rows(ledger).filter(pl.col("pattern") == "late").height == 3


def test_rows_of_traces_that_are_gone_stay_and_are_named_as_old(
    old: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger, traces = old
    monkeypatch.setattr(patterns, "DETECTORS", newer())
    rederive_tables(ledger, BOTH)
    (traces / "b.jsonl").rename(traces / "b.away")
    monkeypatch.setattr(patterns, "DETECTORS", newer(2))
    rederive_tables(ledger, BOTH)
    assert rows(ledger).select("trajectory_id", "evidence").rows() == [
        ("traces/a.jsonl#1", NEWS * 2),
        ("traces/a.jsonl#2", NEWS * 2),
        ("traces/b.jsonl#0", NEWS),
    ]
    (one,) = find_outdated(Ledger(ledger), BOTH)
    assert (one.table, one.made, one.now) == ("patterns", {KIND: PRIORS + 1}, {KIND: PRIORS + 2})
    # Its older rows still speak of it: nothing is unknown that was known.
    assert Ledger(ledger).missing("patterns") == {}
    kept = files(ledger)
    rederive_tables(ledger, BOTH)
    assert files(ledger) == kept

    (traces / "b.away").rename(traces / "b.jsonl")
    rederive_tables(ledger, BOTH)
    assert rows(ledger).filter(pl.col("evidence") == NEWS * 2).height == 3
    assert find_outdated(Ledger(ledger), BOTH) == []


def test_the_report_says_which_tables_are_old_and_nothing_where_none_is(
    old: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger, traces = old
    measure([traces], ledger, MeasureOptions(workers=1))
    assert "outdated" not in build_report(ledger).results
    (traces / "a.jsonl").unlink()
    (traces / "b.jsonl").unlink()
    monkeypatch.setattr(patterns, "DETECTORS", newer())
    report = build_report(ledger)
    (one,) = report.results["outdated"]
    assert (one.table, one.made, one.now) == ("patterns", MADE, NOW)
    (topic,) = (topic for topic in report.topics if topic.anchor == "outdated")
    assert topic.lead.startswith("1 group of tables holds rows that an older version made")
    assert topic.tables[0].rows == [["patterns", KIND, PRIORS, PRIORS + 1]]


def test_rows_of_a_newer_version_are_not_replaced_by_an_older_one(
    old: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger, _ = old
    with monkeypatch.context() as later:
        later.setattr(patterns, "DETECTORS", newer())
        rederive_tables(ledger, BOTH)
    kept = files(ledger)
    rederive_tables(ledger, BOTH)
    assert files(ledger) == kept
    assert find_outdated(Ledger(ledger), BOTH) == []


def test_what_was_recorded_once_is_never_made_again(old: tuple[Path, Path]) -> None:
    ledger, _ = old
    (volume,) = load(ledger).volumes
    said = {"trajectory_id": ["traces/a.jsonl#1"], "kind": ["utility"], "label": ["positive"]}
    frame = pl.concat([empty_table("verdicts"), pl.DataFrame(said)], how="diagonal")
    add_derived(ledger, "verdicts", frame, volume)
    kept = [entry.file for entry in load(ledger).derived["verdicts"]]
    rederive_tables(ledger, BOTH)
    assert [entry.file for entry in load(ledger).derived["verdicts"]] == kept
    assert Ledger(ledger).read("verdicts").height == 1
