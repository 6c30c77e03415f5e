"""OpenAI chat: message lists, logs of requests, and what real endpoints put into them."""

import json
from functools import partial
from pathlib import Path

import pytest

from agentdyno.intake.formats.openai_chat import FORMAT
from agentdyno.intake.head import HEAD_BYTES, Head
from agentdyno.records import BadRecord, Trajectory
from tests.intake.formats.conformance import items_of, read_good

items = partial(items_of, "openai_chat")
trajectories = partial(read_good, "openai_chat")


def talk(asked: str, answer: str) -> bytes:
    messages = [{"role": "user", "content": asked}, {"role": "assistant", "content": answer}]
    return json.dumps({"messages": messages}).encode()


def test_lines_longer_than_the_beginning_are_still_lines(tmp_path: Path) -> None:
    path = tmp_path / "file.jsonl"
    path.write_bytes(b"\n".join(talk("x" * (HEAD_BYTES + 10), str(n)) for n in range(3)))
    assert FORMAT.detect(Head(path)) > 0
    assert len(trajectories(path)) == 3


GOOD = talk("a", "b")


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
    path = tmp_path / "f.jsonl"
    path.write_bytes(b"\n".join([GOOD, line, GOOD]))
    found = items(path)
    assert [type(item) for item in found] == [Trajectory, BadRecord, Trajectory]
    bad = found[1]
    assert isinstance(bad, BadRecord)
    assert (bad.place, bad.format) == ("line 2", "openai_chat")
