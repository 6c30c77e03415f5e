"""Rows read as a tuple of values does, whoever made them."""

import pytest
from msgspec.structs import astuple

from agentdyno.records import Part, ToolCall
from agentdyno.records.rows import GrowingRows, Rows, as_rows

PARTS = (Part("user", "hi"), Part("text", "hello", made=0), Part("user", "bye", enters=1))


def test_rows_are_as_good_as_the_tuple_they_were_made_from() -> None:
    rows = as_rows(Part, PARTS)
    assert rows == PARTS
    assert list(rows) == list(PARTS)
    assert len(rows) == 3
    assert rows[1] == PARTS[1]
    assert rows[-1] == PARTS[2]
    assert rows[1:] == PARTS[1:]
    assert hash(rows) == hash(PARTS)
    assert repr(rows) == repr(PARTS)
    assert rows == as_rows(Part, PARTS)
    assert rows != as_rows(Part, PARTS[:2])
    assert rows != 3
    with pytest.raises(IndexError):
        rows[3]


def test_empty_rows_of_two_types_are_two() -> None:
    assert Rows(Part, []) != Rows(ToolCall, [])
    assert not Rows(Part, [])


def test_a_column_is_one_field_of_every_value() -> None:
    rows = as_rows(Part, PARTS)
    assert rows.column("text") == ["hi", "hello", "bye"]
    assert rows.column("made") == [None, 0, None]
    assert as_rows(Part, rows) is rows


def test_what_is_filled_in_is_seen_by_whoever_looked_before() -> None:
    rows = as_rows(Part, PARTS)
    assert rows[0].name is None
    rows.fill("name", ["a", "b", "c"])
    assert [part.name for part in rows] == ["a", "b", "c"]


def test_rows_that_grow_show_what_was_changed_last() -> None:
    rows: GrowingRows[ToolCall] = GrowingRows(ToolCall)
    first = ToolCall(turn=0, call=0, tool="t", arguments="{}", request=0)
    rows.cells += astuple(first)
    assert rows[-1].result is None
    assert [call.tool for call in rows] == ["t"]
    rows.amend(0, result=4, executed=True)
    assert rows[0].result == 4
    assert rows[:1][0].executed
    with pytest.raises(IndexError):
        rows.amend(1, result=4)
