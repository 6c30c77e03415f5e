"""Models on the same tasks: told apart or not, and how many more tasks it takes."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from agentdyno_bench.reports.separation import describe_separations
from agentdyno_bench.studies.separation import separate_models


class Attempts:
    """A ledger of nothing but graded attempts."""

    def __init__(self, rows: list[tuple[str, str, bool | None]]) -> None:
        self._rows = rows

    def read(self, table: str) -> pl.DataFrame:
        assert table == "trajectories"
        models, tasks, correct = zip(*self._rows, strict=True)
        same = ["tir"] * len(self._rows)
        columns = {"benchmark": same, "variant": [None] * len(same), "model": models}
        return pl.DataFrame({**columns, "task_id": tasks, "correct": correct})


def of(rows: list[tuple[str, str, bool | None]]) -> Any:
    return separate_models(Attempts(rows))  # type: ignore[arg-type]


def test_four_of_twenty_tasks_do_not_tell_two_models_apart() -> None:
    # As worked by hand for the interval of Bonett and Price: -20 points [-39.9, +3.5].
    rows = [("a", str(task), True) for task in range(20)]
    rows += [("b", str(task), task >= 4) for task in range(20)]
    (pair,) = of(rows)
    assert (pair.first, pair.second, pair.is_decided) == ("a", "b", False)
    assert pair.difference.value == pytest.approx(-0.2)
    assert (pair.difference.low, pair.difference.high) == pytest.approx((-0.399, 0.035), abs=1e-3)
    assert pair.more_tasks_needed is not None
    assert pair.more_tasks_needed > 0
    (sentence,) = describe_separations([pair])
    assert sentence == (
        "a and b cannot be told apart on 20 tasks of tir: -20.0 points [-39.9, +3.5]; about "
        f"{pair.more_tasks_needed} more tasks would, with a chance of 80 %."
    )


def test_a_large_difference_is_told_apart() -> None:
    rows = [("a", str(task), False) for task in range(30)]
    rows += [("b", str(task), task % 3 > 0) for task in range(30)]
    (pair,) = of(rows)
    assert (pair.is_decided, pair.more_tasks_needed) == (True, None)
    assert describe_separations([pair])[0].startswith("b solves more than a on 30 tasks of tir: ")


def test_repeated_attempts_are_averaged_before_tasks_are_compared() -> None:
    rows: list[tuple[str, str, bool | None]] = []
    for task in map(str, range(12)):
        rows += [("a", task, True), ("a", task, False), ("b", task, True), ("b", task, None)]
    (pair,) = of(rows)
    assert (pair.difference.value, pair.difference.n) == (0.5, 12)


def test_one_model_has_no_pair(tmp_path: Path) -> None:
    assert of([("a", "1", True)]) == []
