"""Cursor: transcripts without counts."""

import json
from pathlib import Path

from tests.intake.formats.conformance import detected
from tests.labelled import from_set


@from_set("intake/formats/cursor", "line")
def test_other_lines_are_no_transcripts(tmp_path: Path, line: dict[str, object]) -> None:
    path = tmp_path / "other.jsonl"
    path.write_text(f"{json.dumps(line)}\n" * 2)
    assert detected(path) != "cursor"
