"""Agents that are a `Shape`: Kimi, Kiro, Crush, Continue, Aider."""

import json
from pathlib import Path
from typing import Any

import pytest

from agentdyno.intake.discover import Found, discover
from agentdyno.intake.format import load_formats
from agentdyno.intake.head import Head
from agentdyno.intake.shapes import Row, Shape
from agentdyno.intake.source import Source
from agentdyno.records import BadRecord
from tests.intake.formats.conformance import (
    context,
    detected,
    items_of,
    read_alone,
    read_as,
    read_good,
    write_lines,
)
from tests.labelled import DATA

KIMI = next((DATA / "kimi").glob("*/*/0c2d*/wire.jsonl"))
CRUSH, AIDER = DATA / "crush" / "crush.db", DATA / "aider" / ".aider.chat.history.md"
KIRO, KIRO_CHILD = DATA / "kiro", "6e3f8d21-5b4c-4a7e-8d92-3f4a5b6c7d8e"
CONTINUE = next((DATA / "continue").glob("*.json"))


@pytest.mark.daily
def test_arguments_that_come_in_pieces_are_one_text_and_results_do_not_end_a_step() -> None:
    main, child = read_good("kimi", KIMI)
    assert [call.tool for call in main.calls] == ["Shell", "Shell", "Task"]
    assert main.parts[main.calls[0].request].text == 'Shell {"command": "ls"}'
    assert main.parts[main.calls[1].request].text == 'Shell {"command": "pwd"}'
    assert [turn.latency_seconds for turn in main.turns] == pytest.approx([3.1, 1.5, 1.5])
    assert (child.parent_call_id, child.parent_id) == ("tool_Task5Rb2Kp9", main.trajectory_id)
    assert [main.calls[1].error, child.calls[0].error] == ["It was stopped.", "no such file"]


@pytest.mark.daily
def test_notes_of_kiro_are_no_turns_and_its_metadata_names_model_and_parent() -> None:
    main = read_alone("kiro", next(KIRO.glob("5d2e*.jsonl")))
    child = read_alone("kiro", next(KIRO.glob("6e3f*.jsonl")))
    metadata = json.loads(next(KIRO.glob("5d2e*.json")).read_bytes())["session_state"]
    stated = metadata["conversation_metadata"]["user_turn_metadatas"]
    assert len(main.turns) == sum(each["total_request_count"] for each in stated)
    assert {turn.model for turn in main.turns} == {"claude-sonnet-4.5"}
    assert [call.error for call in main.calls] == ["exit code 1", None, None, "Stopped by the user"]
    assert context(main, 4) == ["The date test expects no dashes.", "Leave it, thanks."]
    assert main.turns[4].latency_seconds == 2
    assert (child.parent_id, child.agent_id) == (main.trajectory_id, KIRO_CHILD)
    saved = read_alone("kiro", KIRO / "hello.json")
    assert (saved.title, saved.turns[0].model) == ("Say hello.", "auto")


@pytest.mark.daily
def test_a_sub_agent_of_crush_is_known_by_its_call_and_costs_no_second_time() -> None:
    main, child = read_good("crush", CRUSH)
    assert [sum(turn.reported_usd or 0 for turn in run.turns) for run in (main, child)] == (
        pytest.approx([0.02, 0.03])
    )
    assert child.parent_call_id == main.calls[0].call_id
    assert [turn.latency_seconds for turn in main.turns] == [3, 3]
    assert [turn.finish for turn in main.turns] == ["tool_use", "end_turn"]


@pytest.mark.daily
def test_models_and_thoughts_of_continue_stand_with_their_answers() -> None:
    run = read_alone("continue", CONTINUE)
    claude = "claude-sonnet-4-5"
    assert [turn.model for turn in run.turns] == ["deepseek/deepseek-r1:free", claude, claude]
    assert [part.made for part in run.parts if part.kind == "reasoning"] == [2]
    assert run.title == "Sums"


@pytest.mark.daily
def test_what_aider_printed_after_a_cut_answer_is_context() -> None:
    first, second = read_good("aider", AIDER)
    assert first.trajectory_id.endswith("#2025-12-03T14:43:45")
    assert [turn.model for turn in (*first.turns, *second.turns)] == [
        "openrouter/openai/gpt-4o-mini", "openrouter/openai/gpt-4o-mini", "gemini/gemini-2.5-pro",
    ]  # fmt: skip
    assert context(first, 1)[-2:] == ["It is a good idea to", "Go on."]
    assert context(first, 0) == ["Add a licence.\nMIT, please."]


@pytest.mark.daily
def test_files_in_a_project_are_found_although_they_are_hidden(tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / ".crush").mkdir(parents=True)
    (project / ".crush" / "crush.db").write_bytes(CRUSH.read_bytes())
    (project / ".aider.chat.history.md").write_bytes(AIDER.read_bytes())
    (project / ".git").mkdir()
    (project / ".git" / "a.jsonl").write_bytes(KIMI.read_bytes())
    found = [each for each in discover([project], load_formats()) if isinstance(each, Found)]
    assert sorted(each.format for each in found) == ["aider", "crush"]


SHAPE = Shape(
    "mine",
    {
        "said": Row("user", "text"),
        "answer": (Row("text", "text", model="model"), Row("turn", usage={"prompt": "in"})),
        "used": Row("blocks", "tools", inside={"tool": Row("call", name="name", arguments="with")}),
    },
    time="at",
)
CALL = {"type": "tool", "name": "ls", "with": {}}


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ({"type": "answer", "text": 7}, "expected text at text, found 7"),
        ({"type": "answer", "text": "x", "model": True}, "expected text at model, found true"),
        ({"type": "used", "tools": 7}, "expected a list at tools, found 7"),
        (
            {"type": "used", "tools": [{"type": "tool", "name": 1}]},
            "expected text at name, found 1",
        ),
        (["type"], "object"),
    ],
)
def test_a_field_of_the_wrong_type_costs_its_line_and_is_named(
    line: Any, problem: str, tmp_path: Path
) -> None:
    good = {"type": "answer", "text": "2", "in": 5, "at": 1_790_000_000_000}
    path = write_lines(tmp_path / "a.jsonl", [{"type": "said", "text": "1+1"}, good, line, good])
    format = SHAPE.format("Mine", lambda head: 1.0)
    items = list(format.read(Source(path, path.name)))
    [bad] = [each for each in items if isinstance(each, BadRecord)]
    assert problem in str(bad)
    assert bad.place == "line 3"
    [run] = [each for each in items if not isinstance(each, BadRecord)]
    assert [part.text for part in run.parts if part.kind == "text"] == ["2", "2"]
    assert not run.calls
    assert run.turns[0].ended_at == 1_790_000_000


@pytest.mark.parametrize("value", ["n/a", -1, True, None, {}, 1e300])
def test_a_count_that_is_none_is_unknown(value: Any, tmp_path: Path) -> None:
    path = write_lines(tmp_path / "a.jsonl", [{"type": "answer", "text": "2", "in": value}])
    [run] = list(SHAPE.format("Mine", lambda head: 1.0).read(Source(path, path.name)))
    assert run.turns[0].prefill is None


@pytest.mark.daily
def test_detection_and_files_that_are_cut() -> None:
    assert [load_formats()[name].detect(Head(CRUSH)) for name in ("crush", "hermes")] == [0.97, 0.0]
    assert detected(next((DATA / "kimi").rglob("context.jsonl"))) is None
    runs, bad = read_as("kimi", KIMI)
    assert (len(runs), bad) == (2, [])
    assert items_of("aider", AIDER)
