"""Models by benchmarks: the numbers of the table, the ranks, and what the lead says of them."""

from pathlib import Path
from typing import Any

import pytest

from agentdyno.reports.topic import PlaneChart, Topic
from tests.pipelines.ledger_builder import LedgerRows
from tests.reports.telling import table_of, told


class Attempts(LedgerRows):
    def attempts(
        self, model: str | None, benchmark: str | None, ptes: list[float], solved: int, **more: Any
    ) -> "Attempts":
        """One attempt at each of several tasks, the first ones solved."""
        for number, pte in enumerate(ptes):
            self.trajectory(
                f"{model}-{benchmark}-{more.get('variant')}-{number}", pte, model=model,
                benchmark=benchmark, task_id=str(number), correct=number < solved,
                **({"prefill_tokens": 90, "decode_tokens": 10, "calls": 2} | more),
            )  # fmt: skip
        return self

    def topic(self, folder: Path) -> Topic | None:
        return told("benchmarks", self.write(folder / "ledger"))


@pytest.fixture
def topic(tmp_path: Path) -> Topic:
    """Two models, three benchmarks; on `physics` only one of them."""
    rows = Attempts()
    rows.attempts("small", "maths", [90.0, 100.0, 110.0, 100.0], 2)
    rows.attempts("large", "maths", [290.0, 310.0, 300.0, 300.0], 3, calls=5)
    rows.attempts("small", "facts", [400.0, 400.0, 420.0, 380.0], 0)
    rows.attempts("large", "facts", [100.0, 100.0, 120.0, 80.0], 4)
    rows.attempts("large", "physics", [50.0, 50.0, 50.0], 1)
    found = rows.topic(tmp_path)
    assert found is not None
    return found


def test_models_stand_beside_benchmarks(topic: Topic) -> None:
    found = table_of(topic, "Accuracy, tokens, tool uses and PTE: facts, maths, physics")
    assert [c.title for c in found.columns] == [
        "model",
        "facts: solved", "tokens", "tool uses", "PTE",
        "maths: solved", "tokens", "tool uses", "PTE",
        "physics: solved", "tokens", "tool uses", "PTE",
    ]  # fmt: skip
    assert found.rows == [
        ["large", 1.0, 100.0, 2.0, 100.0, 0.75, 100.0, 5.0, 300.0, 1 / 3, 100.0, 2.0, 50.0],
        ["small", 0.0, 100.0, 2.0, 400.0, 0.5, 100.0, 2.0, 100.0, None, None, None, None],
    ]
    assert not found.folded


def test_ranks_are_by_pte_where_models_meet(topic: Topic) -> None:
    found = table_of(topic, "Models ranked by PTE")
    got = [c.title for c in found.columns]
    assert got == ["model", "facts", "maths", "mean rank", "benchmarks"]
    assert found.rows == [["large", 1, 2, 1.5, 2], ["small", 2, 1, 1.5, 2]]


def test_the_widest_gap_is_between_accuracies_that_overlap(topic: Topic) -> None:
    # On facts 4 of 4 and 0 of 4 are told apart: 51 to 100 % against 0 to 49 % (Wilson).
    assert "2 models on 3 benchmarks" in topic.lead
    assert "on maths: large costs 3.0 times as much as small" in topic.lead
    assert "large solves the largest share on 2 of 2" in topic.lead
    assert "is the cheapest" not in topic.lead  # Each is on one.


def test_one_plane_holds_every_model_on_every_benchmark(topic: Topic) -> None:
    (chart,) = topic.charts
    assert isinstance(chart, PlaneChart)
    found = {(p.group, p.name): (p.x.value, p.y.value) for p in chart.points}
    assert found == {
        ("large", "facts"): (100.0, 1.0),
        ("large", "maths"): (300.0, 0.75),
        ("large", "physics"): (50.0, 1 / 3),
        ("small", "facts"): (400.0, 0.0),
        ("small", "maths"): (100.0, 0.5),
    }
    assert chart.named


def test_intervals_stand_in_a_table_of_their_own(topic: Topic) -> None:
    found = table_of(topic, "The same with 95 % intervals")
    (solved,) = [row[3] for row in found.rows if row[:2] == ["small", "maths"]]
    assert (solved.value, solved.n) == (0.5, 4)  # type: ignore[union-attr]
    assert solved.low < 0.5 < solved.high  # type: ignore[union-attr,operator]
    assert found.folded


def test_many_benchmarks_are_spread_over_tables_and_the_smallest_left_out(tmp_path: Path) -> None:
    rows = Attempts()
    for number in range(14):
        rows.attempts("a", f"b{number:02}", [100.0] * (20 - number), 1)
    found = rows.topic(tmp_path)
    wide = [t for t in found.tables if t.title.startswith("Accuracy")]
    assert [len(t.columns) for t in wide] == [13] * 4
    assert "b11" in wide[-1].title
    assert any(note == "2 smaller benchmarks left out." for note in found.notes)
    assert not any(t.title.startswith("Models ranked") for t in found.tables)


def test_tool_suites_are_told_apart(tmp_path: Path) -> None:
    rows = Attempts().attempts("a", "maths", [100.0] * 3, 1, variant="python")
    found = rows.attempts("a", "maths", [10.0] * 3, 1, variant="no tools").topic(tmp_path)
    ranks = table_of(found, "Models ranked by PTE").rows
    assert [row[0] for row in ranks] == ["a (no tools)", "a (python)"]
    assert found.lead.startswith("2 models and tool suites on 1 benchmark. a (no tools) is the "
                                 "cheapest by PTE on maths. The widest gap")  # fmt: skip
    assert found.charts == []  # One benchmark's plane stands with the settings.


def test_equal_costs_share_the_better_rank(tmp_path: Path) -> None:
    rows = Attempts()
    for model, pte in (("a", 100.0), ("b", 100.0), ("c", 300.0)):
        rows.attempts(model, "maths", [pte] * 3, 1)
    found = rows.topic(tmp_path)
    ranks = table_of(found, "Models ranked by PTE").rows
    assert [(row[0], row[1]) for row in ranks] == [("a", 1), ("b", 1), ("c", 3)]
    assert "is the cheapest" not in found.lead


def test_bundled_questions_are_not_taken_for_the_benchmark(tmp_path: Path) -> None:
    rows = Attempts().attempts("a", "math_500_mini", [100.0] * 3, 1)
    found = rows.attempts("b", "math_500_mini", [100.0] * 3, 1).topic(tmp_path)
    assert any("bundled questions" in note for note in found.notes)


@pytest.mark.parametrize("benchmark", [None, "maths"])
def test_one_setting_or_none_has_no_such_topic(tmp_path: Path, benchmark: str | None) -> None:
    rows = Attempts().attempts("a", benchmark, [100.0] * 3, 1)
    assert rows.attempts("b", None, [100.0] * 3, 1).topic(tmp_path) is None


def test_unknown_costs_and_grades_stay_unknown(tmp_path: Path) -> None:
    rows = Attempts()
    rows.trajectory("x", None, model="a", benchmark="maths", calls=None, prefill_tokens=None)
    rows.trajectory("y", None, model=None, benchmark="maths", calls=None, prefill_tokens=None)
    found = rows.topic(tmp_path)
    (wide,) = [t for t in found.tables if t.title.startswith("Accuracy")]
    assert wide.rows == [["a", *[None] * 4], ["model not named", *[None] * 4]]
    assert not any(t.title.startswith("Models ranked") for t in found.tables)
