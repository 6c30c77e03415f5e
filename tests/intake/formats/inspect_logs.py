"""Small Inspect logs for tests, in the shapes of several years."""

import json
import zipfile
from pathlib import Path
from typing import Any

from agentdyno.intake.formats.inspect_ai import FORMAT
from agentdyno.intake.source import Source
from agentdyno.records import BadRecord, Trajectory

Json = dict[str, Any]
HEADER: Json = {
    "version": 2,
    "status": "success",
    "eval": {"task": "towns", "model": "openai/gpt-4o-mini"},
    "plan": {"name": "plan", "steps": []},
}


def user(text: str, **more: Any) -> Json:
    return {"id": f"u-{text[:8]}", "content": text, "role": "user"} | more


def system(text: str) -> Json:
    return {"id": "s", "content": text, "role": "system"}


def assistant(content: Any, *calls: Json, **more: Any) -> Json:
    message = {"id": "a", "content": content, "source": "generate", "role": "assistant"} | more
    return message | ({"tool_calls": list(calls)} if calls else {})


def call(name: str, tool: str = "look", **more: Any) -> Json:
    return {"id": name, "function": tool, "arguments": {"town": "Ulm"}, "type": "function"} | more


def result(name: str, text: str, **more: Any) -> Json:
    return {"id": f"r-{name}", "content": text, "role": "tool", "tool_call_id": name,
            "function": "look"} | more  # fmt: skip


def model_event(sent: list[Json], answer: Json | None, **more: Any) -> Json:
    choices = [] if answer is None else [{"message": answer, "stop_reason": "stop"}]
    usage = more.pop("usage", {"input_tokens": 10, "output_tokens": 2, "total_tokens": 12})
    output = {"model": "gpt", "choices": choices, "usage": usage, "time": more.pop("time", 0.5)}
    if "metadata" in more:
        output["metadata"] = more.pop("metadata")
    return {
        "event": "model", "model": "openai/gpt-4o-mini", "timestamp": "2026-01-05T09:00:00+00:00",
        "completed": "2026-01-05T09:00:02+00:00", "input": sent, "tools": more.pop("tools", []),
        "tool_choice": "auto", "config": {}, "output": output,
    } | more  # fmt: skip


def tool_event(name: str, text: str = "", **more: Any) -> Json:
    return {
        "event": "tool", "type": "function", "id": name, "function": "look", "arguments": {},
        "result": text, "timestamp": "2026-01-05T09:00:02+00:00",
        "completed": "2026-01-05T09:00:05+00:00", "working_time": 2.5, "events": [],
    } | more  # fmt: skip


def span(name: str, kind: str, parent: str | None = None) -> Json:
    return {"event": "span_begin", "id": name, "span_id": name, "type": kind, "name": name,
            "parent_id": parent}  # fmt: skip


SPELLED = {
    each.__name__: each
    for each in (user, system, assistant, call, result, model_event, tool_event, span)
}


def sample(*events: Json, **more: Any) -> Json:
    return {"id": 1, "epoch": 1, "input": "Q", "target": "42", "messages": [], "scores": None,
            "events": list(events), "attachments": {}} | more  # fmt: skip


def spelled(value: Any) -> Any:
    """What a row of a set spells: `["user", "Q", {"id": "x"}]` is `user("Q", id="x")`."""
    if isinstance(value, dict):
        return {name: spelled(each) for name, each in value.items()}
    if not isinstance(value, list):
        return value
    if not value or str(value[0]) not in SPELLED:
        return [spelled(each) for each in value]
    name, *given = value
    named = spelled(given.pop()) if isinstance(given[-1], dict) else {}
    return SPELLED[name](*map(spelled, given), **named)


def write_json(folder: Path, *samples: Json, indent: int | None = 2) -> Path:
    path = folder / "log.json"
    path.write_text(json.dumps(HEADER | {"samples": list(samples)}, indent=indent))
    return path


def write_eval(folder: Path, *samples: Json, method: int = zipfile.ZIP_DEFLATED) -> Path:
    path = folder / "log.eval"
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr("_journal/start.json", json.dumps(HEADER))
        for number, one in enumerate(samples, 1):
            archive.writestr(f"samples/{number}_epoch_1.json", json.dumps(one))
        archive.writestr("header.json", json.dumps(HEADER))
    return path


def read_all(path: Path, limit: int = 64 * 2**20) -> tuple[list[Trajectory], list[BadRecord]]:
    items = list(FORMAT.read(Source(path, path.name, max_record_bytes=limit)))
    good = [item for item in items if isinstance(item, Trajectory)]
    return good, [item for item in items if isinstance(item, BadRecord)]


def read_one(path: Path) -> Trajectory:
    good, bad = read_all(path)
    assert not bad
    assert len(good) == 1
    return good[0]
