"""`agentdyno ledger`: what it says of a ledger, and what it does to one."""

from pathlib import Path

import polars as pl
import pytest

from agentdyno.ledger.derived import add_derived, current_files
from agentdyno.ledger.manifest import load
from agentdyno.ledger.reader import Ledger, empty_table
from agentdyno.pipelines.maintenance import verify
from agentdyno.pipelines.measure import MeasureOptions, measure
from tests.ledger.older import as_first_layout
from tests.ledger.traces import assert_consistent, tables, write_jsonl

ONE = MeasureOptions(workers=1, costs_only=True)


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """Three files in three volumes."""
    for index in range(3):
        write_jsonl(tmp_path / "traces" / f"{index}.jsonl", range(10 * index, 10 * index + 3))
        measure([tmp_path / "traces"], tmp_path / "ledger", ONE)
    return tmp_path / "ledger"


def _verdicts(ledger: Path) -> set[str]:
    return set(Ledger(ledger).read("verdicts")["trajectory_id"])


def _judge(ledger: Path, table: str = "verdicts", which: slice = slice(None)) -> None:
    """A row for every trajectory of some volumes."""
    for volume in list(load(ledger).volumes)[which]:
        ids = Ledger(ledger).scan_volume("trajectories", volume).select("trajectory_id").collect()
        rows = pl.concat([empty_table(table), ids], how="diagonal")
        add_derived(ledger, table, rows, volume)


def test_a_sound_ledger_is_called_sound(ledger: Path, tmp_path: Path) -> None:
    health = verify(ledger)
    assert health.is_sound
    everything = [path for path in ledger.rglob("*") if path.is_file() and path.name != ".lock"]
    assert (health.files, health.unsealed, health.sources_missing) == (len(everything), 0, {})
    assert health.not_covered == {}
    (tmp_path / "traces" / "0.jsonl").unlink()
    write_jsonl(tmp_path / "traces" / "1.jsonl", [99])
    assert verify(ledger).sources_missing == {
        "traces/0.jsonl": "the file is gone",
        "traces/1.jsonl": "the file changed since it was measured",
    }


def test_rows_that_contradict_each_other_are_found(ledger: Path) -> None:
    path = next((ledger / "turns").glob("*-0.parquet"))
    pl.read_parquet(path).head(2).write_parquet(path)
    as_first_layout(ledger)
    found = verify(ledger)
    assert found.unsealed == 16
    assert any(
        "trajectories have 18 turns, the table has 14" in each for each in found.contradictions
    )


def test_what_has_no_source_any_more_stays_beside(ledger: Path, tmp_path: Path) -> None:
    as_first_layout(ledger)
    (tmp_path / "traces" / "0.jsonl").unlink()
    before = tables(ledger)
    assert measure([tmp_path / "traces"], ledger, ONE).read_again == 2
    assert len(verify(ledger).makings) == 2
    assert len(tables(ledger)["trajectories"]) == len(before["trajectories"]) == 9
    # Measuring what is there does not touch what is not.
    measured = measure([tmp_path / "traces"], ledger, ONE)
    assert (measured.new_files, measured.apart) == (0, 1)
    assert len(tables(ledger)["trajectories"]) == 9


def test_another_version_reads_again_what_it_is_given_and_deletes_nothing(
    ledger: Path, tmp_path: Path
) -> None:
    _judge(ledger)
    as_first_layout(ledger, software="9.9.9")
    measured = measure([tmp_path / "traces" / "1.jsonl"], ledger, ONE)
    # By this path it is called `1.jsonl`: the same file at the same place all the same.
    assert measured.apart >= 2
    assert_consistent(ledger)
    assert len(_verdicts(ledger)) == 9


def test_one_changed_file_costs_no_verdict_on_the_others(tmp_path: Path) -> None:
    traces, ledger = tmp_path / "traces", tmp_path / "ledger"
    for index in range(3):
        write_jsonl(traces / f"{index}.jsonl", [index])
    measure([traces], ledger, ONE)  # One volume for all three.
    _judge(ledger)
    _judge(ledger, "patterns")
    write_jsonl(traces / "1.jsonl", [1, 7])
    measure([traces], ledger, ONE)
    assert _verdicts(ledger) == {"traces/0.jsonl#0", "traces/2.jsonl#0"}
    rest = next(v for v, e in load(ledger).volumes.items() if len(e.pieces) == 2)
    assert {e.volume for e in current_files(load(ledger), "patterns")} == {rest}
    assert verify(ledger).is_sound
    assert_tidy_measured(ledger)


def assert_tidy_measured(ledger: Path) -> None:
    """No file of a derived table that the manifest does not name."""
    for table, entries in load(ledger).derived.items():
        assert {p.name for p in (ledger / table).iterdir()} == {e.file for e in entries}
