"""From a model to measures: scripted agents over MCP servers, through Inspect, ledger and back;
and how far inferred dependencies are the known ones."""

from pathlib import Path
from typing import Any

import pytest

from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.report import build_report
from agentdyno_bench.shared.bench_run import run_bench
from agentdyno_bench.shared.running.options import ModelSpec, RunOptions
from agentdyno_bench.tps.measured_run import (
    TpsPlanOptions,
    compare_settings,
    measure_samples,
    tps_plans,
)
from agentdyno_bench.tps.pictures import draw_samples
from agentdyno_bench.tps.pool import ServerDiedError
from agentdyno_bench.tps.pool.connection import Answer, Connection
from agentdyno_bench.tps.studies.settings import SettingMeasures
from agentdyno_bench.tps.tasks.dataset import load_bundled
from tests.bench.tps.inference_truth import measure_inference
from tests.bench.tps.inprocess import memory_pool

WAYS = "bench.scripted.planning"
JUDGE = ModelSpec("agentdyno/scripted", None, {"script": "tests.bench.tps.scripts:fair"})
TASKS = 3
IN_MEMORY = {"transport": "memory"}


def run(
    out: Path, way: str, judge: ModelSpec | None = None, selection: str = "none",
    scheduling: str = "parallel", most_tools: int = 30, scripts: str = WAYS, tasks: int = TASKS,
    pool: dict[str, Any] | None = None,
) -> SettingMeasures:  # fmt: skip
    asked = TpsPlanOptions(
        models=[ModelSpec("agentdyno/scripted", None, {"script": f"{scripts}:{way}"})],
        levels=["hard"],
        selections=[selection],  # type: ignore[list-item]
        schedulings=[scheduling],  # type: ignore[list-item]
        turns=60,
        most_tools=most_tools,
        judge=judge,
        pool=pool or memory_pool(load_bundled("hard").tasks[:tasks]),
    )
    plans = tps_plans(asked, RunOptions(out=out, limit=tasks, concurrency=4))
    benched = run_bench(plans, out)
    assert benched.runs[0].failed == []
    (setting,) = compare_settings(measure_samples(out))
    return setting


def test_an_optimal_agent_is_optimal_after_the_whole_way_and_the_judge_agrees(
    tmp_path: Path,
) -> None:
    got = run(tmp_path, "optimal", JUDGE, pool={"transport": "memory"})
    assert (got.tasks, got.completion.value, got.turns_over_best) == (TASKS, 1, 1)
    assert (got.early_calls, got.repeated_calls, got.unneeded_calls, got.failed_calls) == (0,) * 4
    assert got.selection_recall == 1
    assert got.selection_precision < 0.2  # all 162 tools were offered
    assert got.judged_selection == 80
    assert got.cost is not None
    assert got.cost_of_pass == got.cost  # everything completed
    # The judge finds as many parts as the program has subtasks.
    counted = got.judge_subtasks_correlation
    assert counted.value == pytest.approx(1)
    (file,) = draw_samples(tmp_path, 1)
    assert file.name == "hard-001-scripted-none-parallel.svg"
    assert file.read_text().startswith("<svg")


def test_one_call_a_turn_refuses_the_others_and_an_agent_that_needs_them_fails(
    tmp_path: Path,
) -> None:
    """An agent that counts on parallel calls, scheduled one by one: only the first call of each
    turn is executed, so it cannot complete its task."""
    got = run(tmp_path, "optimal", scheduling="sequential", selection="self")
    assert got.completion.value < 0.5
    assert got.speedup_taken == 1
    assert got.calls is not None
    assert got.turns == got.calls


def cells(out: Path) -> dict[str, Any]:
    (topic,) = build_report(out / "ledger", ("planning",)).topics
    (table,) = [t for t in topic.tables if t.title.startswith("What was done")]
    return dict(zip([c.title for c in table.columns], table.rows[0], strict=True)) | {
        "lead": topic.lead, "notes": " ".join(topic.notes)}  # fmt: skip


