"""The board and its audit, from ledgers, or from files that are measured first.

Takes folders of ledgers, runs as `measure` reads them, and publications; returns what was found and
its topics.
"""

import time
from collections.abc import Sequence
from pathlib import Path

import polars as pl
from msgspec import Struct

from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.reports.topic import Topic
from agentdyno_bench.pipelines.published_statements import read_statements
from agentdyno_bench.reports.board import render_audit, render_board
from agentdyno_bench.studies.board.audit import Contradiction, audit, audit_rows
from agentdyno_bench.studies.board.build import build_board, prepare_runs
from agentdyno_bench.studies.board.prices import price_runs
from agentdyno_bench.studies.board.results import Board

COLUMNS = (
    "trajectory_id", "source", "format", "model", "benchmark", "variant", "harness", "task_id",
    "attempt", "correct", "parent_id", "turns", "usd", "reported_usd", "prefill_tokens",
    "decode_tokens", "token_source",
)  # fmt: skip


class BoardAnswer(Struct, frozen=True):
    """What `agentdyno board` found."""

    board: Board
    contradictions: list[Contradiction]
    """None listed where no audit was asked for."""
    statements: int
    """How many statements were compared."""


def find_ledgers(runs: Sequence[Path], into: Path, options: MeasureOptions) -> list[Path]:
    """A ledger for each of the paths: itself, or one below `into` that is measured now."""
    names: dict[str, Path] = {}
    found = []
    for path in runs:
        if (path / "manifest.json").is_file():
            found.append(path)
            continue
        name = path.resolve().name or "runs"
        if names.setdefault(name, path) != path:
            name = f"{name}-{len(found)}"
        measure([path], into / name, options)
        found.append(into / name)
    return found


def build(ledgers: Sequence[Path], publications: Sequence[Path]) -> tuple[BoardAnswer, list[Topic]]:
    """The board of the ledgers; with an audit where publications are given."""
    now = time.time()
    read = [_read(path, now) for path in ledgers]
    rows = pl.concat([frame for frame, _ in read])
    runs = prepare_runs(rows)
    today = time.strftime("%Y-%m-%d", time.gmtime(now))
    board = build_board(runs, today, [day for _, days in read for day in days])
    topics = render_board(board, runs)
    if not publications:
        return BoardAnswer(board, [], 0), topics
    statements = list(read_statements(publications))
    found = [*audit(statements), *audit_rows(rows)]
    return BoardAnswer(board, found, len(statements)), [
        *topics,
        render_audit(found, len(statements)),
    ]


def _read(path: Path, now: float) -> tuple[pl.DataFrame, list[str]]:
    """Runs with their sums and prices, and the days on which those of today were listed."""
    ledger = Ledger(path)
    main = ledger.scan("trajectories").select(COLUMNS)
    sent = (
        ledger.scan("turns")
        .group_by("trajectory_id")
        .agg(
            # A sum is unknown when a turn's is.
            context_tokens=pl.when(pl.col("context_tokens").is_not_null().all()).then(
                pl.col("context_tokens").sum()
            )
        )
    )
    found = price_runs(ledger, now)
    joined = main.join(sent, on="trajectory_id", how="left").collect()
    rows = joined.join(found.rows, on="trajectory_id", how="left", maintain_order="left")
    return rows.with_columns(ledger=pl.lit(path.name)), found.listed
