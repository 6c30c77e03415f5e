"""What a ledger's depth says, from tables made by hand."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from agentdyno.ledger.derived import add_derived
from agentdyno.ledger.reader import empty_table
from agentdyno.reports.topic import HeatChart, PlaneChart, RowsChart
from tests.pipelines.ledger_builder import LedgerRows
from tests.reports.telling import table_of, told, value_of

Row = dict[str, Any]


def _row(name: str, turn: int, dtr: float | None, **fields: Any) -> Row:
    made = {
        "trajectory_id": name, "turn": turn, "depth_model": "reader", "g": 0.5, "rho": 0.85,
        "dtr": dtr, "depth_tokens": 100, "call_tokens": 0,
    }  # fmt: skip
    return made | fields


def _write(rows: LedgerRows, depth: list[Row], folder: Path, thought: list[Row] = []) -> Path:  # noqa: B006
    rows.write(folder)
    for table, found in (("depth", depth), ("layer_distances", thought)):
        if found:
            schema = empty_table(table).schema
            filled = [{column: row.get(column) for column in schema} for row in found]
            add_derived(folder, table, pl.DataFrame(filled, schema=schema))
    return folder


def test_a_ledger_without_depth_has_no_topic(tmp_path: Path) -> None:
    assert told("depth", _write(LedgerRows().trajectory("a"), [], tmp_path / "l")) is None


def test_a_ledger_whose_turns_have_no_text_has_no_topic(tmp_path: Path) -> None:
    rows = [_row("a", 0, None, depth_tokens=0)]
    assert told("depth", _write(LedgerRows().trajectory("a"), rows, tmp_path / "l")) is None


def test_a_trajectory_counts_its_tokens_and_a_mean_its_trajectories(tmp_path: Path) -> None:
    ledger = LedgerRows().trajectory("a").trajectory("b")
    depth = [
        _row("a", 0, 0.2, depth_tokens=100),
        _row("a", 1, 0.4, depth_tokens=300),  # (20 + 120) / 400 = 0.35
        _row("b", 0, 0.15),
        _row("b", 0, 0.9, call=0),  # a call's own row is no turn
    ]
    topic = told("depth", _write(ledger, depth, tmp_path / "l"))
    (row,) = table_of(topic, "by setting").rows
    assert row[:4] == ["m", 2, 3, 500]
    assert value_of(row[4]) == pytest.approx(0.25)
    assert "25.0 %" in topic.lead


def test_calls_are_compared_with_the_rest_of_the_same_trajectories(tmp_path: Path) -> None:
    ledger, depth = LedgerRows(), []
    for number in range(6):
        ledger.trajectory(f"t{number}")
        # 40 of 100 tokens are of calls: 0.5 of them deep, 0.3 of all, so 10 of the other 60.
        own = {"call_dtr": 0.5 + number / 100, "call_tokens": 40}
        depth.append(_row(f"t{number}", 0, 0.3 + number / 250, **own))
    depth.append(_row("t0", 1, 0.9, depth_tokens=0))
    topic = told("depth", _write(ledger, depth, tmp_path / "l"))
    (row,) = table_of(topic, "tool calls").rows
    assert row[1:3] == [240, 360]
    assert value_of(row[3]) == pytest.approx(0.525)
    assert value_of(row[4]) == pytest.approx(1 / 6)
    assert value_of(row[5]) == pytest.approx(0.525 - 1 / 6)
    chart = next(c for c in topic.charts if c.name == "depth-calls")
    assert isinstance(chart, RowsChart)
    assert [r.name for r in chart.rows] == ["m, calls", "m, other tokens"]


def test_solved_and_unsolved_are_compared_by_setting(tmp_path: Path) -> None:
    ledger, depth = LedgerRows(), []
    for number in range(20):
        right = number % 2 == 0
        ledger.trajectory(f"t{number}", task_id=str(number), correct=right, benchmark="b")
        depth.append(_row(f"t{number}", 0, (0.2 if right else 0.5) + number / 1000))
    topic = told("depth", _write(ledger, depth, tmp_path / "l"))
    (row,) = table_of(topic, "Solved against").rows
    assert row[:3] == ["m · b", 10, 10]
    assert value_of(row[3]) == pytest.approx(0.209)
    assert value_of(row[5]) == pytest.approx(0.301)
    assert isinstance(row[6], float)
    assert row[6] < 0.001
    assert "Unsolved minus solved: +30.1 points" in topic.lead
    assert "chance" not in topic.lead


def test_accuracy_over_depth_stands_in_five_bins(tmp_path: Path) -> None:
    ledger, depth = LedgerRows(), []
    for number in range(20):
        ledger.trajectory(f"t{number}", task_id=str(number), correct=number >= 10)
        depth.append(_row(f"t{number}", 0, 0.1 + number / 100))
    topic = told("depth", _write(ledger, depth, tmp_path / "l"))
    chart = next(c for c in topic.charts if c.name == "depth-accuracy")
    assert isinstance(chart, PlaneChart)
    # Four trajectories in each: 0.10 to 0.13 and so on; none, none, half, all, all are solved.
    assert [p.x.value for p in chart.points] == pytest.approx([0.115, 0.155, 0.195, 0.235, 0.275])
    assert [p.y.value for p in chart.points] == [0, 0, 0.5, 1, 1]
    (row,) = table_of(topic, "Correlation of").rows
    assert value_of(row[2]) == pytest.approx(0.9487, abs=1e-3)


def test_depth_by_turn_ends_where_few_trajectories_are_left(tmp_path: Path) -> None:
    ledger, depth = LedgerRows(), []
    for number in range(4):
        ledger.trajectory(f"t{number}")
        turns = range(3 if number else 4)  # one goes on alone
        depth += [_row(f"t{number}", t, 0.1 * (t + 1) + 0.01 * number) for t in turns]
    topic = told("depth", _write(ledger, depth, tmp_path / "l"))
    chart = next(c for c in topic.charts if c.name == "depth-turns")
    assert isinstance(chart, PlaneChart)
    assert [p.x.value for p in chart.points] == [1, 2, 3]
    assert [p.y.value for p in chart.points] == pytest.approx([0.115, 0.215, 0.315])


@pytest.mark.parametrize(
    ("writer", "foreign"),
    [("qwen3-32b", True), ("Some-Lab/Reader", False), ("/models/reader.gguf", False)],
)
def test_a_reader_that_did_not_write_is_said_to_be_one(
    writer: str, foreign: bool, tmp_path: Path
) -> None:
    ledger = _write(LedgerRows().trajectory("a", model=writer), [_row("a", 0, 0.2)], tmp_path / "l")
    topic = told("depth", ledger)
    assert ("did not write" in topic.lead) is foreign
    assert any("not how hard the agent thought" in note for note in topic.notes) is foreign


def test_the_papers_thresholds_come_first_and_others_are_listed(tmp_path: Path) -> None:
    ledger = LedgerRows().trajectory("a").trajectory("b").trajectory("c")
    depth = [_row(name, 0, 0.6, g=0.25) for name in "ab"] + [_row("a", 0, 0.2)]
    topic = told("depth", _write(ledger, depth, tmp_path / "l"))
    rows = table_of(topic, "Other models").rows
    assert [row[:4] for row in rows] == [["reader", 0.5, 0.85, 1], ["reader", 0.25, 0.85, 2]]
    assert [value_of(row[4]) for row in rows] == pytest.approx([0.2, 0.6])
    assert any("2 trajectories of the ledger were not read" in note for note in topic.notes)


def test_the_kept_turn_becomes_a_heat_map(tmp_path: Path) -> None:
    kept = [
        {"trajectory_id": "a", "turn": 1, "depth_model": "reader", "token": token, "text": text,
         "layer": layer, "distance": distance}
        for token, text, distances in ((7, "<b>", (0.9, 0.0)), (8, "\n", (0.25, 0.0)))
        for layer, distance in enumerate(distances, 1)
    ]  # fmt: skip
    foreign = [kept[0] | {"depth_model": "another"}]
    ledger = LedgerRows().trajectory("a")
    topic = told("depth", _write(ledger, [_row("a", 1, 0.2)], tmp_path / "l", kept + foreign))
    chart = topic.charts[0]
    assert isinstance(chart, HeatChart)
    assert (chart.tokens, chart.distances) == (["<b>", "\n"], [[0.9, 0.0], [0.25, 0.0]])
    assert "turn 2 of a" in chart.title


def test_settings_with_long_names_keep_lines_of_their_own(tmp_path: Path) -> None:
    ledger, depth = LedgerRows(), []
    for number in range(8):
        variant = f"a-variant-with-quite-a-long-name-{number % 2}"
        ledger.trajectory(f"t{number}", benchmark="the same", variant=variant)
        depth += [_row(f"t{number}", turn, 0.2 + 0.01 * number) for turn in range(2)]
    topic = told("depth", _write(ledger, depth, tmp_path / "l"))
    chart = next(c for c in topic.charts if c.name == "depth-turns")
    assert isinstance(chart, PlaneChart)
    groups = list(dict.fromkeys(point.group for point in chart.points))
    assert groups == ["all", "1 a-variant-with-quite", "2 a-variant-with-quite"]
    table = table_of(topic, "by turn")
    assert [column.title for column in table.columns] == ["turn", *groups]
    assert [value_of(cell) for cell in table.rows[0][1:]] == pytest.approx([0.235, 0.23, 0.24])
