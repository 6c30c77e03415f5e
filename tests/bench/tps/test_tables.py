"""Scripted agents through the benchmark: the ledger's tables say what follows from their ways."""

from itertools import pairwise
from pathlib import Path

import polars as pl
import pytest
from bench.scripted.ways import GUESS
from jsonschema import Draft7Validator
from msgspec import structs

from agentdyno.estimates.estimate import Estimate
from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.up_to_date import ensure_schedules
from agentdyno.reports.topic import LanesChart, PlaneChart, Topic, TopicTable
from agentdyno_bench.shared.bench_run import run_bench
from agentdyno_bench.shared.judging.verdicts import add_verdicts
from agentdyno_bench.shared.records.verdicts import Verdict
from agentdyno_bench.shared.running.options import ModelSpec, RunOptions
from agentdyno_bench.tps.measured_run import TpsPlanOptions, tps_plans
from agentdyno_bench.tps.tasks.dataset import load_bundled, write_tasks
from agentdyno_bench.tps.tasks.execution import levels_of
from agentdyno_bench.tps.tasks.references import fill
from agentdyno_bench.tps.tasks.values import CompoundTask, Subtask
from agentdyno_bench.tps.world.directory import all_tools
from tests.bench.tps.inprocess import memory_pool
from tests.reports.telling import table_of, told

WAYS = "bench.scripted.planning"
HARD = load_bundled("hard")
TASKS = [HARD.tasks[1], HARD.tasks[5]]
"""Of nine and seven steps: Inspect copies all tools in every turn."""
EDGES = {t.task_id: sum(len(s.needs) for s in t.subtasks) for t in TASKS}
DEPTHS = {t.task_id: len(levels_of(t)) for t in TASKS}
SIZES = {t.task_id: len(t.subtasks) for t in TASKS}


def run(out: Path, way: str, selections=("none",), schedulings=("parallel",)) -> Ledger:
    asked = TpsPlanOptions(
        models=[ModelSpec("agentdyno/scripted", None, {"script": f"{WAYS}:{way}"})],
        levels=["hard"],
        selections=selections,
        schedulings=schedulings,
        turns=60,
        judge=ModelSpec("agentdyno/scripted", None, {"script": "tests.bench.tps.scripts:fair"}),
        pool=memory_pool(TASKS),
        tasks=out / "tasks.json",
    )
    write_tasks(out / "tasks.json", structs.replace(HARD, tasks=TASKS))
    plans = tps_plans(asked, RunOptions(out=out, concurrency=4))
    run_bench(plans, out)
    ensure_schedules(out / "ledger")
    return Ledger(out / "ledger")


@pytest.fixture(scope="module")
def optimal(tmp_path_factory: pytest.TempPathFactory) -> Ledger:
    return run(tmp_path_factory.mktemp("optimal"), "optimal")


@pytest.fixture(scope="module")
def sequential(tmp_path_factory: pytest.TempPathFactory) -> Ledger:
    """Made one call a turn by its own way, and by the benchmark too."""
    ways = ("parallel", "sequential")
    return run(tmp_path_factory.mktemp("sequential"), "sequential", ("none", "self"), ways)


@pytest.fixture(scope="module")
def at_once(tmp_path_factory: pytest.TempPathFactory) -> Ledger:
    return run(tmp_path_factory.mktemp("at-once"), "at_once")


def by_task(ledger: Ledger, table: str, variant: str = "none-parallel") -> dict[str, dict]:
    """Rows of one variant, by task."""
    tasks = ledger.read("trajectories").filter(pl.col("variant") == variant)
    rows = ledger.read(table).join(tasks.select("trajectory_id", "task_id"), on="trajectory_id")
    return {row["task_id"]: row for row in rows.to_dicts()}


def known(ledger: Ledger, variant: str = "none-parallel") -> dict[str, dict]:
    tasks = ledger.read("trajectories").filter(pl.col("variant") == variant)
    rows = ledger.read("scheduling").filter(pl.col("edge_source") == "known")
    both = rows.join(tasks.select("trajectory_id", "task_id"), on="trajectory_id")
    return {row["task_id"]: row for row in both.to_dicts()}


def topic_of(ledger: Ledger, name: str = "planning") -> Topic:
    found = told(name, ledger.folder)
    assert found is not None
    return found


def column(table: TopicTable, title: str) -> list:
    place = [c.title for c in table.columns].index(title)
    values = [row[place] for row in table.rows]
    return [v.value if isinstance(v, Estimate) else v for v in values]


def test_the_best_schedule_misses_nothing_and_holds_every_edge(optimal: Ledger) -> None:
    plans, rows = by_task(optimal, "planning"), known(optimal)
    for task, plan in plans.items():
        assert (plan["completion"], plan["correct"], plan["turns_over_best"]) == (1, True, 1)
        assert plan["call_turns"] == plan["best_turns"] == DEPTHS[task]
        assert plan["early_calls"] == plan["repeated_calls"] == plan["unneeded_calls"] == 0
        assert plan["tool_seconds"] == pytest.approx(plan["by_turns_seconds"])
        assert plan["model_seconds"] is not None
        assert (rows[task]["missed_turns"], rows[task]["edges"]) == (0, EDGES[task])
        assert rows[task]["depth"] == DEPTHS[task]
    assert len(plans) == len(TASKS)


