"""Invented chats without usage, so that every token is counted."""

import json
from pathlib import Path
from typing import Any

from agentdyno.pipelines.measure import MeasureOptions, measure

Chat = dict[str, Any]


def tool(name: str, description: str = "Looks something up.") -> dict[str, Any]:
    return {
        "type": "function",
        "function": {"name": name, "description": description, "parameters": {"type": "object"}},
    }


def turn(text: str, *calls: tuple[str, str, str]) -> list[dict[str, Any]]:
    """An assistant message and what its calls (tool, argument, result) brought back."""
    ids = [f"{i} {name} {value} {text}" for i, (name, value, _) in enumerate(calls)]
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if calls:
        message["tool_calls"] = [
            {
                "id": id_,
                "type": "function",
                "function": {"name": name, "arguments": json.dumps({"value": argument})},
            }
            for id_, (name, argument, _) in zip(ids, calls, strict=True)
        ]
    results = [
        {"role": "tool", "tool_call_id": id_, "name": name, "content": result}
        for id_, (name, _, result) in zip(ids, calls, strict=True)
    ]
    return [message, *results]


def chat(*turns: list[dict[str, Any]], tools: tuple[str, ...] = ("findAlpha", "findBeta")) -> Chat:
    return {
        "model": "gpt-4.1",
        "tools": [tool(name) for name in tools],
        "messages": [
            {"role": "system", "content": "Answer the question with the tools."},
            {"role": "user", "content": "What is the colour of the harbour gate?"},
            *[message for messages in turns for message in messages],
        ],
    }


def ledger_of(folder: Path, chats: list[Chat], **options: Any) -> Path:
    folder.mkdir(parents=True)
    file = folder / "chats.jsonl"
    file.write_text("\n".join(json.dumps(c) for c in chats) + "\n")
    ledger = folder / "ledger"
    measure([file], ledger, MeasureOptions(format="openai_chat", workers=1, **options))
    return ledger
