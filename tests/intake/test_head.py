"""The beginning of a file tells its shape."""

import json
from pathlib import Path

import pytest

from agentdyno.intake.head import FEW_BYTES, HEAD_BYTES, Head


def head(folder: Path, data: bytes) -> Head:
    path = folder / "file"
    path.write_bytes(data)
    return Head(path)


def test_lines_are_the_records_that_decode(tmp_path: Path) -> None:
    found = head(tmp_path, b'{"a":1}\n{"b":\n[1]\n\n7\n"x"\n{}\n')
    assert found.lines == [{"a": 1}, [1]]
    assert found.first == {"a": 1}


def test_a_document_over_many_lines_has_no_lines(tmp_path: Path) -> None:
    document = {"messages": [{"role": "user"}], "required": ["a", "b"], "none": [{}]}
    found = head(tmp_path, json.dumps(document, indent=2).encode())
    assert (found.lines, found.is_lines) == ([], False)
    assert found.first == document


def test_objects_that_fit_their_line_inside_a_list_are_no_lines(tmp_path: Path) -> None:
    found = head(tmp_path, b'[\n  {"role": "user"},\n  {"role": "assistant"}\n]\n')
    assert (found.lines, found.is_lines, found.is_list) == ([], False, True)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b'{"a":1}\n{"b":2}\n', True),
        (b'{"a":1}\n{"b":', True),
        (b'{"a":1}\n', False),
        (b'{"a":1}\n\n \n', False),
        (b'\n{"a":1}\n', False),
        (b'{"a":', False),
        (b"", False),
    ],
)
def test_lines_are_more_than_one_record(tmp_path: Path, data: bytes, expected: bool) -> None:
    assert head(tmp_path, data).is_lines is expected


def test_a_first_line_longer_than_the_beginning_is_followed_to_its_end(tmp_path: Path) -> None:
    long = b'{"a":"' + b"x" * (2 * HEAD_BYTES) + b'"}'
    assert not head(tmp_path, long + b"\n").is_lines
    assert head(tmp_path, long + b"\n" + long).is_lines


def test_keys_are_those_of_the_first_object_only(tmp_path: Path) -> None:
    found = head(tmp_path, b'[{"a": {"inner": 1}, "b\\"q": ["x", {"y": 2}], "c": ":"}, {"d": 1}]')
    assert found.keys == {"a", 'b\\"q', "c"}


def test_keys_are_told_from_a_beginning_that_is_cut_off(tmp_path: Path) -> None:
    data = b'{"simulations": [{"id": 1}], "tasks": "' + b"x" * HEAD_BYTES + b'", "late": 1}'
    found = head(tmp_path, data)
    assert {"simulations", "tasks"} >= found.keys >= {"simulations"}
    assert found.first is None or found.first


def test_a_byte_order_mark_is_no_part_of_the_file(tmp_path: Path) -> None:
    found = head(tmp_path, b'\xef\xbb\xbf{"a":1}')
    assert (found.first, found.keys) == ({"a": 1}, {"a"})


@pytest.mark.parametrize("data", [b"\xff\xfe\x00", b"[" * 5000, b"\x00" * 10, b"{]", b'"\\'])
def test_hostile_beginnings_are_survived(tmp_path: Path, data: bytes) -> None:
    found = head(tmp_path, data)
    assert found.first is None
    assert (found.lines, found.is_lines, found.is_zip) == ([], False, False)
    assert not found.keys


def test_a_zip_is_told_by_its_first_bytes(tmp_path: Path) -> None:
    assert head(tmp_path, b"PK\x03\x04rest").is_zip


@pytest.mark.parametrize("rest", [b"", b"\n", b'\n{"z":1}\n', b' {"z":1}', b"\n{"])
def test_keys_do_not_depend_on_whether_the_first_line_decodes(tmp_path: Path, rest: bytes) -> None:
    line = b'{"a": {"inner": 1}, "b": ["x", {"y": 2}], "c": ":"}'
    assert head(tmp_path, line + rest).keys == {"a", "b", "c"}


def test_of_records_a_few_are_read_and_of_anything_else_the_whole_beginning(tmp_path: Path) -> None:
    records = b'{"a": "%s"}\n' % (b"x" * 1000) * 1000
    assert len(head(tmp_path, records).data) == FEW_BYTES
    assert len(head(tmp_path, b"[\n" + records).data) == HEAD_BYTES
    long = b'{"a": "%s"}\n' % (b"x" * 20_000) * 100
    assert len(head(tmp_path, long).data) == HEAD_BYTES
