"""Anthropic Messages: lists of messages and logs of calls."""

import json
from pathlib import Path
from typing import Any

import pytest

from agentdyno.intake.anthropic import keeps_thinking
from agentdyno.intake.format import Source
from agentdyno.intake.formats.anthropic_messages import FORMAT
from agentdyno.intake.head import Head
from agentdyno.records import BadRecord, TokenCount, Trajectory
from tests.intake.formats.conformance import kinds_and_texts as context
from tests.intake.mutations import assert_sound
from tests.labelled import from_set

DATA = Path(__file__).resolve().parents[2] / "data" / "anthropic_messages"


def read(path: Path) -> list[Trajectory | BadRecord]:
    return list(FORMAT.read(Source(path, path.name)))


def trajectories(path: Path) -> list[Trajectory]:
    items = read(path)
    assert not [item for item in items if isinstance(item, BadRecord)]
    found = [item for item in items if isinstance(item, Trajectory)]
    for trajectory in found:
        assert_sound(trajectory)
    return found


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


def test_calls_of_a_log_become_one_conversation() -> None:
    [found] = trajectories(DATA / "log.jsonl")
    assert found.trajectory_id == "log.jsonl#1"
    assert len(found.turns) == 3
    assert [call.tool for call in found.calls] == ["look_up", "look_up"]
    assert found.model == "claude-opus-4-5-20251101"
    assert [turn.finish for turn in found.turns] == ["tool_use", "end_turn", "end_turn"]
    assert [turn.latency_seconds for turn in found.turns] == [2.5, 1.0, None]


def test_the_prompt_includes_what_the_cache_read_and_wrote() -> None:
    [found] = trajectories(DATA / "log.jsonl")
    # 20 + 0 + 400, 30 + 400 + 100, 25 + 500 + 40
    assert [turn.prefill for turn in found.turns] == [
        TokenCount(420, "reported"),
        TokenCount(530, "reported"),
        TokenCount(565, "reported"),
    ]
    assert [turn.cached_tokens for turn in found.turns] == [0, 400, 500]
    assert [turn.cache_write_tokens for turn in found.turns] == [400, 100, 40]
    assert [turn.decode for turn in found.turns] == [
        TokenCount(90, "reported"),
        TokenCount(12, "reported"),
        TokenCount(60, "reported"),
    ]
    assert [turn.reasoning_tokens for turn in found.turns] == [None, None, 45]


def test_a_failed_call_is_a_retry_and_no_turn() -> None:
    [found] = trajectories(DATA / "log.jsonl")
    assert found.retries == 1


def test_moving_cache_markers_do_not_repeat_the_history() -> None:
    [found] = trajectories(DATA / "log.jsonl")
    kinds = [part.kind for part in found.parts]
    assert kinds.count("user") == 2
    assert kinds.count("result") == 2
    assert kinds.count("system") == 1
    assert all(part.leaves is None for part in found.parts)


def test_results_find_their_calls_by_id_and_errors_by_flag() -> None:
    [found] = trajectories(DATA / "log.jsonl")
    first, second = found.calls
    assert (first.arguments, first.error) == ('{"word":"cat"}', "Error: no dictionary")
    assert (second.arguments, second.error) == ('{"word":"horse"}', None)
    assert second.result is not None
    assert found.parts[second.result].text == "5 letters"
    assert first.executed
    assert second.executed


def test_redacted_thinking_is_a_part_of_known_size_without_text() -> None:
    [found] = trajectories(DATA / "log.jsonl")
    last = [part for part in found.parts if part.kind == "reasoning"][-1]
    assert (last.text, last.tokens, last.made) == ("", 45, 2)


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


def test_a_side_call_over_the_same_prompt_is_not_continued(tmp_path: Path) -> None:
    title = logged([asked("Go.")], "A title")
    title["request"]["system"] = "Name this talk."
    late = logged([asked("Go."), said("An answer nobody logged"), asked("More.")], "Done")
    path = written(tmp_path, [title, late])
    assert [len(found.turns) for found in trajectories(path)] == [1, 1]


def test_an_id_settles_who_continues_whom_also_over_a_compaction(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        [
            logged([asked("Go.")], "Went.", session_id="s", task_id=4),
            logged([asked("Summary: went.")], "Going on.", session_id="s", correct=1),
        ],
    )
    [found] = trajectories(path)
    assert (found.task_id, found.correct) == ("4", True)
    assert context(found, 0) == [("user", "Go.")]
    assert context(found, 1) == [("user", "Summary: went.")]


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


