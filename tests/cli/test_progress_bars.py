"""Bars: at a terminal they count, in bytes or in things; elsewhere there is none."""

import re
import sys

import pytest

from agentdyno.cli.bench_output import sample_progress
from agentdyno.cli.output import byte_progress
from agentdyno.cli.progress_bars import count_progress


def _seen(captured: pytest.CaptureFixture[str]) -> str:
    """What stood on the terminal, without colours."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", captured.readouterr().err)


def test_no_terminal_no_bar(capsys: pytest.CaptureFixture[str]) -> None:
    with count_progress("problems") as count, byte_progress("reading") as read:
        assert (count, read) == (None, None)
    with sample_progress() as sample:
        assert sample is None
    assert capsys.readouterr().err == ""


def test_a_terminal_sees_what_is_done_of_how_much(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with count_progress("problems") as count:
        assert count is not None
        count(3, 12)
    assert re.search(r"problems .* 3/12 ", _seen(capsys))
    with byte_progress("reading") as read:
        assert read is not None
        read(500_000, 2_000_000)
    assert re.search(r"reading .* 0\.5/2\.0 MB ", _seen(capsys))
    with sample_progress() as sample:
        assert sample is not None
        sample("judging", 1, 4)
    assert re.search(r"judging .* 1/4 ", _seen(capsys))
