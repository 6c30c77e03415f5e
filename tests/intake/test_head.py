"""The beginning of a file tells its shape; counts, line numbers, what fuzzing found, and formats
that are named as unreadable."""

import json
import math
import os
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from agentdyno.intake import line_numbers
from agentdyno.intake.builder import TrajectoryBuilder
from agentdyno.intake.counting import Counter
from agentdyno.intake.discover import find_known_format
from agentdyno.intake.exchange_log import Exchange, _Log
from agentdyno.intake.head import FEW_BYTES, HEAD_BYTES, Head
from agentdyno.intake.line_numbers import line_at
from agentdyno.intake.loose_bodies import loose_request
from agentdyno.intake.source import Source
from agentdyno.intake.streams import lines
from agentdyno.intake.texts import seconds
from agentdyno.intake.vocabularies import Vocabulary, load_tokenizer
from tests.labelled import from_set
from tests.rows import differences


def head(folder: Path, data: bytes) -> Head:
    path = folder / "file"
    path.write_bytes(data)
    return Head(path)


@from_set("intake/head", "why", "text", "expected")
def test_what_the_beginning_tells(
    tmp_path: Path, why: str, text: str, expected: dict[str, Any]
) -> None:
    assert differences(head(tmp_path, text.encode()), expected) == {}, why


def test_a_first_line_longer_than_the_beginning_is_followed_to_its_end(tmp_path: Path) -> None:
    long = b'{"a":"' + b"x" * (2 * HEAD_BYTES) + b'"}'
    assert not head(tmp_path, long + b"\n").is_lines
    assert head(tmp_path, long + b"\n" + long).is_lines


def test_keys_are_told_from_a_beginning_that_is_cut_off(tmp_path: Path) -> None:
    data = b'{"simulations": [{"id": 1}], "tasks": "' + b"x" * HEAD_BYTES + b'", "late": 1}'
    found = head(tmp_path, data)
    assert {"simulations", "tasks"} >= found.keys >= {"simulations"}
    assert found.first is None or found.first


@pytest.mark.parametrize("data", [b"\xff\xfe\x00", b"[" * 5000, b"\x00" * 10, b"{]", b'"\\'])
def test_hostile_beginnings_are_survived(tmp_path: Path, data: bytes) -> None:
    found = head(tmp_path, data)
    assert (found.first, found.lines, found.is_lines, found.is_zip) == (None, [], False, False)
    assert not found.keys


def test_of_records_a_few_are_read_and_of_anything_else_the_whole_beginning(tmp_path: Path) -> None:
    records = b'{"a": "%s"}\n' % (b"x" * 1000) * 1000
    assert len(head(tmp_path, records).data) == FEW_BYTES
    assert len(head(tmp_path, b"[\n" + records).data) == HEAD_BYTES
    long = b'{"a": "%s"}\n' % (b"x" * 20_000) * 100
    assert len(head(tmp_path, long).data) == HEAD_BYTES


TEXTS = [
    "", "hello world", " lead", "trail ", "   ", "\n\n\t x", "über 漢字 😀", "x" * 3000,
    '{"a": [1, 2]}', "<|endoftext|>", "a<|endofprompt|>b", "<|im_start|>user", "</s>", "<s>",
    "<unk>", "<bos>", "[INST] x [/INST]", "a <tool_call> b", "<think>no</think>",
    "<table><b>bold</b></table>", "half a pair \ud83d of surrogates",
]  # fmt: skip


@pytest.mark.parametrize("name", ["o200k_base", "qwen3", "llama2", "gemma3", "mistral_v3"])
def test_a_batch_counts_as_one_by_one_does(name: str) -> None:
    encode = load_tokenizer(name).encode_ordinary
    alone = [
        len(encode(text.encode("utf-8", "replace").decode())) - len(encode("")) for text in TEXTS
    ]
    counter = Counter(Vocabulary(name, "counted"))
    assert counter.count(TEXTS) == alone
    assert counter.count([*reversed(TEXTS), "hello world"]) == [*reversed(alone), alone[1]]


def test_a_special_token_spelled_out_is_text_and_not_the_token() -> None:
    counter = Counter(Vocabulary("o200k_base", "counted"))
    assert counter.count(["plain", "<|endoftext|>"]) == [1, 7]


def test_the_cache_may_be_emptied_between_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("agentdyno.intake.counting.MAX_CACHED_CHARACTERS", 5)
    counter = Counter(Vocabulary("o200k_base", "counted"))
    first = counter.count(["hello world", "goodbye", "hello world", "goodbye"])[:2]
    assert counter.count(["goodbye", "a longer text", "hello world"])[::2] == first[::-1]


