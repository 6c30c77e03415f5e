"""No file of the current folder, of the traces' folder or of the ledger is ever executed."""

import importlib.util
import os
from pathlib import Path

import pytest

from agentdyno.pipelines.rederive import ALONE_BYTES
from agentdyno_bench.shared.running.folder import RunFolder
from agentdyno_bench.shared.running.options import ModelSpec, RunOptions
from agentdyno_bench.shared.running.shard import Shard, _environment
from tests.hostile.planting import Mine, worker_modules
from tests.ledger.traces import write_jsonl

COMMAND = """\
if __name__ == "__main__":
    from agentdyno.cli import main
    sys.exit(main())
"""
POOL = """\
from agentdyno_bench.tps.pool.pool import open_pool
from agentdyno_bench.tps.pool.suite import PoolSpec
with open_pool(PoolSpec(servers=("notes",))) as pool:
    assert pool.tools
"""
VERIFIER = """\
import asyncio
from agentdyno_bench.pte.tir.verifying import Verifier
verifier = Verifier()
assert asyncio.run(verifier.equal("1/2", "0.5")) is True
verifier.close()
"""
PROGRAM = """\
import anyio
from agentdyno_bench.pte.tools.config import PythonConfig
from agentdyno_bench.pte.tools.python.unsafe import UnsafeHost
os.environ["PYTHONSAFEPATH"] = "1"  # As in the processes of a benchmark.
code = "import json; open('mine.py', 'w').write('found = 1'); import mine; print(mine.found)"
ended = anyio.run(UnsafeHost(PythonConfig()).execute, code)
assert ended.stdout.strip() == "1", ended
"""
DRILLS = """\
if __name__ == "__main__":
    from agentdyno_train.synthetic_dialogues import MANY, for_worlds
    assert for_worlds(list, MANY, [7, 8]) == [7, MANY // 2, 8, MANY // 2]
"""
RUN_ALL = """\
if __name__ == "__main__":
    import time
    from agentdyno_bench.shared.running.processes import run_all
    run_all(time.sleep, [0, 0])
"""
RAY = """\
from agentdyno.engines.ray import run
assert sorted(run(abs, [-1, -2], 2)) == [1, 2]
"""
SESSION = """\
import os, sys
from agentdyno.engines.local import run
assert "" in sys.path
assert sorted(run(abs, [-1, -2], 2)) == [1, 2]
for name in os.listdir("later"):
    os.rename(os.path.join("later", name), name)
assert sorted(run(abs, [-1, -2], 2)) == [1, 2]
assert "" in sys.path
"""


SLOW = pytest.mark.slow


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> frozenset[str]:
    return worker_modules(tmp_path_factory.mktemp("worker"))


@pytest.fixture
def mine(tmp_path: Path, names: frozenset[str]) -> Mine:
    return Mine(tmp_path, names)


def test_what_is_planted_would_leave_its_mark(mine: Mine) -> None:
    mine.plant(mine.folder)
    mine.run_python("-c", "import multiprocessing")
    assert "work-multiprocessing" in mine.executed


def test_measuring_with_two_workers_executes_nothing_that_is_planted(mine: Mine) -> None:
    traces, ledger = mine.folder / "traces", mine.folder / "ledger"
    _write_enough_for_two(traces / "a.jsonl", first=0)
    mine.plant(mine.folder, traces)
    command = ("measure", "traces", "--out", "ledger", "--workers", "2")
    done = mine.run_script(COMMAND, *command)
    assert mine.executed == []
    assert done.returncode == 0, done.stderr
    assert mine.processes == 2
    _write_enough_for_two(traces / "b.jsonl", first=1000)
    mine.plant(*(folder for folder in (ledger, *ledger.rglob("*")) if folder.is_dir()))
    done = mine.run_script(COMMAND, *command)
    assert mine.executed == []
    assert done.returncode == 0, done.stderr
    assert mine.processes == 4


def _write_enough_for_two(path: Path, first: int) -> None:
    """In two halves, and more than one process derives alone."""
    padding = {"padding": "x" * (ALONE_BYTES // 90)}
    for half in range(2):
        tasks = range(first + 50 * half, first + 50 * (half + 1))
        write_jsonl(path.with_stem(f"{path.stem}{half}"), tasks, metadata=padding)
    assert sum(f.stat().st_size for f in path.parent.glob(f"{path.stem}?.jsonl")) > ALONE_BYTES


@pytest.mark.parametrize(
    ("code", "needs", "processes"),
    [
        pytest.param(RUN_ALL, [], 3, id="benchmark processes"),
        pytest.param(DRILLS, ["bm25s"], 3, id="training drills", marks=SLOW),
        pytest.param(VERIFIER, ["math_verify"], 1, id="formulas", marks=SLOW),
        pytest.param(POOL, ["mcp"], 1, id="tool servers", marks=SLOW),
        pytest.param(PROGRAM, ["anyio"], 1, id="programs of models", marks=SLOW),
        pytest.param(RAY, ["ray"], 1, id="Ray workers", marks=SLOW),
    ],
)
def test_no_other_process_executes_what_is_planted(
    mine: Mine, code: str, needs: list[str], processes: int
) -> None:
    for package in needs:
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"this process needs {package}, which is not installed")
    mine.plant(mine.folder)
    done = mine.run_script(code)
    assert mine.executed == []
    assert done.returncode == 0, done.stderr
    assert mine.processes == processes


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], ""),
        # Python ignores the variable that keeps the current folder off the path.
        (["-E"], "Start it with -I"),
    ],
)
def test_workers_of_an_interactive_session_do_not_look_in_its_folder(
    mine: Mine, options: list[str], said: str
) -> None:
    """The session itself does, as every Python does; it has what it needs before the planting."""
    (mine.folder / "later").mkdir()
    mine.plant(mine.folder / "later")
    done = mine.run_python(*options, "-c", SESSION)
    assert mine.executed == []
    assert (done.returncode == 0) == (not said), done.stderr
    assert said in done.stderr


def test_a_benchmark_takes_no_variable_from_a_file_of_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import inspect_ai._util.dotenv as dotenv

    (tmp_path / ".env").write_text("OPENAI_BASE_URL=http://elsewhere.example\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    folder = RunFolder(tmp_path / "run", "task", "model")
    with _environment(Shard(None, ModelSpec("a/b"), RunOptions(out=tmp_path), folder, [], 1, 0)):
        dotenv.init_dotenv()
        assert "OPENAI_BASE_URL" not in os.environ
