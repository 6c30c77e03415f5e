"""Writes talks in the shapes of five trace formats. Invents nothing but ids and times."""

import json
import random
from datetime import UTC, datetime, timedelta
from typing import Any

from sample_traces.talk import Call, Talk, Turn, Usage, usages

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def chat_line(talk: Talk) -> str:
    """OpenAI chat: the messages, and usage on every answer."""
    record = {
        "task_id": talk.task_id,
        "model": talk.model,
        **talk.about,
        "correct": talk.correct,
        "tools": _tools(talk),
        "messages": _messages(talk, with_usage=True),
    }
    return _json(record)


def log_lines(talk: Talk, session: str, rng: random.Random) -> list[str]:
    """Requests with their responses, each request with the whole history."""
    lines, messages = [], _messages(talk, with_usage=False)
    sizes = iter(usages(talk))
    for index, message in enumerate(messages):
        if message["role"] != "assistant":
            continue
        used = next(sizes)
        body = {"model": talk.model, "messages": messages[:index], "tools": _tools(talk)}
        finish = "tool_calls" if "tool_calls" in message else "stop"
        choice = {"index": 0, "message": message, "finish_reason": finish}
        response = {"model": talk.model, "choices": [choice], "usage": _usage(used)}
        record = {
            "session_id": session,
            "task_id": talk.task_id,
            "correct": talk.correct,
            "latency_seconds": _latency(used, rng),
            "request": body,
            "response": response,
        }
        lines.append(_json(record))
    return lines


def anthropic_line(talk: Talk) -> str:
    """Anthropic messages: calls and results in content blocks, cached tokens counted apart."""
    messages: list[dict[str, Any]] = []
    sizes = iter(usages(talk))
    for number, event in enumerate(talk.events):
        if isinstance(event, str):
            messages.append({"role": "user", "content": event})
            continue
        messages.append({"role": "assistant", **_anthropic_answer(event, number, next(sizes))})
        if event.calls:
            messages.append({"role": "user", "content": _results(event, number)})
    record = {
        "task_id": talk.task_id,
        "model": talk.model,
        **talk.about,
        "correct": talk.correct,
        "system": talk.system,
        "tools": [{**_bare(t), "input_schema": t["parameters"]} for t in talk.tools],
        "messages": messages,
    }
    return _json(record)


def session_lines(talk: Talk, session: str, rng: random.Random) -> list[str]:
    """A Claude Code session: one line per event, times on every line."""
    lines: list[str] = []
    clock, parent, sizes = START, None, iter(usages(talk))
    for number, event in enumerate(talk.events):
        if isinstance(event, str):
            rows: list[tuple[str, dict[str, Any], float]] = [
                ("user", {"role": "user", "content": event}, 5.0)
            ]
        else:
            used = next(sizes)
            answer = {"role": "assistant", **_anthropic_answer(event, number, used)}
            answer |= {"id": f"msg_{session[:8]}{number}", "model": talk.model}
            rows = [("assistant", answer, _latency(used, rng))]
            if event.calls:
                results = {"role": "user", "content": _results(event, number)}
                rows.append(("user", results, round(rng.uniform(0.05, 0.9), 2)))
        for kind, message, seconds in rows:
            clock += timedelta(seconds=seconds)
            uuid = f"{session[:8]}-{len(lines):04d}"
            line: dict[str, Any] = {
                "type": kind,
                "uuid": uuid,
                "parentUuid": parent,
                "sessionId": session,
            }
            line |= {"isSidechain": False, "timestamp": clock.isoformat(), "message": message}
            lines.append(_json(line))
            parent = uuid
    return lines


def tau_record(talk: Talk, trial: int) -> dict[str, Any]:
    """A tau-bench result: no usage, no schemas."""
    return {
        "task_id": int(talk.task_id),
        "reward": float(talk.correct),
        "info": {"task": {"user_id": "sample", "outputs": []}},
        "traj": _messages(talk, with_usage=False),
        "trial": trial,
    }


def _json(record: Any) -> str:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))


def _tools(talk: Talk) -> list[dict[str, Any]]:
    return [{"type": "function", "function": tool} for tool in talk.tools]


def _bare(tool: dict[str, Any]) -> dict[str, Any]:
    return {"name": tool["name"], "description": tool["description"]}


def _messages(talk: Talk, with_usage: bool) -> list[dict[str, Any]]:
    messages: list[dict[str, Any]] = [{"role": "system", "content": talk.system}]
    sizes = iter(usages(talk))
    for number, event in enumerate(talk.events):
        if isinstance(event, str):
            messages.append({"role": "user", "content": event})
            continue
        used = next(sizes)
        answer: dict[str, Any] = {"role": "assistant", "content": event.text or None}
        if event.reasoning:
            answer["reasoning_content"] = event.reasoning
        if event.calls:
            answer["tool_calls"] = [_call(c, number, i) for i, c in enumerate(event.calls)]
        if with_usage:
            answer["usage"] = _usage(used)
        messages.append(answer)
        messages += [
            {"role": "tool", "tool_call_id": _id(number, i), "name": c.tool, "content": c.result}
            for i, c in enumerate(event.calls)
        ]
    return messages


def _id(number: int, index: int) -> str:
    return f"call_{number}_{index}"


def _call(call: Call, number: int, index: int) -> dict[str, Any]:
    named = {"name": call.tool, "arguments": call.written}
    return {"id": _id(number, index), "type": "function", "function": named}


def _usage(used: Usage) -> dict[str, Any]:
    usage: dict[str, Any] = {
        "prompt_tokens": used.prompt,
        "completion_tokens": used.completion,
        "prompt_tokens_details": {"cached_tokens": used.cached},
    }
    if used.reasoning:
        usage["completion_tokens_details"] = {"reasoning_tokens": used.reasoning}
    return usage


def _anthropic_answer(turn: Turn, number: int, used: Usage) -> dict[str, Any]:
    blocks: list[dict[str, Any]] = []
    if turn.text:
        blocks.append({"type": "text", "text": turn.text})
    blocks += [
        {"type": "tool_use", "id": _id(number, i), "name": c.tool, "input": c.arguments}
        for i, c in enumerate(turn.calls)
    ]
    usage = {
        "input_tokens": used.prompt - used.cached,
        "cache_read_input_tokens": used.cached,
        "cache_creation_input_tokens": 0,
        "output_tokens": used.completion,
    }
    stop = "tool_use" if turn.calls else "end_turn"
    return {"content": blocks, "usage": usage, "stop_reason": stop}


def _results(turn: Turn, number: int) -> list[dict[str, Any]]:
    return [
        {"type": "tool_result", "tool_use_id": _id(number, i), "content": c.result}
        for i, c in enumerate(turn.calls)
    ]


def _latency(used: Usage, rng: random.Random) -> float:
    """Prefill is quick, decoding is not."""
    pure = 0.35 + (used.prompt - used.cached) * 0.00012 + used.completion * 0.011
    return round(pure * rng.uniform(0.9, 1.15), 3)
