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
    Json,
    assistant,
    call,
    model_event,
    read_all,
    read_one,
    result,
    sample,
    tool_event,
    user,
    write_eval,
    write_json,
)
from tests.labelled import from_set

DATA = Path(__file__).resolve().parents[2] / "data" / "inspect_ai"


def test_a_sample_in_pieces_reads_like_a_whole_one() -> None:
    whole, pieces = read_all(DATA / "cities.eval")[0], read_all(DATA / "cities_in_pieces.eval")[0]
    assert [(t.parts, t.turns, t.calls) for t in whole] == [
        (t.parts, t.turns, t.calls) for t in pieces
    ]
    assert [t.level for t in pieces] == ["easy", "easy"]


# Tokens -----------------------------------------------------------------------------------------


def turn_with(tmp_path: Path, usage: Json | None, **more: Any) -> Any:
    event = model_event([user("Q")], assistant("A"), usage=usage, **more)
    return read_one(write_json(tmp_path, sample(event))).turns[0]


@pytest.mark.parametrize(
    ("usage", "counts"),
    [
        ({"input_tokens": 32, "output_tokens": 9, "total_tokens": 135, "reasoning_tokens": 94},
         (32, 103)),
        ({"input_tokens": 10120, "output_tokens": 1499, "total_tokens": 14428,
          "input_tokens_cache_read": 128, "reasoning_tokens": 2809}, (10120, 4308)),
        ({"input_tokens": 9992, "output_tokens": 1499, "total_tokens": 14428,
          "input_tokens_cache_read": 128, "reasoning_tokens": 2809}, (10120, 4308)),
        ({"input_tokens": 32, "output_tokens": 103, "total_tokens": 135, "reasoning_tokens": 94},
         (32, 103)),
        ({"input_tokens": 32, "output_tokens": 9, "reasoning_tokens": 94}, (32, 103)),
        ({"input_tokens": 32, "output_tokens": 99, "reasoning_tokens": 94,
          "input_tokens_cache_read": 8}, (40, 99)),
    ],
    ids=["beside", "beside, cached inside", "beside, cached on top", "inside", "more than all",
         "no total"],
)  # fmt: skip
def test_the_total_says_whether_thoughts_are_among_the_output(
    tmp_path: Path, usage: Json, counts: tuple[int, int]
) -> None:
    turn = turn_with(tmp_path, usage)
    assert (turn.prefill.tokens, turn.decode.tokens) == counts


@pytest.mark.parametrize("usage", [None, {"input_tokens": 0, "output_tokens": 0}])
def test_zero_usage_means_that_nobody_counted(tmp_path: Path, usage: Json | None) -> None:
    turn = turn_with(tmp_path, usage)
    assert turn.prefill is None
    assert turn.decode is None


def test_a_failed_call_with_an_empty_answer_is_a_retry_too(tmp_path: Path) -> None:
    failed = model_event([user("Q")], assistant(""), usage=None, error="server_error: no answer")
    events = [failed, failed, model_event([user("Q")], assistant("A"))]
    found = read_one(write_json(tmp_path, sample(*events)))
    assert (len(found.turns), found.retries) == (1, 2)


def test_failed_calls_are_retries_and_pending_ones_are_neither(tmp_path: Path) -> None:
    events = [
        model_event([user("Q")], None, error="rate limit", retries=3),
        model_event([user("Q")], assistant("A"), retries=1),
        model_event([user("Q"), assistant("A")], None, pending=True),
    ]
    found = read_one(write_json(tmp_path, sample(*events)))
    assert len(found.turns) == 1
    assert found.retries == 5  # 3 and the call itself, then 1


# Calls ------------------------------------------------------------------------------------------


def wire(arguments: str, shape: str) -> Json:
    if shape == "chat":
        made = {
            "id": "c1",
            "type": "function",
            "function": {"name": "look", "arguments": arguments},
        }
        answer: Json = {"choices": [{"message": {"content": "", "tool_calls": [made]}}]}
    else:
        item = {"type": "function_call", "id": "fc", "call_id": "c1", "arguments": arguments}
        answer = {"output": [{"type": "message", "id": "m"}, item]}
    return {"request": {"tools": []}, "response": answer}


