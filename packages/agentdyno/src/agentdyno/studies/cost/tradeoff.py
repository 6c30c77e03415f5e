"""Accuracy and cost of each setting; one that is as accurate and cheaper is a lever."""

import polars as pl

from agentdyno.studies.cost.frames import Frames
from agentdyno.studies.cost.results import Standing
from agentdyno.studies.readings import mean_of, share_of


def standings(frames: Frames) -> list[Standing]:
    """Every setting."""
    return [_build_standing(frames, setting, rows) for setting, rows in _rows(frames)]


def _rows(frames: Frames) -> list[tuple[int, pl.DataFrame]]:
    rows = frames.trajectories.select("setting", "task", "correct", "cost")
    return list(frames.by_setting(rows).items())


def _build_standing(frames: Frames, index: int, rows: pl.DataFrame) -> Standing:
    graded = rows.filter(pl.col("correct").is_not_null())
    solved = int(graded["correct"].sum() or 0)
    spent = None if graded["cost"].null_count() else float(graded["cost"].sum())
    return Standing(
        setting=frames.settings[index],
        trajectories=len(rows),
        graded=len(graded),
        solved=solved,
        graded_cost=spent,
        accuracy=share_of(rows, "correct"),
        cost=mean_of(rows, "cost"),
        cost_per_solved=spent / solved if spent is not None and solved else None,
    )
