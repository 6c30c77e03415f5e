"""What an agent asks of its own costs while it works, answered from the ledger in milliseconds.

Takes a ledger and the folder that the agent works in, returns plain values. Reads what `measure`
and `follow` kept, and the end of the newest transcript of the folder; measures and changes nothing.
What is not known is null.
"""

import os
import re
import time
from pathlib import Path
from typing import Any

import polars as pl

from agentdyno.ledger.file_names import LAST_RUN
from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.last_run import read_kept
from agentdyno.records import InputError, printable
from agentdyno.studies.selection import SelectedTables, matches, read_selection
from agentdyno.studies.tables import Tables
from agentdyno_daily.running.live_session import (
    Session,
    is_of,
    read_budgets,
    read_session,
    read_spent,
)

MOST = 5
"""Rows of an answer: an agent pays for every word."""


class AgentQuestions:
    def __init__(self, ledger: Path, folder: Path) -> None:
        self.ledger, self._folder = ledger, folder

    def cost_so_far(self) -> dict[str, Any]:
        """What this session, today and this month cost."""
        spent, found = read_spent(str(self.ledger)), self._find_session()
        day = time.strftime("%Y-%m-%d")
        return {
            "session_usd": _cents(found.state.usd if found else None),
            "session_turns": found.state.turns if found else None,
            "today_usd": _cents(spent.sum(day) + (found.new_usd(day) if found else 0.0)),
            "month_usd": _cents(spent.sum(day[:7]) + (found.new_usd(day[:7]) if found else 0.0)),
        }

    def cost_of(self, what: str, last: str | None = None) -> dict[str, Any]:
        """What calls about a file or a command cost."""
        tables: Tables = Ledger(self.ledger)
        if (selection := read_selection(last=last)) is not None:
            tables = SelectedTables(tables, selection)
        calls = tables.scan("calls").filter(pl.col("subject_kind").is_in(["file", "command"]))
        sums = calls.group_by("subject_kind", "subject").agg(
            pl.col("usd").sum(), pl.col("result_tokens").sum(), calls=pl.len()
        )
        rows = sums.sort("usd", descending=True).collect()
        globs = [what, f"*/{what.lstrip('/')}"]
        found = rows.filter([matches(name, globs) for name in rows["subject"]])
        return {
            "usd": _cents(float(found["usd"].sum())) if len(found) else None,
            "calls": int(found["calls"].sum()),
            "most": [
                {"kind": kind, "name": printable(name, 120), "usd": _cents(usd), "calls": many,
                 "tokens_returned": round(tokens or 0)}
                for kind, name, usd, tokens, many in found.head(MOST).iter_rows()
            ],
        }  # fmt: skip

    def what_is_left(self) -> dict[str, Any]:
        """Of the cache's life and of budgets."""
        spent, found = read_spent(str(self.ledger)), self._find_session()
        month = time.strftime("%Y-%m")
        new = found.new_usd(month) if found else 0.0
        left = found.cache_left if found else None
        budgets = [
            {"project": each.project, "limit_usd": each.usd,
             "left_usd": _cents(each.usd - spent.sum(month, each.project) - new)}
            for each in read_budgets(str(self.ledger))
            if is_of(str(self._folder), each.project)
        ]  # fmt: skip
        return {
            "cache_seconds": None if left is None else max(round(left), 0),
            "cache_miss_usd": _cents(found.miss_usd if found else None),
            "context_tokens": found.state.context_tokens if found else None,
            "budgets": budgets,
        }

    def what_would_save(self) -> dict[str, Any]:
        """The changes that the last run of `agentdyno` found."""
        kept = read_kept(self.ledger / LAST_RUN)
        if kept is None:
            return {"changes": None, "why": "not known yet: run agentdyno once"}
        return {"changes": [{"what": what, "usd": _cents(usd)}
                            for what, usd in kept.changes[:MOST]]}  # fmt: skip

    def _find_session(self) -> Session | None:
        """The newest of Claude Code's sessions in the folder."""
        home = os.environ.get("CLAUDE_CONFIG_DIR") or os.path.expanduser("~/.claude")
        name = re.sub(r"[^A-Za-z0-9]", "-", str(self._folder))
        try:
            paths = [*(Path(home) / "projects" / name).glob("*.jsonl")]
            newest = max(paths, key=lambda path: path.stat().st_mtime, default=None)
        except OSError:
            return None
        if newest is None:
            return None
        hook = {"session_id": newest.stem, "transcript_path": str(newest)}
        return read_session(str(self.ledger), hook, read_spent(str(self.ledger)))


def _cents(usd: float | None) -> float | None:
    return None if usd is None else round(usd, 4)


__all__ = ["AgentQuestions", "InputError"]
