"""Plain words are read as typer reads them; everything else is left to it."""

import subprocess
import sys
from pathlib import Path

import pytest

from agentdyno.cli.measure import Options
from agentdyno.cli.plain_words import read_words
from agentdyno.cli.verb import build_command, load_verbs

PLAIN = [
    [],
    ["a", "b", "--out", "x", "--costs-only"],
    ["--workers", "2", "--count", "exact", "--json", "a"],
    ["--arch", "null", "--prices", "p.toml", "--unit", "gpu-seconds", "--gpus", "3"],
]
OTHERS = [
    ["--help"], ["-h"], ["--out"], ["--out", "--json"], ["--out=x"], ["--work", "2"], ["--nothing"],
    ["--workers", "0"], ["--workers", "two"], ["--engine", "none"], ["--out", "a", "--out", "b"],
]  # fmt: skip


@pytest.mark.parametrize("words", PLAIN)
def test_plain_words_mean_what_they_mean_to_typer(words: list[str]) -> None:
    command = build_command(load_verbs()["measure"])
    typed = command.make_context("measure", list(words)).params
    given = read_words(Options, words)
    assert given is not None
    assert {name: getattr(given, name) for name in typed} == typed | {
        "paths": [Path(path) for path in typed["paths"]] if typed["paths"] else None,
        "where": None,
        "set": None,
    }


@pytest.mark.parametrize("words", OTHERS)
def test_other_words_are_left_to_typer(words: list[str]) -> None:
    assert read_words(Options, words) is None


@pytest.mark.daily
def test_plain_words_load_no_parser(tmp_path: Path) -> None:
    code = (
        "import sys; from agentdyno.cli import main\n"
        "try: main()\n"
        "finally: print([n for n in ('typer', 'pydantic', 'rich') if n in sys.modules])"
    )
    words = ["measure", "examples/week", "--out", str(tmp_path / "ledger"), "--costs-only"]
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True)
    assert done.returncode == 0
    assert done.stdout.endswith("[]\n")
