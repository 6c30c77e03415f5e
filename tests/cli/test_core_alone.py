"""The core alone: its verbs work, and others say what to install."""

import json
import subprocess
import sys

import pytest

from tests.ledger.traces import write_jsonl

EXTRAS = (
    "agentdyno_daily", "agentdyno_bench", "agentdyno_depth", "agentdyno_train", "altair",
    "pandas", "statsmodels",
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
from agentdyno import quick_entries

quick_entries.OUR_DISTRIBUTION = "nothing_installed"
from agentdyno.cli.app import app, run_guarded
for words in json.loads(sys.argv[1]):
    print("==", run_guarded(lambda **how: app(words, **how)), *words, file=sys.stderr)
"""

WORKING = [
    ["measure", "traces", "--out", "L", "--workers", "1"],
    ["report", "L", "-o", "r.html"],
    ["compare", "L", "L"],
    ["about", "architectures"],
    ["about", "hardware"],
    ["about", "formats"],
]
VIEW = ["view", "L", "--no-browser"]
WANTING = {
    "daily": [["statusline"], ["budget", "50/month"], ["apply", "1"], ["mcp"]],
    "bench": [
        ["bench", "tir", "-m", "openai/x"],
        ["worth", "facts"],
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
    words = json.dumps([*WORKING, VIEW, [], *wanting])
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


def test_without_a_verb_it_names_the_package_for_coding_agents(told: str) -> None:
    before, _, _ = told.partition("\n== 2\n")
    assert before != told
    assert "that needs agentdyno[daily]: pip install 'agentdyno[daily]'" in before.splitlines()[-1]
