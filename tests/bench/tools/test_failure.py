"""Foreign words are cleaned before anybody sees them."""

from agentdyno_bench.tools.failure import ToolFailedError, clean
from tests.labelled import from_set


@from_set("bench/tools/failure", "text")
def test_keys_do_not_show(text: str) -> None:
    assert "[key]" in clean(text)
    for part in ("abcdef1234567890", "eyJhbGciOi", "0123456789abcdef", "aaaaaaaaaa"):
        assert part not in clean(text)


def test_escapes_do_not_show_and_lines_stay() -> None:
    text = "\x1b[31mred\x1b[0m\nnext\x1b]0;title\x07 line\x07"
    shown = ToolFailedError(text).text
    assert "\x1b" not in shown
    assert "\x07" not in shown
    assert shown.splitlines()[0] == "red"
    assert shown.count("\n") == 1
