"""Records out of large and damaged files."""

import json
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdyno.intake import documents
from agentdyno.intake.documents import elements, layout, open_document, read_span
from agentdyno.intake.source import Source
from agentdyno.intake.streams import Record, bad, decode, lines
from agentdyno.records import UnreadableError
from tests.labelled import from_set
from tests.rows import differences


def source(folder: Path, data: bytes, limit: int = 2**20) -> Source:
    path = folder / "file"
    path.write_bytes(data)
    return Source(path, "file", max_record_bytes=limit)


def told(records: Iterable[Record]) -> list[SimpleNamespace]:
    return [
        SimpleNamespace(
            place=record.place,
            locator=record.locator,
            text=record.data.decode(),
            stripped=record.data.decode().strip(),
            is_bad=record.problem is not None,
        )
        for record in records
    ]


@from_set("intake/streams", "why", "text", "limit", "expected")
def test_what_lines_hold(
    tmp_path: Path, why: str, text: str, limit: int, expected: dict[str, list[Any]]
) -> None:
    assert differences(told(lines(source(tmp_path, text.encode(), limit))), expected) == {}, why


@from_set("intake/streams", "why", "text", "limit", "name", "expected")
def test_what_a_document_holds(
    tmp_path: Path, why: str, text: str, limit: int, name: str | None, expected: dict[str, Any]
) -> None:
    document = open_document(source(tmp_path, text.encode(), limit), name)
    assert differences(told(document.records), expected) == {}, why


@given(
    rows=st.lists(st.binary(max_size=8).map(lambda b: b.replace(b"\n", b"").strip()), max_size=12),
    cuts=st.lists(st.integers(0, 60), max_size=3),
)
def test_pieces_hold_every_line_once(
    rows: list[bytes], cuts: list[int], tmp_path_factory: pytest.TempPathFactory
) -> None:
    data = b"\n".join(row.removeprefix(b"\xef\xbb\xbf").strip() for row in rows)
    path = tmp_path_factory.getbasetemp() / "pieces"
    path.write_bytes(data)
    edges = [0, *sorted(min(cut, len(data)) for cut in cuts), None]
    pieces = [
        record.data
        for start, stop in pairwise(edges)
        for record in lines(Source(path, "f", start or 0, stop))
    ]
    assert pieces == [record.data for record in lines(Source(path, "f"))]


class Rollout(msgspec.Struct):
    tokens: int


WANTED = msgspec.json.Decoder(Rollout)


@pytest.mark.parametrize(
    ("data", "expected", "found"),
    [
        (b'{"tokens": "n/a"}', "int at $.tokens", "str"),
        (b"{}", "a field tokens", "none"),
        (b'{"tokens": 1', "JSON", "Input data was truncated in '{\"tokens\": 1'"),
        (b"[" * 3000, "object", "array"),
    ],
)
def test_what_does_not_fit_is_told_in_our_words(data: bytes, expected: str, found: str) -> None:
    with pytest.raises(UnreadableError) as caught:
        decode(data, WANTED)
    assert (caught.value.expected, caught.value.found) == (expected, found)


def test_nesting_without_end_is_no_exception_of_pythons() -> None:
    with pytest.raises(UnreadableError) as caught:
        decode(b"[" * 100_000, msgspec.json.Decoder())
    assert caught.value.expected == "JSON of ordinary depth"


@pytest.mark.parametrize("data", [b"\xff\xfe{", b'{"a": "\xc3', b"\x00", b"", b'"\x1b[31m'])
def test_what_is_found_is_fit_for_a_terminal(data: bytes) -> None:
    with pytest.raises(UnreadableError) as caught:
        decode(data, msgspec.json.Decoder())
    assert caught.value.found.isprintable()


def test_a_problem_becomes_a_row_with_its_place(tmp_path: Path) -> None:
    row = bad(source(tmp_path, b""), "fmt", "line 3", UnreadableError("int", "str"))
    assert str(row) == "file: line 3: expected int, found str"
    inner = bad(source(tmp_path, b""), "fmt", "line 3", UnreadableError("int", "str", "line 4"))
    assert inner.place == "line 4"


DOCUMENT = {
    "info": {"list": [1, {"runs": [2]}]},
    "runs": [{"id": 0, "text": 'a "quoted" ]}, \\ end'}, {"id": 1}, [], {"id": 3}],
    "after": "x",
}


