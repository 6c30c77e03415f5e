"""`agentdyno` without a verb and `doctor` in a home of their own; what is unchanged is not read
again; the core alone."""

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

from agentdyno.ledger.file_names import LAST_RUN, VISITS
from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.last_run import digest_traces, find_answer
from agentdyno.pipelines.samples import sample_traces
from agentdyno.records.local_days import name_day
from tests.cli.run import Agentdyno
from tests.conftest import ROOT
from tests.ledger.traces import write_jsonl

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


@pytest.fixture
def measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Agentdyno:
    """The command after it measured two files."""
    for name in ("a", "b"):
        write_jsonl(tmp_path / "traces" / f"{name}.jsonl", range(ord(name), ord(name) + 3))
    command = Agentdyno(capsys, tmp_path / "ledger")
    assert command.measure(tmp_path / "traces") == 0
    return command


def _forbid_tables(patch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a table was opened")

    patch.setattr("agentdyno.ledger.reader.Ledger.__init__", refuse)
    patch.setattr("agentdyno.ledger.writer.LedgerWriter.__init__", refuse)


def test_nothing_new_prints_the_same(measured: Agentdyno, monkeypatch: pytest.MonkeyPatch) -> None:
    traces = measured.ledger.parent / "traces"
    first = measured.out.splitlines()
    with monkeypatch.context() as patch:
        _forbid_tables(patch)
        assert measured.measure(traces) == 0
        assert sorted(measured.out.splitlines()) == sorted(first)
        assert measured.measure(traces, "--json") == 0
        again = measured.object()
    (measured.ledger / LAST_RUN).unlink()
    assert measured.measure(traces, "--json") == 0
    assert measured.object() == again
    assert again["new_files"] == 0


OPTIONS = [(name_day(time.time()), None), "fast", 64, False, False, False, False]
OTHER = [OPTIONS[0], "exact", 64, False, False, False, False]


@pytest.mark.parametrize("change", ["grown", "gone", "put back", "option", "damage"])
def test_whatever_changes_is_noticed(measured: Agentdyno, change: str) -> None:
    ledger, traces = measured.ledger, measured.ledger.parent / "traces"
    path = traces / "b.jsonl"
    assert find_answer(ledger, digest_traces([traces], ledger, OPTIONS)) is not None
    if change == "grown":
        path.write_text(path.read_text() + path.read_text().splitlines()[0] + "\n")
    elif change == "gone":
        path.unlink()
    elif change == "put back":  # Other bytes of the same size, and the time of before.
        before = path.stat()
        path.write_text(path.read_text().replace("why", "who"))
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    elif change == "damage":
        next((ledger / "turns").glob("*-0.parquet")).write_bytes(b"PAR1")
    now = digest_traces([traces], ledger, OTHER if change == "option" else OPTIONS)
    assert find_answer(ledger, now) is None


EXTRAS = (
    "agentdyno_bench", "agentdyno_depth", "agentdyno_train", "altair", "pandas", "statsmodels",
    "inspect_ai", "openai", "mcp", "mcp_types", "bm25s", "math_verify", "torch", "transformers",
    "gguf", "ray", "trl", "anyio", "httpx", "starlette", "uvicorn", "tenacity",
)  # fmt: skip

RUN = f"""
import json, sys
from importlib.abc import MetaPathFinder

class Missing(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {EXTRAS!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Missing())
from agentdyno.cli.app import app, run_guarded
for words in json.loads(sys.argv[1]):
    print("==", run_guarded(lambda **how: app(words, **how)), *words, file=sys.stderr)
"""

WORKING = [
    ["measure", "traces", "--out", "L", "--workers", "1"],
    ["report", "L", "-o", "r.html"],
    ["compare", "L", "L"],
    ["whatif", "L", "--cap-results", "100"],
    ["about", "architectures"],
    ["about", "hardware"],
    ["about", "formats"],
]
VIEW = ["view", "L", "--no-browser"]
WANTING = {
    "bench": [
        ["bench", "tir", "-m", "openai/x"],
        ["ablate", "facts"],
        ["world", "list"],
        ["judge", "L"],
        ["classify", "--ledger", "L"],
    ],
    "depth": [["depth", "--texts", "t.jsonl"], ["think"]],
    "train": [["train"]],
}


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> str:
    """What stderr held after every verb was run."""
    folder = tmp_path_factory.mktemp("core")
    write_jsonl(folder / "traces" / "a.jsonl", range(6))
    (folder / "t.jsonl").write_text('{"prompt": "a", "response": "b"}\n')
    wanting = (each for group in WANTING.values() for each in group)
    words = json.dumps([*WORKING, VIEW, *wanting])
    done = subprocess.run(
        [sys.executable, "-c", RUN, words], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stderr


@pytest.mark.parametrize("words", WORKING, ids=" ".join)
def test_the_verbs_of_the_core_need_no_extra(told: str, words: list[str]) -> None:
    assert f"== 0 {' '.join(words)}\n" in told


@pytest.mark.parametrize(
    ("extra", "words"),
    [(extra, words) for extra, group in WANTING.items() for words in group],
    ids=lambda value: value if isinstance(value, str) else " ".join(value),
)
def test_a_verb_of_an_extra_says_what_to_install(told: str, extra: str, words: list[str]) -> None:
    before, _, _ = told.partition(f"\n== 2 {' '.join(words)}\n")
    assert before != told
    needs = f"agentdyno {words[0]} needs agentdyno[{extra}]"
    assert before.splitlines()[-1] == f"{needs}: pip install 'agentdyno[{extra}]'"


def test_the_page_says_what_to_install(told: str) -> None:
    before, _, _ = told.partition(f"\n== 2 {' '.join(VIEW)}\n")
    assert before.endswith("found none. Install it: pip install 'agentdyno[view]'")


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
