"""The whole path offline: scripted models on the bundled questions, to the ledger and the page."""

from pathlib import Path

import polars as pl
import pytest

from agentdyno.ledger.reader import Ledger
from agentdyno.studies.cost.summary import summarise
from agentdyno_bench import ModelSpec, RunOptions
from agentdyno_bench.app.cli.bench_output import BenchOptions, show
from agentdyno_bench.pte.tir.plans import TirOptions, tir_plans
from agentdyno_bench.shared.bench_run import run_bench
from agentdyno_bench.shared.running.plans import repeat_plans
from tests.bench.pte.tir.tools import HERE


def scripted(name: str) -> ModelSpec:
    return ModelSpec("agentdyno/scripted", arguments={"script": f"{HERE}:{name}"})


def rows_of(out: Path) -> pl.DataFrame:
    return Ledger(out / "ledger").read("trajectories")


def options(*benchmarks: str, **changes: object) -> TirOptions:
    return TirOptions(benchmarks, [scripted("solves_some")], toolmaker=f"{HERE}:make", **changes)  # type: ignore[arg-type]


def test_questions_become_a_ledger_and_a_report(tmp_path: Path) -> None:
    asked = options("math_500", "simpleqa")
    benched = run_bench(tir_plans(asked, RunOptions(out=tmp_path)), tmp_path)
    got = [(run.task, run.samples) for run in benched.runs]
    assert got == [("math_500_mini", 50), ("simpleqa_mini", 14)]
    rows = rows_of(tmp_path)
    maths = rows.filter(pl.col("benchmark") == "math_500_mini")
    # Of fifty: two right, one in words that nobody can grade, the others without the tag.
    assert (maths["correct"].sum(), maths["correct"].null_count()) == (2, 1)
    assert set(maths["level"]) == {"1", "2", "3", "4", "5"}
    facts = summarise(Ledger(tmp_path / "ledger")).settings
    found = {s.benchmark: (s.trajectories, s.graded, s.calls_mean) for s in facts}
    assert found == {"math_500_mini": (50, 49, 1.0), "simpleqa_mini": (14, 14, 1.0)}
    page = BenchOptions(out=tmp_path).write_page()
    assert "math_500_mini" in page.read_text()


def test_answers_in_a_box_without_the_tag_are_counted_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "boxed.json"
    script.write_text('{"replies": [{"text": "So it is \\\\boxed{374}."}]}')
    model = ModelSpec("agentdyno/scripted", arguments={"script": str(script)})
    asked = TirOptions(["aime_2024"], [model], toolmaker=f"{HERE}:make")
    benched = run_bench(tir_plans(asked, RunOptions(out=tmp_path, limit=3)), tmp_path)
    # 374 is the answer of one of the first three.
    assert benched.runs[0].graded_by == {"box, right inside": 1, "box, wrong inside": 2}
    rows = rows_of(tmp_path)
    assert rows["correct"].sum() == 0
    show(benched, tmp_path, None, False)
    said = " ".join(capsys.readouterr().out.split())
    assert "3 of 3 answers stand in a box without the asked tag (1 right inside, 2 wrong" in said


def test_a_judge_grades_what_is_left(tmp_path: Path) -> None:
    script = tmp_path / "judge.json"
    script.write_text('{"replies": [{"text": "VERDICT: SAME"}]}')
    judge = ModelSpec("agentdyno/scripted", arguments={"script": str(script)})
    plans = tir_plans(options("math_500", judge=judge), RunOptions(out=tmp_path))
    run_bench(plans, tmp_path)
    rows = rows_of(tmp_path)
    assert (rows["correct"].sum(), rows["correct"].null_count()) == (3, 0)
    assert set(rows["turns"]) == {2}  # The judge's calls are not the agent's.


def test_the_last_turn_may_not_call(tmp_path: Path) -> None:
    model = scripted("never_stops")
    asked = TirOptions(["aime_2024"], [model], turns=3, toolmaker=f"{HERE}:make")
    run_bench(tir_plans(asked, RunOptions(out=tmp_path, limit=2)), tmp_path)
    rows = rows_of(tmp_path)
    assert (set(rows["turns"]), set(rows["calls"])) == ({3}, {2})
    parts = pl.read_parquet(tmp_path / "ledger" / "parts" / "*.parquet")
    schemas = parts.filter(pl.col("kind") == "schema")
    # It is shown the tools nevertheless, to the end.
    assert schemas.select("enters", "leaves").rows() == [(0, None)] * 2


def test_after_so_many_tokens_the_next_turn_is_the_last(tmp_path: Path) -> None:
    model = scripted("rambles")
    asked = TirOptions(["aime_2024"], [model], attempt_tokens=1024, toolmaker=f"{HERE}:make")
    run_bench(tir_plans(asked, RunOptions(out=tmp_path, limit=2)), tmp_path)
    rows = rows_of(tmp_path)
    # 512 and 512 are 1,024; the third may not call.
    assert (set(rows["turns"]), set(rows["calls"])) == ({3}, {2})
    assert set(rows["decode_tokens"]) == {3 * 512}


def test_a_problem_whose_program_hangs_is_stopped_and_graded_as_it_stands(tmp_path: Path) -> None:
    model = scripted("never_stops")
    asked = TirOptions(["aime_2024"], [model], toolmaker=f"{HERE}:make_hanging")
    options = RunOptions(out=tmp_path, limit=2, sample_seconds=1)
    run = run_bench(tir_plans(asked, options), tmp_path).runs[0]
    assert (run.samples, run.failed, run.graded_by) == (2, [], {"tag": 2})
    rows = rows_of(tmp_path)
    assert rows["correct"].to_list() == [False, False]


def test_other_tools_are_another_variant(tmp_path: Path) -> None:
    plans = tir_plans(options("math_500", tools=()), RunOptions(out=tmp_path, limit=2))
    run_bench(plans, tmp_path)
    rows = rows_of(tmp_path)
    assert (set(rows["variant"]), set(rows["calls"])) == ({"no tools"}, {0})


def test_attempts_are_told_apart_and_more_can_be_asked_for_later(tmp_path: Path) -> None:
    for epochs in (1, 3):
        run = RunOptions(out=tmp_path, limit=2, seed=5, epochs=epochs)
        plans = tir_plans(options("aime_2024"), run)
        benched = run_bench(plans, tmp_path)
    # The first attempt was there already.
    assert [run.run_now for run in benched.runs] == [0, 2, 2]
    rows = rows_of(tmp_path)
    found = rows.sort("task_id", "attempt").select("task_id", "attempt").rows()
    assert found == [(task, attempt) for task in ("1", "2") for attempt in (1, 2, 3)]
    assert rows["variant"].null_count() == 6
    assert [plan.options.seed for plan in repeat_plans(plans)] == [5, 6, 7]


def test_every_benchmark_is_planned_for_every_model() -> None:
    models = [ModelSpec("a/1"), ModelSpec("b/2"), ModelSpec("a/1")]
    asked = TirOptions(["aime_2024", "simpleqa", "aime_2024"], models)
    plans = tir_plans(asked, RunOptions(out=Path("out")))
    assert [(p.model.name, p.task.arguments["benchmark"]) for p in plans] == [
        ("a/1", "aime_2024"), ("a/1", "simpleqa"), ("b/2", "aime_2024"), ("b/2", "simpleqa"),
    ]  # fmt: skip