@pytest.mark.parametrize("limit", [2**20, 100], ids=["small", "scanned"])
@pytest.mark.parametrize("indent", [None, 2])
def test_a_document_is_taken_apart_the_same_way_small_or_large(
    tmp_path: Path, limit: int, indent: int | None
) -> None:
    data = json.dumps(DOCUMENT, indent=indent).encode()
    document = open_document(source(tmp_path, data, limit), "runs")
    records = list(document.records)
    assert [(r.place, r.locator) for r in records] == [(f"runs[{n}]", str(n)) for n in range(4)]
    assert [json.loads(r.data) for r in records if not r.problem] == DOCUMENT["runs"]
    assert json.loads(document.fields["after"]) == "x"
    assert "runs" not in document.fields


def test_a_document_cut_off_gives_what_is_whole_and_says_so(tmp_path: Path) -> None:
    document = open_document(source(tmp_path, b'{"runs": [{"a":1}, {"b":2}, {"c"'), "runs")
    *whole, cut = document.records
    assert [r.data.strip() for r in whole] == [b'{"a":1}', b'{"b":2}']
    assert (cut.place, cut.problem.found) == ("after runs[1]", "the file ends early")


def test_strings_over_the_edge_of_a_chunk_are_one_token(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documents, "CHUNK", 1)
    data = json.dumps(DOCUMENT).encode()
    here = source(tmp_path, data, 60)
    found = layout(here.path, "runs")
    assert found.complete
    spans = [json.loads(read_span(here.path, span)) for span in found.elements]
    assert spans == DOCUMENT["runs"]
    assert len(list(elements(here, "runs", found))) == 4


def test_a_quote_that_is_never_closed_ends_the_scan(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documents, "CHUNK", 8)
    monkeypatch.setattr(documents, "MAX_STRING", 100)
    data = b'{"runs": [{"a":1}, "' + b"[{]}" * 200
    *whole, cut = open_document(source(tmp_path, data), "runs").records
    assert [r.data.strip() for r in whole] == [b'{"a":1}']
    assert cut.problem is not None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=10,
)


@settings(max_examples=50)
@given(
    runs=st.lists(st.dictionaries(st.text(max_size=3), JSON, max_size=3), max_size=5),
    other=JSON,
    indent=st.sampled_from([None, 1]),
)
def test_the_scan_finds_what_a_parser_finds(
    runs: list[object], other: object, indent: int | None, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.getbasetemp() / "document"
    path.write_text(json.dumps({"other": other, "runs": runs}, indent=indent))
    found = layout(path, "runs")
    assert found.complete
    assert [json.loads(read_span(path, span)) for span in found.elements] == runs
    assert json.loads(read_span(path, found.fields["other"])) == other


def test_several_objects_on_one_line_are_several_records(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"a":1}{"a":2} {"a":"}{"}\n{"a":4}\n{"a":5}{"a":\n{"a":7}\n')
    decoder = msgspec.json.Decoder(dict[str, Any])
    read: list[Any] = []
    for record in lines(Source(path, "a")):
        try:
            read.append((record.locator, decode(record.data, decoder)["a"]))
        except UnreadableError:
            read.append((record.locator, None))
    expected = [("1", 1), ("1.2", 2), ("1.3", "}{"), ("2", 4), ("3", 5), ("3.2", None), ("4", 7)]
    assert read == expected


def test_an_object_that_does_not_fit_leaves_the_next_on_its_line(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"a":"no"}{"a":2}\n')
    decoder = msgspec.json.Decoder(dict[str, int])
    read: list[Any] = []
    for record in lines(Source(path, "a")):
        try:
            read.append((record.place, decode(record.data, decoder)["a"]))
        except UnreadableError as problem:
            read.append((record.place, problem.expected))
    assert read == [("line 1", "int at $[...]"), ("line 1, object 2", 2)]


def test_the_second_object_on_a_line_knows_its_line(tmp_path: Path) -> None:
    path = tmp_path / "two.jsonl"
    path.write_bytes(b'{"a": 1}\n{"a": 2}{"a": 3}\n')
    anything = msgspec.json.Decoder()
    records = lines(Source(path, path.name))
    found = [(decode(record.data, anything)["a"], record.line) for record in records]
    assert found == [(1, 1), (2, 2), (3, 2)]
