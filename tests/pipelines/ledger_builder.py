"""Ledgers with chosen numbers: rows in, a folder that every reader takes for a real ledger."""

from pathlib import Path
from typing import Any

import polars as pl

from agentdyno.ledger.derived import add_derived
from agentdyno.ledger.reader import Ledger, empty_table
from agentdyno.ledger.writer import LedgerWriter, start_draft
from agentdyno.records.cost_unit import CostUnit
from agentdyno.records.ledger import TABLES
from agentdyno.studies.cost.frames import Frames

Row = dict[str, Any]
OPTIONS = {"hardware": "h100-pcie", "gamma": "paper", "cache": "evicted"}


class LedgerRows:
    """Collects rows; whatever is not said is unknown."""

    def __init__(
        self, options: dict[str, Any] = OPTIONS, versions: dict[str, int] | None = None
    ) -> None:
        self.options, self.versions = options, versions
        self.tables: dict[str, list[Row]] = {table: [] for table in (*TABLES, "patterns")}

    def trajectory(self, name: str, pte: float | None = 100.0, **fields: Any) -> "LedgerRows":
        """One attempt; turns, calls and parts are added under the same name."""
        row = {
            "trajectory_id": name, "source": "f.jsonl", "format": "test", "model": "m",
            "pte": pte, "pte_growth": pte, "pte_kept": pte, "turns": 1, "calls": 0,
            "prefill_tokens": 10, "decode_tokens": 1, "gamma": 0.001, "gamma_source": "model",
        }  # fmt: skip
        self.tables["trajectories"].append(row | fields)
        return self

    def turn(self, name: str, turn: int, pte: float = 100.0, **fields: Any) -> "LedgerRows":
        row = {
            "trajectory_id": name, "turn": turn, "model": "m", "pte": pte, "pte_growth": pte,
            "prefill_tokens": 10, "context_tokens": 10, "decode_tokens": 1, "gamma": 0.001,
            "token_source": "reported", "calls": 0,
        }  # fmt: skip
        self.tables["turns"].append(row | fields)
        return self

    def call(self, name: str, turn: int, tool: str | None, **fields: Any) -> "LedgerRows":
        row = {"trajectory_id": name, "turn": turn, "call": 0, "tool": tool, "executed": True}
        self.tables["calls"].append(row | fields)
        return self

    def part(self, name: str, kind: str, pte: float, /, **fields: Any) -> "LedgerRows":
        row = {"trajectory_id": name, "part": 0, "kind": kind, "pte": pte, "tokens": 10.0}
        self.tables["parts"].append(row | fields)
        return self

    def pattern(self, name: str, pattern: str, **fields: Any) -> "LedgerRows":
        row = {"trajectory_id": name, "pattern": pattern, "turn": 0, "call": 0, "pte": 1.0}
        self.tables["patterns"].append(row | fields)
        return self

    def spelled(self, *rows: list[Any]) -> "LedgerRows":
        """Rows of a set: `["trajectory", "a", 300.0, {"correct": true}]`."""
        for kind, *given in rows:
            named = given.pop() if isinstance(given[-1], dict) else {}
            getattr(self, kind)(*given, **named)
        return self

    def write(self, folder: Path, unit: CostUnit | None = None, unit_chosen: bool = True) -> Path:
        """The ledger on disk; in PTE or GPU-seconds, whatever has a price, unless told."""
        several = len({row.get("architecture") for row in self.tables["trajectories"]}) > 1
        chosen = unit or ("gpu_seconds" if several else "pte")
        options = self.options | ({"unit": chosen} if unit_chosen else {})
        with LedgerWriter(folder, options, versions=self.versions) as writer:
            draft = start_draft(writer.unfinished, [])
            draft.add({table: _frame(table, self.tables[table]) for table in TABLES})
            writer.commit(draft)
            volume = draft.volume
            writer.deduplicate()
        if self.tables["patterns"]:
            add_derived(folder, "patterns", _frame("patterns", self.tables["patterns"]), volume)
        return folder

    def frames(self, folder: Path) -> Frames:
        """What the analyses get."""
        return Frames(Ledger(self.write(folder)))


def _frame(table: str, rows: list[Row]) -> pl.DataFrame:
    schema = empty_table(table).schema
    unknown = {key for row in rows for key in row} - set(schema)
    assert not unknown, f"{table} has no column {unknown}"
    return pl.DataFrame([{column: row.get(column) for column in schema} for row in rows],
                        schema=schema)  # fmt: skip
