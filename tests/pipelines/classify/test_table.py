"""Rows of the table `failures`: joined with the ledger's costs, added once, gone with their log."""

from pathlib import Path
from typing import Any

import polars as pl

from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.classify.table import add_failures
from agentdyno.studies.failures.in_force import failures_in_force
from tests.pipelines.ledger_builder import LedgerRows


def _row(name: str, label: str | None, rule: str = "own", **fields: Any) -> dict[str, Any]:
    row = {
        "trajectory_id": name, "turn": None, "call": None, "task_id": "T-1", "domain": "law",
        "kind": "required", "trap": None, "label": label, "rule": rule, "evidence": "seen",
        "phantom": False, "broken": False,
    }  # fmt: skip
    return row | fields


def _ledger(folder: Path) -> Path:
    rows = LedgerRows().trajectory("a", 500.0).trajectory("b", None)
    rows.call("a", 0, "quote", pte=120.0).call("a", 1, "quote", pte=80.0)
    return rows.write(folder)


def test_a_call_bears_its_own_cost_and_a_trajectory_the_whole(tmp_path: Path) -> None:
    folder = _ledger(tmp_path / "l")
    rows = [_row("a", "correct"), _row("a", "correct", turn=1, call=0), _row("b", "tool_skip")]
    assert add_failures(folder, rows) == 3
    table = Ledger(folder).read("failures")
    assert table["pte"].to_list() == [500.0, 80.0, None]


def test_what_is_said_already_is_not_said_again(tmp_path: Path) -> None:
    folder = _ledger(tmp_path / "l")
    rows = [_row("a", "correct"), _row("b", None, "evidence_first:j")]
    assert add_failures(folder, rows) == 2
    assert add_failures(folder, rows) == 0
    assert add_failures(folder, [*rows, _row("b", "tool_skip")]) == 1
    assert len(Ledger(folder).read("failures")) == 3


def test_a_rater_that_changes_its_mind_counts_once(tmp_path: Path) -> None:
    folder = _ledger(tmp_path / "l")
    add_failures(folder, [_row("a", "correct", "ensemble")])
    add_failures(folder, [_row("a", "result_ignore", "ensemble")])
    assert failures_in_force(Ledger(folder))["label"].to_list() == ["result_ignore"]


def test_trajectories_that_the_ledger_does_not_hold_are_left_out(tmp_path: Path) -> None:
    folder = _ledger(tmp_path / "l")
    assert add_failures(folder, [_row("elsewhere", "correct")]) == 0
    assert add_failures(folder, []) == 0


def test_rows_belong_to_the_volume_of_their_trajectory(tmp_path: Path) -> None:
    folder = _ledger(tmp_path / "l")
    add_failures(folder, [_row("a", "correct")])
    manifest = Ledger(folder).manifest
    assert [entry.volume for entry in manifest.derived["failures"]] == list(manifest.volumes)
    assert Ledger(folder).read("failures").schema["broken"] == pl.Boolean
