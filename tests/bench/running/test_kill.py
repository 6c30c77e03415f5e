"""Killed at any moment and started again: no sample is lost, none is there twice."""

import random
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import polars as pl
import pytest

pytest.importorskip("inspect_ai", reason="needs the extra bench")

from agentdyno.pipelines.measure import measure
from agentdyno_bench import RunOptions, run_task
from tests.bench.running.tasks import BEGUN, model, recipe
from tests.conftest import ROOT

PROGRAM = """
import sys
from pathlib import Path
from agentdyno_bench import RunOptions, run_task
from tests.bench.running.tasks import model, recipe
if __name__ == "__main__":
    options = RunOptions(out=Path(sys.argv[1]), concurrency=8, processes=int(sys.argv[3]))
    run_task(recipe(int(sys.argv[2])), model("slowly"), options)
"""


def kill_and_resume(out: Path, samples: int, kills: int, processes: int, seed: int) -> list[int]:
    """Kills the run again and again; how many samples were on disk after each."""
    chance = random.Random(seed)
    found: list[int] = []
    for _ in range(kills):
        before = on_disk(out)
        child = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(out), str(samples), str(processes)],
            cwd=ROOT,
            stderr=subprocess.DEVNULL,
        )
        # From before the first new sample, over the writing of a log, to well into the work.
        wanted = before + chance.randint(0, samples // kills)
        while on_disk(out) < wanted and child.poll() is None:
            time.sleep(0.02)
        time.sleep(chance.uniform(0.0, 0.3))
        child.kill()  # SIGKILL; nothing if it is through already.
        child.wait()
        found.append(on_disk(out))
    return found


def on_disk(out: Path) -> int:
    """Samples in the logs, which may be replaced at any moment."""
    count = 0
    for log in out.glob("logs/*/*/*.eval"):
        try:
            with zipfile.ZipFile(log) as archive:
                count += sum(name.startswith("samples/") for name in archive.namelist())
        except (OSError, zipfile.BadZipFile):
            return 0
    return count


def check(out: Path, samples: int) -> None:
    run = run_task(recipe(samples), model("slowly"), RunOptions(out=out, concurrency=64))
    assert (run.samples, run.failed) == (samples, [])
    measure([out / "logs"], out / "ledger")
    rows = pl.read_parquet(out / "ledger" / "trajectories" / "*.parquet")
    assert rows["task_id"].n_unique() == len(rows) == samples
    assert rows["correct"].all()
    bad = pl.read_parquet(out / "ledger" / "bad_records" / "*.parquet")
    assert len(bad) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is not of this system")
def test_a_killed_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    kill_and_resume(tmp_path, samples=40, kills=1, processes=1, seed=3)
    check(tmp_path, 40)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is not of this system")
@pytest.mark.parametrize("processes", [1, 2])
def test_twenty_kills_lose_and_double_nothing(tmp_path: Path, processes: int) -> None:
    found = kill_and_resume(tmp_path, samples=200, kills=20, processes=processes, seed=processes)
    assert len({count for count in found if 0 < count < 200}) >= 10  # Kills amid the work.
    check(tmp_path, 200)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is not of this system")
def test_only_samples_in_flight_are_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Eight are in flight at a time, so that each kill repeats eight at most."""
    begun = tmp_path / "begun"
    monkeypatch.setenv(BEGUN, str(begun))
    kill_and_resume(tmp_path, samples=60, kills=4, processes=1, seed=5)
    check(tmp_path, 60)
    starts = begun.read_text().split()
    assert len(set(starts)) == 60
    assert len(starts) <= 60 + 4 * 8