@pytest.mark.parametrize("shape", ["chat", "responses"])
def test_silently_repaired_arguments_are_kept_as_written(tmp_path: Path, shape: str) -> None:
    made = call("c1", arguments={"town": 5})
    event = model_event([user("Q")], assistant("", made), call=wire("5", shape))
    found = read_one(write_json(tmp_path, sample(event)))
    assert found.calls[0].arguments == "5"


def test_a_refused_call_did_not_run_and_a_timed_out_one_did(tmp_path: Path) -> None:
    answer = assistant("", call("c1"), call("c2"), call("c3"))
    said = [
        result("c1", "", error={"type": "approval", "message": "no"}),
        result("c2", "", error={"type": "timeout", "message": "10 s"}),
        result("c3", "Error: no such town"),
    ]
    events = [model_event([user("Q")], answer), model_event([user("Q"), answer, *said],
                                                            assistant("B"))]  # fmt: skip
    found = read_one(write_json(tmp_path, sample(*events)))
    assert [(made.executed, made.error) for made in found.calls] == [
        (False, "approval: no"),
        (True, "timeout: 10 s"),
        (True, "Error: no such town"),
    ]
    # The model is shown the error's message in place of a result.
    assert texts_at(found, 1)[-3:] == ["no", "10 s", "Error: no such town"]


def test_reused_call_ids_answer_in_order(tmp_path: Path) -> None:
    first, second = assistant("1", call("c")), assistant("2", call("c"))
    sent = [user("Q"), first, result("c", "one"), second, result("c", "two")]
    events = [
        model_event(sent[:1], first),
        tool_event("c", "one", working_time=1.0),
        model_event(sent[:3], second),
        tool_event("c", "two", working_time=2.0),
        model_event(sent, assistant("3")),
    ]
    found = read_one(write_json(tmp_path, sample(*events)))
    assert [made.wait_seconds for made in found.calls] == [1.0, 2.0]
    assert [found.parts[made.result or 0].text for made in found.calls] == ["one", "two"]


def test_a_tool_of_the_provider_has_call_and_result_in_one_answer(tmp_path: Path) -> None:
    used = {"type": "tool_use", "tool_type": "web_search", "id": "w1", "name": "web_search",
            "arguments": '{"q":"Ulm"}', "result": "a town"}  # fmt: skip
    answer = assistant([used, {"type": "text", "text": "It is a town."}])
    events = [
        model_event([user("Q")], answer),
        model_event([user("Q"), answer, user("thanks")], assistant("B")),
    ]
    found = read_one(write_json(tmp_path, sample(*events)))
    made = found.calls[0]
    assert (made.tool, made.arguments, made.executed) == ("web_search", '{"q":"Ulm"}', True)
    assert made.result is not None
    assert found.parts[made.result].enters == 0
    assert len(found.calls) == 1


# Outcome ----------------------------------------------------------------------------------------


@from_set("intake/formats/inspect_ai", "value", "score", "correct")
def test_marks_of_the_first_scorer(
    tmp_path: Path, value: Any, score: float | None, correct: bool | None
) -> None:
    event = model_event([user("Q")], assistant("A"))
    scores = {"first": {"value": value}, "second": {"value": "I"}}
    found = read_one(write_json(tmp_path, sample(event, scores=scores)))
    assert (found.score, found.correct) == (score, correct)


@from_set("intake/formats/inspect_ai", "metadata", "correct")
def test_a_scorer_of_part_marks_may_say_what_is_solved(
    tmp_path: Path, metadata: Any, correct: bool | None
) -> None:
    event = model_event([user("Q")], assistant("A"))
    scores = {"completion": {"value": 0.5, "metadata": metadata}}
    found = read_one(write_json(tmp_path, sample(event, scores=scores)))
    assert (found.score, found.correct) == (0.5, correct)


def test_a_missing_score_written_as_nan_is_unknown(tmp_path: Path) -> None:
    event = model_event([user('NaN \\" NaN')], assistant("A"))
    scores = {"first": {"value": float("nan")}}
    found = read_one(write_eval(tmp_path, sample(event, scores=scores)))
    assert (found.score, found.correct) == (None, None)
    assert texts_at(found, 0) == ['NaN \\" NaN']


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


@from_set("intake/formats/inspect_ai", "notes")
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
