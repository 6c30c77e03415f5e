"""The line that a piece begins with, whoever was there before."""

import os
from itertools import pairwise
from pathlib import Path

import pytest

from agentdyno.intake import line_numbers
from agentdyno.intake.format import Source
from agentdyno.intake.line_numbers import line_at
from agentdyno.intake.streams import lines

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
