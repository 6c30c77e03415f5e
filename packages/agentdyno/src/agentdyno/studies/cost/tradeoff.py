"""Accuracy against cost by setting, and the Pareto front of each benchmark.

A setting is on the front when no rival is at least as accurate and at most as expensive, and
better in one of the two. Rivals share a benchmark: other tasks are another plane. Source: PTE
paper, section 6.1 and Figure 4. Point estimates decide; the intervals say how firmly.

Worked: (60 %, 100), (70 %, 120), (55 %, 130): the first two are the front, the third is beaten.
"""

import polars as pl
from msgspec import structs

from agentdyno.studies.cost.frames import Frames
from agentdyno.studies.cost.results import Front, Standing
from agentdyno.studies.readings import mean_of, share_of


def standings(frames: Frames) -> tuple[list[Standing], list[Front]]:
    """Every setting, and the front of each benchmark with at least two graded ones."""
    plain = [_build_standing(frames, place, rows) for place, rows in _rows(frames)]
    fronts, marked = [], []
    for row in plain:
        rivals = [r for r in plain if _are_rivals(r, row)]
        marked.append(_mark(row, rivals))
    for benchmark in dict.fromkeys(r.setting.benchmark for r in marked if r.on_front is not None):
        inside = [r for r in marked if r.setting.benchmark == benchmark and r.on_front is not None]
        best = sorted((r for r in inside if r.on_front), key=lambda r: r.cost.value or 0.0)
        fronts.append(Front(benchmark or "", [r.setting for r in best], len(inside)))
    return marked, fronts


def _rows(frames: Frames) -> list[tuple[int, pl.DataFrame]]:
    rows = frames.trajectories.select("setting", "task", "correct", "cost")
    return list(frames.by_setting(rows).items())


def _build_standing(frames: Frames, place: int, rows: pl.DataFrame) -> Standing:
    graded = rows.filter(pl.col("correct").is_not_null())
    solved = int(graded["correct"].sum() or 0)
    spent = None if graded["cost"].null_count() else float(graded["cost"].sum())
    return Standing(
        setting=frames.settings[place],
        trajectories=len(rows),
        graded=len(graded),
        solved=solved,
        graded_cost=spent,
        accuracy=share_of(rows, "correct"),
        cost=mean_of(rows, "cost"),
        cost_per_solved=spent / solved if spent is not None and solved else None,
        on_front=None,
        beaten_by=None,
    )


def _are_rivals(one: Standing, other: Standing) -> bool:
    """Both can be placed on the same plane."""
    placed = all(r.accuracy.value is not None and r.cost.value is not None for r in (one, other))
    benchmark = one.setting.benchmark
    return placed and benchmark is not None and benchmark == other.setting.benchmark


def _mark(row: Standing, rivals: list[Standing]) -> Standing:
    """`rivals` holds the row itself, where it can be placed."""
    if len(rivals) < 2:
        return row
    better = [r for r in rivals if _beats(r, row)]
    cheapest = min(better, key=lambda r: r.cost.value or 0.0, default=None)
    return structs.replace(
        row, on_front=cheapest is None, beaten_by=cheapest.setting if cheapest else None
    )


def _beats(one: Standing, other: Standing) -> bool:
    a, b = _place(one), _place(other)
    return a[0] >= b[0] and a[1] >= b[1] and a != b


def _place(row: Standing) -> tuple[float, float]:
    return row.accuracy.value or 0.0, -(row.cost.value or 0.0)
