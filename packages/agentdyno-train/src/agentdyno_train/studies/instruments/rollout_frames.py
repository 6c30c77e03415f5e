"""What was played, as frames: the questions of this package read nothing else."""

from collections.abc import Sequence

import polars as pl
from msgspec import Struct

KEY = ("agent", "level", "task", "attempt")
SCHEMAS: dict[str, dict[str, pl.DataType | type[pl.DataType]]] = {
    "attempts": {
        "agent": pl.String, "bench": pl.String, "level": pl.String, "task": pl.String,
        "attempt": pl.Int64, "turns": pl.Int64, "output_tokens": pl.Int64, "solved": pl.Boolean,
        "score": pl.Float64,
    },
    "turns": {
        "agent": pl.String, "level": pl.String, "task": pl.String, "attempt": pl.Int64,
        "turn": pl.Int64, "context_tokens": pl.Int64, "new_tokens": pl.Int64,
        "decode_tokens": pl.Int64, "seconds": pl.Float64,
    },
    "depths": {
        "agent": pl.String, "level": pl.String, "task": pl.String, "attempt": pl.Int64,
        "turn": pl.Int64, "deep": pl.String, "kinds": pl.String, "log_prob": pl.Float64,
        "certainty": pl.Float64, "prefix_certainty": pl.Float64,
    },
    "futures": {
        "agent": pl.String, "task": pl.String, "answers": pl.Int64, "calls": pl.Int64,
        "number": pl.Int64, "solved": pl.Boolean, "score": pl.Float64,
    },
    "calls": {
        "agent": pl.String, "task": pl.String, "turn": pl.Int64, "call": pl.Int64,
        "tool": pl.String, "before_answers": pl.Int64, "before_calls": pl.Int64,
        "useful": pl.Boolean,
    },
    "habits": {
        "agent": pl.String, "level": pl.String, "task": pl.String, "pattern": pl.String,
        "shown": pl.Boolean, "correct": pl.Boolean, "mark": pl.Float64,
    },
}  # fmt: skip
"""Columns of each frame. `attempt` is 0 for the greedy attempt, from 1 on for samples, -1 for one
that was played alone for its seconds."""


class RolloutFrames(Struct, frozen=True):
    """Every frame, and who played."""

    agents: Sequence[str]
    """In the order of the sheet; the first is what others are compared with."""
    attempts: pl.DataFrame
    """One row an attempt; `solved` and `score` are null where no mark is known."""
    turns: pl.DataFrame
    """One row a turn, with its seconds where it was alone on its machine."""
    depths: pl.DataFrame
    """One row a turn: 1 for each deep token, and what each token is."""
    futures: pl.DataFrame
    """One row a continuation from a cut of a greedy attempt."""
    calls: pl.DataFrame
    """One row a call of these attempts, and whether a rule finds it useful."""
    habits: pl.DataFrame
    """One row a greedy attempt and pattern."""
    machine: str = ""
    """What the seconds are of."""
    model: str = "smollm2-135m"


def by_task(frame: pl.DataFrame, value: str) -> dict[str, list[float]]:
    """Values by task, unknown ones left out."""
    found: dict[str, list[float]] = {}
    for task, number in frame.select("task", value).drop_nulls().iter_rows():
        found.setdefault(task, []).append(float(number))
    return found
