"""Rows that an older version measured: read again from their source, or named as old."""

import json
import shutil
from pathlib import Path

import pytest
from msgspec import structs

from agentdyno.intake.formats import anthropic_messages
from agentdyno.ledger.derived import add_derived
from agentdyno.ledger.manifest import load
from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.compare import compare
from agentdyno.pipelines.maintenance import verify
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.samples import sample_traces
from agentdyno.pipelines.versions import current_versions, old_rows
from agentdyno.records import stages
from agentdyno.records.ledger import DERIVED
from tests.hostile.forged import Run
from tests.ledger.traces import assert_same, write_jsonl
from tests.old_ledger import unpack

ONE = MeasureOptions(workers=1)
INBOX = sample_traces() / "inbox.anthropic.jsonl"
NAMED = "files were measured by an older version"


@pytest.fixture
def old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """The ledger of the first release, and its traces."""
    ledger, traces = unpack(tmp_path)
    monkeypatch.setenv("AGENTDYNO_SOURCES", str(traces))
    return ledger, traces


def test_a_ledger_of_the_first_release_is_whole_and_called_old(old: tuple[Path, Path]) -> None:
    ledger, _ = old
    health = verify(ledger)
    assert health.is_sound
    assert (health.damaged, health.old.files, health.old.of) == ([], 2, 2)
    said = Run("ledger", "verify", ledger)
    assert said.code == 0
    assert f"2 of 2 {NAMED} (before stages had versions)" in said.out


@pytest.mark.daily
def test_measuring_its_traces_reads_them_again(old: tuple[Path, Path], tmp_path: Path) -> None:
    ledger, traces = old
    assert measure([traces], ledger, ONE).read_again == 2
    # Its PTE were those of the width, and stay so.
    measure([traces], tmp_path / "fresh", structs.replace(ONE, gamma="width"))
    assert_same(ledger, tmp_path / "fresh")
    assert measure([traces], ledger, ONE).new_files == 0
    health = verify(ledger)
    assert (health.is_sound, health.old, health.unsealed) == (True, None, 0)


def test_rows_without_a_source_are_named_wherever_figures_are_shown(
    old: tuple[Path, Path], tmp_path: Path
) -> None:
    ledger, traces = old
    shutil.rmtree(traces)
    assert verify(ledger).is_sound
    for form in ("html", "md"):
        assert Run("report", ledger, "-o", tmp_path / f"report.{form}").code == 0
        assert NAMED in (tmp_path / f"report.{form}").read_text()
    assert Run("report", ledger, "-o", tmp_path / "report.json").code == 0
    results = json.loads((tmp_path / "report.json").read_text())["results"]
    assert results["glance"]["old"]["files"] == 2
    assert results["outdated"][0]["table"] == "trajectories, turns, calls, parts"
    assert NAMED in " ".join(Run("report", ledger).out.split())
    found = compare(ledger, ledger)
    assert [line[:2] for line in found.warnings if NAMED in line] == ["A:", "B:"]
    said = Run("compare", ledger, ledger, "--setting-b", "model=*")
    assert NAMED in " ".join(said.out.split())


def test_the_summary_after_measuring_names_what_stays_old(
    old: tuple[Path, Path], tmp_path: Path
) -> None:
    ledger, traces = old
    (traces / "b.jsonl").unlink()
    write_jsonl(tmp_path / "traces" / "c.jsonl", [1])
    words = ("measure", tmp_path / "traces", "--out", ledger, "--workers", 1)
    assert f"1 of 3 {NAMED}" in " ".join(Run(*words).out.split())
    assert json.loads(Run(*words, "--json").out)["old"]["files"] == 1


@pytest.fixture
def two_formats(tmp_path: Path) -> Path:
    """A ledger of messages to Anthropic and of OpenAI chats, in one volume."""
    write_jsonl(tmp_path / "traces" / "a.jsonl", range(3))
    shutil.copy(INBOX, tmp_path / "traces" / "inbox.jsonl")
    measure([tmp_path / "traces"], tmp_path / "ledger", ONE)
    return tmp_path / "ledger"


def test_a_volume_notes_the_versions_of_its_own_readers(tmp_path: Path) -> None:
    write_jsonl(tmp_path / "a.jsonl", [1])
    ledger = measure([tmp_path / "a.jsonl"], tmp_path / "ledger", ONE).ledger
    (volume,) = load(ledger).volumes.values()
    assert volume.making.versions == stages.STAGES | {"reader openai_chat": 2}
    assert current_versions().keys() > volume.making.versions.keys()


def test_a_stage_of_a_newer_version_makes_all_files_old_and_they_are_read_again(
    two_formats: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert old_rows(load(two_formats)) is None
    monkeypatch.setitem(stages.STAGES, "tokens", stages.STAGES["tokens"] + 1)
    found = old_rows(load(two_formats))
    assert (found.files, list(found.now)) == (2, ["tokens"])
    assert measure([tmp_path / "traces"], two_formats, ONE).read_again == 2
    assert old_rows(load(two_formats)) is None


def test_a_reader_of_a_newer_version_makes_only_its_own_files_old(
    two_formats: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_jsonl(tmp_path / "traces" / "b.jsonl", [7])
    measure([tmp_path / "traces"], two_formats, ONE)
    newer = _raised(anthropic_messages.FORMAT)
    monkeypatch.setattr(anthropic_messages, "FORMAT", newer)
    assert measure([tmp_path / "traces"], two_formats, ONE).read_again == 1
    assert old_rows(load(two_formats)) is None


def _raised(format):  # type: ignore[no-untyped-def]
    return structs.replace(format, version=format.version + 1)


def test_rows_of_a_newer_version_are_left_alone_by_an_older_one(
    two_formats: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as later:
        later.setitem(stages.STAGES, "cost", stages.STAGES["cost"] + 1)
        measure([tmp_path / "traces"], two_formats, ONE)
    kept = sorted(p.name for p in (two_formats / "turns").iterdir())
    assert measure([tmp_path / "traces"], two_formats, ONE).new_files == 0
    assert sorted(p.name for p in (two_formats / "turns").iterdir()) == kept


def test_a_table_that_is_no_longer_made_is_harmless(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table `quotes` of ledgers made before: opened, verified, measured again, reported."""
    traces = write_jsonl(tmp_path / "a.jsonl", range(2))
    ledger = measure([traces], tmp_path / "ledger", MeasureOptions(workers=1)).ledger
    with monkeypatch.context() as patch:
        patch.setitem(DERIVED, "quotes", DERIVED["joins"])
        [volume] = Ledger(ledger).manifest.volumes
        add_derived(ledger, "quotes", Ledger(ledger).read("joins"), volume)
    assert b"quotes" in (ledger / "manifest.json").read_bytes()
    assert "quotes" not in Ledger(ledger).manifest.derived
    assert verify(ledger).is_sound
    measure([traces], ledger, MeasureOptions(workers=1))
    assert Run("report", ledger).code == 0
