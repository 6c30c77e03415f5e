"""Inspect logs, others' and our own: turns, calls, times and marks."""

import json
from pathlib import Path
from typing import Any

import pytest

from agentdyno.intake.formats.inspect_ai import usage
from agentdyno.intake.formats.inspect_ai.wire import OUTPUT
from tests.intake.formats.conformance import spoken as texts_at
from tests.intake.formats.inspect_logs import (
    HEADER,
    assistant,
    call,
    model_event,
    read_all,
    read_one,
    result,
    sample,
    user,
    write_eval,
)

DATA = Path(__file__).resolve().parents[2] / "data" / "inspect_ai"


def test_a_sample_in_pieces_reads_like_a_whole_one() -> None:
    whole, pieces = read_all(DATA / "cities.eval")[0], read_all(DATA / "cities_in_pieces.eval")[0]
    assert [(t.parts, t.turns, t.calls) for t in whole] == [
        (t.parts, t.turns, t.calls) for t in pieces
    ]
    assert [t.level for t in pieces] == ["easy", "easy"]


def test_a_missing_score_written_as_nan_is_unknown(tmp_path: Path) -> None:
    event = model_event([user('NaN \\" NaN')], assistant("A"))
    scores = {"first": {"value": float("nan")}}
    found = read_one(write_eval(tmp_path, sample(event, scores=scores)))
    assert (found.score, found.correct) == (None, None)
    assert texts_at(found, 0) == ['NaN \\" NaN']


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


@pytest.mark.parametrize("named", [True, False])
def test_a_call_of_the_tool_by_which_agents_answer_is_the_answer(
    tmp_path: Path, named: bool
) -> None:
    handed_in = assistant("", call("c", "submit", arguments={"town": "Ulm"}))
    told = result("c", "Submitted.", function="submit")
    events = [
        model_event([user("Q")], handed_in),
        model_event([user("Q"), handed_in, told, user("And now?")], assistant("A")),
    ]
    log = HEADER | {"samples": [sample(*events)]}
    log["eval"] = HEADER["eval"] | {"metadata": {"answer_tool": "submit" if named else None}}
    path = tmp_path / "log.json"
    path.write_text(json.dumps(log))
    found = read_one(path)
    assert [each.tool for each in found.calls] == ([] if named else ["submit"])
    assert len(found.turns) == 2
    if named:
        assert texts_at(found, 1) == ["Q", '{"town": "Ulm"}', "Submitted.", "And now?"]
