"""The script that draws pools: with a tiny model, stopped and gone on with, without msgspec."""

import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from agentdyno_depth.think.pool_files import read_pool
from tests.conftest import ROOT
from tests.tiny import save_tiny

SCRIPT = ROOT / "bench" / "think.py"
BLOCKED = """
import importlib.util, runpy, sys
found = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == "msgspec" else found(name, *rest)
class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("msgspec", "polars", "math_verify", "inspect_ai", "typer"):
            raise ImportError(name)
sys.meta_path.insert(0, Blocker())
runpy.run_path(sys.argv.pop(1), run_name="__main__")
"""


@pytest.mark.slow
def test_a_pool_is_drawn_with_torch_and_transformers_alone_and_goes_on_when_stopped(
    tmp_path, capsys
):
    save_tiny(tmp_path / "model")
    out = tmp_path / "pool.jsonl"
    assert "0 problems are there, 1 are drawn" in alone(words(tmp_path, out, problems=1))
    first = read_pool(out)
    with out.open("ab") as torn:
        torn.write('{"problem": "ä'.encode()[:-1])
    bench().main(words(tmp_path, out, problems=3))
    assert "1 problems are there, 2 are drawn" in capsys.readouterr().out
    pool = read_pool(out)
    assert pool.problems[:1] == first.problems
    assert [len(item.samples) for item in pool.problems] == [4, 4, 4]
    assert pool.head.prefixes == (5, 10)
    scores = pool.problems[0].samples[0].scores
    assert [each.prefix for each in scores] == [5, 10, None]


def words(folder: Path, out: Path, problems: int) -> list[str]:
    given = f"--model-path {folder / 'model'} --device cpu --problems {problems} --n 4"
    given += f" --max-tokens 12 --prefixes 5,10 --batch 8 --out {out}"
    return given.split()


def alone(given: list[str]) -> str:
    """What the script prints where nothing but torch and transformers can be imported."""
    done = subprocess.run(
        [sys.executable, "-c", BLOCKED, str(SCRIPT), *given],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def bench() -> Any:
    """The script as a module."""
    spec = importlib.util.spec_from_file_location("bench_think", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
