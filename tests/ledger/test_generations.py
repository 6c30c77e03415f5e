"""Readers and a writer at once: every total that anybody reads was true at some moment, and what
a reader says of a ledger."""

import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest

from agentdyno.ledger import generations, manifest
from agentdyno.ledger.derived import add_derived
from agentdyno.ledger.file_names import STORE
from agentdyno.ledger.generations import list_generations
from agentdyno.ledger.manifest import load, save
from agentdyno.ledger.reader import Ledger, empty_table
from agentdyno.ledger.writer import LedgerWriter
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.records import InputError
from agentdyno.records.ledger import COUNTED, TABLES
from agentdyno.records.schema import schema_of
from tests.ledger.older import as_first_layout
from tests.ledger.traces import glob, write_jsonl
from tests.old_ledger import unpack

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


def test_the_last_generation_of_each_day_can_be_read_again(
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
    days = [each.day for each in generations.list_generations(ledger) if each.is_deduplicated]
    last = list(dict.fromkeys(days))[-generations.DAYS :]
    kept = [f"{day[:4]}-{day[4:6]}-{day[6:]}" for day in last]
    tasks = [len(_tasks(Ledger(ledger, as_of=day))) for day in kept]
    assert tasks == list(range(6, 21, 2))
    with pytest.raises(InputError, match=rf"Those that are kept are of: .*{kept[-1]}"):
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


# What the tables promise to every reader, with the kind of value that a reader may expect.
PROMISED: dict[str, dict[str, pl.DataType]] = {
    "trajectories": {
        **dict.fromkeys(
            ["trajectory_id", "source", "format", "model", "benchmark", "variant", "task_id"],
            pl.String(),
        ),
        "correct": pl.Boolean(),
        **dict.fromkeys(["turns", "calls", "prefill_tokens", "decode_tokens"], pl.Int64()),
        **dict.fromkeys(["pte", "pte_growth"], pl.Float64()),
    },
    "turns": {
        **dict.fromkeys(["trajectory_id", "token_source"], pl.String()),
        **dict.fromkeys(
            ["turn", "prefill_tokens", "decode_tokens", "context_tokens", "cached_tokens"],
            pl.Int64(),
        ),
        **dict.fromkeys(["latency_seconds", "pte", "pte_growth"], pl.Float64()),
    },
    "calls": {
        **dict.fromkeys(["trajectory_id", "call_id", "tool", "error"], pl.String()),
        **dict.fromkeys(["turn", "call"], pl.Int64()),
        "executed": pl.Boolean(),
        **dict.fromkeys(["result_tokens", "pte"], pl.Float64()),
    },
    "parts": {
        **dict.fromkeys(["trajectory_id", "kind", "name"], pl.String()),
        **dict.fromkeys(["turn", "call"], pl.Int64()),
        **dict.fromkeys(["tokens", "pte", "pte_growth"], pl.Float64()),
    },
}


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    traces = write_jsonl(tmp_path / "a.jsonl", range(5))
    return measure([traces], tmp_path / "ledger", MeasureOptions(workers=1)).ledger


def test_the_promised_columns_are_there_with_their_types(ledger: Path) -> None:
    for table, columns in PROMISED.items():
        schema = glob(ledger, table).schema
        assert {name: schema[name] for name in columns} == columns


def test_every_column_is_declared_and_nothing_else_is_written(ledger: Path) -> None:
    for table, columns in TABLES.items():
        declared = schema_of(columns)
        assert dict(glob(ledger, table).schema) == declared
        assert Ledger(ledger).read(table).schema == glob(ledger, table).schema
        assert all(column.sentence.endswith((".", "…")) for column in columns)


def test_unknown_is_null_and_never_zero(ledger: Path) -> None:
    trajectories = glob(ledger, "trajectories")
    for column in ("benchmark", "variant", "latency_seconds", "wait_seconds", "parent_id"):
        assert trajectories[column].null_count() == 5
    for column in ("latency_seconds", "started_at", "first_token_seconds"):
        assert glob(ledger, "turns")[column].null_count() == 10


def test_a_folder_that_is_no_ledger_names_the_command_that_makes_one(tmp_path: Path) -> None:
    for folder, paths in ((tmp_path, f"{tmp_path} --out LEDGER"), (tmp_path / "new", "PATH --out")):
        with pytest.raises(InputError, match=re.escape(f"agentdyno measure {paths}")):
            Ledger(folder)


@pytest.mark.parametrize("damage", ["cut", "gone"])
def test_damaged_tables_are_an_input_error(ledger: Path, damage: str) -> None:
    volume = next(p for p in (ledger / "turns").iterdir() if p.name != "empty.parquet")
    for path in [*ledger.rglob(volume.name)]:
        path.write_bytes(path.read_bytes()[:50]) if damage == "cut" else path.unlink()
    with pytest.raises(InputError, match="agentdyno measure TRACES"):
        Ledger(ledger).read("turns")


def test_a_ledger_older_than_a_column_opens_with_nulls_there(ledger: Path) -> None:
    volume = next(p for p in (ledger / "turns").iterdir() if p.name != "empty.parquet")
    pl.read_parquet(volume).drop("latency_valid").write_parquet(volume)
    as_first_layout(ledger)
    pl.read_parquet(ledger / "turns" / "empty.parquet").drop("latency_valid").write_parquet(
        ledger / "turns" / "empty.parquet"
    )
    turns = Ledger(ledger).read("turns")
    assert turns["latency_valid"].null_count() == len(turns) == 10
    assert turns.columns == [column.name for column in TABLES["turns"]]


def test_an_older_ledger_that_is_measured_into_opens_as_one_table(tmp_path: Path) -> None:
    """The file without rows, too, gets the columns of today."""
    ledger = tmp_path / "ledger"
    measure([write_jsonl(tmp_path / "a.jsonl", range(2))], ledger, MeasureOptions(workers=1))
    empty = ledger / "turns" / "empty.parquet"
    pl.read_parquet(empty).drop("latency_valid").write_parquet(empty)
    measure([write_jsonl(tmp_path / "a.jsonl", range(2))], ledger, MeasureOptions(workers=1))
    assert "latency_valid" in glob(ledger, "turns").columns


def test_a_table_that_had_another_name_is_read_added_to_and_dropped_by_its_name_of_today(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "ledger"
    with LedgerWriter(folder, {}):
        pass
    rows = pl.DataFrame(
        [{"trajectory_id": "t", "turn": 0, "depth_model": "m", "token": 0, "layer": 1}],
        schema=empty_table("layer_distances").schema,
    )
    add_derived(folder, "layer_distances", rows)
    manifest = load(folder)  # As an earlier version left it: folder and manifest say `thought`.
    manifest.derived["thought"] = manifest.derived.pop("layer_distances")
    (folder / "layer_distances").rename(folder / "thought")
    shutil.rmtree(folder / STORE)
    save(folder, manifest)
    assert b'"thought"' in (folder / "manifest.json").read_bytes()

    assert Ledger(folder).read("layer_distances").equals(rows)
    add_derived(folder, "layer_distances", rows)
    assert len(Ledger(folder).read("layer_distances")) == 2
    assert b'"thought"' not in (folder / "manifest.json").read_bytes()
    old = next((folder / "thought").glob("*.parquet"))
    with LedgerWriter(folder, {}) as writer:
        assert writer.damage() == []
        writer.drop_derived([("layer_distances", old.name)])
    assert not old.exists()
    assert len(Ledger(folder).read("layer_distances")) == 1


def test_a_column_that_had_another_name_is_read_by_its_name_of_today(tmp_path: Path) -> None:
    ledger, _ = unpack(tmp_path)
    written = pl.scan_parquet(f"{ledger}/turns/*.parquet").select("pte_ideal").collect()
    assert written["pte_ideal"].null_count() < len(written)
    rows = Ledger(ledger).read("turns")
    assert rows["pte_kept"].to_list() == written["pte_ideal"].to_list()
    assert "pte_ideal" not in rows.columns
