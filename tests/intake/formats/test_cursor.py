"""Cursor: transcripts without counts, against a plain count of their lines."""

import json
from pathlib import Path

from tests.intake.formats.conformance import Counts, detected, ledger_counts
from tests.labelled import from_set

DATA = Path(__file__).resolve().parents[2] / "data" / "cursor"


def count(paths: list[Path], sub_agents: int = 0) -> Counts:
    """Every line of the assistant's is a response."""
    responses, blocks = 0, []
    for line in (line for path in paths for line in path.read_text().splitlines()):
        try:
            record = json.loads(line)
        except json.JSONDecodeError:
            continue
        responses += record["role"] == "assistant"
        content = record["message"]["content"]
        blocks += content if isinstance(content, list) else []
    return Counts(
        responses=responses,
        calls=sum(block["type"] == "tool_use" for block in blocks),
        errors=sum(bool(block.get("is_error")) for block in blocks),
        sub_agents=sub_agents,
    )


def test_every_response_counts_once_and_no_token_is_said_to_be_reported(tmp_path: Path) -> None:
    truth = count(sorted(DATA.rglob("*.jsonl")), sub_agents=1)
    assert truth.responses == 4
    assert ledger_counts([DATA], tmp_path) == truth


def test_samples_are_counted_as_they_are(real_traces: Path, tmp_path: Path) -> None:
    paths = sorted((real_traces / "cursor").glob("*.jsonl"))
    assert {detected(path) for path in paths} == {"cursor"}
    assert ledger_counts(paths, tmp_path) == count(paths)


@from_set("intake/formats/cursor", "line")
def test_other_lines_are_no_transcripts(tmp_path: Path, line: dict[str, object]) -> None:
    path = tmp_path / "other.jsonl"
    path.write_text(f"{json.dumps(line)}\n" * 2)
    assert detected(path) != "cursor"
