import json

import pytest

from agentdyno.matching.subjects import Subject, find_subject, keep_subject, name_command


@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        ("Read", {"file_path": "/app/strategy.go", "limit": 20}, ("file", "/app/strategy.go")),
        ("str_replace_editor", {"command": "view", "path": "/a.py"}, ("file", "/a.py")),
        ("apply_patch", {"input": "*** Update File: src/x.rs\n"}, ("file", "src/x.rs")),
        ("Bash", {"command": "cd api && go test ./... -run X"}, ("command", "go test")),
        ("shell", {"command": ["bash", "-lc", "git diff | head"]}, ("command", "git diff")),
        ("shell", {"command": ["rg", "-n", "todo"]}, ("command", "rg")),
        ("Grep", {"pattern": "func main", "path": "/app"}, ("search", "func main")),
        ("Glob", {"pattern": "**/*.md"}, ("search", "**/*.md")),
        ("WebFetch", {"url": "https://go.dev/doc", "prompt": "?"}, ("web page", "https://go.dev/doc")),
        ("WebSearch", {"query": "go 1.26"}, ("web search", "go 1.26")),
        ("mcp__github__list_issues", {"path": "x"}, ("MCP server", "github")),
        ("Skill", {"skill": "pdf"}, ("skill", "pdf")),
        ("Task", {"subagent_type": "Explore", "prompt": "look"}, ("sub-agent", "Explore")),
    ],
)  # fmt: skip
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


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("GOFLAGS=-v sudo timeout 30s go build", "go build"),
        ("python -m pytest -q tests", "python -m pytest"),
        ("/usr/bin/python3 run.py --x", "python3"),
        ("export A=1; npm run test", "npm run"),
        ("cd /tmp", "cd"),
        ("ls -la | wc -l", "ls"),
    ],
)
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
