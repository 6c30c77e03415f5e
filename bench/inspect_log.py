"""Writes a large Inspect log in today's shape, for measuring how fast it is read.

A zip (deflate) with one member per sample: messages in a pool, every model event with the schemas
of all offered tools and the raw exchange with the provider, long texts as attachments, spans
around tools and scorers. Needs nothing of Inspect.

    python bench/inspect_log.py out.eval --samples 2000 --turns 10 --tools 11
"""

import argparse
import random
import zipfile
from datetime import UTC, datetime, timedelta
from hashlib import md5
from pathlib import Path
from typing import Any

import msgspec

MODEL = "openai/gpt-4o-mini"
START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
WORDS = [
    "harbour", "ledger", "copper", "window", "silver", "meadow", "engine", "lantern", "river",
    "paper", "signal", "orchard", "marble", "station", "thunder", "violet", "compass", "granite",
    "whisper", "ladder", "pepper", "cotton", "mirror", "anchor",
]  # fmt: skip
_encode = msgspec.json.Encoder().encode


def write_log(path: Path, samples: int, turns: int, tools: int, seed: int = 0) -> None:
    """Writes the log; the same arguments give the same bytes."""
    chance = random.Random(seed)
    schemas = [_schema(index, chance) for index in range(tools)]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        _add(archive, "_journal/start.json", _header(samples, turns) | {"status": "started"})
        for number in range(1, samples + 1):
            sample = _Sample(number, turns, schemas, chance).written()
            _add(archive, f"samples/{number}_epoch_1.json", sample)
        _add(archive, "header.json", _header(samples, turns))


def _add(archive: zipfile.ZipFile, name: str, value: Any) -> None:
    # A fixed date, so that the archive's bytes depend on the arguments alone.
    info = zipfile.ZipInfo(name, (2026, 1, 5, 9, 0, 0))
    archive.writestr(info, _encode(value), zipfile.ZIP_DEFLATED, 6)


def _header(samples: int, turns: int) -> dict[str, Any]:
    spec = {
        "eval_id": "bench",
        "run_id": "bench",
        "created": START.isoformat(),
        "task": "lookup_bench",
        "task_id": "bench",
        "task_version": 0,
        "dataset": {"samples": samples, "sample_ids": list(range(1, samples + 1))},
        "model": MODEL,
        "model_args": {},
        "config": {"epochs": 1},
        "packages": {"inspect_ai": "0.3.285"},
    }
    results = {"total_samples": samples, "completed_samples": samples, "scores": []}
    stats = {"started_at": START.isoformat(), "completed_at": START.isoformat(), "model_usage": {}}
    plan = {"name": "plan", "steps": [{"solver": "react", "params": {"turns": turns}}]}
    return {
        "version": 2, "status": "success", "eval": spec, "plan": plan,
        "results": results, "stats": stats,
    }  # fmt: skip


def _schema(index: int, chance: random.Random) -> dict[str, Any]:
    names = [f"{chance.choice(WORDS)}_{n}" for n in range(2)]
    parameters = {
        "type": "object",
        "properties": {n: {"type": "string", "description": _prose(chance, 4)} for n in names},
        "required": names[:1],
        "additionalProperties": False,
    }
    return {"name": f"tool_{index}", "description": _prose(chance, 9), "parameters": parameters}


def _prose(chance: random.Random, words: int) -> str:
    return " ".join(chance.choices(WORDS, k=words)) + "."


