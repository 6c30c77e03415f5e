"""Whether a call failed, read off its result."""

import pytest

from agentdyno.matching.failing import find_quoted, has_failed, is_nothing
from agentdyno.records import ToolCall

CALL = ToolCall(0, 0, "bash", "{}", None, 0, 1, True, None, None)


@pytest.mark.parametrize(
    "text",
    [
        "<returncode>1</returncode>\n<output>\n</output>",
        "bash: ponyc: command not found",
        "ERROR:\nNo replacement was performed, old_str did not appear",
        "<tool_use_error>File does not exist.</tool_use_error>",
        "Traceback (most recent call last):\n  File x\nModuleNotFoundError: No module named 'a'",
        "Exit Code: 2",
        "collecting …\nValueError: bad",
    ],
)
def test_failures_show_in_what_comes_back(text: str) -> None:
    assert has_failed(CALL, text)


@pytest.mark.parametrize(
    "text",
    [
        "<returncode>0</returncode>\n<output>\n3 passed\n</output>",
        "Exit Code: 0",
        "     1\tclass Error(Exception): pass",
        "Here's the result of running `cat -n` on a.py:\n error handling",
        "0 errors, 0 warnings",
        "",
    ],
)
def test_a_text_about_errors_is_no_failure(text: str) -> None:
    assert not has_failed(CALL, text)


def test_nothing_found_is_no_failure_but_nothing() -> None:
    for text in ("", "No files found", "<returncode>1</returncode>\n<output>\n</output>", "[]"):
        assert is_nothing(text)
    assert not is_nothing("a.py")


def test_quotes_of_a_failure_are_what_was_missing() -> None:
    assert find_quoted("ModuleNotFoundError: No module named 'pytz'") == {"pytz"}