def test_harm_and_ceiling_stand_beside_the_result(tmp_path: Path) -> None:
    scripts = "tests.bench.tps.scripts"
    got = run(tmp_path / "a", "buys", scripts=scripts, pool={"transport": "memory"})
    assert (got.completion.value, got.harmful, got.all_done, got.ceiling) == (1, 1, 0, 1)
    told = cells(tmp_path / "a")
    assert told["did harm"].value == 1
    assert "ceiling" not in told  # Nothing is out of reach, so the column says nothing.
    assert "changed something that nobody had asked for" in told["lead"]

    capped = run(tmp_path / "b", "optimal", selection="self", most_tools=4, tasks=4)
    assert capped.completion.value <= capped.ceiling < 1
    assert capped.harmful == 0
    assert "Nobody can complete more than" in cells(tmp_path / "b")["notes"]


def test_an_attempt_that_has_written_its_tokens_ends_and_is_marked_as_it_stands(
    tmp_path: Path,
) -> None:
    script = "tests.bench.tps.scripts:rambles"
    asked = TpsPlanOptions(
        models=[ModelSpec("agentdyno/scripted", None, {"script": script})],
        levels=["easy"],
        selections=["none"],
        attempt_tokens=512,
        pool={"transport": "memory", "servers": ["news"]},
    )
    run_bench(tps_plans(asked, RunOptions(out=tmp_path, limit=1)), tmp_path)
    (sample,) = measure_samples(tmp_path).iter_rows(named=True)
    assert (sample["output_tokens"], sample["completion"]) == (600, 0)
    (stopped,) = Ledger(tmp_path / "ledger").read("planning")["stopped"]
    assert stopped == "token limit"


def test_the_tools_that_tasks_need_are_one_list_and_a_variant_of_its_own() -> None:
    asked = TpsPlanOptions(
        [ModelSpec("mockllm/model")], ["easy"], ["none"], needed_tools=True, pool=IN_MEMORY
    )
    (plan,) = tps_plans(asked, RunOptions(out=Path("out"), limit=3))
    steps = [step for task in load_bundled("easy").tasks[:3] for step in task.subtasks]
    tools = plan.task.arguments["options"]["tools"]
    assert sorted(tools) == sorted({step.tool for step in steps})
    assert plan.options.variant == "none-parallel-needed"


def test_a_server_that_is_gone_fails_its_own_tasks_by_name_and_the_others_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alive = Connection.call

    async def call(self: Connection, tool: str, arguments: dict[str, object], space: str) -> Answer:
        if self.spec.name == "mail":
            raise ServerDiedError("the MCP server 'mail' ended 4 times")
        return await alive(self, tool, arguments, space)

    monkeypatch.setattr(Connection, "call", call)
    asked = TpsPlanOptions(
        models=[ModelSpec("agentdyno/scripted", None, {"script": f"{WAYS}:optimal"})],
        levels=["easy"],
        selections=["none"],
        pool=memory_pool(load_bundled("easy").tasks[:8]),
    )
    plans = tps_plans(asked, RunOptions(out=tmp_path, limit=8, concurrency=4))
    run = run_bench(plans, tmp_path).runs[0]
    tasks = load_bundled("easy").tasks[:8]
    with_mail = {t.task_id for t in tasks if any(s.tool.startswith("mail") for s in t.subtasks)}
    assert with_mail
    assert {failed.sample for failed in run.failed} == with_mail
    assert all("'mail' ended 4 times" in failed.error for failed in run.failed)
    done = dict(measure_samples(tmp_path).select("task", "completion").iter_rows())
    assert done == {t.task_id: 1.0 for t in tasks if t.task_id not in with_mail}


def test_nearly_every_dependency_of_easy_tasks_is_found_and_hardly_anything_else() -> None:
    got = measure_inference(load_bundled("easy").tasks, load_bundled("easy").world_seed)
    known = sum(len(s.needs) for task in load_bundled("easy").tasks for s in task.subtasks)
    assert known > 50
    assert got.known == known
    assert got.inferred - got.right <= 1
    assert got.right >= 0.95 * known


def test_on_hard_tasks_nearly_all_inferred_edges_state_a_true_order() -> None:
    hard = load_bundled("hard")
    got = measure_inference(hard.tasks[:40], hard.world_seed)
    assert got.precision_back >= 0.95
    assert got.precision > 0.75
    assert got.recall >= 0.84
