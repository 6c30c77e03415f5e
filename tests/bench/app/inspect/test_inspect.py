"""Our hook, scorers and scanners where Inspect and Scout run them."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from inspect_ai.log import EvalLog, read_eval_log

from agentdyno.ledger.reader import Ledger
from agentdyno_bench.app.inspect.sample_measures import describe_run

HERE = Path(__file__).parent
BIN = Path(sys.executable).parent


def _run_sums(folder: Path, **env: str) -> str:
    """Runs the task in a process of its own, for Inspect keeps a run's settings in the process;
    what it said on stderr."""
    code = (
        "from inspect_ai import eval\n"
        "from tests.bench.app.inspect.task import sums, scripted\n"
        f"eval(sums(), model=scripted(), log_dir={str(folder)!r}, display='none', max_samples=1)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | env, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stderr


def _read_log(folder: Path) -> EvalLog:
    [file] = folder.glob("*.eval")
    return read_eval_log(str(file))


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> EvalLog:
    """A run with our scorers."""
    folder = tmp_path_factory.mktemp("logs")
    _run_sums(folder)
    return _read_log(folder)


def _scores(log: EvalLog, scorer: str) -> list[dict[str, float]]:
    return [sample.scores[scorer].value for sample in log.samples]


def test_scorers_count_calls_by_how_they_went(log: EvalLog) -> None:
    assert _scores(log, "dyno_failures") == [
        {"failed_calls": 0, "malformed_calls": 0, "needless_calls": 0},
        {"failed_calls": 1, "malformed_calls": 1, "needless_calls": 1},
        {"failed_calls": 1, "malformed_calls": 0},
    ]


def test_cost_is_what_the_ledger_of_the_log_says(log: EvalLog, tmp_path: Path) -> None:
    command = [BIN / "agentdyno", "measure", log.location, "--out", tmp_path / "ledger"]
    subprocess.run(command, check=True, capture_output=True)
    rows = Ledger(tmp_path / "ledger").read("trajectories").sort(pl.col("task_id").cast(int))
    costs = _scores(log, "dyno_cost")
    assert [cost["pte"] for cost in costs] == pytest.approx(rows["pte_evicted"].to_list())
    assert [cost["turns"] for cost in costs] == rows["turns"].to_list() == [2, 2, 2]


def test_a_hook_writes_every_sample_and_sums_the_run(tmp_path: Path) -> None:
    printed = _run_sums(tmp_path, AGENTDYNO_HOOKS="1")
    assert "agentdyno: 3 samples: 6 turns, 3 calls, 2 failed calls, 1 malformed calls" in printed
    figures = [sample.metadata["agentdyno"] for sample in _read_log(tmp_path).samples]
    assert [each["needless_calls"] for each in figures] == [0, 1, None]
    assert all(each["pte"] > 200 for each in figures)


def test_without_the_variable_no_hook_is_registered() -> None:
    code = (
        "from inspect_ai.hooks._hooks import get_all_hooks\n"
        "from inspect_ai._util.entrypoints import ensure_entry_points\n"
        "ensure_entry_points(); print(len(get_all_hooks()))"
    )
    env = {name: value for name, value in os.environ.items() if name != "AGENTDYNO_HOOKS"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["0"]


def test_a_sum_leaves_out_what_a_sample_lacks() -> None:
    samples = [{"pte": 10.0, "usd": None, "turns": 1}, {"pte": 5.0, "usd": 1.0, "turns": 2}, {}]
    assert describe_run(samples) == (
        "agentdyno: 2 samples (1 more without a model call or a score): 3 turns, 15 PTE"
    )


@pytest.mark.parametrize(
    ("scanner", "values"), [("failed_calls", [0, 1, 1]), ("needless_calls", [0, 1, None])]
)
def test_scout_scans_a_log(log: EvalLog, tmp_path: Path, scanner: str, values: list[int]) -> None:
    from inspect_scout import scan_results_df

    command = [BIN / "scout", "scan", f"agentdyno/{scanner}", "-T", log.location]
    command += ["--scans", tmp_path, "--display", "plain"]
    subprocess.run(command, check=True, capture_output=True)
    [folder] = tmp_path.glob("scan_id=*")
    frame = scan_results_df(str(folder)).scanners[scanner]
    frame = frame.sort_values("transcript_task_id")
    counts = [None if value is None else int(value) for value in _objects(frame["value"])]
    assert counts == values


def _objects(column: Any) -> list[Any]:
    return column.astype(object).where(column.notna(), None).tolist()
