"""`agentdyno` without a verb and `doctor` in a home of their own."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest

from agentdyno.ledger.file_names import VISITS
from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.samples import sample_traces
from tests.cli.run import Agentdyno
from tests.conftest import ROOT

AGENTDYNO = [sys.executable, "-c", "from agentdyno.cli import main; main()"]
SESSION = sample_traces() / "coding" / "5e551012-clean.jsonl"
DATA = ROOT / "tests" / "data"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    project = tmp_path / ".claude" / "projects" / "p"
    project.mkdir(parents=True)
    shutil.copy(SESSION, project / "one.jsonl")
    return tmp_path


def run(home: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
    environment = {**kept, "HOME": str(home), "USERPROFILE": str(home), **more}
    return subprocess.run(
        [*AGENTDYNO, *arguments], env=environment, cwd=home, capture_output=True, text=True
    )


def test_without_a_verb_every_agent_is_found_and_measured_into_the_users_ledger(home: Path) -> None:
    ledger = {"AGENTDYNO_LEDGER": str(home / "mine")}
    first = run(home, **ledger)
    assert first.returncode == 0, first.stderr
    assert "Found Claude Code (1 file," in first.stderr
    assert (home / "mine").is_dir()
    shutil.copy(SESSION, home / ".claude" / "projects" / "p" / "copy.jsonl")
    again = run(
        home, "measure", str(home / ".claude" / "projects"), "--out", str(home / "mine"), "--json"
    )
    assert json.loads(again.stdout)["new_files"] == 1


def test_without_any_agent_it_says_where_it_looked_and_what_to_do(tmp_path: Path) -> None:
    done = run(tmp_path)
    assert done.returncode == 2
    assert "found no sessions" in done.stderr
    assert "agentdyno measure FOLDER" in done.stderr
    assert "Traceback" not in done.stderr


def test_doctor_lists_folders_files_and_what_reads_them(home: Path) -> None:
    found = json.loads(run(home, "about", "doctor", "--json").stdout)
    (claude,) = found["homes"]
    assert (claude["agent"], claude["files"], claude["read"]) == ("Claude Code", 1, True)
    assert claude["bytes"] == SESSION.stat().st_size
    text = run(home, "about", "doctor").stdout
    assert str(home / ".claude" / "projects") in text
    assert "~/.codex (or CODEX_HOME)" in text


PLACES = {
    "claude_code": ".claude/projects/p", "codex": ".codex/sessions/2026/01/05",
    "gemini_cli": ".gemini/tmp/h/chats", "qwen_code": ".qwen/projects/p/chats",
    "pi": ".pi/agent/sessions/p",
    "kiro": ".kiro/sessions/cli",
}  # fmt: skip


def test_six_agents_on_one_machine_have_the_totals_that_each_has_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    agentdyno = Agentdyno(capsys, tmp_path)

    def by_agent(ledger: str) -> dict[str, tuple[int, int, int]]:
        held = Ledger(tmp_path / ledger)
        agents = held.read("trajectories").select("trajectory_id", agent="format")
        turns = held.read("turns").join(agents, on="trajectory_id").group_by("agent")
        known = pl.len(), pl.col("trajectory_id").n_unique(), pl.col("decode_tokens").sum()
        return {agent: tuple(rest) for agent, *rest in turns.agg(*known).iter_rows()}

    for agent, place in PLACES.items():
        shutil.copytree(DATA / agent, tmp_path / place)
    assert run(tmp_path, AGENTDYNO_LEDGER=str(tmp_path / "all")).returncode == 0
    together = by_agent("all")
    assert set(PLACES) <= set(together)
    for agent, place in PLACES.items():
        words = ("--out", tmp_path / agent, "--workers", 1, "--costs-only")
        assert agentdyno.run("measure", tmp_path / place, *words) == 0
        assert by_agent(agent)[agent] == together[agent]


def test_the_page_measures_first_where_nothing_is_measured_yet(home: Path) -> None:
    """A port that is taken ends it before it serves."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = run(home, "view", "--no-browser", "--port", port)
    assert "Found Claude Code (1 file," in done.stderr
    assert (done.returncode, "Address already in use" in done.stderr) == (2, True), done.stderr
    assert list(home.rglob("manifest.json"))


def test_a_second_look_on_another_day_says_what_is_new(home: Path) -> None:
    ledger = {"AGENTDYNO_LEDGER": str(home / "mine")}
    session = home / ".claude" / "projects" / "p" / "one.jsonl"
    lines = session.read_text()
    now = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(time.time() - 60))
    session.write_text(re.sub(r'"timestamp":"[^"]*"', f'"timestamp":"{now}"', lines))
    assert "New since" not in run(home, **ledger).stdout
    visits = home / "mine" / VISITS
    assert json.loads(visits.read_text())["before"] is None
    visits.write_text(json.dumps({"last": time.time() - 86_400, "before": None}))
    first = run(home, **ledger).stdout
    assert "New since" in first
    assert run(home, **ledger).stdout == first  # The same day, the same answer.
    visits.write_text("{")
    assert run(home, **ledger).returncode == 0
