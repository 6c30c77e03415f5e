"""Patterns are added to a ledger once, and go with the inputs they speak of."""

import json
import shutil
from pathlib import Path

import polars as pl

from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.pipelines.samples import sample_traces
from agentdyno.pipelines.up_to_date import ensure_patterns


def test_findings_of_the_samples_are_in_the_ledger(tmp_path: Path) -> None:
    measure([sample_traces()], tmp_path / "l", MeasureOptions(workers=1))
    found = ensure_patterns(tmp_path / "l")
    table = Ledger(tmp_path / "l").read("patterns")
    assert found.missing == {}
    assert len(table) == found.findings > 8
    assert set(table["pattern"]) >= {"repeated_call", "oversized_result", "format_collapse"}
    known = Ledger(tmp_path / "l").read("trajectories")["trajectory_id"]
    assert set(table["trajectory_id"]) <= set(known)
    assert table.filter(pl.col("call").is_not_null())["pte"].null_count() == 0


def test_a_second_time_finds_nothing_to_do(tmp_path: Path) -> None:
    measure([sample_traces()], tmp_path / "l", MeasureOptions(workers=1))
    ensure_patterns(tmp_path / "l")
    files = sorted((tmp_path / "l" / "patterns").glob("*.parquet"))
    ensure_patterns(tmp_path / "l")
    assert sorted((tmp_path / "l" / "patterns").glob("*.parquet")) == files


def test_findings_of_a_changed_input_are_replaced(tmp_path: Path) -> None:
    traces = tmp_path / "traces"
    shutil.copytree(sample_traces(), traces)
    measure([traces], tmp_path / "l", MeasureOptions(workers=1))
    before = ensure_patterns(tmp_path / "l").findings
    victim = traces / "word-problems.jsonl"
    lines = victim.read_text().splitlines()
    plain = {
        "messages": [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "ho"}]
    }
    victim.write_text("\n".join([json.dumps(plain)] * len(lines)))
    measure([traces], tmp_path / "l", MeasureOptions(workers=1))
    after = ensure_patterns(tmp_path / "l").findings
    ids = set(Ledger(tmp_path / "l").read("patterns")["trajectory_id"])
    assert after < before
    assert not any("word-problems" in trajectory_id for trajectory_id in ids)


def test_a_source_that_is_gone_is_named(tmp_path: Path) -> None:
    traces = tmp_path / "traces"
    shutil.copytree(sample_traces(), traces)
    measure([traces], tmp_path / "l", MeasureOptions(workers=1, costs_only=True))
    (traces / "word-problems.jsonl").unlink()
    found = ensure_patterns(tmp_path / "l")
    assert found.missing == {"traces/word-problems.jsonl": "the file is gone"}
    assert found.findings > 0
    assert ensure_patterns(tmp_path / "l") == found  # It is still unknown the second time.