def test_a_changed_system_prompt_leaves_the_messages_in_place(tmp_path: Path) -> None:
    one = logged([asked("Go.")], "Went.")
    two = logged([asked("Go."), said("Went."), asked("More.")], "Done.")
    one["request"]["system"] = "It is ten."
    two["request"]["system"] = [{"type": "text", "text": "It is eleven."}]
    [found] = trajectories(written(tmp_path, [one, two]))
    assert context(found, 1) == [
        ("user", "Go."),
        ("text", "Went."),
        ("system", "It is eleven."),
        ("user", "More."),
    ]


def test_thinking_that_the_client_drops_is_not_in_the_context(tmp_path: Path) -> None:
    thought = {"type": "thinking", "thinking": "Hm.", "signature": "s"}
    one = logged([asked("Go.")], "Went.")
    one["response"]["content"].insert(0, thought)
    two = logged([asked("Go."), said("Went."), asked("More.")], "Done.")
    [found] = trajectories(written(tmp_path, [one, two]))
    assert ("reasoning", "Hm.") not in context(found, 1)
    assert [part.enters for part in found.parts if part.kind == "reasoning"] == [None]


def test_zero_usage_with_an_answer_is_unknown(tmp_path: Path) -> None:
    record = logged([asked("Go.")], "Went.")
    record["response"]["usage"] = {"input_tokens": 0, "output_tokens": 0}
    [found] = trajectories(written(tmp_path, [record]))
    assert (found.turns[0].prefill, found.turns[0].decode) == (None, None)


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


# Tools ------------------------------------------------------------------------------------------


def test_server_side_tools_have_call_and_result_in_one_turn() -> None:
    found = trajectories(DATA / "chats.jsonl")[0]
    assert [(call.tool, call.turn, call.executed) for call in found.calls] == [
        ("web_search", 0, True),
        ("ask", 0, True),
    ]
    results = [part for part in found.parts if part.kind == "result"]
    assert [part.text for part in results] == ["Horse\nhttps://example.org/horse", "An animal."]
    # The call went on with the result, so it stands in the context of the turn that asked.
    assert [part.enters for part in results] == [0, 0]


def test_a_failed_server_side_tool_says_so(tmp_path: Path) -> None:
    failed = {"type": "web_search_tool_result_error", "error_code": "max_uses_exceeded"}
    ran = {"type": "code_execution_result", "stdout": "", "stderr": "boom", "return_code": 1}
    content = [
        {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {}},
        {"type": "web_search_tool_result", "tool_use_id": "s1", "content": failed},
        {"type": "server_tool_use", "id": "s2", "name": "code_execution", "input": {}},
        {"type": "code_execution_tool_result", "tool_use_id": "s2", "content": ran},
    ]
    [found] = trajectories(
        written(tmp_path, [[asked("?"), {"role": "assistant", "content": content}]])
    )
    assert [call.error for call in found.calls] == ["max_uses_exceeded", "exit code 1"]


def test_malformed_arguments_are_kept_and_a_refused_call_did_not_run() -> None:
    found = trajectories(DATA / "chats.jsonl")[1]
    [call] = found.calls
    assert call.arguments == '{"word": '
    assert not call.executed
    assert call.error == "1 validation error: word missing"


def test_an_error_without_a_flag_is_read_from_the_text(tmp_path: Path) -> None:
    call = {"type": "tool_use", "id": "t", "name": "sh", "input": {}}
    result = {"type": "tool_result", "tool_use_id": "t", "content": "failed, exit code: 3"}
    messages = [
        asked("?"),
        {"role": "assistant", "content": [call]},
        {"role": "user", "content": [result]},
    ]
    [found] = trajectories(written(tmp_path, [messages]))
    assert (found.calls[0].error, found.calls[0].executed) == ("exit code 3", True)


def test_reused_call_ids_are_answered_in_order(tmp_path: Path) -> None:
    call = {"type": "tool_use", "id": "t", "name": "sh", "input": {}}
    results = [
        {"type": "tool_result", "tool_use_id": "t", "content": text} for text in ("one", "two")
    ]
    messages = [
        asked("?"),
        {"role": "assistant", "content": [call, call]},
        {"role": "user", "content": results},
    ]
    [found] = trajectories(written(tmp_path, [messages]))
    texts = [found.parts[c.result].text for c in found.calls if c.result is not None]
    assert texts == ["one", "two"]


