import json

import pytest

from agentdyno.matching.subjects import Subject, find_subject, keep_subject, name_command
from tests.labelled import from_set


@from_set("matching/subjects", "tool", "arguments", "expected")
def test_calls_are_named_as_people_would(
    tool: str, arguments: dict[str, object], expected: tuple[str, str]
) -> None:
    found = find_subject(tool, json.dumps(arguments))
    assert found is not None
    assert (found.kind, found.name) == expected


@pytest.mark.parametrize("arguments", ["", "{", "[1]", "null", '{"file_path": 3}', '{"path": " "}'])
def test_what_says_nothing_has_no_subject(arguments: str) -> None:
    assert find_subject("Read", arguments) is None


def test_code_of_another_language_is_no_command() -> None:
    assert find_subject("python", json.dumps({"script": "print(int(120))"})) is None
    assert find_subject("python", json.dumps({"code": "print(int(120))"})) is None


def test_a_patch_that_is_no_json_names_its_file() -> None:
    patch = "*** Begin Patch\n*** Add File: docs/a.md\n+x\n"
    assert find_subject("apply_patch", patch) == Subject("file", "docs/a.md")


@from_set("matching/subjects", "line", "expected")
def test_a_command_is_named_by_what_it_does_first(line: str, expected: str) -> None:
    assert name_command(line) == expected


def test_control_characters_in_a_path_do_not_reach_a_terminal() -> None:
    found = find_subject("Read", json.dumps({"file_path": "/a\x1b[31m.py"}))
    assert found is not None
    assert "\x1b" not in found.name


def test_what_is_kept_of_arguments_names_the_same_and_hostile_ones_name_nothing() -> None:
    given = json.dumps({"file_path": "/a.py"})
    assert find_subject("Read", keep_subject("Read", given)) == Subject("file", "/a.py")
    assert keep_subject("Read", "{}") == ""
    for hostile in ("\0", "\0\0", "\0x\0y", "\0file", "\0file\0"):
        assert find_subject("Read", hostile) is None
