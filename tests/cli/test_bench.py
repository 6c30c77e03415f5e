"""`agentdyno bench`, offline: a scripted model on bundled questions and compound tasks."""

from pathlib import Path

import pytest

from tests.cli.run import Agentdyno
from tests.labelled import from_set

SCRIPT = "-M", "script=tests.bench.pte.tir.tools:solves_some"


TIR = "bench", "tir", "--model", "agentdyno/scripted", *SCRIPT, "--tools", "none"


def test_bench_tir_prints_the_ledger_of_its_run(agentdyno: Agentdyno, tmp_path: Path) -> None:
    words = (*TIR, "-b", "math_500", "--limit", 3, "--out", tmp_path / "out", "--no-report")
    assert agentdyno.run(*words, "--json") == 0, agentdyno.err
    told = agentdyno.object()
    (setting,) = told["settings"]
    found = (setting["benchmark"], setting["variant"], setting["trajectories"])
    assert found == ("math_500_mini", "no tools", 3)
    assert [(r["task"], r["samples"], r["run_now"]) for r in told["runs"]] == [
        ("math_500_mini", 3, 3)
    ]
    assert agentdyno.run(*words) == 0
    assert "math_500_mini" in agentdyno.out


def test_samples_that_all_fail_are_said(agentdyno: Agentdyno, tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    script.write_text('{"replies": [{"error": "out of order"}]}')
    code = agentdyno.run(
        "bench", "tir", "-m", "agentdyno/scripted", "-M", f"script={script}", "--tools", "none",
        "-b", "aime_2024", "--limit", 2, "--out", tmp_path / "out", "--no-report",
    )  # fmt: skip
    assert code == 1
    assert "2 of 2 samples failed" in agentdyno.err
    assert "out of order" in agentdyno.err


@from_set("cli/bench", "arguments", "said")
def test_wrong_options_are_said(
    agentdyno: Agentdyno, tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    assert agentdyno.run(*TIR, *arguments, "--out", tmp_path / "out") == 2
    assert agentdyno.out == ""
    assert said in agentdyno.err


def test_a_service_that_is_not_there_is_said_and_leaves_nothing(
    agentdyno: Agentdyno, tmp_path: Path
) -> None:
    words = ("bench", "tir", "-m", "openai-api/lab/qwen", "-M", "api_key=none", "--tools", "none",
             "--base-url", "http://127.0.0.1:9/v1", "--out", tmp_path / "out")  # fmt: skip
    assert agentdyno.run(*words) == 2
    assert "expected a service at http://127.0.0.1:9/v1/, found none" in agentdyno.err
    assert not list((tmp_path / "out").rglob("*.eval"))


OPTIMAL = "script=bench.scripted.planning:optimal"
TASKS = ("--level", "easy", "--limit", "2", "--in-process", "--no-report")


@pytest.fixture
def planning(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Agentdyno:
    return Agentdyno(capsys, tmp_path / "bench")


def bench(planning: Agentdyno, *words: object) -> int:
    model = ("--model", "agentdyno/scripted", "-M", OPTIMAL)
    return planning.run("bench", "tps", *model, "--out", planning.ledger, *TASKS, *words)


@pytest.mark.slow
def test_a_run_prints_every_way_with_its_measures(planning: Agentdyno) -> None:
    assert bench(planning, "--selection", "none", "--selection", "rule", "--pictures", "1") == 0
    for word in ("none-parallel", "rule-parallel", "completion", "over the fewest", "too early"):
        assert word in planning.out
    assert "schedules/*.svg (1)" in planning.out.replace("\n", "")
    assert len(list((planning.ledger / "schedules").glob("*.svg"))) == 1
    assert bench(planning, "--selection", "none", "--selection", "rule", "--json") == 0
    first = planning.object()["settings"][0]
    assert (first["variant"], first["completion"]["value"]) == ("none-parallel", 1)
    assert (first["all_done"], first["turns_over_best"]) == (1, 1)


def test_an_unknown_way_names_the_known_ones(planning: Agentdyno) -> None:
    assert bench(planning, "--selection", "all") == 2
    assert all(way in planning.err for way in ("self", "none", "rule"))


def test_a_file_of_servers_that_is_none_is_an_error_without_a_run(planning: Agentdyno) -> None:
    assert bench(planning, "--mcp-servers", "no-such.json") == 2
    assert "no-such.json: expected a JSON file with mcpServers" in planning.err
    assert not (planning.ledger / "logs").exists()


def test_a_task_file_that_is_none_is_an_error_without_a_run(
    planning: Agentdyno, tmp_path: Path
) -> None:
    (tmp_path / "tasks.json").write_text("{}")
    assert bench(planning, "--tasks", tmp_path / "tasks.json") == 2
    assert "tasks.json" in planning.err
    assert not (planning.ledger / "ledger").exists()