class _Sample:
    """One sample under construction; time passes with every event."""

    def __init__(
        self, number: int, turns: int, schemas: list[dict[str, Any]], chance: random.Random
    ) -> None:
        self.number, self.turns, self.schemas, self.chance = number, turns, schemas, chance
        self.now = START + timedelta(seconds=number)
        self.events: list[dict[str, Any]] = []
        self.pool: list[dict[str, Any]] = []
        self.exchanged: list[dict[str, Any]] = []
        self.messages: list[dict[str, Any]] = []
        self.attachments: dict[str, str] = {}

    def written(self) -> dict[str, Any]:
        task = _prose(self.chance, 24)
        self._given("system", _prose(self.chance, 60))
        self._given("user", task)
        self._span("solvers", "solvers", None)
        self._span("agent", "agent", "solvers")
        for turn in range(self.turns):
            self._turn(turn)
        self._span_end("agent")
        self._span_end("solvers")
        self._score()
        return {
            "id": self.number, "epoch": 1, "input": task, "target": "42",
            "messages": self.messages, "output": self.events[-4].get("output", _NO_OUTPUT),
            "scores": {"match": {"value": "C" if self.number % 3 else "I", "history": []}},
            "metadata": {"level": "easy" if self.number % 2 else "hard"}, "store": {},
            "events": self.events, "model_usage": {}, "attachments": self.attachments,
            "events_data": {"messages": self.pool, "calls": self.exchanged},
        }  # fmt: skip

    def _turn(self, turn: int) -> None:
        call = None if turn == self.turns - 1 else self._call(turn)
        started, seen = self._stamp(), len(self.pool)
        message = self._answer(turn, call)
        self.now += timedelta(seconds=1.25)
        usage = self._usage(seen)
        self.events.append(
            self._event("model", "agent", started)
            | {
                "model": MODEL, "input": [], "input_refs": [[0, seen]], "tools": self.schemas,
                "tool_choice": "auto", "config": {"temperature": 0.0},
                "output": _output(message, usage), "completed": self._stamp(),
                "call": self._exchange(message, seen), "working_time": 1.2,
            }
        )  # fmt: skip
        self._remember(message)
        if call is not None:
            self._tool(turn, call)

    def _call(self, turn: int) -> dict[str, Any]:
        tool = self.chance.choice(self.schemas)
        names = list(tool["parameters"]["properties"])
        arguments = {name: _prose(self.chance, 2) for name in names}
        name = f"call_{self.number}_{turn}"
        return {"id": name, "function": tool["name"], "arguments": arguments, "type": "function"}

    def _answer(self, turn: int, call: dict[str, Any] | None) -> dict[str, Any]:
        message: dict[str, Any] = {
            "id": f"answer-{self.number}-{turn}",
            "content": self._kept(_prose(self.chance, 12)),
            "source": "generate",
            "role": "assistant",
        }
        return message if call is None else message | {"tool_calls": [call], "model": MODEL}

    def _usage(self, seen: int) -> dict[str, int]:
        context = 900 + 90 * seen
        cached = context // 2
        return {
            "input_tokens": context - cached, "output_tokens": 40, "total_tokens": context + 40,
            "input_tokens_cache_read": cached, "reasoning_tokens": 0,
        }  # fmt: skip

    def _exchange(self, message: dict[str, Any], seen: int) -> dict[str, Any]:
        offered = [{"type": "function", "function": schema} for schema in self.schemas]
        called = [
            {
                "id": call["id"],
                "type": "function",
                "function": {
                    "name": call["function"],
                    "arguments": _encode(call["arguments"]).decode(),
                },
            }
            for call in message.get("tool_calls", [])
        ]
        answer = {"role": "assistant", "content": message["content"], "tool_calls": called}
        return {
            "request": {"model": MODEL, "tools": offered, "temperature": 0.0},
            "response": {"id": "chatcmpl", "choices": [{"index": 0, "message": answer}]},
            "call_refs": [[0, seen]],
            "call_key": "messages",
            "time": 1.2,
        }

    def _tool(self, turn: int, call: dict[str, Any]) -> None:
        span = f"tool-{turn}"
        self._span(span, "tool", "agent")
        started, result = self._stamp(), _prose(self.chance, 40)
        self.now += timedelta(seconds=0.4)
        self.events.append(
            self._event("tool", "agent", started)
            | {
                "type": "function", "id": call["id"], "function": call["function"],
                "arguments": call["arguments"], "result": self._kept(result), "events": [],
                "completed": self._stamp(), "working_time": 0.4,
            }
        )  # fmt: skip
        self._span_end(span)
        about = {"tool_call_id": call["id"], "function": call["function"]}
        self._given("tool", result, about)

    def _score(self) -> None:
        self._span("scorers", "scorers", None)
        graded = self._event("score", "scorers", self._stamp())
        self.events.append(graded | {"score": {"value": "C"}, "target": "42"})
        self._span_end("scorers")

    def _given(self, role: str, text: str, about: dict[str, str] | None = None) -> None:
        message = {"id": f"{role}-{self.number}-{len(self.pool)}", "content": text, "role": role}
        message |= about or {}
        self._remember(message)

    def _remember(self, message: dict[str, Any]) -> None:
        self.messages.append(message)
        self.pool.append(message | {"content": self._kept(message["content"])})
        self.exchanged.append({"role": message["role"], "content": self._kept(message["content"])})

    def _kept(self, text: str) -> str:
        """Inspect keeps texts of more than 100 characters once, under a hash."""
        if len(text) <= 100 or text.startswith("attachment://"):
            return text
        name = md5(text.encode(), usedforsecurity=False).hexdigest()
        self.attachments[name] = text
        return f"attachment://{name}"

    def _span(self, name: str, kind: str, parent: str | None) -> None:
        begin = self._event("span_begin", name, self._stamp())
        self.events.append(begin | {"id": name, "parent_id": parent, "type": kind, "name": name})

    def _span_end(self, name: str) -> None:
        self.events.append(self._event("span_end", name, self._stamp()) | {"id": name})

    def _event(self, kind: str, span: str, at: str) -> dict[str, Any]:
        name = f"{self.number}-{len(self.events)}"
        return {"uuid": name, "span_id": span, "timestamp": at, "working_start": 0.5, "event": kind}

    def _stamp(self) -> str:
        return self.now.isoformat(timespec="microseconds")


_NO_OUTPUT: dict[str, Any] = {"model": MODEL, "choices": [], "completion": ""}


def _output(message: dict[str, Any], usage: dict[str, int]) -> dict[str, Any]:
    finish = "tool_calls" if "tool_calls" in message else "stop"
    return {
        "model": MODEL,
        "choices": [{"message": message, "stop_reason": finish}],
        "completion": message["content"],
        "usage": usage,
        "time": 1.2,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("path", type=Path)
    parser.add_argument("--samples", type=int, default=2000)
    parser.add_argument("--turns", type=int, default=10)
    parser.add_argument("--tools", type=int, default=11)
    options = parser.parse_args()
    write_log(options.path, options.samples, options.turns, options.tools)


if __name__ == "__main__":
    main()
