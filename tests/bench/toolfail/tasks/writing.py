"""Writes a suite in the published file format, which `task_suites` reads."""

from pathlib import Path
from typing import Any

import msgspec

from agentdyno_bench.toolfail.records import OfferedTool, TaskSuite, ToolTask


def write_suite(suite: TaskSuite, folder: Path) -> None:
    """The suite as files: one task a line, so that a change is seen where it is."""
    for domain in suite.tools:
        place = folder / domain
        place.mkdir(parents=True, exist_ok=True)
        tasks = [task for task in suite.tasks if task.domain == domain]
        single = [task for task in tasks if task.trap is None]
        multi = [task for task in tasks if task.trap is not None]
        _write_tasks(place / "tasks.json", domain, single)
        if multi:
            _write_tasks(place / "multi.json", domain, multi)
        tools = [_tool_entry(tool) for tool in suite.tools[domain]]
        text = msgspec.json.format(msgspec.json.encode({"domain": domain, "tools": tools}))
        (place / "tools.json").write_bytes(text + b"\n")
        if known := suite.records.get(domain):
            lines = b",\n".join(msgspec.json.encode(record) for record in known)
            (place / "records.json").write_bytes(b"[\n" + lines + b"\n]\n")
        (place / "prompt.md").write_text(suite.prompts[domain], "utf-8")


def _write_tasks(file: Path, domain: str, tasks: list[ToolTask]) -> None:
    lines = b",\n".join(msgspec.json.encode(_entry(task)) for task in tasks)
    head = msgspec.json.encode({"domain": domain, "version": "1"})[:-1]
    file.write_bytes(head + b',"tasks":[\n' + lines + b"\n]}\n")


def _tool_entry(tool: OfferedTool) -> dict[str, Any]:
    return {"type": "function", "function": msgspec.to_builtins(tool)}


def _entry(task: ToolTask) -> dict[str, Any]:
    last = task.script[-1] if task.script else None
    call = {"name": last.tool, "arguments": last.arguments} if last else None
    truth: dict[str, Any] = {
        "answer_must_contain": list(task.must_contain),
        "match_mode": task.match_mode,
    }
    extra: dict[str, Any] = {}
    if task.fields:
        truth["fields"] = list(task.fields)
    if task.trap:
        extra["user_messages"] = list(task.messages)
        extra["expected_calls"] = msgspec.to_builtins(task.script)
    metadata = {
        "entity": task.entity,
        "phrasing_register": task.register,
        "memorized_prior_estimate": task.prior,
        "trap": task.trap,
        "by_arguments": task.by_arguments,
    }
    return {
        "task_id": task.task_id,
        "domain": task.domain,
        "turn_type": "multi" if task.trap else "single",
        "target_failure_mode": "control"
        if task.kind == "control"
        else task.target or "result_ignore",
        "user_message": task.messages[0],
        "expected_tool_call": call,
        "mock_tool_return": task.returned,
        "ground_truth": truth,
        "metadata": {key: value for key, value in metadata.items() if value is not None},
        **extra,
    }
