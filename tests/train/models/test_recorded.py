"""Answers that were given elsewhere."""

import gzip
from pathlib import Path

import msgspec
import pytest

from agentdyno.records import InputError
from agentdyno_depth.engines.chat import ChatMessage
from agentdyno_train.models.recorded import (
    RecordedTurn,
    _lines,
    chat_key,
    read_recorded,
    read_unpacked,
    write_compressed,
)


def lines_of(file: Path) -> list[bytes]:
    return [line for _, line in _lines(read_unpacked(file)[0])]


CHAT = [ChatMessage("system", "Tools."), ChatMessage("user", "How many?")]


def written(folder: Path, attempts: list[tuple[str, int, str]]) -> Path:
    file = folder / "plays.jsonl"
    rows = [
        {"agent": agent, "attempt": number, "bench": "tps",
         "turns": [RecordedTurn(chat_key(CHAT), text, [1, 2], True)]}
        for agent, number, text in attempts
    ]  # fmt: skip
    file.write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))
    return file


def test_an_answer_is_found_by_the_chat_that_it_answers(tmp_path: Path) -> None:
    known = read_recorded(written(tmp_path, [("a", 0, "35"), ("b", 0, "36")]), "a")
    assert known[chat_key(CHAT)].text == "35"
    assert chat_key([*CHAT, ChatMessage("assistant", "35")]) not in known
    assert chat_key([CHAT[0], ChatMessage("user", "How many ?")]) not in known
    assert (
        chat_key([ChatMessage("system", "Tools.How"), ChatMessage("user", " many?")]) not in known
    )


def test_samples_are_not_taken_for_the_greedy_answer(tmp_path: Path) -> None:
    known = read_recorded(
        written(tmp_path, [("a", 3, "wild"), ("a", 0, "35"), ("a", -1, "slow")]), "a"
    )
    assert known[chat_key(CHAT)].text == "35"


def test_who_never_played_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="attempts of nobody"):
        read_recorded(written(tmp_path, [("a", 0, "35")]), "nobody")
    with pytest.raises(InputError, match="file of rollouts"):
        read_recorded(tmp_path / "none.jsonl", "a")


def test_lines_that_cannot_be_read_cost_no_other_and_are_counted_where_nothing_is_left(
    tmp_path: Path,
) -> None:
    file = written(tmp_path, [("a", 0, "35")])
    file.write_bytes(b'{"agent": "\xff"}\n[]\n' + file.read_bytes())
    assert read_recorded(file, "a")[chat_key(CHAT)].text == "35"
    with pytest.raises(InputError, match=r"found none \(2 lines cannot be read\)"):
        read_recorded(file, "nobody")


def test_what_a_kill_cut_off_is_left_out_compressed_or_not(tmp_path: Path) -> None:
    plain = tmp_path / "a.jsonl"
    plain.write_bytes(b'{"a": 1}\n{"a": 2}\n{"a"')
    assert list(lines_of(plain)) == [b'{"a": 1}', b'{"a": 2}']
    whole = write_compressed(plain)
    assert list(lines_of(whole)) == [b'{"a": 1}', b'{"a": 2}']
    rows = b"".join(b'{"number": %d}\n' % n for n in range(5000))
    cut = tmp_path / "cut.jsonl.gz"
    cut.write_bytes(gzip.compress(rows)[:-500])
    found = list(lines_of(cut))
    assert 0 < len(found) < 5000
    assert found == rows.split(b"\n")[: len(found)]
