"""Ledgers of invented attempts, written with the real writer."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from agentdyno.pipelines.versions import current_versions
from tests.pipelines.ledger_builder import LedgerRows

OPTIONS = {
    "hardware": "h100-pcie", "arch": "auto", "gamma": "paper", "cache": "evicted",
    "count": "fast",
    "tokenizer": None, "prices": None, "files": {},
}  # fmt: skip
UNKNOWN = dict.fromkeys(("pte", "pte_growth", "model", "gamma", "prefill_tokens"))


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
    rows = LedgerRows(OPTIONS | options, current_versions())
    rows.tables["calls"] += calls
    for number, fields in enumerate(attempts):
        name, tokens = f"t#{number}", fields["tokens"]
        known = {key: value for key, value in fields.items() if key != "tokens"}
        rows.trajectory(name, **UNKNOWN | known)
        rows.turn(name, 0, **UNKNOWN, context_tokens=tokens, decode_tokens=0)
    return rows.write(folder, unit_chosen=False)
