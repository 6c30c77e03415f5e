"""The board and its audit, from ledgers.

Takes folders of ledgers and of publications, returns what was found and its topics.
"""

from collections.abc import Sequence
from pathlib import Path

import polars as pl
from msgspec import Struct

from agentdyno.ledger.reader import Ledger
from agentdyno.records import InputError
from agentdyno.reports.topic import Topic
from agentdyno_bench.pipelines.published_statements import read_statements
from agentdyno_bench.reports.board import render_audit, render_board
from agentdyno_bench.studies.board.audit import Contradiction, audit, audit_rows
from agentdyno_bench.studies.board.build import build_board
from agentdyno_bench.studies.board.results import Board

COLUMNS = (
    "trajectory_id", "source", "format", "model", "benchmark", "variant", "harness", "task_id",
    "attempt", "correct", "parent_id", "turns", "usd", "reported_usd", "prefill_tokens",
    "decode_tokens", "cached_tokens",
)  # fmt: skip


class BoardAnswer(Struct, frozen=True):
    """What `agentdyno board` found."""

    board: Board
    contradictions: list[Contradiction]
    """None listed where no audit was asked for."""
    statements: int
    """How many statements were compared."""


def build(ledgers: Sequence[Path], publications: Sequence[Path]) -> tuple[BoardAnswer, list[Topic]]:
    """The board of the ledgers; with an audit where publications are given."""
    rows = pl.concat([_read(path) for path in ledgers])
    board = build_board(rows)
    topics = render_board(board)
    if not publications:
        return BoardAnswer(board, [], 0), topics
    statements = list(read_statements(publications))
    found = [*audit(statements), *audit_rows(rows)]
    return BoardAnswer(board, found, len(statements)), [
        *topics,
        render_audit(found, len(statements)),
    ]


def _read(path: Path) -> pl.DataFrame:
    if not (path / "manifest.json").is_file():
        raise InputError(
            f"{path}: expected a ledger; agentdyno measure RUNS --out {path} makes one."
        )
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
    return (
        main.join(sent, on="trajectory_id", how="left")
        .with_columns(ledger=pl.lit(path.name))
        .collect()
    )
