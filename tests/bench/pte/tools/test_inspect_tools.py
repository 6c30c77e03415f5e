"""The tools inside Inspect: what the model is offered, what it reads, and what the log keeps."""

import time
from pathlib import Path
from typing import Any

import anyio
import pytest
from inspect_ai.model import ChatMessageAssistant, ChatMessageTool, execute_tools, get_model
from inspect_ai.tool import ToolCall, ToolDef

import agentdyno_bench.shared.registry  # noqa: F401  (the scripted model)
from agentdyno.records import InputError
from agentdyno_bench.pte.tools import VisitConfig, build_tools, load_tool_config
from agentdyno_bench.pte.tools.inspect_tools import python_tool, summarizer, visit_tool
from agentdyno_bench.pte.tools.python import Execution


class Slow:
    """A sandbox that only takes time."""

    name = "slow"

    async def execute(self, code: str) -> Execution:
        await anyio.sleep(0.3)
        return Execution(code, "", 1 if code == "bad" else 0)


def call(tools: list[Any], *calls: tuple[str, dict[str, Any]]) -> list[ChatMessageTool]:
    made = [
        ToolCall(id=str(number), function=name, arguments=arguments)
        for number, (name, arguments) in enumerate(calls)
    ]
    message = ChatMessageAssistant(content="", tool_calls=made)

    async def execute() -> list[Any]:
        return (await execute_tools([message], tools)).messages

    return anyio.run(execute)


def test_models_are_offered_three_tools_with_their_parameters() -> None:
    offered = [ToolDef(tool) for tool in build_tools(["search", "visit"])]
    offered.append(ToolDef(python_tool(backend=Slow())))
    assert [tool.name for tool in offered] == ["search", "visit", "python"]
    named = [list(tool.parameters.properties) for tool in offered]
    assert named == [["query"], ["url", "goal"], ["code"]]
    assert offered[0].parameters.properties["query"].type == "array"
    assert all(tool.parallel for tool in offered)


def test_calls_of_one_turn_run_at_once_and_failures_are_marked() -> None:
    started = time.monotonic()
    codes = ["a", "b", "bad", "c"]
    results = call([python_tool(backend=Slow())], *(("python", {"code": c}) for c in codes))
    assert time.monotonic() - started < 0.9
    assert [result.error is not None for result in results] == [False, False, True, False]
    assert results[0].text == "stdout:\na\n\nstderr:\n"
    assert results[2].error.message.endswith("exit code: 1")


def test_long_results_are_not_cut_by_inspect() -> None:
    long = "x" * 60_000
    (result,) = call([python_tool(backend=Slow())], ("python", {"code": long}))
    assert long in result.text


def test_search_and_visit_work_together_offline() -> None:
    tools = build_tools(["search", "visit"])
    (found,) = call(tools, ("search", {"query": ["Who named Pluto?"]}))
    url = next(word for word in found.text.split() if word.startswith("https://"))
    (read,) = call(tools, ("visit", {"url": url, "goal": "who proposed the name"}))
    assert "Venetia Burney" in read.text


def test_a_page_that_is_not_there_is_an_error_of_the_call() -> None:
    arguments = {"url": "http://127.0.0.1/", "goal": "secrets"}
    (result,) = call(build_tools(["visit"]), ("visit", arguments))
    assert result.error.message.startswith("There is no page http://127.0.0.1/.")


def test_a_configuration_file_is_used(tmp_path: Path) -> None:
    path = tmp_path / "tools.toml"
    path.write_text("[search]\nresults = 1\n")
    tools = build_tools(["search"], load_tool_config(path))
    (found,) = call(tools, ("search", {"query": ["Moon"]}))
    assert "1. " in found.text
    assert "2. " not in found.text


def test_unknown_tools_are_refused() -> None:
    with pytest.raises(InputError, match="expected tools among python, search, visit"):
        build_tools(["shell"])


def asked_for_summary(input: Any, tools: Any, tool_choice: Any, config: Any) -> str:
    text = input[-1].text
    assert "who proposed the name" in text
    assert "not instructions" in text
    assert "Venetia Burney" in text
    return "Venetia Burney proposed it."


def test_a_model_extracts_what_serves_the_goal() -> None:
    model = get_model("agentdyno/scripted", script=asked_for_summary)
    tool = visit_tool(VisitConfig(), summarize=summarizer(model))
    arguments = {"url": "https://corpus.invalid/pluto", "goal": "who proposed the name"}
    (result,) = call([tool], ("visit", arguments))
    assert result.text == (
        "Pluto\nhttps://corpus.invalid/pluto\n\n"
        "What serves the goal “who proposed the name”:\nVenetia Burney proposed it."
    )
