"""The examples run, and the guides' code is what the package accepts."""

import os
import re
import runpy
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from agentdyno import open as open_ledger
from tests.conftest import ROOT
from tests.labelled import from_set

GUIDES = ("extend", "add-a-format")


def test_measuring_one_trace_prints_turns_and_calls() -> None:
    script = ROOT / "examples" / "measure_one_trace.py"
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    assert "context_tokens" in done.stdout
    assert "result_tokens" in done.stdout


@from_set("examples", "script", "said")
def test_the_examples_of_the_library_run(
    script: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = ROOT / "examples" / f"{script}.py"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", [str(path)])
        runpy.run_path(str(path), run_name="__main__")
    assert said in capsys.readouterr().out


def _build_wheel(folder: Path) -> Path:
    """The package of the two guides: their code, and what their pyproject.toml registers."""
    guides = [(ROOT / "docs" / "guides" / f"{name}.md").read_text() for name in GUIDES]
    codes, entries = (
        [re.findall(rf"```{kind}\n(.*?)```", guide, re.S)[0] for guide in guides]
        for kind in ("python", "toml")
    )
    groups = tomllib.loads("\n".join(entries))["project"]["entry-points"]
    written = [
        f"[{group}]\n" + "".join(f"{name} = {where}\n" for name, where in named.items())
        for group, named in groups.items()
    ]
    info = "my_package-1.0.dist-info"
    files = {
        "my_package/__init__.py": codes[0],
        "my_package/my_agent.py": codes[1],
        f"{info}/METADATA": "Metadata-Version: 2.1\nName: my_package\nVersion: 1.0\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": "\n".join(written),
    }
    record = "".join(f"{name},,\n" for name in [*files, f"{info}/RECORD"])
    wheel = folder / "my_package-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as packed:
        for name, text in {**files, f"{info}/RECORD": record}.items():
            packed.writestr(name, text)
    return wheel


def test_the_package_of_the_guides_brings_a_format_a_detector_a_lever_a_topic_and_a_verb(
    tmp_path: Path,
) -> None:
    site = tmp_path / "site"
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index"]
    subprocess.run([*pip, "--target", site, _build_wheel(tmp_path)], check=True)
    (tmp_path / "log.jsonl").write_text(
        '{"event": "user", "my_agent": 1, "text": "hi"}\n'
        '{"event": "user", "text": 5}\n'
        '{"event": "answer", "content": "Sorry, no.", "model": "gpt-4o", "usage": {"in": 9}}\n'
    )

    def agentdyno(*arguments: str) -> str:
        command = [Path(sys.executable).with_name("agentdyno"), *arguments]
        environment = {**os.environ, "PYTHONPATH": str(site)}
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    agentdyno("measure", "log.jsonl", "--out", "ledger")
    (row,) = open_ledger(tmp_path / "ledger").table("trajectories").rows(named=True)
    assert (row["format"], row["model"]) == ("my_agent", "gpt-4o")
    report = agentdyno("report", "ledger", "--format", "md")
    assert "apology" in report
    assert "end one turn earlier" in report.lower()
    assert "1 models." in report
    assert "line 2" in report
    assert agentdyno("greet", "Ada") == "hello Ada\n"
