"""The topic on schedules, over invented chats whose turns are counted by hand."""

from pathlib import Path

import polars as pl
import pytest

from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.up_to_date import ensure_schedules
from agentdyno.reports.topic import LanesChart, RowsChart, Topic
from agentdyno.studies.cost.unit import costs_of
from agentdyno.studies.scheduling.lanes import STEPS
from agentdyno.studies.scheduling.parallelism import schedule_rows
from agentdyno.studies.tables import Layer
from agentdyno.studies.views import View
from tests.pipelines.chats import chat, ledger_of, turn
from tests.reports.telling import told, value_of

NOTE = turn("", ("TaskCreate", "gate", "paint 4711"))
OTHER = turn("", ("findBeta", "harbour", "nothing"))
QUOTES = turn("", ("findBeta", "4711", "red"))
BOTH = turn("", ("findAlpha", "gate", "paint 4711"), ("findBeta", "harbour", "nothing"))
END = turn("Red.")
IN_PTE = View(unit="pte")


def topic_of(folder: Path, view: View | None = None) -> Topic:
    ensure_schedules(folder)
    topic = told("scheduling", folder, view=view)
    assert topic is not None
    return topic


def cells(topic: Topic, title: str) -> list[dict[str, object]]:
    (table,) = [table for table in topic.tables if table.title.startswith(title)]
    heads = [column.title for column in table.columns]
    return [dict(zip(heads, row, strict=True)) for row in table.rows]


def test_calls_a_turn_are_those_counted_by_hand_and_nothing_is_said_to_be_missed(
    tmp_path: Path,
) -> None:
    """Three turns with a call each, and two with two and one: no task brings its graph."""
    folder = ledger_of(tmp_path / "x", [chat(NOTE, OTHER, QUOTES, END), chat(BOTH, QUOTES, END)])
    topic = topic_of(folder)
    (row,) = cells(topic, "Parallelism")
    assert row["trajectories"] == 2
    assert value_of(row["calls a turn"]) == pytest.approx((1 + 1.5) / 2)
    assert row["overlap in time"].reason == "no times"  # type: ignore[attr-defined]
    assert not [head for head in row if "join" in head or "gone" in head]
    assert "earlier one" not in topic.lead
    assert any("inferred for 2 trajectories" in note for note in topic.notes)
    assert [table.title for table in topic.tables] == ["Parallelism taken and missed, by setting"]
    assert not any(isinstance(chart, RowsChart) for chart in topic.charts)


def test_inferred_joins_of_an_older_ledger_are_not_shown(tmp_path: Path) -> None:
    folder = ledger_of(tmp_path / "x", [chat(NOTE, OTHER, END)])
    ensure_schedules(folder)

    class Older(Layer):
        def read(self, table: str) -> pl.DataFrame:
            missed = {"missed_turns": pl.lit(1, pl.Int64), "missed_pte": pl.lit(50.0)}
            rows = super().read(table)
            return rows.with_columns(**missed) if table == "scheduling" else rows

    tables = Older(Ledger(folder))
    read = schedule_rows(tables, costs_of(tables))
    assert read["missed_turns"].to_list() == read["missed_cost"].to_list() == [None]


def test_a_trace_without_times_is_drawn_in_steps_and_says_so(tmp_path: Path) -> None:
    topic = topic_of(ledger_of(tmp_path / "x", [chat(NOTE, OTHER, QUOTES, END)]), IN_PTE)
    (lanes,) = [chart for chart in topic.charts if isinstance(chart, LanesChart)]
    found = [(b.label, b.start, b.end, b.critical) for b in lanes.bars]
    assert found == [
        ("TaskCreate", 0, 1, True),
        ("findBeta", 1, 2, False),
        ("findBeta", 2, 3, True),
    ]
    assert (lanes.turns, lanes.axis) == ([0, 1, 2], STEPS)
    assert "3 calls in 3 turns (inferred dependencies)" in lanes.title


def test_nobody_looked_or_nobody_called_is_no_topic(tmp_path: Path) -> None:
    folder = ledger_of(tmp_path / "x", [chat(END)])
    assert told("scheduling", folder) is None
    ensure_schedules(folder)
    assert told("scheduling", folder) is None


def test_costs_alone_whose_traces_are_gone_have_nothing_to_speak_of(tmp_path: Path) -> None:
    folder = ledger_of(tmp_path / "x", [chat(NOTE, OTHER, END)], costs_only=True)
    (tmp_path / "x" / "chats.jsonl").write_text("{}")
    ensure_schedules(folder)
    assert told("scheduling", folder) is None
