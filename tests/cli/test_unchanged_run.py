"""What is unchanged is not read again."""

import os
import time
from pathlib import Path

import pytest

from agentdyno.ledger.file_names import LAST_RUN
from agentdyno.pipelines.last_run import digest_traces, find_answer
from agentdyno.records.local_days import name_day
from tests.cli.run import Agentdyno
from tests.ledger.traces import write_jsonl


@pytest.fixture
def measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Agentdyno:
    """The command after it measured two files."""
    for name in ("a", "b"):
        write_jsonl(tmp_path / "traces" / f"{name}.jsonl", range(ord(name), ord(name) + 3))
    command = Agentdyno(capsys, tmp_path / "ledger")
    assert command.measure(tmp_path / "traces") == 0
    return command


def _forbid_tables(patch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a table was opened")

    patch.setattr("agentdyno.ledger.reader.Ledger.__init__", refuse)
    patch.setattr("agentdyno.ledger.writer.LedgerWriter.__init__", refuse)


def test_nothing_new_prints_the_same(measured: Agentdyno, monkeypatch: pytest.MonkeyPatch) -> None:
    traces = measured.ledger.parent / "traces"
    first = measured.out.splitlines()
    with monkeypatch.context() as patch:
        _forbid_tables(patch)
        assert measured.measure(traces) == 0
        assert sorted(measured.out.splitlines()) == sorted(first)
        assert measured.measure(traces, "--json") == 0
        again = measured.object()
    (measured.ledger / LAST_RUN).unlink()
    assert measured.measure(traces, "--json") == 0
    assert measured.object() == again
    assert again["new_files"] == 0


OPTIONS = [(name_day(time.time()), None), "fast", 64, False, False, False, False]
OTHER = [OPTIONS[0], "exact", 64, False, False, False, False]


@pytest.mark.parametrize("change", ["grown", "gone", "put back", "option", "damage"])
def test_whatever_changes_is_noticed(measured: Agentdyno, change: str) -> None:
    ledger, traces = measured.ledger, measured.ledger.parent / "traces"
    path = traces / "b.jsonl"
    assert find_answer(ledger, digest_traces([traces], ledger, OPTIONS)) is not None
    if change == "grown":
        path.write_text(path.read_text() + path.read_text().splitlines()[0] + "\n")
    elif change == "gone":
        path.unlink()
    elif change == "put back":  # Other bytes of the same size, and the time of before.
        before = path.stat()
        path.write_text(path.read_text().replace("why", "who"))
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    elif change == "damage":
        next((ledger / "turns").glob("*-0.parquet")).write_bytes(b"PAR1")
    now = digest_traces([traces], ledger, OTHER if change == "option" else OPTIONS)
    assert find_answer(ledger, now) is None
