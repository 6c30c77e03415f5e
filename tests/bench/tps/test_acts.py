"""What ran and what was submitted, through Inspect, log and ledger: only that counts."""

from pathlib import Path
from typing import Any

import msgspec
import polars as pl
import pytest
from inspect_ai.log import read_eval_log

from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.report import build_report
from agentdyno_bench.shared.bench_run import run_bench
from agentdyno_bench.shared.running.options import ModelSpec, RunOptions
from agentdyno_bench.tps.briefs import REMINDER
from agentdyno_bench.tps.measured_run import TpsPlanOptions, measure_samples, tps_plans
from agentdyno_bench.tps.outcomes import mark
from agentdyno_bench.tps.tasks.checking import ExecutedCall
from agentdyno_bench.tps.tasks.dataset import load_bundled
from tests.bench.tps.inprocess import memory_pool

HERE, WAYS = "tests.bench.tps.scripts", "bench.scripted.planning"
TASKS = 15
STATES = [sum(g.state is not None for g in t.goals) for t in load_bundled("easy").tasks[:2]]
"""Goals of the first tasks that need no answer."""


def scripted(script: str) -> ModelSpec:
    return ModelSpec("agentdyno/scripted", None, {"script": script})


def run(out: Path, script: str, tasks: int = 2, **more: Any) -> pl.DataFrame:
    asked = TpsPlanOptions(
        models=[scripted(script)],
        levels=["easy"],
        pool=memory_pool(load_bundled("easy").tasks[:tasks]),
        **{"selections": ["none"]} | more,
    )
    benched = run_bench(tps_plans(asked, RunOptions(out=out, limit=tasks, concurrency=4)), out)
    assert benched.runs[0].failed == []
    return measure_samples(out)


def samples(out: Path) -> list[Any]:
    logs = sorted(out.glob("logs/tps_*/*/*.eval"))
    return [sample for log in logs for sample in read_eval_log(str(log)).samples or []]


def test_calls_to_tools_that_were_not_offered_earn_nothing(tmp_path: Path) -> None:
    """An agent that gets one useless tool and writes every call of every plan by heart."""
    found = run(
        tmp_path, f"{HERE}:writes_what_is_not_offered", TASKS, selections=["self"], most_tools=1
    )
    calls = [call for sample in samples(tmp_path) for call in sample.store["tps"]["calls"]]
    assert len(calls) > 50
    assert not any(call["ran"] for call in calls)
    assert found["correct"].to_list() == [False] * TASKS
    assert found["completed"].sum() == 0
    assert found["calls"].sum() == 0
    assert found["failed_calls"].sum() == len(calls)
    assert Ledger(tmp_path / "ledger").read("placements").is_empty()
    assert not Ledger(tmp_path / "ledger").read("calls")["executed"].any()


def test_the_same_calls_earn_everything_where_they_are_offered(tmp_path: Path) -> None:
    found = run(tmp_path, f"{HERE}:writes_what_is_not_offered")
    assert found["correct"].to_list() == [True, True]


def test_submit_is_no_call_in_the_ledger_and_its_schema_is_no_part_of_a_selection(
    tmp_path: Path,
) -> None:
    found = run(tmp_path, f"{WAYS}:optimal", selections=["self"])
    assert found["correct"].to_list() == [True, True]
    ledger = Ledger(tmp_path / "ledger")
    assert "submit" not in ledger.read("calls")["tool"].to_list()
    assert sorted(ledger.read("trajectories")["calls"]) == sorted(found["calls"])
    for sample in samples(tmp_path):
        first, *rest = [event for event in sample.events if event.event == "model"]
        assert not first.tools
        assert "submit" not in str(first.input[-1].text)
        assert all(event.tools[-1].name == "submit" for event in rest)
        assert "submit" not in sample.store["tps"]["selected"]


@pytest.mark.parametrize("script", ["talks", "submits_twice", "submits_beside"])
def test_an_answer_counts_only_as_one_submission_alone_in_its_turn(
    tmp_path: Path, script: str
) -> None:
    found = run(tmp_path, f"{HERE}:{script}")
    assert found["completed"].to_list() == STATES
    assert found["stopped"].to_list() == ["nothing submitted"] * 2
    reminded = [sum(m.text == REMINDER for m in sample.messages) for sample in samples(tmp_path)]
    assert reminded == ([0, 0] if script == "submits_twice" else [1, 1])


def test_marks_are_the_same_from_the_log(tmp_path: Path) -> None:
    run(tmp_path, f"{WAYS}:half_work")
    easy = load_bundled("easy")
    tasks = {task.task_id: task for task in easy.tasks}
    for sample in samples(tmp_path):
        record = sample.store["tps"]
        calls = msgspec.convert(record["calls"], list[ExecutedCall])
        marks = mark(tasks[sample.id], calls, record["answers"], easy.world_seed)
        assert [score.value for score in sample.scores.values()] == [marks.score]


def test_answers_in_prose_are_a_setting_of_their_own_and_in_no_mean_with_others(
    tmp_path: Path,
) -> None:
    run(tmp_path, f"{WAYS}:optimal")
    found = run(tmp_path, f"{WAYS}:optimal", answers="prose")
    assert sorted(set(found["variant"])) == ["none-parallel", "none-parallel-prose"]
    by_form = {form: part for (form,), part in found.group_by("answers")}
    assert by_form["submit"]["completion"].to_list() == [1, 1]
    prose = by_form["prose"]
    assert prose["completed"].to_list() == STATES
    assert prose["unclear"].to_list() == (prose["subtasks"] - pl.Series(STATES)).to_list()
    (topic,) = build_report(tmp_path / "ledger", ("planning",)).topics
    assert topic.lead.startswith("2 attempts completed 100")
    notes = " ".join(topic.notes)
    assert "2 attempts answered in prose" in notes
    low = 100 * prose["completion"].mean()
    assert f"completion is {low:.1f} % if none of these is done and 100.0 % if all are" in notes


def test_a_judge_reads_answers_in_prose(tmp_path: Path) -> None:
    judge = scripted(f"{HERE}:lenient")
    found = run(tmp_path, f"{WAYS}:optimal", answers="prose", judge=judge)
    assert found["completion"].to_list() == [1, 1]
    assert found["unclear"].to_list() == [0, 0]
