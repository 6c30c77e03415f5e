"""Ledgers of invented attempts, written with the real writer."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import polars as pl

from agentdyno.ledger.reader import empty_table
from agentdyno.ledger.writer import LedgerWriter, Piece, start_draft
from agentdyno.pipelines.versions import current_versions

OPTIONS = {
    "hardware": "h100-pcie", "arch": "auto", "gamma": "paper", "cache": "evicted",
    "count": "fast",
    "tokenizer": None, "prices": None, "files": {},
}  # fmt: skip


def attempt(task: str | None, pte: float | None, **fields: Any) -> dict[str, Any]:
    """A row of `trajectories`; what is not named is plausible and the same everywhere."""
    row = {
        "task_id": task, "pte": pte, "pte_growth": pte, "model": "gpt-4.1", "benchmark": "desk",
        "correct": True, "turns": 3, "calls": 2, "usd": 0.01, "latency_seconds": 1.5,
        "gamma_source": "proxy", "architecture": "frontier-moe", "token_source": "reported",
        "format": "openai_chat", "tokens": 1000,
    }  # fmt: skip
    return row | fields


def write_ledger(
    folder: Path,
    attempts: Iterable[dict[str, Any]],
    calls: Iterable[dict[str, Any]] = (),
    **options: Any,
) -> Path:
    """A ledger with these attempts, one turn each."""
    rows = [{"trajectory_id": f"t#{i}"} | row for i, row in enumerate(attempts)]
    tokens = [row.pop("tokens") for row in rows]
    turns = [
        {"trajectory_id": r["trajectory_id"], "turn": 0, "context_tokens": t, "decode_tokens": 0}
        for r, t in zip(rows, tokens, strict=True)
    ]
    frames = {name: empty_table(name) for name in ("parts", "bad_records")}
    frames["calls"] = _frame("calls", list(calls))
    frames |= {"trajectories": _frame("trajectories", rows), "turns": _frame("turns", turns)}
    with LedgerWriter(folder, OPTIONS | options, versions=current_versions()) as writer:
        draft = start_draft(writer.unfinished, [Piece("t", 0, 1)])
        draft.add(frames)
        writer.commit(draft)
        writer.deduplicate()
    return folder


def _frame(table: str, rows: list[dict[str, Any]]) -> pl.DataFrame:
    schema = empty_table(table).schema
    return pl.DataFrame([{c: row.get(c) for c in schema} for row in rows], schema=schema)
