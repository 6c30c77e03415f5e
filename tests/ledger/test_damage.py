"""Flipped bits and cut files anywhere in a ledger: harmless, reported or read again, never
silent."""

import random
import shutil
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from agentdyno.ledger.derived import add_derived
from agentdyno.ledger.file_names import NAME
from agentdyno.ledger.generations import find_newest, release
from agentdyno.ledger.manifest import load
from agentdyno.ledger.reader import Ledger, empty_table
from agentdyno.pipelines.maintenance import verify
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.records import InputError
from agentdyno.records.ledger import DERIVED, TABLES
from tests.ledger.traces import tables, write_jsonl

ONE = MeasureOptions(workers=1)


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    """A ledger with rows in every table, those of later verbs included."""
    traces = tmp_path / "traces"
    write_jsonl(traces / "a.jsonl", range(6))
    with write_jsonl(traces / "b.jsonl", range(50, 55)).open("a") as file:
        file.write("{broken\n")
    ledger = measure([traces / "a.jsonl"], tmp_path / "ledger", ONE).ledger
    measure([traces / "a.jsonl", traces / "b.jsonl"], ledger, ONE)
    for table in DERIVED.keys() - {"files"}:  # Which measuring has written.
        for volume in load(ledger).volumes:
            add_derived(ledger, table, _said(ledger, table, volume), volume)
    return ledger


def _said(ledger: Path, table: str, volume: str) -> pl.DataFrame:
    ids = Ledger(ledger).scan_volume("trajectories", volume).select("trajectory_id").collect()
    frame = empty_table(table)
    others = [pl.lit(None, dtype=frame.schema[c]).alias(c) for c in frame.columns]
    return ids.with_columns(c for c in others if c.meta.output_name() != "trajectory_id").select(
        frame.columns
    )


def _everything(ledger: Path) -> dict[str, pl.DataFrame]:
    opened = Ledger(ledger)
    return {table: opened.read(table) for table in (*TABLES, *DERIVED)}


def _is_same(one: dict[str, pl.DataFrame], other: dict[str, pl.DataFrame]) -> bool:
    return all(one[table].equals(other[table]) for table in one)


def _damage(path: Path, rng: random.Random) -> bytes:
    """One flipped bit, or a cut, at a random place; returns what was there."""
    before = path.read_bytes()
    at = rng.randrange(len(before))
    if rng.random() < 0.25:
        path.write_bytes(before[:at])
    else:
        flipped = bytearray(before)
        flipped[at] ^= 1 << rng.randrange(8)
        path.write_bytes(bytes(flipped))
    return before


@pytest.mark.parametrize("tries", [30, pytest.param(600, marks=pytest.mark.slow)])
def test_no_flipped_bit_or_cut_changes_a_figure_silently(ledger: Path, tries: int) -> None:
    truth, rng = _everything(ledger), random.Random(13)
    files = sorted(p for p in ledger.rglob("*") if p.is_file() and p.name != ".lock")
    assert {p.parent.name for p in files} >= {*TABLES, *DERIVED}
    outcomes = {"harmless": 0, "reported": 0}
    for _ in range(tries):
        path = rng.choice(files)
        before = _damage(path, rng)
        outcomes[_outcome(ledger, truth, path)] += 1
        path.write_bytes(before)
    assert _is_same(_everything(ledger), truth)
    # Only the manifest, which is there twice, and the files without rows can be hit for nothing.
    assert outcomes["reported"] > tries / 2


def _outcome(ledger: Path, truth: dict[str, pl.DataFrame], path: Path) -> str:
    try:
        found = _everything(ledger)
    except InputError:
        return "reported"
    assert _is_same(found, truth), f"{path} changed a figure silently"
    return "harmless"


