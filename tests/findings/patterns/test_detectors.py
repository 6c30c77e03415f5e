"""What each detector of a pattern finds and what it leaves alone; small cases are rows."""

import pytest

from agentdyno.findings.patterns import find_patterns
from agentdyno.findings.patterns.published import PUBLISHED
from agentdyno.matching.schema_breach import breach
from agentdyno.records import Trajectory
from tests.findings.patterns.trajectories import PYTHON, Call, Turn, found, places, trajectory
from tests.labelled import from_set


@from_set("findings/patterns/detectors", "message", "kind", "ran")
def test_a_message_of_the_harness_is_known(message: str, kind: str | None, ran: bool) -> None:
    given = trajectory("?", Turn("", [Call("web_search", {"query": "a"}, message)]))
    assert {(call.harness, call.executed) for call in given.calls} == {(kind, ran)}


@from_set("findings/patterns/detectors", "text")
def test_text_in_the_shape_of_a_call(text: str) -> None:
    given = trajectory("?", Turn(text), tools=[PYTHON])
    assert places("format_collapse", given) == [(0, None)]


@from_set("findings/patterns/detectors", "text")
def test_other_text_is_clean(text: str) -> None:
    assert places("format_collapse", trajectory("?", Turn(text), tools=[PYTHON])) == []


@from_set("findings/patterns/detectors", "value", "schema", "expected")
def test_the_small_validator(value: object, schema: object, expected: str | None) -> None:
    assert breach(value, schema) == expected


def test_deep_nesting_does_not_break_the_reading() -> None:
    deep = "[" * 100_000 + "]" * 100_000
    given = trajectory("?", Turn("", [Call("python", deep, "x")]), tools=[PYTHON])
    assert [f.detail for f in found("format_collapse", given)] == [
        "the arguments are not valid JSON"
    ]


def _one(tool: str, arguments: object, result: str, error: str | None = None) -> bool:
    given = trajectory("?", Turn("", [Call(tool, arguments, result, error)]), Turn("end"))
    return places("lack_of_tool_priors", given) == [(0, 0)]


@from_set("findings/patterns/detectors", "tool", "error")
def test_an_error_that_names_the_use(tool: str, error: str) -> None:
    assert _one(tool, {"x": 1}, error, error)


@from_set("findings/patterns/detectors", "tool", "error")
def test_an_error_of_the_world_is_not_the_models(tool: str, error: str) -> None:
    assert not _one(tool, {"command": "x"}, error, error)


@pytest.mark.parametrize(
    ("tool", "arguments", "error", "kind"),
    [
        ("Read", {"file_path": "/a.py"}, "File does not exist.", "a wrong path"),
        ("Bash", {"command": "cat /x"}, "cat: /x: No such file or directory", "a wrong path"),
        ("Read", {"file_path": "/a.py"}, "File content (28766 tokens) exceeds maximum allowed "
         "tokens (25000). Please use offset and limit.", "a file too large to read at once"),
        ("Read", {"file_path": "/src"}, "EISDIR: illegal operation on a directory, read",
         "a wrong path"),
        ("Edit", {"file_path": "/a.py", "old_string": "f(timeout)", "new_string": "f()"},
         "String to replace not found in file.\nString: f(timeout)",
         "an edit that does not match its file"),
        ("Edit", {"file_path": "/a.py", "old_string": "x", "new_string": "x"},
         "No changes to make: old_string and new_string are exactly the same.",
         "an edit that changes nothing"),
        ("Write", {"file_path": "/a.py", "content": "x"},
         "File has not been read yet. Read it first before writing to it.",
         "an edit of a file not read as it is now"),
        ("mcp__docs__search", {"q": "x"}, "Error: page not found", "a wrong option or argument"),
        ("shell", {"command": ["bash", "-lc", "sed -n 1p a.py"]},
         '{"output":"sed: a.py: No such file or directory\\n","metadata":{"exit_code":1}}',
         "a wrong path"),
        ("Bash", {"command": "jq '.a // '"}, "jq: error: syntax error, unexpected end of file",
         "a wrong option or argument"),
        ("Bash", {"command": "sed -n 1p src/(a)/b.py"},
         "bash: -c: line 0: syntax error near unexpected token `('",
         "a shell line that does not parse"),
        ("Bash", {"command": "pyton x.py"}, "bash: pyton: command not found",
         "a command that is not installed"),
        ("Edit", {"file_path": "/a.py", "old_string": "x", "new_string": "y"},
         "String to replace not found in file.", "an edit that does not match its file"),
        ("Bash", {"command": "ls --colour"}, "ls: unrecognized option '--colour'",
         "a wrong option or argument"),
        ("python", {"code": "f("}, "SyntaxError: '(' was never closed", "code that fails"),
    ],
)  # fmt: skip
def test_a_failed_call_says_what_was_wrong(
    tool: str, arguments: object, error: str, kind: str
) -> None:
    given = trajectory("?", Turn("", [Call(tool, arguments, error, error)]), Turn("end"))
    assert [f.detail for f in found("lack_of_tool_priors", given)] == [kind]


@pytest.mark.parametrize(
    ("tool", "arguments", "error"),
    [
        ("Bash", {"command": "ls /x"}, "ls: /x: No such file or directory"),
        ("Bash", {"command": "cat .env || true"}, "cat: .env: No such file or directory"),
        ("Bash", {"command": "node --version"}, "bash: node: command not found"),
        ("mcp__web__fetch", {"url": "x"},
         "Error: result (84,297 characters) exceeds maximum allowed tokens. Output has been saved "
         "to /home/ann/.claude/tool-results/1.txt."),
    ],
)  # fmt: skip
def test_a_probe_and_a_result_that_was_saved_are_no_failures(
    tool: str, arguments: object, error: str
) -> None:
    assert not _one(tool, arguments, error, error)


def _found(given: Trajectory) -> list[tuple[str, int, int | None]]:
    found = find_patterns(given, detectors=PUBLISHED)
    return [(f.pattern, f.turn, f.call) for f in found]


def test_two_types_mix_even_where_no_family_is_known() -> None:
    given = trajectory(
        "?", Turn("", [Call("frobnicate", {}, "x")]), Turn("", [Call("defrost", {}, "y")])
    )
    assert _found(given) == [("tool_mixing", 1, None)]
