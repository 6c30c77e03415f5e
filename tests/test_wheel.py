"""The core's wheel, alone in an empty environment, does the main jobs.

Needs a package index; without one it skips. Every step is the command that a user types.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.ledger.traces import write_jsonl

pytestmark = pytest.mark.slow

CORE = Path(__file__).resolve().parents[1] / "packages" / "agentdyno"
HEAVY = ("torch", "inspect_ai", "pandas", "statsmodels", "altair", "vl_convert", "openai")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of an environment that has the core's wheel and what it needs."""
    folder = tmp_path_factory.mktemp("wheel")
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    subprocess.run([sys.executable, "-m", "venv", str(folder / "venv")], check=True)
    programs = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
    pip = [str(programs / "python"), "-m", "pip", "--disable-pip-version-check"]
    wheel = [*pip, "wheel", "--no-deps", "--wheel-dir", str(folder), str(CORE)]
    built = subprocess.run(wheel, capture_output=True, text=True, env=environment)
    if "Could not find a version" in built.stderr or "Connection" in built.stderr:
        pytest.skip("no package index can be reached")
    assert built.returncode == 0, built.stderr
    (file,) = folder.glob("*.whl")
    done = subprocess.run(
        [*pip, "install", str(file)], capture_output=True, text=True, env=environment
    )
    if "Could not find a version" in done.stderr or "Connection" in done.stderr:
        pytest.skip("no package index can be reached")
    assert done.returncode == 0, done.stderr
    return programs


def run(programs: Path, folder: Path, *words: object, expected: int = 0) -> str:
    """What the command prints, on stderr where it is expected to fail."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    done = subprocess.run(
        [str(programs / "agentdyno"), *map(str, words)],
        cwd=folder,
        capture_output=True,
        text=True,
        env=environment,
    )
    assert done.returncode == expected, done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr if expected else done.stdout


def test_the_core_alone_measures_reports_and_compares(installed: Path, tmp_path: Path) -> None:
    write_jsonl(tmp_path / "traces" / "a.jsonl", range(6))
    found = json.loads(run(installed, tmp_path, "measure", "traces", "--out", "L", "--json"))
    assert (found["trajectories"], found["turns"], found["calls"]) == (6, 12, 6)
    run(installed, tmp_path, "report", "L", "-o", "report.html")
    page = (tmp_path / "report.html").read_text("utf-8")
    assert page.count("<figure") >= 1
    assert page.count('role="img"') >= 2
    run(installed, tmp_path, "compare", "L", "L")


def test_nothing_heavy_is_installed_and_a_missing_verb_names_its_package(
    installed: Path, tmp_path: Path
) -> None:
    code = f"import importlib.util as u; print([m for m in {HEAVY!r} if u.find_spec(m)])"
    python = [str(installed / "python"), "-c", code]
    assert subprocess.run(python, capture_output=True, text=True).stdout == "[]\n"
    verbs = {
        "budget": "daily",
        "bench": "bench",
        "judge": "bench",
        "depth": "depth",
        "train": "train",
    }
    for verb, package in verbs.items():
        refused = run(installed, tmp_path, verb, expected=2)
        extra = f"agentdyno[{package}]"
        assert refused == f"agentdyno {verb} needs {extra}: pip install '{extra}'\n"
