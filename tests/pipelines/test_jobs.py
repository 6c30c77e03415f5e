"""How a job lays out its rows."""

import gc
import weakref
from pathlib import Path

import polars as pl
import pytest

from agentdyno.intake.format import Source
from agentdyno.metrics.cost.columns import Joined
from agentdyno.metrics.cost.engines import MeterOptions
from agentdyno.metrics.cost.metering import Meter
from agentdyno.metrics.cost.tables import Frames
from agentdyno.pipelines import jobs
from agentdyno.pipelines.jobs import Job, do_job
from agentdyno.records import BadRecord
from tests.pipelines.test_measure import write_jsonl


def test_a_job_of_several_batches_writes_one_file_a_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "COSTS_PARTS", 3)
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
    monkeypatch.setattr(jobs, "COSTS_PARTS", 3)
    monkeypatch.setattr(jobs, "FILE_PARTS", 10)
    path = write_jsonl(tmp_path / "a.jsonl", range(7))
    source = Source(path, "a.jsonl", 0, path.stat().st_size)
    draft, _ = do_job(Job([(source, "openai_chat")], tmp_path / "l" / "aside", MeterOptions(), 1))
    assert draft.files > 1
    files = [draft.path("trajectories", index) for index in range(draft.files)]
    assert pl.concat(map(pl.read_parquet, files))["trajectory_id"].n_unique() == 7


def test_no_batch_is_left_when_cycles_are_searched_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held: list[weakref.ref[Joined]] = []
    left: list[int] = []
    measured = jobs._measured
    enable = gc.enable

    def watched(batch: Joined, meter: Meter) -> tuple[Frames, list[BadRecord]]:
        held.append(weakref.ref(batch))
        return measured(batch, meter)

    def enabled() -> None:
        left.append(sum(batch() is not None for batch in held))
        enable()

    monkeypatch.setattr(jobs, "_measured", watched)
    monkeypatch.setattr(jobs.gc, "enable", enabled)
    path = write_jsonl(tmp_path / "a.jsonl", range(7))
    source = Source(path, "a.jsonl", 0, path.stat().st_size)
    do_job(Job([(source, "openai_chat")], tmp_path / "l" / "aside", MeterOptions(), 1))
    assert left == [0]
