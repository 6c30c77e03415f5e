"""Progress where there is no terminal: lines, now and then."""

import pytest

from agentdyno.cli import counting


def test_a_line_says_what_is_done_and_for_how_long(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr(counting.time, "monotonic", lambda: now[0])
    tell = counting.line_progress()
    for second, done in ((1, 0), (16, 3), (20, 4), (40, None)):
        now[0] = float(second)
        tell(done or 9, None if done is None else 20, "easy")
    told = capsys.readouterr()
    assert told.err.splitlines() == ["easy, 3 of 20 after 16 s", "easy, 9 after 40 s"]
    assert told.out == ""
