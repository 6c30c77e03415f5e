"""What our own runner notes beside an answer, and that nobody else's metadata are taken for it."""

import json
from pathlib import Path
from typing import Any

import pytest

from agentdyno.intake.formats.inspect_ai import usage
from agentdyno.intake.formats.inspect_ai.wire import OUTPUT
from tests.intake.formats.inspect_logs import (
    HEADER,
    Json,
    assistant,
    model_event,
    read_one,
    sample,
    user,
    write_json,
)
from tests.labelled import from_set

TOOLS = [{"name": "look", "description": "Looks.", "parameters": {"type": "object"}}]


def noted(notes: Any, said: str = "A", **more: Any) -> Json:
    event = model_event([user("Q")], assistant(said), tools=TOOLS, **more)
    event["output"]["metadata"] = notes
    return event


def test_times_come_with_their_validity(tmp_path: Path) -> None:
    events = [
        noted({"agentdyno": {"first_token_seconds": 0.25, "latency_valid": True}}),
        noted({"agentdyno": {"latency_valid": False, "loop_cpu_share": 0.9}}, "B"),
        noted({"other": 1}, "C"),
    ]
    turns = read_one(write_json(tmp_path, sample(*events))).turns
    assert [(t.first_token_seconds, t.latency_valid, t.latency_seconds) for t in turns] == [
        (0.25, True, 0.5),
        (None, False, 0.5),
        (None, None, 0.5),
    ]


def test_tools_that_our_runner_kept_stay_in_context(tmp_path: Path) -> None:
    events = [
        noted({"agentdyno": {"tools_kept": True}}),
        noted({"agentdyno": {"tools_kept": True}}, "B", tool_choice="none"),
        noted({}, "C", tool_choice="none"),
    ]
    found = read_one(write_json(tmp_path, sample(*events)))
    schemas = [(p.enters, p.leaves) for p in found.parts if p.kind == "schema"]
    # Two turns have it; the third is somebody else's, which was sent none.
    assert schemas == [(0, 2)]


@from_set("intake/formats/inspect_ai_own", "notes")
def test_metadata_of_any_other_shape_say_nothing(tmp_path: Path, notes: Any) -> None:
    found = read_one(write_json(tmp_path, sample(noted(notes, tool_choice="none"))))
    (turn,) = found.turns
    assert (turn.first_token_seconds, turn.latency_valid) == (None, None)
    assert [part.kind for part in found.parts] == ["user", "text"]


def test_metadata_without_our_name_are_not_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(usage, "decode", None)  # Whoever calls it fails.
    output = OUTPUT.decode(b'{"metadata": {"x": [1, 2, 3]}}')
    assert output is not None
    assert usage.own_notes(output) is usage.NO_NOTES


@pytest.mark.parametrize(("told", "attempt"), [(3, 3), (None, 1), ("two", 1)])
def test_the_attempt_is_what_our_runner_says(tmp_path: Path, told: Any, attempt: int) -> None:
    log = HEADER | {"samples": [sample(model_event([user("Q")], assistant("A")))]}
    log["eval"] = HEADER["eval"] | {"metadata": {"agentdyno": {"shard": 0, "attempt": told}}}
    path = tmp_path / "log.json"
    path.write_text(json.dumps(log))
    assert read_one(path).attempt == attempt
