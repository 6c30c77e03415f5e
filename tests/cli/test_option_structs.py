"""Options from a Struct with their help, progress bars, and answers in boxes."""

import py_compile
import re
import sys
from pathlib import Path

import pytest

from agentdyno.cli import progress_bars
from agentdyno.cli.progress_bars import byte_progress, progress_bar, sample_progress
from agentdyno.cli.verb import Verb, build_command
from tests.intake.formats.inspect_logs import (
    assistant,
    model_event,
    read_one,
    sample,
    user,
    write_json,
)

MODULE = '''
from msgspec import Struct
from agentdyno.cli.option_structs import takes_options

class Shared(Struct, frozen=True, kw_only=True):
    times: int = 1
    """How often."""

class Options(Shared, frozen=True, kw_only=True):
    word: str
    """What to say."""
    loud: bool = False

@takes_options
def command(given: Options) -> int:
    """Say a word."""
    print((given.word.upper() if given.loud else given.word) * given.times)
    return 0
'''


@pytest.mark.parametrize("has_source", [True, False])
def test_a_verb_runs_also_where_its_source_is_not_installed(
    has_source: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    name = f"a_verb_{'with' if has_source else 'without'}_source"
    source = tmp_path / f"{name}.py"
    source.write_text(MODULE)
    if not has_source:
        py_compile.compile(str(source), cfile=str(source.with_suffix(".pyc")))
        source.unlink()
    monkeypatch.syspath_prepend(tmp_path)
    command = build_command(Verb("say", "Other", f"{name}:command"))
    helps = {param.name: getattr(param, "help", None) for param in command.params}
    given = {"times": "How often.", "word": "What to say."} if has_source else {}
    assert helps == {"times": None, "word": None, "loud": None} | given
    assert command.main(["--word", "no", "--loud", "--times", "2"], standalone_mode=False) == 0
    assert capsys.readouterr().out == "NONO\n"


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


def test_how_a_mark_was_decided_is_read(tmp_path: Path) -> None:
    event = model_event([user("Q")], assistant("A"))
    scores = {"answer": {"value": 0.0, "metadata": {"graded_by": "box, wrong inside"}}}
    found = read_one(write_json(tmp_path, sample(event, scores=scores)))
    assert (found.correct, found.graded_by) == (False, "box, wrong inside")
