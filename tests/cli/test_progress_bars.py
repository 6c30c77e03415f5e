"""Bars at a terminal, in bytes or in things; elsewhere nothing, or a line now and then."""

import re
import sys

import pytest

from agentdyno.cli import progress_bars
from agentdyno.cli.progress_bars import byte_progress, progress_bar, sample_progress


def _seen(captured: pytest.CaptureFixture[str]) -> str:
    """What stood on the terminal, without colours."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", captured.readouterr().err)


def test_no_terminal_no_bar(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_bar("problems") as count, byte_progress("reading") as read:
        assert count is None
        read(1, 2)
    with sample_progress() as sample:
        sample("judging", 1, 4)
    assert capsys.readouterr().err == ""


def test_a_terminal_sees_what_is_done_of_how_much(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with progress_bar("problems") as count:
        assert count is not None
        count(3, 12)
    assert re.search(r"problems .* 3/12 ", _seen(capsys))
    with byte_progress("reading") as read:
        assert read is not None
        read(500_000, 2_000_000)
    assert re.search(r"reading .* 0\.5/2\.0 MB ", _seen(capsys))
    with sample_progress() as sample:
        sample("judging", 1, 4)
    assert re.search(r"judging .* 1/4 ", _seen(capsys))


def test_a_line_says_what_is_done_and_for_how_long(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress_bars, "SECONDS_BETWEEN_LINES", 15.0)
    now = [0.0]
    monkeypatch.setattr(progress_bars.time, "monotonic", lambda: now[0])
    tell = progress_bars.line_progress()
    for second, done in ((1, 0), (16, 3), (20, 4), (40, None)):
        now[0] = float(second)
        tell(done or 9, None if done is None else 20, "easy")
    with byte_progress("reading") as read:
        for second, done in ((41, 0), (50, 1_000_000), (52, 4_000_000)):
            now[0] = float(second)
            read(done, 10_000_000, "reading 3 files")
        now[0] = 60.0
        read(5_000_000, 10_000_000, "reading 3 files")
    told = capsys.readouterr()
    assert told.err.splitlines()[2:] == [
        "reading 3 files: 5.0 of 10.0 MB after 20 s, about 20 s left"
    ]
    assert told.err.splitlines()[:2] == ["easy, 3 of 20 after 16 s", "easy, 9 after 40 s"]
    assert told.out == ""
