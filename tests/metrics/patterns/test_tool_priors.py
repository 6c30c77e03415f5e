"""Lack of tool priors: errors of use and unprinted values, and nobody else's fault."""

import pytest

from tests.labelled import from_set
from tests.metrics.patterns.trajectories import Call, Turn, found, places, trajectory


def _one(tool: str, arguments: object, result: str, error: str | None = None) -> bool:
    given = trajectory("?", Turn("", [Call(tool, arguments, result, error)]), Turn("end"))
    return places("lack_of_tool_priors", given) == [(0, 0)]


@pytest.mark.parametrize("last", ["pieces", "f(3)", "(a + b) / 2", "df.head()", "[x for x in y]"])
def test_a_value_that_nobody_prints(last: str) -> None:
    assert _one("python", {"code": f"a = 1\n{last}\n"}, "stdout:\n\nstderr:\n")


@pytest.mark.parametrize("last", ["x = 3", "import math", "plt.show()", "    return 3", "# done"])
def test_a_script_that_has_nothing_to_print_is_clean(last: str) -> None:
    assert not _one("python", {"code": f"a = 1\n{last}\n"}, "")


def test_a_silent_shell_and_an_empty_list_are_answers() -> None:
    assert not _one("bash", {"command": "mkdir build"}, "")
    assert not _one("search_flights", {"date": "2024-05-01"}, "[]")


@from_set("metrics/patterns/tool_priors", "tool", "error")
def test_an_error_that_names_the_use(tool: str, error: str) -> None:
    assert _one(tool, {"x": 1}, error, error)


@from_set("metrics/patterns/tool_priors", "tool", "error")
def test_an_error_of_the_world_is_not_the_models(tool: str, error: str) -> None:
    assert not _one(tool, {"command": "x"}, error, error)


def test_a_failing_linter_is_not_misuse_but_a_wrong_option_is() -> None:
    lint = "Exit code 1\nmain.go:3: parameter x is unused\n* unparam: 1"
    option = "Exit code 2\ngrep: unrecognized option '--nope'\nusage: grep [-abc]"
    assert not _one("Bash", {"command": "lint"}, lint, "exit code 1")
    assert _one("Bash", {"command": "grep --nope"}, option, "exit code 2")


def test_a_program_that_fails_in_a_shell_is_not_misuse() -> None:
    bug = "Traceback (most recent call last):\n  File x\nAttributeError: required elements missing"
    build = "gmake[1]: Makefile: No such file or directory\nmake: *** [build] Error 2"
    assert not _one("bash", {"command": "python bug.py"}, bug, bug.split("\n")[0])
    assert not _one("execute_bash", {"command": "make"}, build, "exit code 2")
    gone = "bash: ./build/tool: No such file or directory"
    assert _one("execute_bash", {"command": "./build/tool"}, gone, "exit code 127")


def test_evidence_goes_on_where_the_first_line_says_nothing() -> None:
    text = "ERROR:\nParameter `old_str` is required for command: str_replace."
    given = trajectory("?", Turn("", [Call("str_replace_editor", {}, text, "ERROR:")]))
    [finding] = found("lack_of_tool_priors", given)
    assert finding.evidence == "ERROR: Parameter `old_str` is required for command: str_replace."
