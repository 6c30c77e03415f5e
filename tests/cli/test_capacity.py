"""`agentdyno capacity` from a file of counts, for people and for programs."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from agentdyno.cli.app import app

TURNS = [{"context": 4000 + 1000 * n, "generated": 40, "pause_seconds": 1.0} for n in range(4)]
LINE = {"shared": 1000, "turns": TURNS}
KEYS = {
    "concurrency", "makespan_seconds", "hit_rate", "first_token_p50_seconds",
    "first_token_p95_seconds",
}  # fmt: skip

SMALL = "--arch", "llama-3.1-8b", "--hardware", "h200-sxm", "--cache-tokens", 60_000


@pytest.fixture
def counts(tmp_path: Path) -> Path:
    path = tmp_path / "load.jsonl"
    path.write_text("\n".join(json.dumps(LINE) for _ in range(16)))
    return path


def call(*words: object) -> str:
    found = CliRunner().invoke(app, ["capacity", *map(str, words)])
    assert found.exit_code == 0, found.output
    return found.stdout


def test_json_has_a_row_for_each_load(counts: Path) -> None:
    given = ("--arch", "llama-3.1-8b", "--hardware", "h200-sxm", "--cache-tokens", 40_000)
    found = json.loads(call(counts, *given, "--concurrency", "2,12", "--json"))
    assert [row["concurrency"] for row in found["rows"]] == [2, 12]
    assert all(row.keys() >= KEYS for row in found["rows"])
    assert found["rows"][0]["hit_rate"] > found["rows"][1]["hit_rate"]
    assert found["cache_tokens"] == 40_000
    assert found["evidence"]["differs"] == []


def test_a_page_draws_the_cliff(counts: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    call(counts, "--arch", "llama-3.1-8b", "--hardware", "h200-sxm", "--concurrency", "2,8",
         "-o", page)  # fmt: skip
    text = page.read_text(encoding="utf-8")
    assert "<svg" in text
    assert "sessions at once" in text


def test_a_terminal_draws_the_cliff(counts: Path) -> None:
    lines = call(counts, *SMALL, "--concurrency", "8,14").splitlines()
    drawn = [line for line in lines if "█" in line]
    assert [line.split()[0] for line in drawn] == ["8", "14"]
    assert drawn[1].count("█") > drawn[0].count("█")
    assert drawn[1].endswith("the cliff")


def test_a_request_larger_than_the_memory_is_said_to_be_refused(tmp_path: Path) -> None:
    path = tmp_path / "load.jsonl"
    path.write_text('{"turns": [{"context": 70000, "generated": 10}]}\n')
    assert "1 request needs more tokens than the memory holds" in " ".join(
        call(path, *SMALL).split()
    )


def test_a_policy_that_no_card_checked_is_said_to_be_never_measured(counts: Path) -> None:
    text = call(counts, "--arch", "llama-3.1-8b", "--hardware", "h200-sxm", "--cache-tokens",
                40_000, "--policy", "sglang", "--concurrency", "12")  # fmt: skip
    assert "Never measured" in " ".join(text.split())


def test_loads_that_are_no_numbers_are_refused(counts: Path) -> None:
    found = CliRunner().invoke(app, ["capacity", str(counts), "--concurrency", "many"])
    assert found.exit_code != 0
