"""Anthropic Messages: lists of messages and logs of calls."""

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from agentdyno.intake.anthropic import keeps_thinking
from agentdyno.intake.formats.anthropic_messages import FORMAT
from agentdyno.intake.head import Head
from agentdyno.records import BadRecord, Trajectory
from tests.intake.formats.conformance import items_of, read_good
from tests.intake.formats.conformance import kinds_and_texts as context
from tests.labelled import from_set

DATA = Path(__file__).resolve().parents[2] / "data" / "anthropic_messages"


read = partial(items_of, "anthropic_messages")
trajectories = partial(read_good, "anthropic_messages")


def written(folder: Path, records: list[Any]) -> Path:
    path = folder / "records.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def said(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


def asked(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def logged(messages: list[Any], text: str, **more: Any) -> dict[str, Any]:
    usage = {"input_tokens": 10, "output_tokens": 2}
    response = {"type": "message", "content": [{"type": "text", "text": text}], "usage": usage}
    return {"request": {"model": "claude-x", "messages": messages}, "response": response, **more}


# Logs -------------------------------------------------------------------------------------------


def test_moving_cache_markers_do_not_repeat_the_history() -> None:
    [found] = trajectories(DATA / "log.jsonl")
    kinds = [part.kind for part in found.parts]
    assert kinds.count("user") == 2
    assert kinds.count("result") == 2
    assert kinds.count("system") == 1
    assert all(part.leaves is None for part in found.parts)


def test_attempts_that_begin_alike_stay_apart(tmp_path: Path) -> None:
    begin = [asked("Go.")]
    path = written(
        tmp_path,
        [
            logged(begin, "left"),
            logged(begin, "right"),
            logged([*begin, said("right"), asked("More.")], "right again"),
            logged([*begin, said("left"), asked("More.")], "left again"),
        ],
    )
    texts = {
        found.trajectory_id: [part.text for part in found.parts if part.kind == "text"]
        for found in trajectories(path)
    }
    assert texts == {
        "records.jsonl#1": ["left", "left again"],
        "records.jsonl#2": ["right", "right again"],
    }


def test_history_before_the_log_costs_but_is_no_turn(tmp_path: Path) -> None:
    call = {"type": "tool_use", "id": "toolu_0", "name": "look_up", "input": {"word": "ox"}}
    result = {"type": "tool_result", "tool_use_id": "toolu_0", "content": "2 letters"}
    messages = [
        asked("Ox?"),
        {"role": "assistant", "content": [call]},
        {"role": "user", "content": [result]},
    ]
    [found] = trajectories(written(tmp_path, [logged(messages, "Two.")]))
    assert (len(found.turns), len(found.calls)) == (1, 0)
    assert [kind for kind, _ in context(found, 0)] == ["user", "request", "result"]


def test_a_bad_record_costs_only_itself(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    good = (DATA / "log.jsonl").read_text()
    path.write_text(
        good + '{"request": {"messages": 4}, "response": {}}\n' + '{"request": {"mess\n'
    )
    items = read(path)
    problems = [item for item in items if isinstance(item, BadRecord)]
    assert [problem.place for problem in problems] == ["line 5", "line 6"]
    assert [len(item.turns) for item in items if isinstance(item, Trajectory)] == [3]


# Lists ------------------------------------------------------------------------------------------


def test_a_printed_document_is_one_trajectory_with_what_stands_around_it() -> None:
    [found] = trajectories(DATA / "chat.json")
    assert (len(found.turns), len(found.calls)) == (3, 2)
    assert (found.task_id, found.attempt, found.correct, found.score) == ("7", 1, True, 1.0)
    assert (found.benchmark, found.model) == ("words", "claude-sonnet-4-5")
    assert [part.name for part in found.parts if part.kind == "schema"] == ["look_up"]
    assert all(turn.prefill is None and turn.decode is None for turn in found.turns)


@from_set("intake/formats/anthropic_messages", "model", "kept")
def test_which_models_keep_earlier_thinking(model: str, kept: bool) -> None:
    assert keeps_thinking(model) is kept


def test_a_bare_list_takes_usage_from_answers_kept_whole() -> None:
    [found] = trajectories(DATA / "messages.json")
    assert found.model == "claude-opus-4-5-20251101"
    assert [turn.prefill.tokens for turn in found.turns if turn.prefill] == [420, 530]
    assert ("user", "Go on.") in context(found, 1)


def test_a_list_of_logged_calls_in_one_document_reads_like_lines(tmp_path: Path) -> None:
    calls = [json.loads(line) for line in (DATA / "log.jsonl").read_text().splitlines()]
    path = tmp_path / "log.json"
    path.write_text(json.dumps(calls, indent=1))
    [found] = trajectories(path)
    assert (len(found.turns), len(found.calls), found.retries) == (3, 2, 1)


# Detection and damage ---------------------------------------------------------------------------


@pytest.mark.parametrize("odd", [{}, [], 4, None])
def test_odd_values_in_the_place_of_names_are_no_surprise(tmp_path: Path, odd: Any) -> None:
    record = logged([{"role": "user", "content": [{"type": odd, "text": "?"}]}], "Hi.")
    assert FORMAT.detect(Head(written(tmp_path, [record, record["request"]["messages"]]))) == 0.95
    record = logged([asked("?")], "Hi.")
    record["request"]["tools"] = [{"name": odd, "defer_loading": True}, odd]
    [found] = trajectories(written(tmp_path, [record]))
    assert len(found.turns) == 1
