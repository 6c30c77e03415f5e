"""The run: what goes over the wire in each step, what mock tools say, and rates through Inspect."""

import asyncio
import gc
import json
from pathlib import Path
from typing import Any

import pytest
from bench.scripted.failures import _dealt, answer_as

from agentdyno.records import InputError
from agentdyno_bench.shared.running.options import ModelSpec, RunOptions, TaskRecipe
from agentdyno_bench.shared.running.task_runs import run_task
from agentdyno_bench.toolfail.label_files import label_logs
from agentdyno_bench.toolfail.records import Answers
from agentdyno_bench.toolfail.tasks.offering import Bench
from agentdyno_bench.toolfail.tasks.sampling import order_evenly
from agentdyno_bench.toolfail.tasks.suite import load_suite
from agentdyno_bench.toolfail.tasks.task import FACTORY, REMINDER, toolfail_task

SCRIPTS = "bench.scripted.failures:"


def _options(out: Path) -> RunOptions:
    return RunOptions(out=out, max_tokens=1024, temperature=0.0, seed=42)


def _scripted(name: str) -> ModelSpec:
    return ModelSpec("agentdyno/scripted", None, {"script": SCRIPTS + name})


def _called(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    call = {"name": name, "arguments": json.dumps(arguments)}
    made = [{"id": "c1", "type": "function", "function": call}]
    return {"role": "assistant", "content": None, "tool_calls": made}


def _over_the_wire(out: Path, answers: str, reply: Any) -> list[dict[str, Any]]:
    """The requests of a run of one task."""
    pytest.importorskip("aiohttp", reason="the fake server needs aiohttp")
    from bench.fake_server import FakeServer

    with FakeServer(reply=reply) as server:
        model = ModelSpec("openai-api/fake/model", server.address, {"api_key": "none"})
        recipe = TaskRecipe(FACTORY, {"stride": 1000, "answers": answers})
        run = run_task(recipe, model, _options(out))
    assert (run.samples, run.failed) == (1, [])
    gc.collect()
    return server.requests


# Inspect leaves the connection of its provider to the garbage collector.
@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")
def test_prose_takes_two_steps_over_the_wire_with_the_tools_kept(tmp_path: Path) -> None:
    suite = load_suite()
    task = order_evenly(suite.tasks)[0]

    def reply(body: dict[str, Any]) -> dict[str, Any]:
        if body["tool_choice"] == "none":
            return {"role": "assistant", "content": f"It is {' and '.join(task.must_contain)}."}
        return _called(task.script[0].tool, task.script[0].arguments)

    first, second = _over_the_wire(tmp_path, "prose", reply)
    assert first["tool_choice"] == "auto"
    assert second["tool_choice"] == "none"
    offered = [tool.name for tool in suite.tools[task.domain]]
    for request in (first, second):
        assert [tool["function"]["name"] for tool in request["tools"]] == offered
        assert (request["temperature"], request["max_tokens"], request["seed"]) == (0, 1024, 42)
    roles = [message["role"] for message in second["messages"]]
    assert roles == ["system", "user", "assistant", "tool"]
    assert task.must_contain[0] in second["messages"][-1]["content"]
    (labelled,) = label_logs(tmp_path / "logs", suite)
    assert {rater: label.label for rater, label in labelled.labels.items() if label} == {
        "paper": "correct"
    }


@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")
def test_an_answer_is_asked_for_by_the_name_of_submit(tmp_path: Path) -> None:
    suite = load_suite()
    task = order_evenly(suite.tasks)[0]

    def reply(body: dict[str, Any]) -> dict[str, Any]:
        if body["tool_choice"] == "auto":
            return _called(task.script[0].tool, task.script[0].arguments)
        return _called("submit", {"answer": list(task.must_contain), "basis": "tool"})

    first, second = _over_the_wire(tmp_path, "submit", reply)
    assert first["tool_choice"] == "auto"
    assert second["tool_choice"]["function"]["name"] == "submit"
    names = [[tool["function"]["name"] for tool in each["tools"]] for each in (first, second)]
    offered = [tool.name for tool in suite.tools[task.domain]]
    assert names == [[*offered, "submit"], ["submit"]]
    for request in (first, second):
        assert request["tools"][-1]["function"]["parameters"]["required"] == ["answer", "basis"]
        assert "submit" in request["messages"][0]["content"]
    (labelled,) = label_logs(tmp_path / "logs", suite)
    assert (labelled.rule, labelled.by_rule.label) == ("submitted", "correct")


@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")
def test_a_server_that_forces_no_tool_is_reminded_once(tmp_path: Path) -> None:
    def reply(body: dict[str, Any]) -> dict[str, Any]:
        return {"role": "assistant", "content": "It is what it is."}

    _, second = _over_the_wire(tmp_path, "submit", reply)
    assert [m["role"] for m in second["messages"]] == ["system", "user", "assistant", "user"]
    assert second["messages"][-1]["content"] == REMINDER
    (labelled,) = label_logs(tmp_path / "logs", load_suite())
    assert labelled.by_rule.label == "tool_skip"


def test_published_tasks_cannot_be_submitted_and_say_what_to_do(tmp_path: Path) -> None:
    entry = {"task_id": "X", "domain": "d", "user_message": "?",
             "expected_tool_call": {"name": "f", "arguments": {}}, "mock_tool_return": {"a": 1},
             "ground_truth": {"answer_must_contain": ["1"]}}  # fmt: skip
    (tmp_path / "tasks.json").write_text(json.dumps({"tasks": [entry]}))
    tool = {"name": "f", "description": "", "parameters": {"type": "object", "properties": {}}}
    (tmp_path / "tools.json").write_text(json.dumps({"tools": [{"function": tool}]}))
    with pytest.raises(InputError, match="with --answers prose"):
        toolfail_task(str(tmp_path), answers="submit")


def test_mock_tools_follow_the_script_and_know_nothing_else() -> None:
    from inspect_ai.tool import ToolError

    suite = load_suite(turns="multi")
    errors = [t for t in suite.tasks if t.trap == "error"]
    # One without a closed list among its arguments, so that "nobody" is allowed.
    task = next(t for t in errors if len(t.script[0].arguments) == 1)
    bench = Bench(task, suite.tools[task.domain], suite.records[task.domain])
    tools = {tool.name: tool.tool for tool in bench.tools}
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
    assert [call["name"] for call in bench.note("")["calls"]] == [task.script[0].tool] * 4


@pytest.mark.parametrize("answers", ["submit", "prose"])
def test_a_medley_through_inspect_with_several_turns(tmp_path: Path, answers: Answers) -> None:
    suite = load_suite(turns="multi")
    recipe = TaskRecipe(FACTORY, {"turns": "multi", "stride": 41, "answers": answers})
    run = run_task(recipe, _scripted("medley"), _options(tmp_path))
    assert (run.samples, run.failed) == (30, [])
    kinds: set[str | None] = set()
    for each in label_logs(tmp_path / "logs", suite):
        behaviour = _dealt()[each.task.task_id]
        tool = suite.tools[each.task.domain][0].name
        direct = answer_as(behaviour, each.task, tool, answers)
        assert [c.name for c in each.answer.calls] == [c.name for c in direct.calls]
        assert each.answer.final == direct.final
        kinds.add(each.task.trap)
    assert kinds >= {None, "chain", "error"}
    again = run_task(recipe, _scripted("medley"), _options(tmp_path))
    assert (again.samples, again.run_now) == (30, 0)
