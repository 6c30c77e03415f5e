"""Formats that are called by their names although nobody reads them yet."""

import json
from pathlib import Path
from typing import Any

import pytest

from agentdyno.intake.head import Head
from agentdyno.intake.unreadable_formats import find_known_format

EXAMPLES: dict[str, Any] = {
    "mini-SWE-agent": {"info": {}, "messages": [], "trajectory_format": "mini-swe-agent-1"},
    "SWE-agent": {"environment": "e", "trajectory": [], "history": [], "info": {}},
    "ToolBench": {"win": True, "tree": {}, "answer_generation": {}},
    "Langfuse": {"trace": {}, "observations": []},
    "LangSmith": {"id": "1", "trace_id": "2", "run_type": "llm", "inputs": {}},
    "Responses": {"request": {"input": "hi"}, "response": {"object": "response", "output": []}},
    "OpenHands": [{"id": 0, "timestamp": "t", "source": "agent", "message": "", "action": "run"}],
    "BFCL": {"id": "simple_0", "result": [], "input_token_count": 1},
    "HAL": {"config": {}, "results": {}, "raw_logging_results": []},
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_known_format_is_called_by_its_name(tmp_path: Path, name: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps(EXAMPLES[name]))
    assert name in (find_known_format(Head(path)) or "")


REAL = Path(__file__).parents[2] / "../shared/data/traces"


@pytest.mark.parametrize(
    ("folder", "name", "many"),
    [
        ("swe_agent", "SWE-agent", 8),
        ("toolbench", "ToolBench", 15),
        ("langfuse/seeder", "Langfuse", 13),
        ("openhands", "OpenHands", 6),
        ("openai_responses/calls_jsonl", "Responses", 6),
    ],
)
def test_real_files_are_called_by_their_names(folder: str, name: str, many: int) -> None:
    if not (REAL / folder).is_dir():
        pytest.skip(f"{REAL / folder} is not there")
    files = [p for p in (REAL / folder).rglob("*") if p.suffix in (".json", ".jsonl", ".traj")]
    own = [p for p in files if "constructed" not in p.name]  # Files that people wrote by hand.
    named = [p for p in own if name in (find_known_format(Head(p)) or "")]
    assert len(named) == len(own) >= many


def test_anything_else_has_no_name(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    for other in ({"answer": 42}, [1, 2], "text", {"type": ["odd"]}, {"request": [1]}):
        path.write_text(json.dumps(other))
        assert find_known_format(Head(path)) is None
