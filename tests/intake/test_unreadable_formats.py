"""Formats that are called by their names although nobody reads them yet."""

import json
from pathlib import Path
from typing import Any

import pytest

from agentdyno.intake.head import Head
from agentdyno.intake.unreadable_formats import find_known_format

EXAMPLES: dict[str, Any] = {
    "SWE-bench": {"resolved_ids": [], "completed_ids": [], "schema_version": 2},
    "Gemini CLI": {"type": "tool_use", "tool_name": "ls", "tool_id": "ls-1", "parameters": {}},
    "managed agent": {"raw": {"type": "span.model_request_end", "model_usage": {}}},
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_known_format_is_called_by_its_name(tmp_path: Path, name: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps(EXAMPLES[name]))
    assert name in (find_known_format(Head(path)) or "")


def test_anything_else_has_no_name(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    for other in ({"answer": 42}, [1, 2], "text", {"type": ["odd"]}, {"request": [1]}):
        path.write_text(json.dumps(other))
        assert find_known_format(Head(path)) is None
