"""Readers and a writer at once: every total that anybody reads was true at some moment."""

import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest

from agentdyno.ledger import generations, manifest
from agentdyno.ledger.file_names import STORE
from agentdyno.ledger.generations import list_generations
from agentdyno.ledger.manifest import load
from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.history import compare_generations, list_history
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.records import InputError
from agentdyno.records.ledger import COUNTED
from tests.ledger.traces import glob, write_jsonl

COSTS = MeasureOptions(workers=1, costs_only=True)
DAY = 86_400.0
PLAIN = ["--workers", "1", "--costs-only", "--json"]
COMMAND = [sys.executable, "-c", "from agentdyno.cli.app import main; main()"]


def _tasks(ledger: Ledger) -> set[str]:
    return set(ledger.read("trajectories")["task_id"])


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time at which manifests are published; its one item may be changed."""
    now = [1_800_000_000.0]
    monkeypatch.setattr(manifest.time, "time", lambda: now[0])
    return now


def test_a_reader_sees_what_it_opened_until_it_is_done(tmp_path: Path) -> None:
    traces, ledger = write_jsonl(tmp_path / "a.jsonl", range(3)), tmp_path / "ledger"
    measure([traces], ledger, COSTS)
    opened = Ledger(ledger)
    lazy = opened.scan("turns")
    write_jsonl(traces, range(50, 55))
    measure([traces], ledger, COSTS)
    assert _tasks(opened) == {"0", "1", "2"}
    assert len(lazy.collect()) == 6
    assert _tasks(Ledger(ledger)) == {"50", "51", "52", "53", "54"}
    # Other tools find the newest rows alone, while the older files are still there.
    assert len(glob(ledger, "turns")) == 10


def test_what_nobody_reads_goes(tmp_path: Path) -> None:
    traces, ledger = write_jsonl(tmp_path / "a.jsonl", range(3)), tmp_path / "ledger"
    for first in (0, 10):
        write_jsonl(traces, range(first, first + 3))
        words = ["measure", str(traces), "--out", str(ledger), "--workers", "1", "--costs-only"]
        subprocess.run([*COMMAND, *words], check=True)
    assert len(list_generations(ledger)) == 1
    for table in COUNTED:
        assert len(list((ledger / STORE / table).iterdir())) == 1


def test_a_run_that_is_not_finished_is_not_read(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger"
    measure([write_jsonl(tmp_path / "a.jsonl", range(3))], ledger, COSTS)
    held = load(ledger)
    held.settled = False
    held.volumes.clear()
    manifest.save(ledger, held)
    assert load(ledger).volumes == {}
    assert len(_tasks(Ledger(ledger))) == 3


def test_the_last_generation_of_each_day_can_be_read_again_and_compared(
    tmp_path: Path, clock: list[float]
) -> None:
    traces, ledger = tmp_path / "traces", tmp_path / "ledger"
    for day in range(generations.DAYS + 2):
        write_jsonl(traces / f"{day}.jsonl", [2 * day])
        measure([traces], ledger, COSTS)
        write_jsonl(traces / f"{day}.jsonl", [2 * day, 2 * day + 1])
        measure([traces], ledger, COSTS)
        clock[0] += DAY
    generations._held.clear()
    kept = list_history(ledger)
    assert [each.trajectories for each in kept[-generations.DAYS :]] == list(range(6, 21, 2))
    day = kept[-2].published_at[:10]
    assert len(_tasks(Ledger(ledger, as_of=day))) == 18
    found = compare_generations(ledger, str(kept[-2].generation))
    assert [(each.source, each.reason) for each in found.changes] == [
        (f"traces/{generations.DAYS + 1}.jsonl", "a new file")
    ]
    with pytest.raises(InputError, match="agentdyno ledger history"):
        Ledger(ledger, as_of="1999-01-01")


READER = """
import sys, time
from pathlib import Path
from agentdyno.ledger.reader import Ledger
folder, stop = Path(sys.argv[1]), time.monotonic() + float(sys.argv[2])
while time.monotonic() < stop:
    ledger = Ledger(folder)
    tasks = ledger.read("trajectories")["task_id"].sort().to_list()
    turns = ledger.scan("turns").collect()
    print(len(tasks), len(turns), ",".join(tasks), flush=True)
"""


@pytest.mark.parametrize(
    ("readers", "seconds"), [(2, 3), pytest.param(10, 120, marks=pytest.mark.slow)]
)
def test_no_reader_ever_sees_a_total_that_was_never_true(
    tmp_path: Path, readers: int, seconds: int
) -> None:
    traces, ledger = write_jsonl(tmp_path / "a.jsonl", range(3)), tmp_path / "ledger"
    measure([traces], ledger, COSTS)
    true = {"0,1,2"}
    words = [sys.executable, "-c", READER, str(ledger), str(seconds)]
    running = [subprocess.Popen(words, stdout=subprocess.PIPE, text=True) for _ in range(readers)]
    until, first = time.monotonic() + seconds, 10
    while time.monotonic() < until:
        write_jsonl(traces, range(first, first + 1 + first % 5))
        true.add(",".join(sorted(str(t) for t in range(first, first + 1 + first % 5))))
        writer = subprocess.Popen(
            [*COMMAND, "measure", str(traces), "--out", str(ledger), *PLAIN],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            writer.wait(timeout=0.5 + first % 7)
        except subprocess.TimeoutExpired:
            writer.kill()
            writer.wait()
        first += 10
    seen = set()
    for reader in running:
        output, _ = reader.communicate(timeout=120)
        assert reader.returncode == 0
        for line in output.splitlines():
            trajectories, turns, tasks = line.split(" ")
            assert int(turns) == 2 * int(trajectories)
            seen.add(tasks)
    assert seen
    assert seen <= true


def test_pl_duckdb_and_pandas_open_a_table_with_one_line(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger"
    measure([write_jsonl(tmp_path / "a.jsonl", range(3))], ledger, COSTS)
    assert len(pl.read_parquet(f"{ledger}/turns/*.parquet")) == 6
    duckdb = pytest.importorskip("duckdb")
    count = duckdb.sql(f"SELECT count(*) FROM '{ledger}/turns/*.parquet'").fetchone()
    assert count == (6,)
