"""Patterns and schedules are worked out while traces are measured: the same rows as a second
reading gives, and no trace is opened after that."""

import json
import shutil
import sys
from pathlib import Path

import polars as pl
import pytest
from msgspec import structs
from polars.testing import assert_frame_equal

from agentdyno.cli import main
from agentdyno.engines.anonymous_files import AnonymousFile
from agentdyno.findings import patterns
from agentdyno.findings.patterns import DETECTORS
from agentdyno.findings.patterns.reading import Reading
from agentdyno.intake.source import Source
from agentdyno.ledger.manifest import Manifest, Piece, load
from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines import rederive, sources
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.rederive import rederive_tables
from agentdyno.pipelines.report import build_report
from agentdyno.pipelines.samples import sample_traces
from agentdyno.pipelines.source_access import SourceAccess
from agentdyno.records.patterns import Finding
from agentdyno.studies.derivation import load_derivations
from tests.fake_secrets import FAKES
from tests.labelled import mostly_slow
from tests.ledger.traces import chat, write_jsonl
from tests.pipelines.session_corpus import write_corpus

NOW = MeasureOptions(workers=1)
LATER = MeasureOptions(workers=1, costs_only=True)
TABLES = ("patterns", "scheduling", "dependencies", "joins")


def measured_both_ways(traces: list[Path], folder: Path) -> tuple[Ledger, Ledger]:
    measure(traces, folder / "now", NOW)
    measure(traces, folder / "later", LATER)
    assert load(folder / "later").derived.keys() <= {"files"}
    rederive_tables(folder / "later", load_derivations(), 1)
    return Ledger(folder / "now"), Ledger(folder / "later")


def assert_same_rows(one: Ledger, other: Ledger) -> None:
    for table in TABLES:
        mine, theirs = one.read(table), other.read(table)
        assert_frame_equal(mine.sort(mine.columns), theirs.sort(mine.columns))
        assert one.missing(table) == other.missing(table) == {}
        made = [
            {frozenset(entry.versions.items()) for entry in ledger.manifest.derived[table]}
            for ledger in (one, other)
        ]
        assert made[0] == made[1]


def forbid_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a trace was opened")

    monkeypatch.setattr(sources, "_as_written", refuse)


def test_rows_made_while_measuring_are_those_of_a_second_reading(tmp_path: Path) -> None:
    now, later = measured_both_ways([sample_traces()], tmp_path)
    assert_same_rows(now, later)
    assert len(now.read("patterns")) > 8
    assert len(now.read("dependencies")) > 0


