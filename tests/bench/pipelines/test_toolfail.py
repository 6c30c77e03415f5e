"""`bench toolfail` from end to end with a scripted model: ledger, marks, table and page."""

from pathlib import Path

import polars as pl
import pytest

pytest.importorskip("inspect_ai", reason="needs the extra bench")

from agentdyno.ledger.reader import Ledger
from agentdyno_bench.cli.bench_output import BenchOptions
from agentdyno_bench.models.scripted import Reply, ReplyCall
from agentdyno_bench.pipelines.toolfail import ToolfailDone, ToolfailOptions, run_toolfail
from agentdyno_bench.running.options import ModelSpec, RunOptions

SCRIPTS = "agentdyno_bench.toolfail.scripts:"


def _run(out: Path, script: object, stride: int = 49, page: bool = False) -> ToolfailDone:
    model = ModelSpec("agentdyno/scripted", None, {"script": script})
    asked = ToolfailOptions(models=[model], stride=stride)
    options = RunOptions(out=out, max_tokens=1024, temperature=0.0, seed=42)
    done = run_toolfail(asked, options)
    if page:
        BenchOptions(out=out).write_page()
    return done


def _tables(out: Path) -> tuple[pl.DataFrame, pl.DataFrame]:
    ledger = Ledger(out / "ledger")
    return ledger.read("trajectories"), ledger.read("failures")


def test_a_run_marks_every_trajectory_and_fills_the_table(tmp_path: Path) -> None:
    done = _run(tmp_path, SCRIPTS + "medley", page=True)
    trajectories, failures = _tables(tmp_path)
    assert len(trajectories) == done.report.trajectories == 21
    assert trajectories["correct"].null_count() == 0
    whole = failures.filter(pl.col("call").is_null(), pl.col("rule") == "own")
    joined = whole.join(trajectories, on="trajectory_id", suffix="_of")
    assert len(joined) == 21
    assert (joined["correct"] == (joined["label"] == "correct")).all()
    assert (joined["pte"] == joined["pte_of"]).all()
    assert joined["label"].n_unique() >= 4
    # One row per call and rule beside those of the trajectories, each with the call's own cost.
    calls = Ledger(tmp_path / "ledger").read("calls").filter("executed")
    own = failures.filter(pl.col("call").is_not_null(), pl.col("rule") == "paper")
    costs = own.join(calls, on=["trajectory_id", "turn", "call"], suffix="_of")
    assert len(costs) == len(own) == len(calls) > 0
    assert (costs["pte"] == costs["pte_of"]).all()
    page = (tmp_path / "report.html").read_text("utf-8")
    assert "Where the tool-use loop breaks" in page
    assert "Models by clean tool use" in page
    again = _run(tmp_path, SCRIPTS + "medley")
    assert again.runs[0].run_now == 0
    assert again.report == done.report
    assert _tables(tmp_path)[1].equals(failures)


def _unruly(input: list[object], tools: list[object], choice: object, config: object) -> Reply:
    """Calls a tool that does not exist, then another with malformed arguments, then answers."""
    if choice == "none" or len(input) > 2:
        return Reply(text="As far as I know, 7.", calls=[ReplyCall("nothing", {})])
    return Reply(calls=[ReplyCall("no_such_tool", {}), ReplyCall(tools[0].name, "{oops")])  # type: ignore[attr-defined]


def test_calls_that_did_not_run_are_no_calls_for_log_and_table_alike(tmp_path: Path) -> None:
    _run(tmp_path, f"{__name__}:_unruly", stride=250)
    trajectories, failures = _tables(tmp_path)
    own = failures.filter(pl.col("rule") == "own")
    assert own["call"].null_count() == len(own) == len(trajectories) == 4
    assert set(own["label"]) <= {"tool_skip", "wrong_answer"}
    assert trajectories["correct"].to_list() == [False] * 4


def _failing(input: list[object], tools: list[object], choice: object, config: object) -> Reply:
    """Calls a tool and is then out of service."""
    if len(input) == 2:
        return Reply(calls=[ReplyCall(tools[0].name, {})])  # type: ignore[attr-defined]
    return Reply(error="the service is down")


def test_a_conversation_that_broke_off_is_neither_right_nor_wrong(tmp_path: Path) -> None:
    done = _run(tmp_path, f"{__name__}:_failing", stride=500)
    assert len(done.runs[0].failed) == 2
    trajectories, failures = _tables(tmp_path)
    assert trajectories["correct"].to_list() == [None, None]
    assert (done.report.trajectories, len(failures)) == (0, 0)
