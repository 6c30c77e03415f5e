"""The core's wheel, alone in an empty environment, does the main jobs.

Needs a package index; without one it skips. Every step is the command that a user types.
"""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.ledger.traces import write_jsonl

pytestmark = pytest.mark.slow

CORE = Path(__file__).resolve().parents[1] / "packages" / "agentdyno"
HEAVY = ("torch", "inspect_ai", "pandas", "statsmodels", "altair", "vl_convert", "openai")


class Judge(BaseHTTPRequestHandler):
    """An OpenAI-compatible service whose every verdict is `positive`."""

    asked: list[dict[str, Any]]

    def do_GET(self) -> None:
        self._answer({"data": [{"id": "judge"}]})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append({**body, "key": self.headers["Authorization"]})
        said = {"label": "positive", "confidence": 0.9, "rationale": "it helped"}
        message = {"role": "assistant", "content": json.dumps(said)}
        usage = {"prompt_tokens": 11, "completion_tokens": 7}
        self._answer({"choices": [{"message": message}], "usage": usage})

    def _answer(self, fields: dict[str, Any]) -> None:
        data = json.dumps(fields).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def service() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Its address and everything that it was asked."""
    asked: list[dict[str, Any]] = []
    handler = type("Asked", (Judge,), {"asked": asked})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/v1", asked
        server.shutdown()


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
        env=environment | {"LAB_API_KEY": "local-key"},
    )
    assert done.returncode == expected, done.stderr
    assert "Traceback" not in done.stderr
    assert "local-key" not in done.stdout + done.stderr
    return done.stderr if expected else done.stdout


def test_the_core_alone_measures_reports_compares_predicts_and_judges(
    installed: Path, tmp_path: Path, service: tuple[str, list[dict[str, Any]]]
) -> None:
    address, asked = service
    write_jsonl(tmp_path / "traces" / "a.jsonl", range(6))
    found = json.loads(run(installed, tmp_path, "measure", "traces", "--out", "L", "--json"))
    assert (found["trajectories"], found["turns"], found["calls"]) == (6, 12, 6)
    run(installed, tmp_path, "report", "L", "-o", "report.html")
    page = (tmp_path / "report.html").read_text("utf-8")
    assert page.count("<figure") >= 1
    assert page.count('role="img"') >= 2
    run(installed, tmp_path, "compare", "L", "L")
    saved = json.loads(run(installed, tmp_path, "whatif", "L", "--cap-results", 10, "--json"))
    assert saved["together"] is not None
    judge = ("judge", "L", "--model", "openai-api/lab/judge", "--base-url", address, "--json")
    judged = json.loads(run(installed, tmp_path, *judge))["judged"]
    assert (judged["verdicts"], judged["unanswered"]) == (6, 0)
    assert len(asked) == judged["paid"] > 0
    assert {one["key"] for one in asked} == {"Bearer local-key"}
    assert json.loads(run(installed, tmp_path, *judge))["judged"]["paid"] == 0


def test_nothing_heavy_is_installed_and_a_missing_verb_names_its_package(
    installed: Path, tmp_path: Path
) -> None:
    code = f"import importlib.util as u; print([m for m in {HEAVY!r} if u.find_spec(m)])"
    python = [str(installed / "python"), "-c", code]
    assert subprocess.run(python, capture_output=True, text=True).stdout == "[]\n"
    for verb, package in (("bench", "bench"), ("depth", "depth"), ("train", "train")):
        said = run(installed, tmp_path, verb, expected=2)
        assert said == (
            f"agentdyno {verb} needs agentdyno-{package}: pip install agentdyno[{package}]\n"
        )
