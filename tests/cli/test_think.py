"""`think` over recorded pools, `train`, and the embedded agent for whoever names no model."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer

from agentdyno.cli.app import app, run_guarded
from agentdyno.records import InputError
from agentdyno_bench.app.cli import bench_tir, bench_toolfail, bench_tps
from agentdyno_bench.shared.running.plans import Plan
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
    # All equally certain: the first three, of which two are right.
    assert (accuracy["cons"], accuracy["self_certainty"]) == (0.5, 1.0)
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
    assert first["lessons"] > 20


def test_wrong_usage_says_what_to_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = ["--out", str(tmp_path / "t")]
    assert run("train", "--stage", "grpo", "--batch", "9", *out) == 2
    assert "multiple of" in capsys.readouterr().err
    assert run("train", "--stage", "sft", "--model", str(tmp_path), "--worlds", "0", *out) == 2
    assert "config.json" in capsys.readouterr().err


class Planned(Exception):
    """Stops a verb where it would begin to run."""


@pytest.fixture
def plans(monkeypatch: pytest.MonkeyPatch) -> list[Plan]:
    found: list[Plan] = []

    def stop(made: list[Plan], *_: Any, **__: Any) -> None:
        found.extend(made)
        raise Planned

    monkeypatch.setattr("agentdyno_bench.shared.bench_run.run_plans", stop)
    monkeypatch.setattr("agentdyno_bench.toolfail.run.run_plans", stop)
    return found


@pytest.mark.parametrize("verb", [bench_tps.command, bench_tir.command, bench_toolfail.command])
def test_the_embedded_agent_attempts_a_few(
    verb: Any, plans: list[Plan], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(Planned):
        verb(out=tmp_path)
    assert [plan.model.name for plan in plans] == ["agentdyno/smollm2-agent"]
    assert plans[0].options.limit == 20
    assert "no --model given: the embedded agent" in capsys.readouterr().err


def test_a_given_limit_is_what_is_said(
    plans: list[Plan], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(Planned):
        bench_tir.command(out=tmp_path, limit=50)
    said = capsys.readouterr().err
    assert "attempts 50 tasks, offline" in said
    assert "--limit" not in said


@pytest.mark.parametrize(
    ("given", "tokens"),
    [({}, 1024), ({"attempt_tokens": 300}, 300), ({"model": ["mockllm/model"]}, None)],
)
def test_only_the_embedded_agent_has_a_limit_of_tokens_that_nobody_gave(
    given: dict[str, Any], tokens: int | None, plans: list[Plan], tmp_path: Path
) -> None:
    with pytest.raises(Planned):
        bench_tir.command(out=tmp_path, **given)
    assert plans[0].task.arguments.get("attempt_tokens") == tokens


def test_whoever_names_a_model_gets_all_tasks(plans: list[Plan], tmp_path: Path) -> None:
    with pytest.raises(Planned):
        bench_tps.command(model=["mockllm/model"], out=tmp_path)
    assert {plan.model.name for plan in plans} == {"mockllm/model"}
    assert plans[0].options.limit is None
