"""What findings bear, and what trajectories with a pattern cost against those without."""

import polars as pl
import pytest

from agentdyno.findings.patterns.multipliers import multipliers
from agentdyno.findings.patterns.table import SCHEMA, measure_patterns
from agentdyno.records.patterns import PATTERNS
from tests.metrics.patterns.trajectories import Call, Turn, trajectory

READ = Call("read_file", {"path": "a.py"}, "def f():\n    return 3\n")


def test_a_finding_bears_the_share_of_its_call() -> None:
    given = trajectory("?", Turn("", [READ]), Turn("", [READ]), Turn("Done."))
    calls = pl.DataFrame(
        {"trajectory_id": ["t", "t"], "turn": [0, 1], "call": [0, 0], "pte": [700.0, 600.0]}
    )
    found = measure_patterns([given], calls)
    assert found.columns == [column.name for column in PATTERNS]
    assert found.select("trajectory_id", "pattern", "turn", "call", "pte").rows() == [
        ("t", "repeated_call", 1, 0, 600.0)
    ]


def test_a_finding_without_a_call_bears_nothing() -> None:
    given = trajectory(
        "?", Turn("", [Call("web_search", {}, "x")]), Turn("", [Call("python", {}, "y")])
    )
    calls = pl.DataFrame(
        {"trajectory_id": ["t", "t"], "turn": [0, 1], "call": [0, 0], "pte": [70.0, 60.0]}
    )
    found = measure_patterns([given], calls)
    assert found.select("pattern", "call", "pte").rows() == [
        ("tool_mixing", None, None),
        ("published_tool_mixing", None, None),
    ]


def test_no_findings_make_an_empty_table_with_every_column() -> None:
    none = pl.DataFrame(
        schema={"trajectory_id": pl.String, "turn": pl.Int64, "call": pl.Int64, "pte": pl.Float64}
    )
    assert measure_patterns([], none).schema == pl.Schema(SCHEMA)


def _trajectories(*rows: tuple[str, str, float | None]) -> pl.DataFrame:
    return pl.DataFrame(
        [(i, "m", "b", None, task, pte) for i, task, pte in rows],
        schema=["trajectory_id", "model", "benchmark", "variant", "task_id", "pte"],
        orient="row",
    )


def _findings(*rows: tuple[str, int, int | None, float | None]) -> pl.DataFrame:
    return pl.DataFrame(
        [(i, "loop", turn, call, "e", "d", pte) for i, turn, call, pte in rows],
        schema=SCHEMA,
        orient="row",
    )


def test_multiplier_is_the_ratio_of_means_inside_a_setting() -> None:
    rows = _trajectories(("a", "1", 300.0), ("b", "2", 500.0), ("c", "3", 100.0), ("d", "4", 300.0))
    [one] = multipliers(_findings(("a", 0, 0, 20.0), ("a", 1, 0, 30.0), ("b", 0, 0, 5.0)), rows)
    # (300 + 500) / 2 = 400 with, (100 + 300) / 2 = 200 without.
    assert (one.pte_with, one.pte_without) == (400.0, 200.0)
    assert one.multiplier.value == pytest.approx(2.0)
    assert one.multiplier.low < 2.0 < one.multiplier.high
    assert (one.trajectories, one.found, one.findings) == (4, 2, 3)
    assert one.frequency.value == pytest.approx(0.5)
    assert one.pte_borne == pytest.approx(55.0)


def test_no_multiplier_where_every_trajectory_has_the_pattern() -> None:
    rows = _trajectories(("a", "1", 300.0), ("b", "2", 500.0))
    [one] = multipliers(_findings(("a", 0, None, None), ("b", 0, None, None)), rows)
    assert one.multiplier.value is None
    assert one.multiplier.reason
    assert one.pte_without is None
    assert one.pte_borne is None
    assert one.frequency.value == 1.0


def test_trajectories_without_a_cost_are_left_out() -> None:
    rows = _trajectories(("a", "1", 300.0), ("b", "2", None), ("c", "3", 100.0))
    [one] = multipliers(_findings(("a", 0, 0, 1.0), ("b", 0, 0, 1.0)), rows)
    assert (one.trajectories, one.found) == (2, 1)
    assert one.multiplier.value == pytest.approx(3.0)
