"""One value of a JSON text changes, and no other byte."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentdyno.records import InputError
from agentdyno.studies.cost.lever import FileEdit
from agentdyno_daily.changes.config_files import apply_edit
from agentdyno_daily.changes.json_edits import JsonText

FILE = Path("settings.json")
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abcd"), inner, max_size=3)
    ),
    max_leaves=12,
)
OBJECTS = st.dictionaries(st.sampled_from("abcde"), VALUES, min_size=1, max_size=4)
FORMS = st.sampled_from([None, 0, 2, 4, "\t"])


@given(OBJECTS, FORMS, st.sampled_from(["\n", "\r\n"]), st.sampled_from(["", "\n"]), VALUES)
def test_a_value_that_is_added_is_all_that_is_added(
    data: dict[str, Any], indent: int | str | None, end: str, last: str, value: Any
) -> None:
    text = json.dumps(data, indent=indent).replace("\n", end) + last
    new = JsonText(FILE, text).set(["new", "inner"], value)
    assert json.loads(new.text) == data | {"new": {"inner": value}}
    assert "\r" in new.text or end == "\n" or "\n" not in text.strip()
    assert not re.search(r"[^\r]\n", new.text.rstrip("\n")) or end == "\n"
    assert new.remove(["new"]).text == text
    same = next((n for n, (a, b) in enumerate(zip(text, new.text, strict=False)) if a != b), 0)
    assert new.text.endswith(text[same:])


@given(OBJECTS, FORMS, st.sampled_from("abcde"), VALUES)
def test_setting_and_removing_agree_with_a_dictionary(
    data: dict[str, Any], indent: int | str | None, name: str, value: Any
) -> None:
    file = JsonText(FILE, json.dumps(data, indent=indent))
    assert json.loads(file.set([name], value).text) == data | {name: value}
    if name in data:
        rest = {key: inner for key, inner in data.items() if key != name}
        assert json.loads(file.remove([name]).text) == rest


@given(st.lists(VALUES, min_size=1, max_size=4), FORMS, st.integers(0, 3))
def test_elements_of_lists_come_and_go(
    data: list[Any], indent: int | str | None, place: int
) -> None:
    text = json.dumps({"a": data}, indent=indent)
    new = JsonText(FILE, text).append(["a"], "x")
    assert new.list_at(["a"]) == [*data, "x"]
    assert new.remove(["a", len(data)]).text == text
    place %= len(data)
    assert new.remove(["a", place]).list_at(["a"]) == [*data[:place], *data[place + 1 :], "x"]


def edit(text: str, key: list[str], value: Any, adds: bool = False, name: str = "s.json") -> str:
    change = FileEdit(agent="x", file=name, key=key, value=value, adds=adds)
    return apply_edit(Path(name), text.encode(), change).decode()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": 1e400, "env": {"A": 1.0}}', '{"a": 1e400, "env": {"A": 1.0, "B": "1"}}'),
        (
            '{\r\n\t"n": 12345678901234567890123,\r\n\t"env": {\r\n\t\t"A": "\\u00e4"\r\n\t}\r\n}',
            '{\r\n\t"n": 12345678901234567890123,\r\n\t"env": {\r\n\t\t"A": "\\u00e4",\r\n\t\t'
            '"B": "1"\r\n\t}\r\n}',
        ),
        ('{\n   "env" : { "B" :"2" } }', '{\n   "env" : { "B" :"1" } }'),
        (f'{{"n": {"9" * 5_000}, "env": {{}}}}', f'{{"n": {"9" * 5_000}, "env": {{"B": "1"}}}}'),
        ('{\n  "env": {}\n}\n', '{\n  "env": {\n    "B": "1"\n  }\n}\n'),
        ("", '{\n  "env": {\n    "B": "1"\n  }\n}\n'),
        ('{"env": {"B": "1"}}\r\n\r\n', '{"env": {"B": "1"}}\r\n\r\n'),
    ],
)
def test_an_edit_leaves_the_form_of_everything_else(text: str, expected: str) -> None:
    assert edit(text, ["env", "B"], "1") == expected


def test_a_list_gets_what_it_lacks() -> None:
    text = '{"permissions": {"deny": ["A",  "B"]}}'
    assert edit(text, ["permissions", "deny"], ["B", "C"], adds=True) == (
        '{"permissions": {"deny": ["A",  "B", "C"]}}'
    )
    assert edit(text, ["permissions", "deny"], ["B"], adds=True) == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": "//", /* mine */ "b": 1}', r"found a comment \(line 1\)"),
        ('{"a": 1,}', "expected JSON, found"),
        ("\ufeff{}", "found a byte order mark"),
        ("[" * 100_000, "nested too deeply"),
        ('{"env": null}', "expected an object at env, found null"),
        ('{"env": "x"}', "expected an object at env, found a string"),
        ('{"env": {"B": 1, "B": 2}}', r"expected one value at env\.B, found 2"),
        ('"x"', "expected an object at the top, found a string"),
    ],
)
def test_what_is_no_such_object_is_refused(text: str, expected: str) -> None:
    with pytest.raises(InputError, match=rf"s\.json: .*{expected}.* Nothing was changed"):
        edit(text, ["env", "B"], "1")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# mine\r\nn = 1 # dear\r\n", "# mine\r\nn = 2000 # dear\r\n"),
        ("  n   =  'a # b'", "  n   =  2000"),
        ("m = 1_000.0", "n = 2000\nm = 1_000.0"),
        ("n = [1, 2] # list\r\n", "n = 2000\r\n"),
        ("", "n = 2000\n"),
    ],
)
def test_a_line_of_toml_keeps_its_end_and_its_comment(text: str, expected: str) -> None:
    assert edit(text, ["n"], 2000, name="c.toml") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a = 1\r\n", "a = 1\r\n\r\n[t]\r\nn = 5\r\n"),
        ("a = 1", "a = 1\n\n[t]\nn = 5"),
        ("[t]", "[t]\nn = 5"),
        ("[t]\r\nb = 1.0", "[t]\r\nn = 5\r\nb = 1.0"),
    ],
)
def test_a_table_of_toml_is_added_in_the_form_of_the_file(text: str, expected: str) -> None:
    assert edit(text, ["t", "n"], 5, name="c.toml") == expected


@pytest.mark.parametrize("text", ['t = "x"', "t = 1"])
def test_a_value_where_toml_needs_a_table_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"c\.toml: expected a table at t, found .* Nothing was"):
        edit(text, ["t", "n"], 5, name="c.toml")


@pytest.mark.parametrize(
    ("text", "expected"),
    [("a\r\nb\r\n", "a\r\nb\r\nx\r\n"), ("a\r\nb", "a\r\nb\r\nx"), ("a", "a\nx"), ("", "x\n")],
)
def test_an_instruction_ends_as_the_lines_before_it(text: str, expected: str) -> None:
    assert edit(text, [], "x", name="CLAUDE.md") == expected