@pytest.mark.parametrize("seed", range(2))
def test_damage_in_measured_tables_is_read_again_from_the_sources(
    ledger: Path, tmp_path: Path, seed: int
) -> None:
    truth, rng = tables(ledger), random.Random(seed)
    said = {table: Ledger(ledger).read(table) for table in ("verdicts", "depth")}
    measured = [p for t in TABLES for p in (ledger / t).glob("*-*.parquet")]
    for path in rng.sample(sorted(measured), 3):
        _damage(path, rng)
    assert not verify(ledger).is_sound
    release()  # Else what this process has read would stay, damaged as it is.
    measure(sorted((tmp_path / "traces").iterdir()), ledger, ONE)
    assert verify(ledger).is_sound
    for table, frame in tables(ledger).items():
        assert_frame_equal(frame, truth[table])
    for table, frame in said.items():  # What was paid for is still there, in its new volume.
        assert_frame_equal(Ledger(ledger).read(table), frame, check_row_order=False)


def test_measuring_again_mends_what_is_damaged(ledger: Path, tmp_path: Path) -> None:
    truth = tables(ledger)
    volume = next((ledger / "turns").glob("*-0.parquet"))
    volume.write_bytes(volume.read_bytes()[:99])
    with pytest.raises(InputError, match=r"agentdyno measure TRACES --out"):
        tables(ledger)
    # Only one of the files is given; the other is read again because its volume was damaged.
    again = measure([tmp_path / "traces" / "a.jsonl"], ledger, ONE)
    assert again.read_again >= 1
    for table, frame in tables(ledger).items():
        assert_frame_equal(frame, truth[table])


def test_what_cannot_be_read_again_is_named_and_stays(ledger: Path, tmp_path: Path) -> None:
    (tmp_path / "traces" / "b.jsonl").unlink()
    by_source = {v: e.pieces[0].name for v, e in load(ledger).volumes.items()}
    volume = next(v for v, name in by_source.items() if name == "b.jsonl")
    path = ledger / "turns" / f"{volume}-0.parquet"
    path.write_bytes(b"PAR1")
    before = {p: p.read_bytes() for p in ledger.rglob("*.parquet")}
    with pytest.raises(InputError, match=r"10 rows of turns from b\.jsonl"):
        measure([tmp_path / "traces" / "a.jsonl"], ledger, ONE)
    assert {p: p.read_bytes() for p in before} == before


def test_damaged_verdicts_are_named_and_stay(ledger: Path, tmp_path: Path) -> None:
    path = next((ledger / "verdicts").glob("*.parquet"))
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(InputError, match=rf"{path.name}.* rows of verdicts"):
        measure([tmp_path / "traces"], ledger, ONE)
    assert path.exists()


def test_a_manifest_that_is_damaged_is_read_from_its_copy_and_mended(
    ledger: Path, tmp_path: Path
) -> None:
    truth = tables(ledger)
    for find in (lambda folder: folder / NAME, find_newest):
        path = find(ledger)
        path.write_text(path.read_text().replace('"rows"', '"sows"', 1))
        assert_frame_equal(tables(ledger)["turns"], truth["turns"])
        assert len(verify(ledger).damaged) == 1
        write_jsonl(tmp_path / "traces" / f"{find.__name__}.jsonl", [90])
        release()
        measure([tmp_path / "traces"], ledger, ONE)
        assert verify(ledger).is_sound
        truth = tables(ledger)


def test_a_ledger_without_its_manifest_lives_from_the_copy(ledger: Path, tmp_path: Path) -> None:
    truth = tables(ledger)
    (ledger / NAME).unlink()
    measure([tmp_path / "traces"], ledger, ONE)
    assert (ledger / NAME).is_file()
    assert set(truth["trajectories"]["task_id"]) == set(tables(ledger)["trajectories"]["task_id"])


def test_moving_a_ledger_costs_nothing(ledger: Path, tmp_path: Path) -> None:
    moved = Path(shutil.copytree(ledger, tmp_path / "elsewhere"))
    assert verify(moved).is_sound
    assert _is_same(_everything(moved), _everything(ledger))
