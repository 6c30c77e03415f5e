"""Harnesses, benchmarks and agents that keep a run in files of its own."""

import json
from pathlib import Path
from shutil import copytree

from tests.intake.formats.conformance import (
    read_as,
)
from tests.labelled import from_set

DATA = Path(__file__).resolve().parents[2] / "data"


@from_set("intake/formats/harnesses", "format", "name", "outcomes")
def test_the_outcome_comes_from_where_the_harness_puts_it(
    format: str, name: str, outcomes: list[bool | None]
) -> None:
    runs, _ = read_as(format, DATA / name)
    assert [run.correct for run in runs] == outcomes


def test_a_payload_outside_the_bundle_is_not_opened(tmp_path: Path) -> None:
    secret = tmp_path / "1.json"
    secret.write_text(json.dumps({"input": "from outside"}))
    folder = copytree(DATA / "codex_trace/trace-0b7e", tmp_path / "bundle")
    (folder / "payloads/1.json").unlink()
    trace = folder / "trace.jsonl"
    trace.write_text(trace.read_text().replace("payloads/1.json", "../1.json"))
    runs, problems = read_as("codex_trace", trace)
    assert problems
    assert "from outside" not in str([run.parts for run in runs])
