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
from tests.labelled import from_set

DATA = Path(__file__).resolve().parents[2] / "data" / "anthropic_messages"


read = partial(items_of, "anthropic_messages")
trajectories = partial(read_good, "anthropic_messages")


def written(folder: Path, records: list[Any]) -> Path:
    path = folder / "records.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def asked(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def logged(messages: list[Any], text: str, **more: Any) -> dict[str, Any]:
    usage = {"input_tokens": 10, "output_tokens": 2}
    response = {"type": "message", "content": [{"type": "text", "text": text}], "usage": usage}
    return {"request": {"model": "claude-x", "messages": messages}, "response": response, **more}


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


@from_set("intake/formats/anthropic_messages", "model", "kept")
def test_which_models_keep_earlier_thinking(model: str, kept: bool) -> None:
    assert keeps_thinking(model) is kept


def test_a_list_of_logged_calls_in_one_document_reads_like_lines(tmp_path: Path) -> None:
    calls = [json.loads(line) for line in (DATA / "log.jsonl").read_text().splitlines()]
    path = tmp_path / "log.json"
    path.write_text(json.dumps(calls, indent=1))
    [found] = trajectories(path)
    assert (len(found.turns), len(found.calls), found.retries) == (3, 2, 1)


@pytest.mark.parametrize("odd", [{}, [], 4, None])
def test_odd_values_in_the_place_of_names_are_no_surprise(tmp_path: Path, odd: Any) -> None:
    record = logged([{"role": "user", "content": [{"type": odd, "text": "?"}]}], "Hi.")
    assert FORMAT.detect(Head(written(tmp_path, [record, record["request"]["messages"]]))) == 0.95
    record = logged([asked("?")], "Hi.")
    record["request"]["tools"] = [{"name": odd, "defer_loading": True}, odd]
    [found] = trajectories(written(tmp_path, [record]))
    assert len(found.turns) == 1
