"""Coding sessions of agents whose formats intake does not read, as lists of chat messages.

Takes a file of mini-swe-agent (2), Gemini CLI, OpenHands (evaluation output) or SWE-agent; returns
its sessions as OpenAI chat messages, which intake reads. Only what the labels need is kept: texts,
calls, results. Tokens and times are dropped.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Messages = list[dict[str, Any]]


def chats_of(path: Path) -> list[Messages]:
    """The sessions in the file, in order; none when the file is of another kind."""
    try:
        documents = [json.loads(path.read_text())]
    except ValueError:
        lines = path.read_text(errors="replace").splitlines()
        documents = [json.loads(line) for line in lines if line[:1] == "{"]
    return [list(messages) for d in documents if (messages := _messages(d)) is not None]


def _messages(document: Any) -> Iterator[dict[str, Any]] | None:
    if not isinstance(document, dict):
        return None
    if str(document.get("trajectory_format", "")).startswith("mini-swe-agent"):
        return _mini(document["messages"])
    if "projectHash" in document:
        return _gemini(document["messages"])
    if isinstance(document.get("trajectory"), list) and "environment" in document:
        return _swe_agent(document)
    if "instance_id" in document and isinstance(document.get("history"), list):
        return _openhands(document["history"])
    return None


def _mini(messages: Messages) -> Iterator[dict[str, Any]]:
    kept = ("role", "content", "tool_call_id")
    for message in messages:
        if message["role"] == "exit":
            continue
        calls = [
            _call(call["id"], call["function"]["name"], call["function"]["arguments"])
            for call in message.get("tool_calls") or []
        ]
        own = {key: message[key] for key in kept if key in message}
        yield own | ({"tool_calls": calls} if calls else {})


def _gemini(messages: Messages) -> Iterator[dict[str, Any]]:
    for message in messages:
        if message["type"] == "user":
            yield {"role": "user", "content": _text(message["content"])}
        elif message["type"] == "gemini":
            made = message.get("toolCalls") or []
            calls = [_call(each["id"], each["name"], json.dumps(each["args"])) for each in made]
            thoughts = "\n".join(t["description"] for t in message.get("thoughts") or [])
            yield (
                {"role": "assistant", "content": _text(message["content"])}
                | ({"reasoning_content": thoughts} if thoughts else {})
                | ({"tool_calls": calls} if calls else {})
            )
            for each in made:
                yield {"role": "tool", "tool_call_id": each["id"], "content": _answer(each)}


def _answer(call: dict[str, Any]) -> str:
    for part in call.get("result") or []:
        response = part.get("functionResponse", {}).get("response", {})
        return str(response.get("output") or response.get("error") or json.dumps(response))
    return ""


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content)
    return str(content or "")


def _openhands(history: Messages) -> Iterator[dict[str, Any]]:
    asked = False
    for event in history:
        meta = event.get("tool_call_metadata")
        if event.get("source") == "user" and event.get("action") == "message":
            asked = True
            yield {"role": "user", "content": event["message"]}
        elif meta and "action" in event and asked:
            message = meta["model_response"]["choices"][0]["message"]
            calls = [
                _call(c["id"], c["function"]["name"], c["function"]["arguments"])
                for c in message["tool_calls"]
                if c["id"] == meta["tool_call_id"]
            ]
            yield {"role": "assistant", "content": message["content"] or "", "tool_calls": calls}
        elif meta and "observation" in event and asked:
            yield {
                "role": "tool",
                "tool_call_id": meta["tool_call_id"],
                "content": event["content"],
            }


def _swe_agent(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    first = [m for m in document["history"] if m["role"] in ("system", "user")][:2]
    yield from ({"role": m["role"], "content": _text(m["content"])} for m in first)
    for number, step in enumerate(document["trajectory"]):
        action = json.dumps({"command": step["action"]})
        call = _call(f"step-{number}", "bash", action)
        yield {"role": "assistant", "content": step.get("thought") or "", "tool_calls": [call]}
        yield {"role": "tool", "tool_call_id": f"step-{number}", "content": step["observation"]}


def _call(name: str, tool: str, arguments: str) -> dict[str, Any]:
    return {"id": name, "type": "function", "function": {"name": tool, "arguments": arguments}}
