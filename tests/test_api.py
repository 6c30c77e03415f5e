"""`import agentdyno` offers what its page says and nothing else, and costs nothing."""

import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

import agentdyno
from agentdyno.records.ledger import DERIVED, HELD, TABLES
from tests.ledger.traces import write_jsonl


@pytest.fixture
def traces(tmp_path: Path) -> Path:
    return write_jsonl(tmp_path / "traces" / "a.jsonl", range(4)).parent


@pytest.fixture
def ledger(traces: Path, tmp_path: Path) -> agentdyno.Ledger:
    return agentdyno.measure(traces, tmp_path / "ledger")


def test_importing_loads_nothing_but_the_package_itself() -> None:
    code = """
import sys
before = set(sys.modules)
import agentdyno
print(sorted(set(sys.modules) - before))
"""
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout == "['agentdyno']\n"


def test_the_surface_is_what_is_listed_and_every_name_of_it_is_there() -> None:
    assert dir(agentdyno) == sorted(agentdyno.__all__)
    assert all(getattr(agentdyno, name) is not None for name in agentdyno.__all__)
    with pytest.raises(AttributeError, match="no attribute 'measured'"):
        agentdyno.measured  # noqa: B018
    assert {"measure", "open", "compare", "report", "Trajectory", "Turn", "ToolCall",
            "Part", "TokenCount"} <= set(agentdyno.__all__)  # fmt: skip


@pytest.mark.daily
def test_tables_are_frames_of_the_ledgers_columns(ledger: agentdyno.Ledger) -> None:
    measured = [table for table in TABLES if not table.startswith(HELD)]
    assert ledger.tables == [
        *measured,
        "files",
        "patterns",
        "paper_patterns",
        "origins",
        "scheduling",
        "dependencies",
        "joins",
    ]
    for name, columns in (TABLES | DERIVED).items():
        found = ledger.table(name)
        assert isinstance(found, pl.DataFrame)
        assert found.columns == [column.name for column in columns]
    assert ledger.table("trajectories").height == 4
    with pytest.raises(agentdyno.InputError, match=r"No table 'callz'\. Known: trajectories, "):
        ledger.table("callz")


def test_a_trajectory_comes_back_with_its_texts(ledger: agentdyno.Ledger) -> None:
    ids = ledger.table("trajectories")["trajectory_id"].to_list()
    one = ledger.trajectory(ids[2])
    assert isinstance(one, agentdyno.Trajectory)
    assert (one.trajectory_id, one) == (ids[2], list(ledger.trajectories())[2])
    assert any(part.text for part in one.parts)
    assert isinstance(one.calls[0], agentdyno.ToolCall)


def test_a_trajectory_that_is_not_there_or_whose_file_changed_is_said_plainly(
    ledger: agentdyno.Ledger, traces: Path
) -> None:
    with pytest.raises(agentdyno.InputError, match="no trajectory 'nobody' in it"):
        ledger.trajectory("nobody")
    name = ledger.table("trajectories")["trajectory_id"][0]
    (traces / "a.jsonl").unlink()
    with pytest.raises(agentdyno.InputError, match=r"cannot be read again .*: the file is gone"):
        ledger.trajectory(name)


def test_an_opened_ledger_is_the_measured_one(ledger: agentdyno.Ledger, tmp_path: Path) -> None:
    again = agentdyno.open(str(ledger.path))
    assert again.table("turns").equals(ledger.table("turns"))
    assert repr(again) == f"Ledger({str(tmp_path / 'ledger')!r})"
    with pytest.raises(agentdyno.InputError, match="expected a ledger"):
        agentdyno.open(tmp_path)


def test_ledgers_are_compared(ledger: agentdyno.Ledger) -> None:
    same = agentdyno.compare(ledger, ledger.path)
    assert same.paired
    pte = next(metric for metric in same.metrics if metric.metric == "pte")
    assert pte.effect == 1.0


@pytest.mark.parametrize(("form", "begins"), [("html", "<!doctype html>"), ("json", "{")])
def test_a_report_is_a_text_and_a_file(
    ledger: agentdyno.Ledger, tmp_path: Path, form: str, begins: str
) -> None:
    out = tmp_path / f"report.{form}"
    text = agentdyno.report(ledger, out, form)  # type: ignore[arg-type]
    assert text.lower().startswith(begins)
    assert out.read_text(encoding="utf-8") == text
    assert ledger.path.name in text
