"""What a manifest names is opened only where this user or the reader of the ledger allows it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.sources import find_missing_inputs
from tests.cli.run import Agentdyno
from tests.conftest import ROOT
from tests.hostile.forged import Json, forge
from tests.hostile.forged_sources import run_all
from tests.ledger.traces import write_jsonl

ONE = MeasureOptions(workers=1, costs_only=True)


@pytest.mark.parametrize(
    ("is_own", "with_options"),
    [pytest.param(True, True, id="own", marks=pytest.mark.slow), pytest.param(False, False)],
)
def test_no_verb_opens_what_only_the_manifest_names(
    is_own: bool, with_options: bool, tmp_path: Path
) -> None:
    assert run_all(tmp_path, is_own, with_options) == []


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")
def test_in_a_namespace_of_its_own_a_listening_server_is_asked_for_nothing(tmp_path: Path) -> None:
    bare = ["bwrap", "--unshare-net", "--dev-bind", "/", "/"]
    if subprocess.run([*bare, "true"], capture_output=True).returncode:
        pytest.skip("this system allows no network namespaces")
    words = [*bare, sys.executable, "-m", "tests.hostile.forged_sources", str(tmp_path)]
    ran = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    assert (ran.stdout, ran.returncode) == ("no requests\n", 0), ran.stderr


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """Of `tmp_path/home/traces/deep/a.jsonl`."""
    write_jsonl(tmp_path / "home" / "traces" / "deep" / "a.jsonl", range(3))
    measure([tmp_path / "home" / "traces"], tmp_path / "ledger", ONE)
    return tmp_path / "ledger"


def test_what_was_given_to_measure_is_opened(ledger: Path, agentdyno: Agentdyno) -> None:
    assert find_missing_inputs(Ledger(ledger)) == {}
    write_jsonl(ledger.parent / "home" / "traces" / "b.jsonl", range(5, 7))
    measure([ledger.parent / "home" / "traces"], ledger, ONE)
    assert find_missing_inputs(Ledger(ledger)) == {}
    record = next(Path(os.environ["XDG_STATE_HOME"]).glob("agentdyno/sources"))
    assert record.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in record.iterdir()} == {0o600}


def test_another_ledger_in_the_same_place_is_not_taken_for_it(ledger: Path) -> None:
    other = ledger.with_name("other")
    measure([ledger.parent / "home" / "traces"], other, ONE)
    shutil.rmtree(ledger)
    other.rename(ledger)
    assert list(find_missing_inputs(Ledger(ledger))) == ["traces/deep/a.jsonl"]


def test_a_copied_ledger_reads_traces_in_the_folder_that_the_reader_names(
    ledger: Path, agentdyno: Agentdyno, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = ledger.with_name("theirs")
    shutil.copytree(ledger, theirs)
    (ledger.parent / "home").rename(ledger.parent / "away")
    assert agentdyno.run("export", theirs, "--as", "otel", "--to", ledger.parent / "a.jsonl") == 0
    assert "1 of 1 trace not opened" in agentdyno.err
    assert "--sources FOLDER" in agentdyno.err
    monkeypatch.setenv("AGENTDYNO_SOURCES", "")  # Put back as it was after the test.
    for sources in ("away", "away/traces", "away/traces/deep"):
        words = ("--as", "otel", "--sources", ledger.parent / sources)
        assert agentdyno.run("export", theirs, *words, "--to", ledger.parent / "b.jsonl") == 0
        assert "3 trajectories" in agentdyno.out
        assert "not opened" not in agentdyno.err


@pytest.mark.parametrize("path", ["/x/../../private.jsonl", "link.jsonl", "other.jsonl"])
def test_under_the_named_folder_no_link_leads_out_and_other_contents_are_not_read(
    path: str, ledger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs, given = ledger.with_name("theirs"), ledger.parent / "given"
    shutil.copytree(ledger, theirs)
    given.mkdir()
    kept = ledger.parent / "private.jsonl"
    shutil.copy(ledger.parent / "home" / "traces" / "deep" / "a.jsonl", kept)
    (given / "link.jsonl").symlink_to(kept)
    write_jsonl(given / "other.jsonl", range(8))

    def change(fields: dict[str, Json]) -> None:
        fields["inputs"]["traces/deep/a.jsonl"]["path"] = path

    forge(theirs, change)
    monkeypatch.setenv("AGENTDYNO_SOURCES", str(given))
    expected = "changed since" if path == "other.jsonl" else "not in the folder"
    assert expected in find_missing_inputs(Ledger(theirs))["traces/deep/a.jsonl"]
