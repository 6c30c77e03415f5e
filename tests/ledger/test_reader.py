"""A ledger that is not one, or that was damaged, is said plainly."""

import shutil
from pathlib import Path

import polars as pl
import pytest

from agentdyno.ledger.derived import add_derived
from agentdyno.ledger.file_names import STORE
from agentdyno.ledger.manifest import load, save
from agentdyno.ledger.reader import Ledger, empty_table
from agentdyno.ledger.writer import LedgerWriter
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.records import InputError
from agentdyno.records.ledger import TABLES
from agentdyno.records.schema import schema_of
from tests.ledger.older import as_first_layout
from tests.ledger.traces import glob, write_jsonl
from tests.old_ledger import unpack

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
    with pytest.raises(InputError, match="agentdyno measure PATH --out"):
        Ledger(tmp_path)


@pytest.mark.parametrize("damage", ["cut", "gone"])
def test_damaged_tables_are_an_input_error(ledger: Path, damage: str) -> None:
    volume = next(p for p in (ledger / "turns").iterdir() if p.name != "empty.parquet")
    for path in [*ledger.rglob(volume.name)]:
        path.write_bytes(path.read_bytes()[:50]) if damage == "cut" else path.unlink()
    with pytest.raises(InputError, match="agentdyno ledger repair"):
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
