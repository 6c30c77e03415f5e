"""Writes attempts as a chat log, so that they enter through intake like anybody's traces."""

import json
from collections.abc import Iterable
from pathlib import Path

from agentdyno_bench.utility.facts.attempting import Attempt, attempt
from agentdyno_bench.utility.facts.world import World

BENCHMARK = "facts"
MODEL = "facts-lottery"
SYSTEM = "You answer questions about a town's buildings. Use the tools; answer in one line."

DESCRIPTIONS = {
    "search_archive": "Search the town archive for a building.",
    "lookup_index": "Look a building up in the index of the town chronicle.",
    "get_gossip": "Get what people say about a building.",
    "query_rumours": "Query the collection of rumours.",
    "write_note": "Write a note into the notebook.",
}


def write_attempts(path: Path, variant: str, attempts: Iterable[Attempt], world: World) -> None:
    """One line per attempt."""
    schemas = [_schema(tool) for tool in world.suite]
    text = "".join(json.dumps(_line(entry, variant, schemas)) + "\n" for entry in attempts)
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return  # What a ledger knows of this file stays valid.
    path.parent.mkdir(parents=True, exist_ok=True)
    staging = path.with_suffix(".aside")
    staging.write_text(text, encoding="utf-8")
    staging.replace(path)


def attempt_all(tasks: int, seed: int, world: World) -> list[Attempt]:
    """One attempt at each task."""
    return [attempt(task, seed, world) for task in range(tasks)]


def _line(entry: Attempt, variant: str, schemas: list[dict[str, object]]) -> dict[str, object]:
    messages: list[dict[str, object]] = [
        {"role": "system", "content": SYSTEM},
        {"role": "user", "content": entry.question},
    ]
    for number, call in enumerate(entry.calls):
        function = {"name": call.tool, "arguments": json.dumps(call.arguments)}
        request = {"id": f"c{number}", "type": "function", "function": function}
        messages.append({"role": "assistant", "content": "", "tool_calls": [request]})
        messages.append({"role": "tool", "tool_call_id": f"c{number}", "content": call.result})
    messages.append({"role": "assistant", "content": entry.answer})
    return {
        "model": MODEL,
        "benchmark": BENCHMARK,
        "variant": variant,
        "task_id": entry.task_id,
        "correct": entry.solved,
        "tools": schemas,
        "messages": messages,
    }


def _schema(tool: str) -> dict[str, object]:
    name = "text" if tool == "write_note" else "query"
    fields = {name: {"type": "string", "description": "What to look for, or to keep."}}
    parameters = {"type": "object", "properties": fields, "required": [name]}
    function = {"name": tool, "description": DESCRIPTIONS[tool], "parameters": parameters}
    return {"type": "function", "function": function}
