"""Schedules of traces that are not ours: the bundled samples, measured and looked at."""

from pathlib import Path

from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.samples import sample_traces
from agentdyno.pipelines.tps.ledger import schedules_of


def test_every_sample_trajectory_gets_a_row_and_edges_point_forward(tmp_path: Path) -> None:
    measure([sample_traces()], tmp_path / "ledger", MeasureOptions())
    got = schedules_of(tmp_path / "ledger")
    assert got.missing == {}
    assert len(got.rows) > 5
    assert set(got.rows["edge_source"]) == {"inferred"}
    assert (got.edges["source_turn"] < got.edges["target_turn"]).all()
    assert len(got.edges) > 0
    assert got.rows["missed_turns"].sum() > 0
    assert (got.rows.filter(got.rows["missed_turns"] > 0)["missed_pte"].drop_nulls() > 0).all()
