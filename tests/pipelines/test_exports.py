"""Exports: tables, reports and training records."""

import ast
import asyncio
import json
from pathlib import Path
from typing import Any

import msgspec
import polars as pl
import pytest
from bench.scripted.planning import script_of

from agentdyno.ledger.derived import add_derived
from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.exports.formats import FORMATS, export_trajectories
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.records import InputError
from agentdyno.records.failures import FAILURES
from agentdyno.records.ledger import DERIVED
from agentdyno.records.schema import schema_of
from agentdyno_bench.findings.rewards import Weights
from agentdyno_bench.findings.utility.rollouts import SignTest
from agentdyno_bench.pipelines.bench_run import run_bench
from agentdyno_bench.pipelines.classify.doubts import doubt_ledger
from agentdyno_bench.pipelines.judge import judge_utility
from agentdyno_bench.pipelines.rewards import export_rewards
from agentdyno_bench.pipelines.rollout import roll_out
from agentdyno_bench.pipelines.rollout.inspect_runs import find_benches
from agentdyno_bench.running.options import ModelSpec, RunOptions
from agentdyno_bench.tps.plans import TpsPlanOptions, tps_plans
from agentdyno_bench.tps.tasks.dataset import load_bundled
from agentdyno_train.attempts import Attempt
from agentdyno_train.environment import score
from agentdyno_train.options import TrainSettings, read_recipe
from agentdyno_train.rewards import compute_reward
from agentdyno_train.training_tasks import TrainingTask
from agentdyno_train.verl import configuration, write_verl
from tests.bench.tps.inprocess import memory_pool, run_agent
from tests.cli.run import Agentdyno
from tests.fake_secrets import FAKES
from tests.pipelines.judge.worlds import ScriptedAsk, facts_ledger

DERIVED.setdefault("failures", FAILURES)


def label_first_trajectory(ledger: Path) -> str:
    """A failure label by two rules on the first trajectory."""
    name = Ledger(ledger).read("trajectories").sort("trajectory_id")["trajectory_id"][0]
    rows = [
        {"trajectory_id": name, "rule": "ensemble", "label": "result_ignore"},
        {"trajectory_id": name, "rule": "paper", "label": "correct"},
    ]
    schema = schema_of(FAILURES)
    add_derived(ledger, "failures", pl.DataFrame(rows, schema=schema))
    return str(name)


def test_every_trajectory_and_call_has_its_signals(tmp_path: Path) -> None:
    ledger = facts_ledger(tmp_path, tasks=3)
    judge_utility(ledger, [ScriptedAsk()])
    roll_out(ledger, find_benches(), SignTest(most=16))
    labelled = label_first_trajectory(ledger)
    file = tmp_path / "rewards.jsonl"
    counts = export_rewards(ledger, file)
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    calls = [line for line in lines if line["kind"] == "call"]
    trajectories = [line for line in lines if line["kind"] == "trajectory"]
    assert counts == {"trajectory": 3, "call": len(Ledger(ledger).read("calls"))}
    assert len(calls) == counts["call"]
    assert {call["sign"] for call in calls} == {1, -1}
    assert all(-1 <= call["delta"] <= 1 and call["pte"] > 0 for call in calls)
    for trajectory in trajectories:
        signs = [c["sign"] for c in calls if c["trajectory_id"] == trajectory["trajectory_id"]]
        assert trajectory["eta"] == signs.count(1) / len(signs)
        assert isinstance(trajectory["correct"], bool)
    failures = {t["trajectory_id"]: t["failure"] for t in trajectories}
    # The ensemble's label goes before the rule's.
    assert failures.pop(labelled) == "result_ignore"
    assert set(failures.values()) == {None}


