"""How a job lays out its rows."""

from pathlib import Path

import polars as pl
import pytest

from agentdyno.intake.format import Source
from agentdyno.metrics.cost.engines import MeterOptions
from agentdyno.pipelines import jobs
from agentdyno.pipelines.jobs import Job, do_job
from tests.pipelines.test_measure import write_jsonl


def test_a_job_of_several_batches_writes_one_file_a_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "BATCH_PARTS", 3)
    path = write_jsonl(tmp_path / "a.jsonl", range(7))
    source = Source(path, "a.jsonl", 0, path.stat().st_size)
    draft, _ = do_job(Job([(source, "openai_chat")], tmp_path / "l" / "aside", MeterOptions(), 1))
    assert draft.files == 1
    assert draft.rows["trajectories"] == 7
    rows = pl.read_parquet(draft.path("trajectories", 0))
    assert rows["trajectory_id"].to_list() == [f"a.jsonl#{line}" for line in range(1, 8)]


def test_many_rows_are_written_in_several_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "BATCH_PARTS", 3)
    monkeypatch.setattr(jobs, "FILE_PARTS", 10)
    path = write_jsonl(tmp_path / "a.jsonl", range(7))
    source = Source(path, "a.jsonl", 0, path.stat().st_size)
    draft, _ = do_job(Job([(source, "openai_chat")], tmp_path / "l" / "aside", MeterOptions(), 1))
    assert draft.files > 1
    files = [draft.path("trajectories", index) for index in range(draft.files)]
    assert pl.concat(map(pl.read_parquet, files))["trajectory_id"].n_unique() == 7
