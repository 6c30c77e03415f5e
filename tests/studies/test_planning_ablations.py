"""Ways of working against each other, paired by task."""

from typing import Any

import polars as pl
import pytest

from agentdyno.studies.scheduling.ablations import compare_ways

KEYS = ("selection", "scheduling", "task", "completion", "input_tokens", "call_turns")


def attempts(*rows: tuple[str, str, str, float, int, int]) -> pl.DataFrame:
    found: list[dict[str, Any]] = [
        {
            "benchmark": "tps_hard",
            "model": "m",
            "output_tokens": 0,
            "seconds": None,
            "pte": 10.0,
            **dict(zip(KEYS, row, strict=True)),
        }
        for row in rows
    ]
    return pl.DataFrame(found, infer_schema_length=None).with_columns(
        pl.col("seconds").cast(pl.Float64)
    )


def test_every_way_is_compared_with_the_usual_one_other_things_equal() -> None:
    ways = compare_ways(
        attempts(
            ("self", "parallel", "1", 0.5, 1000, 2),
            ("self", "parallel", "2", 0.5, 1000, 4),
            ("none", "parallel", "1", 0.75, 3000, 2),
            ("none", "parallel", "2", 0.75, 3000, 4),
            ("self", "sequential", "1", 1.0, 1500, 6),
            ("self", "sequential", "2", 0.5, 1500, 12),
        )
    )
    assert [(w.of, w.held, w.base, w.other, w.tasks) for w in ways] == [
        ("selection", "parallel", "self", "none", 2),
        ("scheduling", "self", "parallel", "sequential", 2),
    ]
    selection, scheduling = ways
    assert selection.completion.value == pytest.approx(0.25)
    assert selection.tokens.value == pytest.approx(3)
    assert selection.turns.value == pytest.approx(1)
    assert scheduling.completion.value == pytest.approx(0.25)  # +.5 on one task, 0 on the other
    assert scheduling.turns.value == pytest.approx(3)
    assert scheduling.seconds.value is None
    assert scheduling.seconds.reason


def test_only_tasks_that_both_attempted_count() -> None:
    (way,) = compare_ways(
        attempts(
            ("self", "parallel", "1", 0.0, 1, 1),
            ("self", "parallel", "2", 1.0, 1, 1),
            ("rule", "parallel", "2", 0.5, 2, 1),
        )
    )
    assert way.tasks == 1
    assert way.completion.value == pytest.approx(-0.5)
    assert way.completion.low is None  # one task has no spread


def test_one_way_alone_is_no_ablation() -> None:
    assert compare_ways(attempts(("self", "parallel", "1", 1.0, 1, 1))) == []