def test_what_nobody_judged_has_no_sign(tmp_path: Path) -> None:
    ledger = facts_ledger(tmp_path, tasks=1)
    judge_utility(ledger, [ScriptedAsk(lambda _: "no idea")])
    file = tmp_path / "rewards.jsonl"
    export_rewards(ledger, file)
    first, *calls = [json.loads(line) for line in file.read_text().splitlines()]
    assert first["eta"] is None
    assert {call["sign"] for call in calls} == {None}
    assert {call["delta"] for call in calls} == {None}


def test_a_ledger_that_nobody_judged_still_has_its_calls(tmp_path: Path) -> None:
    ledger = facts_ledger(tmp_path, tasks=2)
    counts = export_rewards(ledger, tmp_path / "rewards.jsonl")
    assert counts == {"trajectory": 2, "call": len(Ledger(ledger).read("calls"))}
    lines = [json.loads(line) for line in (tmp_path / "rewards.jsonl").read_text().splitlines()]
    assert {line["useful_calls"] for line in lines if line["kind"] == "trajectory"} == {None}
    assert all(line["pte"] > 0 and line["sign"] is None for line in lines if line["kind"] == "call")


def test_doubts_are_no_failure_labels(tmp_path: Path) -> None:
    ledger = facts_ledger(tmp_path, tasks=1)
    doubt_ledger(ledger)
    assert len(Ledger(ledger).read("failures"))
    export_rewards(ledger, tmp_path / "rewards.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "rewards.jsonl").read_text().splitlines()]
    assert {line["failure"] for line in lines} == {None}


def test_every_trajectory_has_its_reward_with_parts_group_and_spans(tmp_path: Path) -> None:
    ledger = facts_ledger(tmp_path, tasks=2)
    export_rewards(ledger, tmp_path / "rewards.jsonl", weights=Weights(cost=0.0))
    lines = [json.loads(line) for line in (tmp_path / "rewards.jsonl").read_text().splitlines()]
    trajectories = [line for line in lines if line["kind"] == "trajectory"]
    turns = Ledger(ledger).read("turns")
    for line in trajectories:
        parts = line["reward_parts"]
        assert parts["outcome"] == float(line["correct"])
        assert parts["parallelism"] is parts["progress"] is None  # No graph of work is known.
        quality = 1 - 0.1 * (1 - parts["validity"])
        assert line["reward"] == pytest.approx(parts["outcome"] * quality)
        assert line["group"].endswith(line["task_id"])
        mine = turns.filter(pl.col("trajectory_id") == line["trajectory_id"]).sort("turn")
        spans = [turn["tokens"] for turn in line["turns"]]
        assert [span[0] for span in spans] == mine["context_tokens"].to_list()
        assert [b - a for a, b in spans] == mine["decode_tokens"].to_list()
    assert len({line["group"] for line in trajectories}) == 2


def test_rewards_of_a_planning_run_are_those_of_training(tmp_path: Path) -> None:
    ledger, attempts = planning_ledger(tmp_path)
    export_rewards(ledger, tmp_path / "rewards.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "rewards.jsonl").read_text().splitlines()]
    rows = {line["task_id"]: line for line in lines if line["kind"] == "trajectory"}
    assert set(rows) == set(attempts)
    for task, attempt in attempts.items():
        wanted = compute_reward(score(attempt), Weights(cost=0.0)).parts
        parts = rows[task]["reward_parts"]
        assert parts["cost"] == 1  # The only attempt is the cheapest.
        for name in ("outcome", "parallelism", "validity", "progress"):
            assert parts[name] == pytest.approx(getattr(wanted, name), abs=1e-4), (task, name)
        assert rows[task]["reward"] > 0.7


def planning_ledger(tmp_path: Path) -> tuple[Path, dict[str, Attempt]]:
    """A run of an agent of a known way, and the same attempts as training sees them."""
    out = tmp_path / "bench"
    options = RunOptions(out, limit=3)
    model = ModelSpec("agentdyno/scripted", arguments={"script": script_of("sequential")})
    tasks = load_bundled("easy").tasks[:3]
    asked = TpsPlanOptions([model], ["easy"], pool=memory_pool(tasks))
    run_bench(tps_plans(asked, options), out, None, None)
    attempts = {}
    for task in tasks:
        run = run_agent("sequential", task, 7)
        attempts[task.task_id] = Attempt(task, 7, 0.0, run.calls, 0, run.answer, "answered")
    return out / "ledger", attempts


DATA = Path(__file__).parents[1] / "data"
COSTS = MeasureOptions(workers=1, costs_only=True)
SUFFIXES = {name: each.suffix or "" for name, each in FORMATS.items()}


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sessions of three agents, sub-agents among them."""
    folder = tmp_path_factory.mktemp("exports") / "ledger"
    measure([DATA / "claude_code", DATA / "codex", DATA / "otel_genai"], folder, COSTS)
    return folder


def export(ledger: Path, name: str, folder: Path) -> Path:
    to = folder / f"{name}{SUFFIXES[name]}"
    found = export_trajectories(ledger, name, to)
    assert (found.trajectories, found.missing) == (Ledger(ledger).read("trajectories").height, {})
    return to


def sums(ledger: Path) -> dict[str, Any]:
    """What a ledger comes to, by trajectory and in all."""
    held = Ledger(ledger)
    turns = held.read("turns")
    rows = held.read("trajectories")
    tokens = turns.select(pl.col("context_tokens", "cached_tokens").sum()).row(0)
    tools = sorted(held.read("calls")["tool"].to_list())
    return {
        "trajectories": sorted(rows.select("turns", "calls").rows()),
        "responses": sorted(turns["response_id"].drop_nulls().to_list()),
        "sub-agents": rows["parent_id"].drop_nulls().len(),
        "tokens": tokens,
        "tools": tools,
    }


def test_otel_spans_come_to_what_they_were_exported_from(ledger: Path, tmp_path: Path) -> None:
    file = export(ledger, "otel", tmp_path)
    measure([file], tmp_path / "again", COSTS)
    assert sums(tmp_path / "again") == sums(ledger)
    assert Ledger(tmp_path / "again").read("bad_records").height == 0


def test_atif_comes_to_what_it_was_exported_from_and_names_the_files_of_sub_agents(
    ledger: Path, tmp_path: Path
) -> None:
    folder = export(ledger, "atif", tmp_path)
    documents = {path.name: json.loads(path.read_text()) for path in folder.iterdir()}
    measure([folder], tmp_path / "again", COSTS)
    found, expected = sums(tmp_path / "again"), sums(ledger)
    assert [found[key] for key in ("trajectories", "tokens", "tools")] == [
        expected[key] for key in ("trajectories", "tokens", "tools")
    ]
    results = [
        result
        for document in documents.values()
        for step in document["steps"]
        for result in step.get("observation", {}).get("results", [])
    ]
    named = [r["subagent_trajectory_ref"][0] for r in results if "subagent_trajectory_ref" in r]
    assert named
    assert {each["trajectory_path"] for each in named} <= documents.keys()


def test_atif_is_valid_to_harbor(ledger: Path, tmp_path: Path) -> None:
    harbor = pytest.importorskip("harbor.models.trajectories", reason="needs harbor, Python 3.12")
    for path in export(ledger, "atif", tmp_path).iterdir():
        harbor.Trajectory.model_validate_json(path.read_bytes())


@pytest.mark.filterwarnings("ignore")
def test_scout_reads_every_transcript_with_its_messages(ledger: Path, tmp_path: Path) -> None:
    scout = pytest.importorskip("inspect_scout", reason="needs inspect-scout")
    folder = export(ledger, "scout", tmp_path)

    async def read() -> dict[str, Any]:
        async with scout.transcripts_db(str(folder)) as found:
            content = scout.TranscriptContent(messages="all")
            return {
                info.transcript_id: await found.read(info, content) async for info in found.select()
            }

    transcripts = asyncio.run(read())
    rows = Ledger(ledger).read("trajectories")
    assert transcripts.keys() == set(rows["trajectory_id"])
    for name, turns, calls in rows.select("trajectory_id", "turns", "calls").iter_rows():
        held = transcripts[name]
        answers = [message for message in held.messages if message.role == "assistant"]
        assert len(answers) >= turns
        assert sum(len(answer.tool_calls or ()) for answer in answers) == calls
        assert held.message_count == len(held.messages)
        assert held.trust_content is False


def test_no_export_holds_a_secret(tmp_path: Path) -> None:
    texts = [text for text, _ in FAKES.values()]
    messages = [{"role": "user", "content": text} for text in texts]
    call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": texts[1]}}
    messages += [
        {"role": "assistant", "content": texts[0], "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": texts[2]},
        {"role": "assistant", "content": "done"},
    ]
    (tmp_path / "trace.json").write_text(json.dumps({"messages": messages}))
    measure([tmp_path / "trace.json"], tmp_path / "ledger", COSTS)
    for name in FORMATS:
        to = export(tmp_path / "ledger", name, tmp_path)
        files = [to] if to.is_file() else list(to.iterdir())
        written = "".join(
            pl.read_parquet(file).write_json() if file.suffix == ".parquet" else file.read_text()
            for file in files
        )
        assert [part for _, part in FAKES.values() if part in written] == [], name


def test_a_wrong_target_is_refused_before_anything_is_written(
    ledger: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    for name, to in (("atif", "full"), ("otel", "x.json"), ("nothing", "x.json")):
        with pytest.raises(InputError):
            export_trajectories(ledger, name, tmp_path / to)
    assert [path.name for path in tmp_path.iterdir()] == ["full"]
    agentdyno = Agentdyno(capsys, ledger)
    given = ("export", ledger, "--as", "otel")
    assert agentdyno.run(*given) == 2
    assert agentdyno.run(*given, "--to", tmp_path / "m.jsonl", "--json") == 0
    assert agentdyno.object()["trajectories"] == Ledger(ledger).read("trajectories").height


def test_the_configuration_says_what_the_settings_say() -> None:
    found = configuration(read_recipe("paper", {"model": "Qwen/Qwen3-1.7B"}))
    rollout, actor = found["actor_rollout_ref"]["rollout"], found["actor_rollout_ref"]["actor"]
    assert (rollout["n"], actor["optim"]["lr"], actor["kl_loss_coef"]) == (5, 1e-6, 0.001)
    assert found["data"]["train_batch_size"] == 24
    assert found["trainer"]["total_training_steps"] == 125
    assert "lora_rank" not in found["actor_rollout_ref"]["model"]
    assert (
        configuration(TrainSettings("grpo", scaled=False))["algorithm"]["norm_adv_by_std_in_grpo"]
        is False
    )
    lora = configuration(TrainSettings("grpo"))["actor_rollout_ref"]["model"]
    assert lora["lora_rank"] == 16


def test_the_folder_has_lessons_a_loop_that_parses_and_a_command(tmp_path: Path) -> None:
    settings = TrainSettings("grpo", most_steps=3, most_tools=8)
    count = write_verl(settings, Weights(cost=0.05), tmp_path)
    rows = pl.read_parquet(tmp_path / "lessons.parquet")
    assert len(rows) == count > 50
    first = rows.row(0, named=True)
    training_task = msgspec.json.decode(first["extra_info"]["lesson"], type=TrainingTask)
    assert first["prompt"][1]["content"] == training_task.task.prompt
    assert training_task.tools[0] in first["prompt"][0]["content"]
    loop = (tmp_path / "agent_loop.py").read_text()
    names = {node.name for node in ast.walk(ast.parse(loop)) if isinstance(node, ast.ClassDef)}
    assert names == {"PlanningLoop"}
    assert '"cost":0.05' in loop
    assert json.loads((tmp_path / "grpo.yaml").read_text())["algorithm"]["adv_estimator"] == "grpo"
    assert "verl.trainer.main_ppo" in (tmp_path / "run.sh").read_text()
