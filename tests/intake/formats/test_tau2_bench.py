"""tau2-bench results: the agent's side, without the simulated user's."""

import json
import shutil
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from agentdyno.intake.formats.tau2_bench import FORMAT
from agentdyno.intake.head import Head
from agentdyno.records import TokenCount
from tests.intake.formats.conformance import items_of, read_alone

DATA = Path(__file__).resolve().parents[2] / "data" / "tau2_bench"
DOCUMENT = DATA / "telecom.json"


read = partial(items_of, "tau2_bench")
one = partial(read_alone, "tau2_bench")


def document(folder: Path, messages: list[dict[str, Any]], **changes: Any) -> Path:
    """A document of one simulation with these messages."""
    content = json.loads(DOCUMENT.read_bytes())
    content["simulations"] = [{"id": "s", "task_id": "t", "messages": messages}]
    content.update(changes)
    path = folder / "doc.json"
    path.write_text(json.dumps(content))
    return path


def answer(content: str | None = "Hello", **fields: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": content, **fields}


def ask(content: str = "Help") -> dict[str, Any]:
    return {"role": "user", "content": content}


@pytest.mark.parametrize("inside", [True, False], ids=["in the choice", "beside it"])
def test_thinking_blocks_are_reasoning(tmp_path: Path, inside: bool):
    blocks = [
        {"type": "thinking", "thinking": "First.", "signature": "x"},
        {"type": "redacted_thinking", "data": "?"},
        {"type": "thinking", "thinking": "Then."},
    ]
    message = {"role": "assistant", "content": "Hello"}
    raw = {"thinking_blocks": blocks} if not inside else {
        "choices": [{"message": {**message, "thinking_blocks": blocks}}]
    }  # fmt: skip
    trajectory = one(document(tmp_path, [ask(), answer(raw_data=raw)]))
    thoughts = [part.text for part in trajectory.parts if part.kind == "reasoning"]
    assert thoughts == ["First.\nThen."]


@pytest.mark.parametrize(
    ("prompt", "prefill"),
    [(3207, 3207), (7, 3207)],
    ids=["cached tokens inside", "cached tokens left out"],
)
def test_cached_tokens_do_not_count_twice(tmp_path: Path, prompt: int, prefill: int):
    usage = {
        "prompt_tokens": prompt,
        "completion_tokens": 90,
        "cache_read_input_tokens": 3000,
        "cache_creation_input_tokens": 200,
    }
    trajectory = one(document(tmp_path, [ask(), answer(raw_data={"usage": usage})]))
    assert trajectory.turns[0].prefill == TokenCount(prefill, "reported")


def test_messages_dropped_from_a_full_window_leave_the_context(tmp_path: Path):
    cut = {"messages_dropped": 2, "messages_kept": 1}
    messages = [answer("Hi"), ask("One"), answer("1"), ask("Two"), answer("2")]
    messages[-1]["context_truncation"] = cut
    parts = {part.text: part for part in one(document(tmp_path, messages)).parts}
    assert parts["Hi"].leaves == parts["One"].leaves == 1
    assert parts["1"].leaves is None


def test_a_simulation_that_results_json_holds_as_well_is_counted_once(tmp_path: Path):
    shutil.copy(DOCUMENT, tmp_path / "results.json")
    shutil.copytree(DATA / "folder" / "simulations", tmp_path / "simulations")
    assert len(read(tmp_path / "results.json")) == 2
    assert read(tmp_path / "simulations" / "s-1.json") == []
    assert len(read(tmp_path / "simulations" / "v-1.json")) == 1


def test_a_simulation_without_results_json_is_read_alone(tmp_path: Path):
    path = tmp_path / "s-1.json"
    shutil.copy(DATA / "folder" / "simulations" / "s-1.json", path)
    trajectory = one(path)
    assert (trajectory.model, len(trajectory.turns)) == (None, 3)


def test_documents_and_single_simulations_are_recognised(tmp_path: Path):
    assert FORMAT.detect(Head(DOCUMENT)) > 0.9
    assert FORMAT.detect(Head(DATA / "folder" / "results.json")) > 0.9
    assert FORMAT.detect(Head(DATA / "folder" / "simulations" / "s-1.json")) >= 0.9
    assert FORMAT.detect(Head(DATA / "folder" / "simulations" / "v-1.json")) >= 0.9
    other = tmp_path / "other.json"
    other.write_text(json.dumps({"id": "x", "task_id": "y", "messages": []}))
    assert FORMAT.detect(Head(other)) == 0


def test_a_document_whose_tasks_fill_the_beginning_is_recognised(tmp_path: Path):
    content = json.loads(DOCUMENT.read_bytes())
    content["tasks"] = [{"id": str(i), "notes": "x" * 1000} for i in range(400)]
    path = tmp_path / "long.json"
    path.write_text(json.dumps(content))
    assert "simulations" not in Head(path).keys
    assert FORMAT.detect(Head(path)) > 0.9
    assert len(read(path)) == 2