def test_a_report_opens_no_trace_after_measuring(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measure([sample_traces()], tmp_path / "l", NOW)
    before = load(tmp_path / "l")
    forbid_reading(monkeypatch)
    assert build_report(tmp_path / "l").results["patterns"] is not None
    assert load(tmp_path / "l") == before


@pytest.mark.daily
def test_sessions_that_repeat_each_other_are_derived_as_they_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_corpus(tmp_path / "sessions")
    now, later = measured_both_ways([tmp_path / "sessions"], tmp_path)
    assert len(now.read("repeats"))
    assert_same_rows(now, later)
    forbid_reading(monkeypatch)
    rederive_tables(now.folder, load_derivations(), 1)


def test_only_inputs_of_which_something_else_counts_are_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    traces = tmp_path / "traces"
    traces.mkdir()
    for task, name in enumerate(("alone", "first")):
        write_jsonl(traces / f"{name}.jsonl", [task])
    measure([traces], tmp_path / "l", NOW)
    read: set[str] = set()
    plain = rederive.volume_trajectories

    def noted(ledger: Ledger, volume: str, missing: dict[str, str], **places: int):
        pieces = ledger.manifest.volumes[volume].pieces
        read.update(piece.name for piece in pieces if piece.name not in missing)
        return plain(ledger, volume, missing, **places)

    monkeypatch.setattr(rederive, "volume_trajectories", noted)
    shutil.copy(traces / "first.jsonl", traces / "copy.jsonl")
    assert measure([traces], tmp_path / "l", NOW).repeats
    assert read
    assert read <= {"traces/first.jsonl", "traces/copy.jsonl"}
    ids = set(Ledger(tmp_path / "l").read("trajectories")["trajectory_id"])
    assert len(ids) == 2
    assert set(Ledger(tmp_path / "l").read("scheduling")["trajectory_id"]) == ids


def test_files_of_which_nothing_counts_are_not_opened_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    traces = tmp_path / "traces"
    traces.mkdir()
    write_jsonl(traces / "first.jsonl", [0])
    shutil.copy(traces / "first.jsonl", traces / "copy.jsonl")
    measure([traces], tmp_path / "l", LATER)
    opened: list[str] = []
    plain = sources.source_of

    def noted(manifest: Manifest, access: SourceAccess, piece: Piece, volume: str) -> Source:
        opened.append(piece.name)
        return plain(manifest, access, piece, volume)

    monkeypatch.setattr(sources, "source_of", noted)
    rederive_tables(tmp_path / "l", load_derivations(), 1)
    ledger = Ledger(tmp_path / "l")
    assert opened == ledger.read("trajectories")["source"].unique().to_list()
    assert len(ledger.read("scheduling")) == 1


@pytest.mark.parametrize("options", mostly_slow([NOW, LATER], [LATER]))
def test_several_processes_derive_the_same_rows_in_the_same_order(
    options: MeasureOptions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rederive, "ALONE_BYTES", 0)
    write_corpus(tmp_path / "sessions")
    retail = sample_traces() / "gpt-4o-retail.tau.json"  # Has findings and dependencies.
    for name, workers in (("one", 1), ("two", 2)):
        chosen = structs.replace(options, workers=workers)
        measure([tmp_path / "sessions", retail], tmp_path / name, chosen)
        rederive_tables(tmp_path / name, load_derivations(), workers)
    for table in TABLES:
        assert_frame_equal(*(Ledger(tmp_path / name).read(table) for name in ("one", "two")))
        # Joins by inference are rare, and the samples have none.
        assert table == "joins" or len(Ledger(tmp_path / "one").read(table))


@pytest.mark.daily
@pytest.mark.parametrize("is_full", [False, True])
def test_what_was_read_for_costs_is_read_again_only_where_no_disk_held_it(
    is_full: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> int:
        raise OSError(28, "No space left on device")

    if is_full:
        monkeypatch.setattr(AnonymousFile, "append", refuse)
    write_corpus(tmp_path / "sessions")
    with monkeypatch.context() as noted:
        opened, plain = list[object](), sources.source_of
        noted.setattr(sources, "source_of", lambda *a: opened.append(a) or plain(*a))
        measure([tmp_path / "sessions"], tmp_path / "once", NOW)
    assert bool(opened) == is_full
    _, later = measured_both_ways([tmp_path / "sessions"], tmp_path)
    assert_same_rows(Ledger(tmp_path / "once"), later)


def test_a_detector_that_fails_costs_no_row_of_costs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(reading: Reading) -> list[Finding]:
        raise RuntimeError("a detector of somebody's")

    broken = structs.replace(DETECTORS[0], detect=fail)
    traces = write_jsonl(tmp_path / "a.jsonl", range(3))
    with monkeypatch.context() as wrong:
        wrong.setattr(patterns, "DETECTORS", (broken, *DETECTORS[1:]))
        measure([traces], tmp_path / "l", NOW)
    ledger = Ledger(tmp_path / "l")
    assert len(ledger.read("trajectories")) == 3
    assert len(ledger.read("bad_records")) == 0
    # Mended, it is asked by the next report.
    build_report(tmp_path / "l")
    assert set(Ledger(tmp_path / "l").read("scheduling")["trajectory_id"]) == set(
        ledger.read("trajectories")["trajectory_id"]
    )


def test_secrets_stand_in_no_derived_row_and_change_none(tmp_path: Path) -> None:
    key = next(iter(FAKES.values()))[0]
    one = chat(1, calls=4)
    for message in one["messages"]:
        message["content"] = f"{message.get('content') or ''} use {key} for it"
    (tmp_path / f"{key}.jsonl").write_text("\n".join(json.dumps(one) for _ in range(3)))
    now, later = measured_both_ways([tmp_path / f"{key}.jsonl"], tmp_path)
    for table in TABLES:
        rows = now.read(table)
        texts = [rows[c] for c, dtype in rows.schema.items() if dtype == pl.String]
        assert not any(text.str.contains(key, literal=True).any() for text in texts)
    assert_same_rows(now, later)


def test_what_cannot_be_derived_is_reported_and_costs_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ValueError("a rule that divides by nothing")

    monkeypatch.setattr(rederive, "rederive_tables", fail)
    write_jsonl(tmp_path / "traces" / "a.jsonl", range(3))
    words = ["measure", str(tmp_path / "traces"), "--out", str(tmp_path / "ledger")]
    for _ in range(2):  # The second run tries again: an answer with a problem is not kept.
        monkeypatch.setattr(sys, "argv", ["agentdyno", *words])
        with pytest.raises(SystemExit):
            main()
        assert "divides by nothing" in capsys.readouterr().err
    assert len(Ledger(tmp_path / "ledger").read("trajectories")) == 3
