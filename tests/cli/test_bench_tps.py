"""`bench tps`: what a person sees of a run, and of one that cannot be."""

from pathlib import Path

import pytest

from tests.cli.run import Agentdyno

pytest.importorskip("inspect_ai", reason="needs the extra bench")
SCRIPT = "script=agentdyno_bench.tps.run.scripted:optimal"
TASKS = ("--level", "easy", "--limit", "2", "--in-process", "--no-report")


@pytest.fixture
def agentdyno(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Agentdyno:
    return Agentdyno(capsys, tmp_path / "bench")


def bench(agentdyno: Agentdyno, *words: object) -> int:
    model = ("--model", "agentdyno/scripted", "-M", SCRIPT)
    return agentdyno.run("bench", "tps", *model, "--out", agentdyno.ledger, *TASKS, *words)


@pytest.mark.slow
def test_a_run_prints_every_way_with_its_measures(agentdyno: Agentdyno) -> None:
    assert bench(agentdyno, "--selection", "none", "--selection", "rule", "--pictures", "1") == 0
    for word in ("none-parallel", "rule-parallel", "completion", "over the fewest", "too early"):
        assert word in agentdyno.out
    assert "schedules/*.svg (1)" in agentdyno.out.replace("\n", "")
    assert len(list((agentdyno.ledger / "schedules").glob("*.svg"))) == 1
    assert bench(agentdyno, "--selection", "none", "--selection", "rule", "--json") == 0
    first = agentdyno.object()["settings"][0]
    assert (first["variant"], first["completion"]["value"]) == ("none-parallel", 1)
    assert (first["all_done"], first["turns_over_best"]) == (1, 1)


def test_an_unknown_way_names_the_known_ones(agentdyno: Agentdyno) -> None:
    assert bench(agentdyno, "--selection", "all") == 2
    assert all(way in agentdyno.err for way in ("self", "none", "rule"))


def test_a_file_of_servers_that_is_none_is_an_error_without_a_run(agentdyno: Agentdyno) -> None:
    assert bench(agentdyno, "--mcp-servers", "no-such.json") == 2
    assert "no-such.json: expected a JSON file with mcpServers" in agentdyno.err
    assert not (agentdyno.ledger / "logs").exists()


def test_a_task_file_that_is_none_is_an_error_without_a_run(
    agentdyno: Agentdyno, tmp_path: Path
) -> None:
    (tmp_path / "tasks.json").write_text("{}")
    assert bench(agentdyno, "--tasks", tmp_path / "tasks.json") == 2
    assert "tasks.json" in agentdyno.err
    assert not (agentdyno.ledger / "ledger").exists()
