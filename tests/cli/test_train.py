"""`agentdyno train` and `agentdyno sheet`, as far as they go without a model."""

import json
from pathlib import Path

import pytest

from agentdyno.cli.app import app, run_guarded


def run(*arguments: str) -> int:
    return run_guarded(
        lambda standalone_mode: app(list(arguments), standalone_mode=standalone_mode)
    )


def test_lessons_are_written_and_read_back_for_a_cluster(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lessons = str(tmp_path / "lessons.gz")
    made = ["--worlds", "0", "--drills", "60", "--most-steps", "4"]
    common = ["train", "--stage", "grpo", *made, "--json"]
    assert run(*common, "--write-lessons", lessons) == 0
    first = json.loads(capsys.readouterr().out)
    assert run(*common, "--lessons", lessons, "--verl", str(tmp_path / "verl")) == 0
    assert json.loads(capsys.readouterr().out)["lessons"] == first["lessons"] > 20


def test_wrong_usage_says_what_to_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = ["--out", str(tmp_path / "t")]
    assert run("train", "--stage", "grpo", "--batch", "9", *out) == 2
    assert "multiple of" in capsys.readouterr().err
    assert run("train", "--stage", "sft", "--model", str(tmp_path), "--worlds", "0", *out) == 2
    assert "config.json" in capsys.readouterr().err
    assert run("sheet", "--agent", f"one={tmp_path / 'nowhere'}") == 2
    assert "a folder that exists" in capsys.readouterr().err
