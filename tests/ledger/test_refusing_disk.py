"""A disk that is full, can only be read, or fails: one plain line, and the ledger as it was."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from agentdyno.ledger.derived import add_derived
from agentdyno.ledger.reader import empty_table
from agentdyno.pipelines.maintenance import verify
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.records import InputError
from tests.ledger.traces import assert_consistent, assert_same, tables, write_jsonl

ONE = MeasureOptions(workers=1)


def _full_after(writes: int, code: int) -> Any:
    """`os.fsync` on a disk with room for so many files: that is where a full disk speaks up."""
    original, made = os.fsync, 0

    def sync(opened: int) -> None:
        nonlocal made
        made += 1
        if made > writes:
            raise OSError(code, os.strerror(code))
        original(opened)

    return sync


@contextmanager
def suppress_refusal(said: str) -> Iterator[None]:
    try:
        yield
    except InputError as error:
        if said not in str(error) or "\n" in str(error):
            raise


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (errno.ENOSPC, "the disk is full"),
        pytest.param(errno.EROFS, "can only be read", marks=pytest.mark.slow),
        pytest.param(errno.EIO, "failed", marks=pytest.mark.slow),
    ],
)
def test_a_disk_that_refuses_at_any_write_costs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, said: str
) -> None:
    ledger, traces = tmp_path / "ledger", tmp_path / "traces"
    write_jsonl(traces / "a.jsonl", range(3))
    write_jsonl(traces / "b.jsonl", range(10, 13))
    measure([traces], ledger, ONE)
    write_jsonl(traces / "a.jsonl", range(20, 24))
    # One way out for all three: the full disk is met everywhere, the others here and there.
    for writes in range(0, 30, 3 if code == errno.ENOSPC else 10):
        monkeypatch.setattr(os, "fsync", _full_after(writes, code))
        with suppress_refusal(said):
            measure([traces], ledger, ONE)
        monkeypatch.undo()
        assert_consistent(ledger)
        assert verify(ledger).is_sound
        tasks = set(tables(ledger)["trajectories"]["task_id"])
        assert tasks >= {"10", "11", "12"}
        assert tasks >= {"0", "1", "2"} or tasks >= {"20", "21", "22", "23"}
    measure([traces], ledger, ONE)
    measure([traces], tmp_path / "fresh", ONE)
    assert_same(ledger, tmp_path / "fresh")


def test_verdicts_that_find_no_room_leave_the_ledger_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = measure([write_jsonl(tmp_path / "a.jsonl", range(3))], tmp_path / "ledger", ONE).ledger
    for writes in range(4):
        monkeypatch.setattr(os, "fsync", _full_after(writes, errno.ENOSPC))
        with pytest.raises(InputError, match="the disk is full"):
            add_derived(ledger, "verdicts", empty_table("verdicts"))
        monkeypatch.undo()
        assert verify(ledger).is_sound


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_is_said(tmp_path: Path) -> None:
    traces = write_jsonl(tmp_path / "a.jsonl", range(3))
    (tmp_path / "shut").mkdir(mode=0o500)
    with pytest.raises(InputError, match="may not be written"):
        measure([traces], tmp_path / "shut" / "ledger", ONE)
