"""The topic on schedules, over invented chats whose turns are counted by hand."""

from pathlib import Path

import pytest

from agentdyno.estimates.estimate import Estimate
from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.up_to_date import ensure_schedules
from agentdyno.reports.topic import LanesChart, RowsChart, Topic
from agentdyno.studies.scheduling.lanes import STEPS
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


def test_turns_calls_and_costs_are_those_counted_by_hand(tmp_path: Path) -> None:
    """Three turns with calls of which the second could join, and two of which none could."""
    folder = ledger_of(tmp_path / "x", [chat(NOTE, OTHER, QUOTES, END), chat(BOTH, QUOTES, END)])
    topic = topic_of(folder)
    (row,) = cells(topic, "Parallelism")
    assert row["trajectories"] == 2
    assert value_of(row["calls a turn"]) == pytest.approx((1 + 1.5) / 2)
    assert value_of(row["turns to join"]) == pytest.approx(1 / 5)
    assert value_of(row["turns to join, each"]) == pytest.approx(1 / 2)
    assert isinstance(row["tool time gone, each"], Estimate)
    assert row["tool time gone, each"].reason == "no times"
    (worst,) = cells(topic, "Trajectories that missed the most")
    assert (worst["calls"], worst["turns with calls"], worst["turns to join"]) == (3, 3, 1)
    assert "money gone" not in worst  # that is the lever's, by whatif
    (worst,) = cells(topic_of(folder, IN_PTE), "Trajectories that missed the most")
    pte = Ledger(folder).read("turns").filter(turn=1)["pte"][0]
    assert isinstance(worst["PTE gone"], float)
    assert 0 < worst["PTE gone"] < pte  # what the turn wrote would still be written
    assert "20.0 %" in topic.lead
    assert any("inferred for 2 trajectories" in note for note in topic.notes)


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
    assert "3 calls in 3 turns, 1 of which could have been joined" in lanes.title


def test_a_ledger_that_missed_nothing_says_so_and_draws_no_bars(tmp_path: Path) -> None:
    topic = topic_of(ledger_of(tmp_path / "x", [chat(BOTH, QUOTES, END)]))
    assert topic.lead.endswith("No turn could have been part of an earlier one.")
    assert not any(isinstance(chart, RowsChart) for chart in topic.charts)
    assert [table.title for table in topic.tables] == ["Parallelism taken and missed, by setting"]


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
