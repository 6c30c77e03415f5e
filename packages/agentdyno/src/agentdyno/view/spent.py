"""Files, commands and everything else that calls were about; each opens the turns behind it.

Takes a snapshot, returns what the study `spending` found, and the calls about one thing.
"""

from typing import Any

import msgspec
import polars as pl

from agentdyno.studies.spending import Spending, find_calls_about, study_spending
from agentdyno.view.session_list import root_of, sessions_of
from agentdyno.view.snapshot import Snapshot
from agentdyno.view.words import clean_words

MOST_CALLS = 200


def list_spent(snapshot: Snapshot) -> dict[str, Any]:
    """By kind, the most expensive first."""
    spending = _study(snapshot)
    kinds = spending.kinds if spending else {}
    return {
        "generation": snapshot.generation,
        "unit": snapshot.costs.unit,
        "total": spending.total if spending else None,
        "kinds": {
            kind: [_clean(msgspec.to_builtins(row)) for row in rows] for kind, rows in kinds.items()
        },
    }


def list_calls_about(snapshot: Snapshot, kind: str, name: str) -> dict[str, Any]:
    """The calls about one file, command, …, the most expensive first."""
    rows = find_calls_about(snapshot.context, kind, name)
    titles = dict(sessions_of(snapshot)["id", "title"].iter_rows())
    columns = ("trajectory_id", "turn", "call", "tool", "error", "result_tokens", "cost")
    first = rows.select(columns).sort("cost", descending=True, nulls_last=True).head(MOST_CALLS)
    calls = [
        row
        | {
            "title": clean_words(titles.get(root_of(snapshot, row["trajectory_id"]))),
            "tool": clean_words(row["tool"], 60),
            "error": clean_words(row["error"], 160),
        }
        for row in first.iter_rows(named=True)
    ]
    costs = rows["cost"].drop_nulls()
    return {
        "unit": snapshot.costs.unit,
        "kind": clean_words(kind),
        "name": clean_words(name, 300),
        "calls": calls,
        "matching": len(rows),
        "cost": float(costs.sum()) if len(costs) else None,
        "result_tokens": rows.select(pl.col("result_tokens").sum()).item(),
    }


def _study(snapshot: Snapshot) -> Spending | None:
    return snapshot.once("spending", lambda: study_spending(snapshot.context))


def _clean(row: dict[str, Any]) -> dict[str, Any]:
    return row | {"label": clean_words(row["name"], 160)}
