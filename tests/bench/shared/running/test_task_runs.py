"""Runs of a scripted model: finished, resumed, failed, sharded, killed; then measured like any
trace. Several processes: all to the end, or an error that says which end it was."""

import os
import random
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from uuid import uuid4

import polars as pl
import pytest
from inspect_ai import Task
from inspect_ai.log import read_eval_log_sample
from inspect_ai.tool import Tool, tool

from agentdyno.pipelines.measure import measure
from agentdyno.records import InputError
from agentdyno_bench import RunOptions, TaskRecipe, TaskRun, run_task
from agentdyno_bench.shared.running.continuing import FACTORY, Continuation, write_plan
from agentdyno_bench.shared.running.folder import RunFolder, shard_lock
from agentdyno_bench.shared.running.history import read_ended
from agentdyno_bench.shared.running.processes import run_all
from agentdyno_bench.shared.running.settings import read_settings
from tests.bench.shared.running import tasks
from tests.bench.shared.running.errands import complain_or_wait, touch, vanish
from tests.bench.shared.running.tasks import BEGUN, doubling, model, recipe
from tests.conftest import ROOT


def ledger_of(out: Path) -> pl.DataFrame:
    measure([out / "logs"], out / "ledger")
    return pl.read_parquet(out / "ledger" / "trajectories" / "*.parquet")


def test_every_sample_is_run_graded_and_measured(tmp_path: Path) -> None:
    run = run_task(recipe(), model(), RunOptions(out=tmp_path))
    assert (run.task, run.samples, run.run_now, run.failed) == ("doubling", 10, 10, [])
    rows = ledger_of(tmp_path)
    assert sorted(rows["task_id"]) == sorted(f"folder/{i}" for i in range(10))
    assert rows["correct"].all()
    assert (set(rows["turns"]), set(rows["level"])) == ({2}, {"0", "1", "2"})
    assert (set(rows["benchmark"]), set(rows["model"])) == ({"doubling"}, {"agentdyno/scripted"})


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
    monkeypatch.setattr("agentdyno_bench.shared.running.folder.ORPHANS_SECONDS", 0.1)
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
    monkeypatch.delenv("NOWHERE_API_KEY", raising=False)
    with pytest.raises(InputError, match="NOWHERE_API_KEY"):
        run_task(recipe(), "openai-api/nowhere/model", RunOptions(out=tmp_path, limit=1))


HERE = "tests.bench.shared.running.test_task_runs"


def moody_doubling() -> Task:
    """The tool never says the same twice."""

    @tool(name="double")
    def double() -> Tool:
        async def execute(x: int) -> str:
            """Doubles a number, roughly.

            Args:
                x: The number.
            """
            return f"{2 * x} or {uuid4()}"

        return execute

    from inspect_ai.solver import generate, use_tools

    samples = tasks.doubling(2).dataset
    return Task(name="moody", dataset=samples, solver=[use_tools(double()), generate()])


def recorded(out: Path, task: TaskRecipe) -> Path:
    run_task(task, model(), RunOptions(out=out))
    (log,) = (out / "logs").rglob("*.eval")
    return log


def continued(
    out: Path, log: Path, task: TaskRecipe, cuts: list[tuple[int, int]], processes: int = 1
) -> TaskRun:
    plan = out / "plan.json"
    wanted = [
        Continuation(f"{sample}-{answers}", str(log), f"folder/{sample}", answers, calls, 100 + n)
        for sample in (0, 1)
        for n, (answers, calls) in enumerate(cuts)
    ]
    write_plan(plan, wanted)
    plain = {"factory": task.factory, "arguments": task.arguments}
    again = TaskRecipe(FACTORY, {"task": plain}, {"plan": str(plan)})
    return run_task(again, model(), RunOptions(out=out, processes=processes, concurrency=4))


def test_before_the_cut_nobody_is_asked_and_after_it_the_model_is(tmp_path: Path) -> None:
    log = recorded(tmp_path / "first", recipe(2))
    run = continued(tmp_path / "then", log, recipe(2), [(0, 0), (1, 1)])
    assert (run.task, run.samples, run.failed) == ("rollout_doubling", 4, [])
    asked = {}
    for ended in read_ended(run.folder):
        sample = read_eval_log_sample(str(ended.log), id=ended.sample)
        calls = [event for event in sample.events if event.event == "model"]
        asked[ended.sample] = [event.config.seed for event in calls]
        assert ended.score == 1.0
        # An answer is 1 token; the call before it 1 and its 14 characters, four to the token.
        assert ended.usage["agentdyno/scripted"].decode_tokens == {1: 1, 2: 5}[len(calls)]
    # From the start a call and an answer; after the call the answer alone. Seeds are as planned.
    assert asked == {"0-0": [100, 100], "1-0": [100, 100], "0-1": [101], "1-1": [101]}


