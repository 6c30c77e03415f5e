"""What the page works out by itself: alignment, the critical path, and what the river merges."""

from pathlib import Path
from shutil import copytree

import polars as pl
import pytest

pytest.importorskip("starlette", reason="the extra view is not installed")

from agentdyno.pipelines.measure import MeasureOptions, derive_rest, measure
from agentdyno.pipelines.samples import sample_traces
from agentdyno.view import river
from agentdyno.view.difference import align, compare_ledgers
from agentdyno.view.finding_list import list_found
from agentdyno.view.session import describe_session
from agentdyno.view.snapshot import Snapshot
from agentdyno.view.timeline import find_critical_path
from tests.pipelines.ledger_builder import LedgerRows


def test_one_more_turn_moves_no_other() -> None:
    pairs = list(align(["read", "edit", "test", "answer"], ["read", "test", "answer"]))
    assert pairs == [(0, 0), (1, None), (2, 1), (3, 2)]


class Schedule:
    """Tables of calls a, b and c, of which c uses a result of a."""

    def __init__(self, seconds: list[float]) -> None:
        places = {"trajectory_id": ["t"] * 3, "turn": [0, 0, 1], "call": [0, 1, 0]}
        self._tables = {
            "calls": pl.DataFrame(places | {"wait_seconds": seconds}),
            "dependencies": pl.DataFrame({"trajectory_id": ["t"], "source_turn": [0],
                "source_call": [0], "target_turn": [1], "target_call": [0]}),
        }  # fmt: skip

    def read(self, table: str) -> pl.DataFrame:
        return self._tables[table]

    def has(self, table: str) -> bool:
        return table in self._tables


@pytest.mark.parametrize(
    ("seconds", "path"), [([2, 7, 3], [(0, 1)]), ([2, 5, 4], [(0, 0), (1, 0)])]
)
def test_the_critical_path_is_the_longest_chain(seconds: list[float], path: list[object]) -> None:
    found = find_critical_path(Schedule(seconds), "t")  # type: ignore[arg-type]
    assert found == {"calls": path, "seconds": sum(seconds)}


def test_small_parts_are_drawn_together(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(river, "MOST_BANDS", 1)
    rows = LedgerRows().trajectory("t", turns=3)
    for turn in range(3):
        rows.turn("t", turn)
    rows.part("t", "system", 5.0, part=0, tokens=900.0, enters=0)
    rows.part("t", "result", 3.0, part=1, tokens=40.0, enters=1, leaves=2)
    rows.part("t", "result", 3.0, part=2, tokens=2.0, enters=1)
    drawn = describe_session(Snapshot(rows.write(tmp_path / "ledger")), "t")["river"]
    assert [(band["part"], band["enters"], band["until"]) for band in drawn["bands"]] == [(0, 0, 3)]
    assert drawn["rest"] == [
        {"kind": "result", "first": False, "count": 2, "tokens": [0.0, 42.0, 2.0]}
    ]


def test_agents_that_started_each_other_in_a_circle_end(tmp_path: Path) -> None:
    rows = LedgerRows().trajectory("a", parent_id="b").trajectory("b", parent_id="a")
    rows.turn("a", 0).turn("b", 0)
    found = describe_session(Snapshot(rows.write(tmp_path / "ledger")), "a")
    assert found["session"]["tree_cost"] == 200.0


def test_findings_that_were_not_derived_yet_are_not_none(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger"
    measure([sample_traces() / "coding"], ledger, MeasureOptions(workers=1, costs_only=True))
    assert list_found(Snapshot(ledger))["derived"] is False
    derive_rest(ledger, 1)
    assert list_found(Snapshot(ledger))["derived"] is True


def test_a_session_in_another_folder_is_the_same_session(tmp_path: Path) -> None:
    for name in ("before", "after"):
        copytree(sample_traces() / "coding", tmp_path / name)
        options = MeasureOptions(workers=1, costs_only=True)
        measure([tmp_path / name], tmp_path / f"{name}-ledger", options)
    found = compare_ledgers(
        Snapshot(tmp_path / "before-ledger"), Snapshot(tmp_path / "after-ledger")
    )
    assert found["matching"] == found["totals"][0]["sessions"]
    assert {row["difference"] for row in found["rows"]} == {0.0}