def test_a_deferred_tool_is_in_the_context_once_it_is_referred_to(tmp_path: Path) -> None:
    tools = [
        {"name": "search", "input_schema": {}},
        {"name": "rare", "input_schema": {}, "defer_loading": True},
    ]
    call = {"type": "tool_use", "id": "t", "name": "search", "input": {}}
    reference = [{"type": "tool_reference", "tool_name": "rare"}]
    result = {"type": "tool_result", "tool_use_id": "t", "content": reference}
    messages = [
        asked("?"),
        {"role": "assistant", "content": [call]},
        {"role": "user", "content": [result]},
        said("Done."),
    ]
    [found] = trajectories(written(tmp_path, [{"messages": messages, "tools": tools}]))
    schemas = [(part.name, part.enters) for part in found.parts if part.kind == "schema"]
    assert schemas == [("search", 0), ("rare", 1)]


# Lists ------------------------------------------------------------------------------------------


def test_a_printed_document_is_one_trajectory_with_what_stands_around_it() -> None:
    [found] = trajectories(DATA / "chat.json")
    assert (len(found.turns), len(found.calls)) == (3, 2)
    assert (found.task_id, found.attempt, found.correct, found.score) == ("7", 1, True, 1.0)
    assert (found.benchmark, found.model) == ("words", "claude-sonnet-4-5")
    assert [part.name for part in found.parts if part.kind == "schema"] == ["look_up"]
    assert all(turn.prefill is None and turn.decode is None for turn in found.turns)


def test_earlier_thinking_leaves_the_context_at_the_next_prompt_where_the_model_drops_it() -> None:
    [found] = trajectories(DATA / "chat.json")
    thought = ("reasoning", "Look both up.")
    assert thought in context(found, 1)
    assert thought not in context(found, 2)


@from_set("intake/formats/anthropic_messages", "model", "kept")
def test_which_models_keep_earlier_thinking(model: str, kept: bool) -> None:
    assert keeps_thinking(model) is kept


def test_a_bare_list_takes_usage_from_answers_kept_whole() -> None:
    [found] = trajectories(DATA / "messages.json")
    assert found.model == "claude-opus-4-5-20251101"
    assert [turn.prefill.tokens for turn in found.turns if turn.prefill] == [420, 530]
    assert ("user", "Go on.") in context(found, 1)


def test_lines_are_trajectories_of_their_own() -> None:
    ids = [found.trajectory_id for found in trajectories(DATA / "chats.jsonl")]
    assert ids == ["chats.jsonl#1", "chats.jsonl#2"]
    assert FORMAT.by_line(Head(DATA / "chats.jsonl"))
    assert not FORMAT.by_line(Head(DATA / "log.jsonl"))
    assert not FORMAT.by_line(Head(DATA / "chat.json"))


def test_a_list_of_logged_calls_in_one_document_reads_like_lines(tmp_path: Path) -> None:
    calls = [json.loads(line) for line in (DATA / "log.jsonl").read_text().splitlines()]
    path = tmp_path / "log.json"
    path.write_text(json.dumps(calls, indent=1))
    [found] = trajectories(path)
    assert (len(found.turns), len(found.calls), found.retries) == (3, 2, 1)


# Detection and damage ---------------------------------------------------------------------------


def test_other_chats_are_left_alone(tmp_path: Path) -> None:
    tool_call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    openai = [asked("?"), {"role": "assistant", "content": None, "tool_calls": [tool_call]}]
    assert FORMAT.detect(Head(written(tmp_path, [{"messages": openai}]))) == 0
    assert FORMAT.detect(Head(written(tmp_path, [openai]))) == 0


@pytest.mark.parametrize("odd", [{}, [], 4, None])
def test_odd_values_in_the_place_of_names_are_no_surprise(tmp_path: Path, odd: Any) -> None:
    record = logged([{"role": "user", "content": [{"type": odd, "text": "?"}]}], "Hi.")
    assert FORMAT.detect(Head(written(tmp_path, [record, record["request"]["messages"]]))) == 0.95
    record = logged([asked("?")], "Hi.")
    record["request"]["tools"] = [{"name": odd, "defer_loading": True}, odd]
    [found] = trajectories(written(tmp_path, [record]))
    assert len(found.turns) == 1
