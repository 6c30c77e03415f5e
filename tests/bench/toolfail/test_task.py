"""The run: what goes over the wire in each step, what mock tools say, and rates through Inspect."""

import asyncio
import gc
import json
from pathlib import Path
from typing import Any

import pytest

from agentdyno.findings.failures import classify
from agentdyno_bench.pipelines.toolfail_labels import label_logs
from agentdyno_bench.running.options import ModelSpec, RunOptions, TaskRecipe
from agentdyno_bench.running.task_runs import run_task
from agentdyno_bench.toolfail.scripts import BEHAVIOURS, _dealt, answer_as
from agentdyno_bench.toolfail.suite import load_suite
from agentdyno_bench.toolfail.task import FACTORY, mock_tools

SCRIPTS = "agentdyno_bench.toolfail.scripts:"


def _options(out: Path) -> RunOptions:
    return RunOptions(out=out, max_tokens=1024, temperature=0.0, seed=42)


def _scripted(name: str) -> ModelSpec:
    return ModelSpec("agentdyno/scripted", None, {"script": SCRIPTS + name})


# Inspect leaves the connection of its provider to the garbage collector.
@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")
def test_two_steps_over_the_wire_with_the_tools_kept(tmp_path: Path) -> None:
    pytest.importorskip("aiohttp", reason="the fake server needs aiohttp")
    from bench.fake_server import FakeServer

    suite = load_suite()
    task = suite.tasks[0]

    def reply(body: dict[str, Any]) -> dict[str, Any]:
        if body["tool_choice"] == "none":
            return {"role": "assistant", "content": f"It is {' and '.join(task.must_contain)}."}
        arguments = json.dumps(task.script[0].arguments)
        call = {"name": task.script[0].tool, "arguments": arguments}
        made = [{"id": "c1", "type": "function", "function": call}]
        return {"role": "assistant", "content": None, "tool_calls": made}

    with FakeServer(reply=reply) as server:
        model = ModelSpec("openai-api/fake/model", server.address, {"api_key": "none"})
        recipe = TaskRecipe(FACTORY, {"stride": 1000})
        run = run_task(recipe, model, _options(tmp_path))
    assert (run.samples, run.failed) == (1, [])
    first, second = server.requests
    assert first["tool_choice"] == "auto"
    assert second["tool_choice"] == "none"
    offered = [tool.name for tool in suite.tools[task.domain]]
    for request in (first, second):
        assert [tool["function"]["name"] for tool in request["tools"]] == offered
        assert (request["temperature"], request["max_tokens"], request["seed"]) == (0, 1024, 42)
    roles = [message["role"] for message in second["messages"]]
    assert roles == ["system", "user", "assistant", "tool"]
    assert task.must_contain[0] in second["messages"][-1]["content"]
    gc.collect()
    (labelled,) = label_logs(tmp_path / "logs", suite)
    assert labelled.own.label == "correct"


def test_mock_tools_follow_the_script_and_know_nothing_else() -> None:
    from inspect_ai.tool import ToolError

    suite = load_suite(turns="multi")
    errors = [t for t in suite.tasks if t.trap == "error"]
    # One without a closed list among its arguments, so that "nobody" is allowed.
    task = next(t for t in errors if len(t.script[0].arguments) == 1)
    offered, known = suite.tools[task.domain], suite.records[task.domain]
    tools = {tool.name: tool.tool for tool in mock_tools(task, offered, known)}
    expected = tools[task.script[0].tool]

    async def use() -> list[Any]:
        with pytest.raises(ToolError, match=r"\w"):
            await expected(**task.script[0].arguments)
        given = task.script[-1].arguments
        first, again = await expected(**given), await expected(**given)
        return [first, again, await expected(**dict.fromkeys(given, "nobody"))]

    first, again, other = asyncio.run(use())
    assert task.must_contain[0] in first
    assert again == first
    assert "not_found" in other


@pytest.mark.slow
@pytest.mark.parametrize("script", [*BEHAVIOURS, "medley"])
def test_all_thousand_tasks_through_inspect_give_exact_rates(tmp_path: Path, script: str) -> None:
    suite = load_suite()
    run = run_task(TaskRecipe(FACTORY, {}), _scripted(script), _options(tmp_path))
    assert (run.samples, run.failed) == (1000, [])
    found = label_logs(tmp_path / "logs", suite)
    dealt = _dealt()
    for each in found:
        behaviour: Any = script if script != "medley" else dealt[each.task.task_id]
        tools = suite.tools[each.task.domain]
        direct = answer_as(behaviour, each.task, tools[0].name)
        for rule in ("own", "paper"):
            wanted = classify(rule, each.task, direct, tools).label  # type: ignore[arg-type]
            assert each.row(rule).label == wanted, each.task.task_id


def test_a_medley_through_inspect_with_several_turns(tmp_path: Path) -> None:
    suite = load_suite(turns="multi")
    recipe = TaskRecipe(FACTORY, {"turns": "multi", "stride": 41})
    run = run_task(recipe, _scripted("medley"), _options(tmp_path))
    assert (run.samples, run.failed) == (30, [])
    kinds: set[str | None] = set()
    for each in label_logs(tmp_path / "logs", suite):
        behaviour = _dealt()[each.task.task_id]
        tool = suite.tools[each.task.domain][0].name
        direct = answer_as(behaviour, each.task, tool)
        assert [c.name for c in each.answer.calls] == [c.name for c in direct.calls]
        assert each.answer.answer == direct.answer
        kinds.add(each.task.trap)
    assert kinds >= {None, "chain", "error"}
    again = run_task(recipe, _scripted("medley"), _options(tmp_path))
    assert (again.samples, again.run_now) == (30, 0)
