"""OpenAI chat: message lists, logs of requests, and what real endpoints put into them."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from agentdyno.intake.formats.openai_chat import FORMAT
from agentdyno.intake.head import HEAD_BYTES, Head
from agentdyno.records import BadRecord, Trajectory
from tests.intake.formats.conformance import items_of, read_good
from tests.labelled import from_set

items = partial(items_of, "openai_chat")
trajectories = partial(read_good, "openai_chat")


def written(folder: Path, content: Any, name: str = "file.json") -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return path


def by_line(folder: Path, *rows: Any) -> Path:
    return written(folder, b"\n".join(json.dumps(row).encode() for row in rows), "file.jsonl")


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def said(text: str | None, *calls: tuple[Any, str, Any], **more: Any) -> dict[str, Any]:
    made = [
        {"id": i, "type": "function", "function": {"name": n, "arguments": a}} for i, n, a in calls
    ]
    return {"role": "assistant", "content": text, **({"tool_calls": made} if made else {}), **more}


def one(folder: Path, *messages: Any, **fields: Any) -> Trajectory:
    [found] = trajectories(written(folder, {"messages": list(messages), **fields}))
    return found


def test_lines_longer_than_the_beginning_are_still_lines(tmp_path: Path) -> None:
    long = "x" * (HEAD_BYTES + 10)
    rows = [{"messages": [user(long), said(str(n))]} for n in range(3)]
    path = by_line(tmp_path, *rows)
    assert FORMAT.detect(Head(path)) > 0
    assert len(trajectories(path)) == 3


@from_set("intake/formats/openai_chat", "raw", "kept")
def test_arguments_are_kept_as_written(tmp_path: Path, raw: Any, kept: str) -> None:
    found = one(tmp_path, user("go"), said(None, ("c", "f", raw)))
    [call] = found.calls
    assert (call.arguments, call.executed, call.result) == (kept, False, None)


@from_set("intake/formats/openai_chat", "told", "counts")
def test_a_total_says_what_was_generated_beside_the_answer(
    tmp_path: Path, told: dict[str, Any], counts: tuple[int, int, int | None]
) -> None:
    usage = {"prompt_tokens": 35, "completion_tokens": 12, **told}
    turn = one(tmp_path, user("a"), said("b", usage=usage)).turns[0]
    assert (turn.prefill.tokens, turn.decode.tokens, turn.reasoning_tokens) == counts


GOOD = json.dumps({"messages": [user("a"), said("b")]}).encode()


@pytest.mark.parametrize(
    "line",
    [
        GOOD[:40],
        GOOD.replace(b'"a"', b'"a\x00"'),
        b"[" * 3000,
        GOOD.replace(b'"a"', b"[" * 100_000 + b"]" * 100_000),
        b'{"messages": 7}',
        GOOD[:-1] + b', "tools": [{"name": 1e999}]}',
        b'{"messages": [{"role": 7}]}',
        b'{"messages": [{"role": "user", "content": "no answer"}]}',
    ],
    ids=["half", "nul", "deep", "deep inside", "type", "range", "deep type", "no turn"],
)
def test_a_bad_line_costs_only_itself(tmp_path: Path, line: bytes) -> None:
    found = items(written(tmp_path, b"\n".join([GOOD, line, GOOD]), "f.jsonl"))
    assert [type(item) for item in found] == [Trajectory, BadRecord, Trajectory]
    bad = found[1]
    assert isinstance(bad, BadRecord)
    assert (bad.place, bad.format) == ("line 2", "openai_chat")