def test_only_what_came_more_than_once_is_held_on_to(monkeypatch: pytest.MonkeyPatch) -> None:
    counter = Counter(Vocabulary("o200k_base", "counted"))
    first = counter.count(["a prompt", "a result", "a prompt"])
    counted: list[str] = []
    monkeypatch.setattr(counter, "_counts", lambda texts: counted.extend(texts) or [2] * len(texts))
    assert counter.count(["a prompt", "a result"]) == first[:2]
    assert counted == ["a result"]


TEXT = b'{"a":1}\n\n{"b":2}\r\n  \n{"c":"' + b"x" * 50 + b'"}\n{"d":4}'


@pytest.mark.parametrize("step", [1, 2, 7, 20, 64])
def test_pieces_name_the_lines_that_the_whole_file_does(tmp_path: Path, step: int) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(TEXT)
    whole = [record.locator for record in lines(Source(path, "a"))]
    edges = [*range(0, len(TEXT), step), len(TEXT)]
    pieces = [Source(path, "a", start, stop) for start, stop in pairwise(edges)]
    assert whole == ["1", "3", "5", "6"]
    assert [r.locator for piece in pieces for r in lines(piece)] == whole
    # In any order, as workers take them.
    os.utime(path, ns=(1, 1))
    backwards = [r.locator for piece in reversed(pieces) for r in reversed([*lines(piece)])]
    assert backwards == whole[::-1]


def test_what_was_read_is_not_counted_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"{}\n" * 100)
    assert [r.locator for r in lines(Source(path, "a", 0, 150))][-1] == "50"

    def refuse(*_: object) -> int:
        raise AssertionError("counted")

    monkeypatch.setattr(line_numbers, "_newlines", refuse)
    assert next(lines(Source(path, "a", 150, 300))).locator == "51"


def test_a_file_that_was_written_anew_is_counted_anew(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"{}\n" * 100)
    assert line_at(path, 150) == 51
    path.write_bytes(b"{  }\n" * 60)
    os.utime(path, ns=(5, 5))
    assert line_at(path, 150) == 31


@pytest.mark.parametrize("odd", [["tool"], {"name": "tool"}])
def test_a_role_or_a_name_of_another_type_is_no_tools_name(odd: Any) -> None:
    call = {"role": "assistant", "tool_calls": [{"function": {"name": odd}}]}
    answer = {"role": odd, "content": "3"}
    assert loose_request([call, answer])["messages"][1]["role"] == odd


@pytest.mark.parametrize(
    "odd",
    [
        10**400, -1, 0, True, math.nan, math.inf, -math.inf, 1e18 * 5, "9999-12-31T23:59:59-23:59",
        "0001-01-01T00:00:00+23:59", "1999-12-31T23:59:59Z", "2101-01-01T00:00:00Z", "soon", {}, [],
    ],
)  # fmt: skip
def test_a_time_outside_the_years_2000_to_2100_is_unknown(odd: Any) -> None:
    assert seconds(odd) is None


@pytest.mark.parametrize("unit", [1, 10**3, 10**6, 10**9])
def test_a_count_since_1970_is_a_time_in_whatever_unit(unit: int) -> None:
    assert seconds(1_790_000_000 * unit) == 1_790_000_000
    assert seconds(946_684_800 * unit) == 946_684_800  # The first second of 2000.
    assert seconds(4_133_980_799 * unit) == 4_133_980_799  # The last of 2100.


def test_an_earlier_response_that_is_no_name_is_none() -> None:
    log = _Log()
    request = {"input": "hello", "previous_response_id": ["one"]}
    log.take(Exchange(locator="0", request=request, response={"output": []}))
    assert len(log.threads) == 1


def test_parts_that_left_once_stay_as_they_left() -> None:
    builder = TrajectoryBuilder()
    first = builder.user("one")
    builder.turn()
    hidden = builder.reasoning("thought", resent=False)
    builder.retire_from(0)
    second = builder.user("two")
    builder.resend(hidden)
    builder.turn()
    builder.retire_from(first)
    builder.retire_from(first)
    parts = [builder.parts[index] for index in (first, hidden, second)]
    assert [(part.enters, part.leaves) for part in parts] == [(0, 1), (1, 2), (1, 2)]


@from_set("intake/head", "name", "document")
def test_a_known_format_is_called_by_its_name(
    tmp_path: Path, name: str | None, document: Any
) -> None:
    found = find_known_format(head(tmp_path, json.dumps(document).encode()))
    assert found is None if name is None else name in (found or "")
