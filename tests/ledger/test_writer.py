"""The writer killed between any two steps, and what it refuses to write over."""

import re
import shutil
from contextlib import suppress
from pathlib import Path

import pytest

from agentdyno.ledger.file_names import NAME
from agentdyno.ledger.manifest import load
from agentdyno.ledger.writer import LedgerWriter
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.records import InputError
from agentdyno.records.ledger import TABLES
from tests.labelled import from_set
from tests.ledger.power import Killed, killed_at
from tests.ledger.traces import (
    assert_consistent,
    assert_same,
    assert_tidy,
    glob,
    measure_changed_traces,
)

ONE = MeasureOptions(workers=1)


@pytest.mark.parametrize("apart", [201, pytest.param(1, marks=pytest.mark.slow)])
def test_it_may_die_before_any_change_to_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, apart: int
) -> None:
    traces = measure_changed_traces(tmp_path, monkeypatch) / "traces"
    step, finished = 0, False
    while not finished:
        ledger = tmp_path / f"killed{step}"
        shutil.copytree(tmp_path / "before", ledger)
        with killed_at(step), suppress(Killed):
            measure([traces], ledger, ONE)
            finished = True
        assert_consistent(ledger)
        for name in TABLES:
            glob(ledger, name)
        if not finished:
            measure([traces], ledger, ONE)
        assert_same(ledger, tmp_path / "fresh")
        assert_tidy(ledger)
        shutil.rmtree(ledger)
        step += apart
    assert step > 20


def test_a_second_writer_is_told_so_and_may_come_later(tmp_path: Path) -> None:
    said = "another process is writing this ledger"
    with LedgerWriter(tmp_path, {}) as first, pytest.raises(InputError, match=said):
        LedgerWriter(tmp_path, {})
    assert first.manifest.volumes == {}
    with LedgerWriter(tmp_path, {}) as second:
        assert second.manifest.volumes == {}


@from_set("ledger/writer", "foreign")
def test_a_folder_of_somebody_else_is_refused_and_left_alone(tmp_path: Path, foreign: str) -> None:
    path = tmp_path / "home" / foreign
    path.parent.mkdir(parents=True)
    path.write_bytes(b"precious")
    with pytest.raises(InputError, match="expected a ledger or an empty folder"):
        LedgerWriter(tmp_path / "home", {})
    assert [p for p in (tmp_path / "home").rglob("*") if p.is_file()] == [path]
    assert path.read_bytes() == b"precious"


@pytest.mark.parametrize("foreign", [b'{"name": "a web app"}', b"[]", b"\x00", b"", b"{"])
def test_a_manifest_of_other_software_is_never_replaced(tmp_path: Path, foreign: bytes) -> None:
    (tmp_path / NAME).write_bytes(foreign)
    with pytest.raises(InputError, match="expected a ledger's manifest"):
        LedgerWriter(tmp_path, {})
    assert (tmp_path / NAME).read_bytes() == foreign
    assert [p.name for p in tmp_path.iterdir()] == [NAME]


def test_a_ledger_of_a_newer_version_is_refused_and_left_alone(tmp_path: Path) -> None:
    with LedgerWriter(tmp_path, {}):
        pass
    text = (tmp_path / NAME).read_text()
    newer = re.sub(r'"schema_version": ?\d+', '"schema_version": 99', text)
    (tmp_path / NAME).write_text(newer)
    for open_it in (load, lambda folder: LedgerWriter(folder, {})):
        with pytest.raises(InputError, match="or older, found 99"):
            open_it(tmp_path)
    assert (tmp_path / NAME).read_text() == newer


def test_an_empty_ledger_opens_with_one_line(tmp_path: Path) -> None:
    with LedgerWriter(tmp_path, {}):
        for name, columns in TABLES.items():
            assert glob(tmp_path, name).columns == [column.name for column in columns]
