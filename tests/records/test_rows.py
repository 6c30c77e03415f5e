"""Rows read as a tuple of values does, whoever made them; precision; secrets."""

from collections import Counter

import pytest
from msgspec.structs import astuple

from agentdyno.records import Part, ToolCall
from agentdyno.records.precision import Reading, SecondReading, measure_readings
from agentdyno.records.rows import GrowingRows, Rows, as_rows
from agentdyno.records.secrets import clean_field, clean_text
from agentdyno.records.secrets.batch import find_changes
from tests.fake_secrets import FAKES
from tests.labelled import from_set

PARTS = (Part("user", "hi"), Part("text", "hello", made=0), Part("user", "bye", enters=1))


def test_rows_are_as_good_as_the_tuple_they_were_made_from() -> None:
    rows = as_rows(Part, PARTS)
    assert (rows, list(rows), len(rows), rows[1]) == (PARTS, list(PARTS), 3, PARTS[1])
    assert (rows[-1], rows[1:]) == (PARTS[2], PARTS[1:])
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


def _reading(first: bool, second: bool | None, day: str = "2026-11-17") -> Reading:
    again = SecondReading(second, "definition", day)
    return Reading("join", "a.jsonl", 1, first, "definition", "2026-11-15", second=again)


def test_a_finding_counts_as_right_only_where_both_readers_say_so() -> None:
    once = Reading("join", "a.jsonl", 1, True, "definition", "2026-11-18")
    pairs = [(True, True), (True, False), (False, True), (False, None), (True, None)]
    found = measure_readings([once, *(_reading(first, second) for first, second in pairs)])
    assert (found.right, found.read, found.unclear, found.once) == (1, 4, 1, 1)
    assert found.latest == "2026-11-17"


def test_findings_that_were_read_once_are_never_enough() -> None:
    once = Reading("join", "a.jsonl", 1, True, "definition", "2026-11-18")
    assert not measure_readings([once] * 100).is_enough
    assert measure_readings([_reading(True, True)] * 30).is_enough


@pytest.mark.parametrize("kind", FAKES)
def test_nothing_of_a_secret_is_left_but_its_kind(kind: str) -> None:
    fake, inner = FAKES[kind]
    for text in (fake, f"before {fake} after", f'{{"x": "{fake}"}}', f"A={fake}\nB=2", f"({fake})"):
        counts: Counter[str] = Counter()
        cleaned = clean_text(text, counts)
        assert inner not in cleaned
        assert f"[secret: {kind}" in cleaned
        assert counts[kind] == 1
        assert clean_text(cleaned) == cleaned


@pytest.mark.parametrize("kind", FAKES)
def test_the_quick_look_misses_none(kind: str) -> None:
    fake, inner = FAKES[kind]
    assert inner not in find_changes([f"x {fake} y"])[f"x {fake} y"]


def test_two_secrets_are_told_apart_and_a_password_gets_no_digest() -> None:
    one, other = (clean_text(f"sk-proj-{'a1B2' * 6}{end}") for end in "xy")
    assert one != other
    assert one == clean_text(f"sk-proj-{'a1B2' * 6}x")
    assert clean_text("https://me:hunter2secret@host/x") == "https://me:[secret: password]@host/x"


@from_set("records/rows", "text")
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert clean_text(text) == text


def test_a_secret_that_a_cut_left_half_of_is_found_at_the_end_only() -> None:
    long = "could not authenticate against the service with the key "
    assert clean_field(f"{long}sk-proj-a1B2") == f"{long}[secret: cut off]"
    assert clean_field(f"{long}sk-proj-a1B2 and more") == f"{long}sk-proj-a1B2 and more"
    assert clean_field("sk-proj-a1B2") == "sk-proj-a1B2"  # Too short to have been cut.


def test_a_private_key_without_its_end_takes_what_may_belong_to_it() -> None:
    text = "-----BEGIN RSA PRIVATE KEY-----\\nMIIEpAIBAAKCAQEA\\nabc"
    assert clean_text(text).startswith("[secret: private-key")
    assert "MIIE" not in clean_text(text)
    assert clean_text(f'{{"key": "{text}", "other": "kept"}}').endswith('"other": "kept"}')
