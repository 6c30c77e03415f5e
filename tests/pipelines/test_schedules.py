"""Schedules are added to a ledger once, from one reading of its traces."""

import json
import zipfile
from pathlib import Path

import polars as pl
import pytest

from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines import rederive
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.report import build_report
from agentdyno.pipelines.samples import sample_traces
from agentdyno.pipelines.up_to_date import ensure_schedules
from agentdyno_bench.tps.scored_samples import read_scored_samples

SHARED = Path(__file__).resolve().parents[2] / "../shared/data/traces"


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("samples") / "ledger"
    measure([sample_traces()], folder, MeasureOptions(workers=1))
    return folder


def test_every_sample_trajectory_gets_a_row_and_edges_point_forward(samples: Path) -> None:
    ensure_schedules(samples)
    ledger = Ledger(samples)
    rows, edges = ledger.read("scheduling"), ledger.read("dependencies")
    assert len(rows) == len(ledger.read("trajectories"))
    assert ledger.missing("scheduling") == {}
    assert set(rows["edge_source"]) == {"inferred"}
    assert len(edges) > 0
    assert (edges["source_turn"] < edges["target_turn"]).all()
    assert "planning" not in ledger.manifest.derived


def test_a_report_reads_the_traces_once_for_patterns_and_schedules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = sample_traces() / "support-desk"
    measure([desk], tmp_path / "l", MeasureOptions(workers=1, costs_only=True))
    read: list[str] = []
    plain = rederive.volume_trajectories

    def counted(ledger, volume, missing, **places):
        read.append(volume)
        return plain(ledger, volume, missing, **places)

    monkeypatch.setattr(rederive, "volume_trajectories", counted)
    build_report(tmp_path / "l")
    ledger = Ledger(tmp_path / "l")
    assert sorted(read) == sorted(ledger.manifest.volumes)
    assert {"patterns", "scheduling", "dependencies"} <= ledger.manifest.derived.keys()
    build_report(tmp_path / "l")
    assert len(read) == len(ledger.manifest.volumes)


def test_a_log_that_only_claims_to_be_ours_has_no_plan(tmp_path: Path) -> None:
    """A circle in the graph, a mark that is no number, a sample that is no JSON: passed over."""
    marks = {
        "level": "easy", "subtasks": 1, "completed": [], "placed": [], "needed_tools": [],
        "serving_tools": [], "selection": "self", "scheduling": "parallel",
    }  # fmt: skip
    circle = [{"node": "a", "needs": ["a"], "seconds": 1.0}]
    log = tmp_path / "x.eval"
    with zipfile.ZipFile(log, "w") as archive:
        archive.writestr("header.json", json.dumps({"eval": {"task": "tps_easy"}}))
        for name, value, graph in (("1", 1, circle), ("2", "no", []), ("3", 1, []), ("4", 1, {})):
            score = {"value": value, "metadata": {**marks, "graph": graph}}
            sample = json.dumps({"id": name, "scores": {"x": score}})
            archive.writestr(f"samples/{name}_epoch_1.json", sample)
        archive.writestr("samples/5_epoch_1.json", "{")
    assert [m.trajectory_id for m in read_scored_samples(log, "x.eval")] == ["x.eval#3_epoch_1"]
    with zipfile.ZipFile(tmp_path / "y.eval", "w") as archive:
        archive.writestr("header.json", json.dumps({"eval": {"task": "other"}}))
    assert read_scored_samples(tmp_path / "y.eval", "y.eval") == []


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared traces are not on this machine")
@pytest.mark.parametrize("format", ["claude_code", "tau2_bench", "atif", "inspect_ai"])
def test_schedules_of_real_traces_hold_together(tmp_path: Path, format: str) -> None:
    measure([SHARED / format], tmp_path / "l", MeasureOptions(workers=1))
    ensure_schedules(tmp_path / "l")
    ledger = Ledger(tmp_path / "l")
    rows, calls = ledger.read("scheduling"), ledger.read("calls")
    assert set(rows["trajectory_id"]) == set(ledger.read("trajectories")["trajectory_id"])
    assert (rows["missed_turns"] <= rows["call_turns"]).all()
    executed = calls.filter(pl.col("executed")).group_by("trajectory_id").len()
    both = rows.join(executed, on="trajectory_id")
    assert (both["len"] / both["call_turns"] - both["calls_per_turn"]).abs().max() < 1e-9
    assert (rows["overlap"].drop_nulls() >= 1 - 1e-9).all()
