"""A disk that fills up while traces are measured: one plain line, nothing temporary, nothing taken
for damage, and the whole ledger once there is room."""

import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from agentdyno.ledger.file_names import GENERATIONS, SESSIONS, SPENT, STORE, SUMS
from agentdyno.ledger.moving import LEFTOVER_SECONDS
from agentdyno.pipelines.maintenance import verify
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.samples import sample_traces
from tests.cli.run import Agentdyno
from tests.labelled import mostly_slow
from tests.ledger.traces import assert_consistent, assert_same, write_jsonl

ONE = MeasureOptions(workers=1)
FULL = "No space left on device"


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    disk = tmp_path / "disk"
    disk.mkdir()
    try:
        command = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(disk)]
        mounted = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip("this system has no mount")
    if mounted.returncode:
        pytest.skip(f"a small disk cannot be mounted here: {mounted.stderr.strip()}")
    yield disk
    subprocess.run(["umount", "-l", str(disk)], check=True)


def find_temporary(ledger: Path) -> list[str]:
    """Files that a run leaves aside, and those without a byte."""
    files = [path for path in ledger.rglob("*") if path.is_file() and path.name != ".lock"]
    return sorted(
        str(path.relative_to(ledger))
        for path in files
        if path.name.endswith(".new") or ".aside" in path.parts or not path.stat().st_size
    )


# In the order of what is written: the first manifest, rows, their links, habits.
@pytest.mark.parametrize("room_kb", mostly_slow([24, 64, 190, 290], [190]))
def test_a_disk_that_fills_up_while_measuring(
    agentdyno: Agentdyno, small_disk: Path, tmp_path: Path, room_kb: int
) -> None:
    ledger, filler = small_disk / "ledger", small_disk / "filler"
    agentdyno.ledger = ledger
    free = os.statvfs(small_disk)
    filler.write_bytes(bytes(free.f_bavail * free.f_frsize - room_kb * 1024))
    for _ in range(2):  # The second run meets what the first one left.
        code = agentdyno.measure(sample_traces())
        refusals = [line for line in agentdyno.err.splitlines() if FULL in line]
        assert refusals
        assert all("free some space there" in line.lower() for line in refusals)
        # Without room for habits alone, the costs are there.
        assert code == 2 or "Costs are done." in refusals[0]
        assert find_temporary(ledger) == []
        if (ledger / "manifest.json").exists():
            assert agentdyno.run("ledger", "verify", ledger) == 0, agentdyno.out
            assert agentdyno.run("report", ledger, "--format", "md") == 0, agentdyno.err
            assert find_temporary(ledger) == []
    subprocess.run(["mount", "-o", "remount,size=40m", str(small_disk)], check=True)
    assert agentdyno.measure(sample_traces()) == 0
    assert agentdyno.run("ledger", "verify", ledger) == 0, agentdyno.out
    assert "0 of" in agentdyno.out
    assert find_temporary(ledger) == []
    assert_consistent(ledger)
    assert_same(ledger, measure([sample_traces()], tmp_path / "fresh", ONE).ledger)


def test_a_side_file_without_a_byte_is_no_damage(agentdyno: Agentdyno, tmp_path: Path) -> None:
    traces = write_jsonl(tmp_path / "a.jsonl", range(3))
    assert agentdyno.measure(traces) == 0
    ledger = agentdyno.ledger
    assert agentdyno.run("report", ledger) == 0
    blank = [ledger / SESSIONS, ledger / SPENT, *(ledger / SUMS).iterdir()]
    blank += [ledger / "calls" / "empty.parquet"]
    for path in blank:
        path.write_bytes(b"")
    health = verify(ledger)
    assert health.is_sound
    assert health.not_covered.keys() == {str(path.relative_to(ledger)) for path in blank}
    assert agentdyno.run("report", ledger, "--format", "md") == 0
    assert agentdyno.measure(traces, write_jsonl(tmp_path / "b.jsonl", range(5, 8))) == 0
    assert find_temporary(ledger) == []
    assert verify(ledger).not_covered == {}


def test_a_copy_without_a_byte_is_linked_anew(tmp_path: Path) -> None:
    traces = write_jsonl(tmp_path / "a.jsonl", range(3))
    ledger = measure([traces], tmp_path / "ledger", ONE).ledger
    copy = next(path for path in (ledger / "calls").iterdir() if path.name != "empty.parquet")
    copy.unlink()
    copy.write_bytes(b"")
    assert not verify(ledger).is_sound  # `calls/*.parquet` fails in every tool.
    measure([traces], ledger, ONE)
    assert verify(ledger).is_sound
    assert copy.samefile(ledger / STORE / "calls" / copy.name)


def test_what_a_killed_process_left_goes_with_the_next_run(tmp_path: Path) -> None:
    traces = write_jsonl(tmp_path / "a.jsonl", range(3))
    ledger = measure([traces], tmp_path / "ledger", ONE).ledger
    verdicts = ledger / STORE / "verdicts"
    verdicts.mkdir(exist_ok=True)
    left = [ledger / ".sessions.json.new", ledger / GENERATIONS / ".0000000009-20261119.json.new"]
    left += [verdicts / ".0123456789abcdef.parquet"]
    young = ledger / ".spent.json.new"
    before = time.time() - 2 * LEFTOVER_SECONDS
    for path in [*left, young]:
        path.write_bytes(b"half")
    for path in left:
        os.utime(path, (before, before))
    assert verify(ledger).is_sound
    measure([traces], ledger, ONE)
    assert not [path for path in left if path.exists()]
    assert young.exists()  # Another process may be writing it.
