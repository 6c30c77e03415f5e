"""Runs of a scripted model: finished, resumed, failed, sharded; then measured like any trace."""

import os
import sys
from pathlib import Path

import polars as pl
import pytest

pytest.importorskip("inspect_ai", reason="needs the extra bench")

from agentdyno.pipelines.measure import measure
from agentdyno.records import InputError
from agentdyno_bench import RunOptions, run_task
from agentdyno_bench.running.folder import RunFolder, shard_lock
from tests.bench.running.tasks import doubling, model, recipe


def ledger_of(out: Path) -> pl.DataFrame:
    measure([out / "logs"], out / "ledger")
    return pl.read_parquet(out / "ledger" / "trajectories" / "*.parquet")


def test_every_sample_is_run_graded_and_measured(tmp_path: Path) -> None:
    run = run_task(recipe(), model(), RunOptions(out=tmp_path))
    assert (run.task, run.samples, run.run_now, run.failed) == ("doubling", 10, 10, [])
    rows = ledger_of(tmp_path)
    assert sorted(rows["task_id"]) == sorted(f"folder/{i}" for i in range(10))
    assert rows["correct"].all()
    assert set(rows["turns"]) == {2}
    assert set(rows["level"]) == {"0", "1", "2"}
    assert set(rows["benchmark"]) == {"doubling"}
    assert set(rows["model"]) == {"agentdyno/scripted"}


def test_a_finished_run_is_not_run_again(tmp_path: Path) -> None:
    first = run_task(doubling(), model(), RunOptions(out=tmp_path))
    again = run_task(doubling(), model(), RunOptions(out=tmp_path, concurrency=3))
    assert (again.samples, again.run_now, again.logs) == (10, 0, first.logs)


def test_a_higher_limit_runs_only_what_is_new(tmp_path: Path) -> None:
    run_task(doubling(), model(), RunOptions(out=tmp_path, limit=4))
    more = run_task(doubling(), model(), RunOptions(out=tmp_path, limit=7))
    assert (more.samples, more.run_now, len(more.logs)) == (7, 3, 2)
    assert len(ledger_of(tmp_path)) == 7


def test_a_failed_sample_is_a_row_and_the_others_go_on(tmp_path: Path) -> None:
    run = run_task(recipe(), model("fails_at_three"), RunOptions(out=tmp_path))
    assert run.samples == 10
    assert [(f.sample, f.error) for f in run.failed] == [("folder/3", "ScriptedError('no threes')")]
    rows = ledger_of(tmp_path)
    assert rows["correct"].sum() == 9


def test_failed_samples_are_repeated_on_demand_and_stay_single(tmp_path: Path) -> None:
    spec = model("fails_at_three")
    run_task(recipe(), spec, RunOptions(out=tmp_path))
    kept = run_task(recipe(), spec, RunOptions(out=tmp_path))
    assert kept.run_now == 0
    for _ in range(2):  # Also when the sample had been taken out of a log before.
        again = run_task(recipe(), spec, RunOptions(out=tmp_path, retry_failed=True))
        assert (again.samples, again.run_now) == (10, 1)
    rows = ledger_of(tmp_path)
    assert rows["task_id"].n_unique() == len(rows) == 10


@pytest.mark.slow
def test_two_processes_share_the_samples(tmp_path: Path) -> None:
    run = run_task(recipe(12), model(), RunOptions(out=tmp_path, processes=2, concurrency=8))
    assert (run.samples, len(run.logs)) == (12, 2)
    rows = ledger_of(tmp_path)
    assert rows["task_id"].n_unique() == len(rows) == 12
    assert rows["correct"].all()


def test_a_task_that_cannot_travel_wants_one_process(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="TaskRecipe"):
        run_task(doubling(), model(), RunOptions(out=tmp_path, processes=2))


def test_other_settings_are_not_mixed_into_the_same_folder(tmp_path: Path) -> None:
    run_task(recipe(), model(), RunOptions(out=tmp_path, limit=2))
    with pytest.raises(InputError, match="max_tokens was None and is 5"):
        run_task(recipe(), model(), RunOptions(out=tmp_path, max_tokens=5))


def test_other_models_have_other_folders(tmp_path: Path) -> None:
    one = run_task(recipe(), model(), RunOptions(out=tmp_path, limit=1))
    other = run_task(recipe(), model(), RunOptions(out=tmp_path, limit=1, variant="few tools"))
    assert one.folder != other.folder
    assert set(ledger_of(tmp_path)["variant"]) == {None, "few tools"}


def test_a_folder_has_one_writer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agentdyno_bench.running.folder.ORPHANS_SECONDS", 0.1)
    folder = RunFolder(tmp_path, "doubling", "agentdyno/scripted")
    with shard_lock(folder, 0), pytest.raises(InputError, match="still going"):
        run_task(recipe(), model(), RunOptions(out=tmp_path))


def test_nothing_is_left_outside_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    hook, before = sys.excepthook, dict(os.environ)
    run_task(recipe(), model(), RunOptions(out=tmp_path / "out", limit=2))
    assert not (tmp_path / "home").exists()
    assert sys.excepthook is hook
    assert dict(os.environ) == before


def test_times_and_load_are_in_the_log(tmp_path: Path) -> None:
    from inspect_ai.log import read_eval_log

    run = run_task(recipe(), model(), RunOptions(out=tmp_path, limit=1, stream=True))
    (sample,) = read_eval_log(str(run.logs[0])).samples or []
    (first, *_) = [event for event in sample.events if event.event == "model"]
    timing = first.output.metadata["agentdyno"]
    assert set(timing) >= {"latency_valid", "loop_cpu_share", "first_token_seconds"}
    assert first.call is not None


def test_samples_need_ids_of_their_own(tmp_path: Path) -> None:
    task = doubling(3)
    for sample in task.dataset:
        sample.id = "same"
    with pytest.raises(InputError, match="different id"):
        run_task(task, model(), RunOptions(out=tmp_path))


def test_a_missing_key_is_an_input_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("openai", reason="needs the extra bench: OpenAI-compatible providers")
    monkeypatch.delenv("NOWHERE_API_KEY", raising=False)
    with pytest.raises(InputError, match="NOWHERE_API_KEY"):
        run_task(recipe(), "openai-api/nowhere/model", RunOptions(out=tmp_path, limit=1))