def test_a_tool_that_says_something_else_fails_the_sample(tmp_path: Path) -> None:
    task = TaskRecipe(f"{HERE}:moody_doubling")
    log = recorded(tmp_path / "first", task)
    run = continued(tmp_path / "then", log, task, [(0, 0), (1, 1)])
    assert {failed.sample for failed in run.failed} == {"0-1", "1-1"}
    assert "result 1 of the 1 before the cut: expected what was recorded" in run.failed[0].error


def test_questions_that_have_changed_since_are_said(tmp_path: Path) -> None:
    log = recorded(tmp_path / "first", recipe(2))
    with pytest.raises(InputError, match="expected its sample folder/1 among the task's own"):
        continued(tmp_path / "then", log, recipe(1), [(0, 0)])


def test_a_log_knows_what_it_was_made_with_as_long_as_it_lies_where_it_was(tmp_path: Path) -> None:
    log = recorded(tmp_path / "run", recipe(2))
    found = read_settings(log)
    assert (found.task, found.model) == (recipe(2), model())
    elsewhere = tmp_path / log.name
    elsewhere.write_bytes(log.read_bytes())
    assert read_settings(elsewhere) is None


PROGRAM = """
import sys
from pathlib import Path
from agentdyno_bench import RunOptions, run_task
from tests.bench.shared.running.tasks import model, recipe
if __name__ == "__main__":
    options = RunOptions(out=Path(sys.argv[1]), concurrency=8, processes=int(sys.argv[3]))
    run_task(recipe(int(sys.argv[2])), model("slowly"), options)
"""


def kill_and_resume(out: Path, samples: int, kills: int, processes: int, seed: int) -> list[int]:
    """Kills the run again and again; how many samples were on disk after each."""
    chance = random.Random(seed)
    found: list[int] = []
    for _ in range(kills):
        before = on_disk(out)
        child = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(out), str(samples), str(processes)],
            cwd=ROOT,
            # Processes of a run import nothing from the current folder.
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            stderr=subprocess.DEVNULL,
        )
        # From before the first new sample, over the writing of a log, to well into the work.
        wanted = before + chance.randint(0, samples // kills)
        while on_disk(out) < wanted and child.poll() is None:
            time.sleep(0.02)
        time.sleep(chance.uniform(0.0, 0.3))
        child.kill()  # SIGKILL; nothing if it is through already.
        child.wait()
        found.append(on_disk(out))
    return found


def on_disk(out: Path) -> int:
    """Samples in the logs, which may be replaced at any moment."""
    count = 0
    for log in out.glob("logs/*/*/*.eval"):
        try:
            with zipfile.ZipFile(log) as archive:
                count += sum(name.startswith("samples/") for name in archive.namelist())
        except (OSError, zipfile.BadZipFile):
            return 0
    return count


def check(out: Path, samples: int) -> None:
    run = run_task(recipe(samples), model("slowly"), RunOptions(out=out, concurrency=64))
    assert (run.samples, run.failed) == (samples, [])
    measure([out / "logs"], out / "ledger")
    rows = pl.read_parquet(out / "ledger" / "trajectories" / "*.parquet")
    assert rows["task_id"].n_unique() == len(rows) == samples
    assert rows["correct"].all()
    bad = pl.read_parquet(out / "ledger" / "bad_records" / "*.parquet")
    assert len(bad) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is not of this system")
def test_a_killed_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    kill_and_resume(tmp_path, samples=40, kills=1, processes=1, seed=3)
    check(tmp_path, 40)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is not of this system")
@pytest.mark.parametrize("processes", [1, 2])
def test_twenty_kills_lose_and_double_nothing(tmp_path: Path, processes: int) -> None:
    found = kill_and_resume(tmp_path, samples=200, kills=20, processes=processes, seed=processes)
    assert len({count for count in found if 0 < count < 200}) >= 10  # Kills amid the work.
    check(tmp_path, 200)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is not of this system")
def test_only_samples_in_flight_are_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Eight are in flight at a time, so that each kill repeats eight at most."""
    begun = tmp_path / "begun"
    monkeypatch.setenv(BEGUN, str(begun))
    kill_and_resume(tmp_path, samples=60, kills=4, processes=1, seed=5)
    check(tmp_path, 60)
    starts = begun.read_text().split()
    assert len(set(starts)) == 60
    assert len(starts) <= 60 + 4 * 8


def test_every_item_is_done(tmp_path: Path) -> None:
    run_all(touch, [tmp_path / "a", tmp_path / "b"])
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a", "b"]


def test_the_first_error_ends_the_others() -> None:
    began = time.monotonic()
    with pytest.raises(InputError, match="expected more"):
        run_all(complain_or_wait, [1, 0, 2])
    assert time.monotonic() - began < 300


def test_a_process_that_vanishes_is_said() -> None:
    with pytest.raises(InputError, match="ended unexpectedly"):
        run_all(vanish, [1])