def test_one_call_a_turn_takes_as_many_turns_as_there_are_subtasks(sequential: Ledger) -> None:
    plans, rows = by_task(sequential, "planning"), known(sequential)
    for task, plan in plans.items():
        assert plan["call_turns"] == SIZES[task]
        assert plan["tool_seconds"] == pytest.approx(plan["busy_seconds"])
        assert plan["speedup_taken"] == pytest.approx(1)
        # Batches of turns that follow each other are no better than the best schedule.
        assert 0 < rows[task]["missed_turns"] <= SIZES[task] - DEPTHS[task]
        assert rows[task]["missed_pte"] > 0
        # Saved at most what the best schedule saves, in the services' own time.
        saved = plan["busy_seconds"] - plan["critical_path_seconds"]
        assert 0.1 < rows[task]["missed_tool_seconds"] <= saved


def ran_early(task: CompoundTask) -> list[Subtask]:
    """Steps that were tried too early by calls that their tools' schemas allow."""
    return [
        s
        for s in task.subtasks
        if s.needs
        and Draft7Validator(all_tools()[s.tool].schema).is_valid(fill(s.arguments, GUESS))
    ]


def test_everything_at_once_is_one_turn_of_early_calls(at_once: Ledger) -> None:
    plans, rows = by_task(at_once, "planning"), known(at_once)
    by_id = {t.task_id: t for t in TASKS}
    for task, plan in plans.items():
        first = {s.subtask_id for s in by_id[task].subtasks if not s.needs}
        assert plan["completed"] <= sum(w.step in first for w in by_id[task].goals)
        assert plan["correct"] is False
        assert plan["early_calls"] == len(ran_early(by_id[task]))
        assert rows[task]["edges"] == rows[task]["missed_turns"] == 0
    early = at_once.read("placements").group_by("trajectory_id").agg(pl.col("early").sum())
    assert sorted(early["early"]) == sorted(len(ran_early(t)) for t in TASKS)


def test_the_topic_tells_the_sequential_agent_what_it_missed(sequential: Ledger) -> None:
    topic = topic_of(sequential, "scheduling")
    rows = known(sequential)
    share = sum(r["missed_turns"] for r in rows.values()) / sum(SIZES.values())
    settings = table_of(topic, "Parallelism taken and missed")
    place = column(settings, "setting").index("scripted · tps_hard · none-parallel")
    assert column(settings, "turns to join")[place] == pytest.approx(share)
    assert column(settings, "calls a turn")[place] == 1
    assert table_of(topic, "Trajectories that missed the most").rows
    assert "could have been part of an earlier one" in topic.lead
    pictures = [chart for chart in topic.charts if isinstance(chart, LanesChart)]
    assert len(pictures) == 3
    for picture in pictures:
        assert "services" in picture.axis
        chain = [bar for bar in picture.bars if bar.critical]
        # The critical path is a chain: one call after the other.
        assert all(a.end <= b.start + 1e-9 for a, b in pairwise(chain))
        assert len(chain) > 1


def test_the_two_ablations_are_tables_and_planes(sequential: Ledger) -> None:
    topic = topic_of(sequential)
    done = table_of(topic, "What was done")
    assert len(done.rows) == 4
    assert f"{len(TASKS)} tasks a setting." in topic.notes
    ways = table_of(topic, "Other things equal")
    compared = column(ways, "compared")
    assert compared == [
        "none against self (parallel, tps_hard)",
        "none against self (sequential, tps_hard)",
        "sequential against parallel (none, tps_hard)",
        "sequential against parallel (self, tps_hard)",
    ]
    # An agent that makes one call a turn anyway is the same under either scheduling.
    assert column(ways, "turns, times")[2] == pytest.approx(1)
    assert column(ways, "completion, difference")[2] == pytest.approx(0)
    used = (
        sequential.read("trajectories")
        .group_by("variant")
        .agg(tokens=(pl.col("prefill_tokens") + pl.col("decode_tokens")).sum())
    )
    tokens = dict(used.iter_rows())
    expected = tokens["none-parallel"] / tokens["self-parallel"]
    assert column(ways, "tokens, times")[0] == pytest.approx(expected)
    planes = [chart for chart in topic.charts if isinstance(chart, PlaneChart)]
    assert [chart.name for chart in planes] == [
        "planning-seconds", "planning-call-turns", "planning-cost",
    ]  # fmt: skip
    assert {point.name for point in planes[0].points} == {
        "none-parallel", "none-sequential", "self-parallel", "self-sequential",
    }  # fmt: skip
    judged = table_of(topic, "Judge against program")
    assert column(judged, "judged") == [4 * len(TASKS)]
    assert column(judged, "correlation of parts and subtasks")[0] == pytest.approx(1)


def test_judges_that_were_asked_later_stand_against_the_program_too(at_once: Ledger) -> None:
    """One that says of every attempt what the program says."""
    done = at_once.read("planning").select("trajectory_id", "completion").rows()
    verdicts = [
        Verdict(kind="completion", trajectory_id=name, judge="completion", model="m",
                label="partly", score=share, rubric="r", digest=name)
        for name, share in done
    ]  # fmt: skip
    (volume,) = at_once.manifest.volumes
    add_verdicts(at_once.folder, [(volume, verdict) for verdict in verdicts])
    table = table_of(topic_of(Ledger(at_once.folder)), "Judge against program")
    assert column(table, "judge") == ["the run's own", "completion (m)"]
    found = column(table, "correlation of completion")[1]
    assert found is None or found == pytest.approx(1)  # Two tasks: alike, or too few to say.
    assert column(table, "by judge")[1] == pytest.approx(column(table, "by program")[1])
