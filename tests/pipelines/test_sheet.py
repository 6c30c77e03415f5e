"""Several agents over the same tasks."""

import inspect
import json
from pathlib import Path

import pytest
from bench.scripted.planning import script_of

from agentdyno.records import InputError
from agentdyno_bench.running.options import ModelSpec, RunOptions
from agentdyno_train.cli.sheet import command
from agentdyno_train.named_agents import read_agents
from agentdyno_train.pipelines.sheet import make_sheet
from agentdyno_train.sheet_plans import SheetOptions, sheet_plans


def scripted(name: str, way: str) -> str:
    return f"{name}=agentdyno/scripted#{script_of(way)}"  # type: ignore[arg-type]


def test_agents_are_compared_with_the_first_on_the_same_tasks(tmp_path: Path) -> None:
    agents = read_agents([scripted("half", "half_work"), scripted("slow", "sequential"),
                          scripted("best", "optimal")])  # fmt: skip
    options = SheetOptions(tmp_path, levels=("easy",), limit=4)
    made = make_sheet(agents, options)
    found, topics = made.sheet, made.topics
    rows = {row.measure: {cell.agent: cell for cell in row.cells} for row in found.rows}
    completion = rows["completion"]
    assert completion["best"].mean.value == completion["slow"].mean.value == 1
    assert completion["half"].mean.value < 0.7
    gain = completion["best"].change
    assert (gain.value, gain.n) == (pytest.approx(1 - completion["half"].mean.value), 4)
    assert completion["half"].change is None
    assert (
        rows["time over critical path"]["best"].mean.value
        < rows["time over critical path"]["slow"].mean.value
    )
    assert rows["turns over best"]["best"].mean.value == 1
    assert len(set(found.architectures.values())) == 1
    assert rows["PTE"]["slow"].change is not None
    assert rows["GPU-seconds"]["best"].mean.value > 0
    costs = {cost.agent: cost for cost in found.costs}
    assert (costs["best"].solved, costs["half"].solved) == (4, 0)
    assert costs["half"].pte_per_solved is None
    assert costs["best"].gpu_seconds_per_solved == pytest.approx(
        rows["GPU-seconds"]["best"].mean.value
    )
    page = (tmp_path / "sheet.html").read_text()
    assert "The dyno sheet: easy tasks" in page
    assert "best" in topics[1].lead
    assert json.loads((tmp_path / "sheet.json").read_text())["agents"] == ["half", "slow", "best"]
    again = make_sheet(agents, options).sheet  # Nothing is run twice, and the numbers stay.
    assert again == found


def test_problems_of_tir_end_by_turns_tokens_and_seconds(tmp_path: Path) -> None:
    tasks = SheetOptions(tmp_path, ["easy"], limit=1, tir=3)
    plans = sheet_plans(ModelSpec("mockllm/model"), tasks, RunOptions(tmp_path, max_tokens=512))
    (reasoning,) = plans.reasoning
    assert reasoning.task.arguments["turns"] == 16
    assert reasoning.task.arguments["attempt_tokens"] == 1024
    assert (reasoning.options.limit, reasoning.options.sample_seconds) == (3, 900)
    assert plans.planning[0].options.sample_seconds is None
    usual = inspect.signature(command).parameters
    assert (usual["tir_tokens"].default, usual["tir_seconds"].default) == (1024, 900)


def test_agents_are_named_once_and_are_at_least_two(tmp_path: Path) -> None:
    (tmp_path / "adapter_config.json").write_text("{}")
    found = read_agents(["base=smollm2", f"warm={tmp_path}", "api=openai/gpt-4.1"])
    assert found["base"].arguments == {"weights": "smollm2"}
    assert found["warm"].arguments == {"adapter": str(tmp_path)}
    assert found["api"].name == "openai/gpt-4.1"
    for texts in (["a=b"], ["a=b", "a=c"], ["no", "a=b"], ["a/b=c", "d=e"]):
        with pytest.raises(InputError):
            read_agents(texts)


def test_an_agent_without_weights_is_said_before_anybody_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agentdyno_train.models.agent.PACKAGED", tmp_path)
    agents = read_agents([scripted("best", "optimal"), "agent=agentdyno/smollm2-agent"])
    with pytest.raises(InputError, match="agentdyno train"):
        make_sheet(agents, SheetOptions(tmp_path / "out", levels=("easy",), limit=1))
    assert not (tmp_path / "out").exists()
