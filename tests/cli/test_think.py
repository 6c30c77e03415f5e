"""`agentdyno think` over recorded pools: no model is needed."""

import json
import subprocess
import sys

import pytest
import typer

from agentdyno.cli.app import run_guarded
from agentdyno.records import InputError
from agentdyno_depth.cli.think import command
from agentdyno_depth.think.pool_files import read_pool, write_pool
from tests.labelled import from_set
from tests.studies.thinking_pools import pool, sample, ungraded

PROBLEM = [
    sample("7", 100, dtr=0.4),
    sample("7", 120, dtr=0.3),
    sample("9", 60, dtr=0.2),
    sample("9", 80, dtr=0.1),
    sample("9", 90, dtr=0.0),
    sample(None, 150, dtr=0.05),
]


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "pool.jsonl"
    write_pool(path, pool(PROBLEM, [sample("7")] * 6))
    return path


@pytest.fixture
def think(capsys):
    app = typer.Typer(pretty_exceptions_enable=False)
    app.command()(command)

    def run(*words: object) -> tuple[int, str, str]:
        code = run_guarded(lambda **how: app([str(word) for word in words], **how))
        return code, *capsys.readouterr()

    return run


def test_a_pool_is_compared_as_one_json_object(think, file):
    code, out, _ = think("--pool", file, "--n", 6, "--trials", 2, "--json")
    found = json.loads(out)
    assert (code, out.count("\n")) == (0, 1)
    accuracy = {row["method"]: row["accuracy"] for row in found["methods"]}
    assert accuracy == {
        "cons": 0.5,
        "mean": pytest.approx((2 / 6 + 1) / 2),
        "long": 1.0,
        "short": 0.5,
        "self_certainty": 1.0,  # all equal: the first three, of which two are right
        "think": 1.0,
    }
    assert (found["problems"], found["samples"], found["answered"]) == (2, 6, 11 / 12)


def test_people_get_a_table(think, file):
    code, out, _ = think("--pool", file, "--n", 6)
    assert code == 0
    assert "Think@6" in out
    assert "all trials are the same" in out


def test_a_pool_without_marks_is_graded_and_recorded(think, tmp_path):
    raw, done = tmp_path / "raw.jsonl", tmp_path / "graded.jsonl"
    write_pool(raw, pool([ungraded(each) for each in PROBLEM]))
    code, _, _ = think("--pool", raw, "--n", 6, "--record", done)
    assert code == 0
    assert read_pool(done) == pool(PROBLEM)


@from_set("cli/think", "words", "said")
def test_wrong_usage_is_answered_in_a_sentence(think, file, words, said):
    code, out, err = think("--pool", file, *words)
    assert (code, out) == (2, "")
    assert said in err
    assert "Traceback" not in err


def test_a_missing_file_is_named(think, tmp_path):
    code, _, err = think("--pool", tmp_path / "none.jsonl")
    assert code == 2
    assert "expected a pool file" in err


def test_a_server_that_is_not_there_is_said_before_a_model_is_loaded(think, tmp_path):
    away = ["--server", "http://localhost:1/v1", "--server-model", "m"]
    code, _, err = think("--model", tmp_path / "no-model", *away)
    assert code == 2
    assert "--server http://localhost:1/v1: expected a server, found none that can be" in err


def test_comparing_a_pool_loads_no_model_library(file):
    program = (
        "import sys; from agentdyno_depth.pipelines.think.verb import ThinkRequest, think; "
        "from pathlib import Path; think(ThinkRequest(pool=Path(sys.argv[1]), n=6)); "
        "assert not {'torch', 'transformers', 'httpx'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program, str(file)], check=True, timeout=120)


def test_a_page_and_pictures_are_written(think, file, tmp_path):
    page, png = tmp_path / "page.html", tmp_path / "png"
    code, out, err = think("--pool", file, "--n", 6, "--report", page, "--png", png, "--json")
    assert (code, out.count("\n")) == (0, 1)
    assert "page.html" in err
    text = page.read_text()
    assert "Self-Certainty@6" in text
    assert "By prefix" in text
    assert {path.name for path in png.iterdir()} == {"think-plane.png", "think-samples.png"}


def test_a_page_that_is_none_is_said_before_the_pool_is_read(think, tmp_path):
    code, _, err = think("--pool", tmp_path / "none.jsonl", "--report", "page.txt")
    assert code == 2
    assert "page.txt: expected a file that ends in .html" in err


def test_how_much_is_written_is_said_before_it_is(think, file, monkeypatch):
    def refuse(*_):
        raise InputError("no model here")

    monkeypatch.setattr("agentdyno_depth.probes.loading.open_model", refuse)
    code, out, err = think("--limit", 3, "--n", 4, "--max-tokens", 20)
    assert (code, out) == (2, "")
    # Twice n for each problem, so that trials are not all the same draw.
    assert err.startswith("24 samples (8 for each of 3 problems) of up to 20 tokens: --limit")
    assert "samples (4 for each of 3 problems)" in think("--limit", 3, "--n", 4, "--answer")[2]
    assert think("--pool", file, "--n", 6, "--trials", 2)[2] == ""
