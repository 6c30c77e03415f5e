"""Whether a call failed, read off its result."""

from agentdyno.matching.failing import find_quoted, has_failed, is_nothing
from agentdyno.records import ToolCall
from tests.labelled import from_set

CALL = ToolCall(0, 0, "bash", "{}", None, 0, 1, True, None, None)


@from_set("matching/failing", "text")
def test_failures_show_in_what_comes_back(text: str) -> None:
    assert has_failed(CALL, text)


@from_set("matching/failing", "text")
def test_a_text_about_errors_is_no_failure(text: str) -> None:
    assert not has_failed(CALL, text)


def test_nothing_found_is_no_failure_but_nothing() -> None:
    for text in ("", "No files found", "<returncode>1</returncode>\n<output>\n</output>", "[]"):
        assert is_nothing(text)
    assert not is_nothing("a.py")


def test_quotes_of_a_failure_are_what_was_missing() -> None:
    assert find_quoted("ModuleNotFoundError: No module named 'pytz'") == {"pytz"}
