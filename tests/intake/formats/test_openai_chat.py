"""OpenAI chat: message lists, logs of requests, and what real endpoints put into them."""

import json
from pathlib import Path
from typing import Any

import pytest

from agentdyno.intake.format import Source
from agentdyno.intake.formats.openai_chat import FORMAT
from agentdyno.intake.head import HEAD_BYTES, Head
from agentdyno.records import BadRecord, Trajectory
from tests.intake.formats.conformance import spoken as context
from tests.labelled import from_set

DATA = Path(__file__).parents[2] / "data" / "openai_chat"


def items(path: Path, **options: Any) -> list[Trajectory | BadRecord]:
    return list(FORMAT.read(Source(path, path.name, **options)))


def trajectories(path: Path) -> list[Trajectory]:
    found = items(path)
    bad = [item for item in found if isinstance(item, BadRecord)]
    assert not bad, bad
    return [item for item in found if isinstance(item, Trajectory)]


def written(folder: Path, content: Any, name: str = "file.json") -> Path:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return path


def by_line(folder: Path, *rows: Any) -> Path:
    return written(folder, b"\n".join(json.dumps(row).encode() for row in rows), "file.jsonl")


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def said(text: str | None, *calls: tuple[Any, str, Any], **more: Any) -> dict[str, Any]:
    made = [
        {"id": i, "type": "function", "function": {"name": n, "arguments": a}} for i, n, a in calls
    ]
    return {"role": "assistant", "content": text, **({"tool_calls": made} if made else {}), **more}


def result(text: str, call_id: str | None = None) -> dict[str, Any]:
    return {"role": "tool", "content": text, "tool_call_id": call_id}


def logged(messages: list[Any], answer: Any, **more: Any) -> dict[str, Any]:
    response = answer if "error" in answer else {"choices": [{"message": answer}]}
    return {"request": {"model": "m", "messages": messages}, "response": response, **more}


def one(folder: Path, *messages: Any, **fields: Any) -> Trajectory:
    [found] = trajectories(written(folder, {"messages": list(messages), **fields}))
    return found


# Lists of messages -----------------------------------------------------------------------------


def test_a_bare_list_of_messages_is_one_trajectory() -> None:
    [found] = trajectories(DATA / "bare.json")
    assert (len(found.turns), len(found.calls)) == (2, 2)
    assert [turn.prefill for turn in found.turns] == [None, None]


def test_parallel_calls_get_their_own_results() -> None:
    [found] = trajectories(DATA / "bare.json")
    assert [(call.turn, call.call, call.tool) for call in found.calls] == [
        (0, 0, "add"),
        (0, 1, "sub"),
    ]
    assert [found.parts[call.result].text for call in found.calls] == ["5", "6"]
    assert all(call.executed for call in found.calls)


def test_usage_on_messages_and_the_labels_around_them_are_read() -> None:
    [found] = trajectories(DATA / "with_usage.json")
    assert [turn.prefill.tokens for turn in found.turns] == [90, 140]
    assert [turn.decode.tokens for turn in found.turns] == [30, 6]
    assert [turn.cached_tokens for turn in found.turns] == [64, None]
    labels = (found.model, found.benchmark, found.task_id, found.attempt, found.level)
    assert labels == ("tiny-1", "sums", "sum-1", 2, "easy")
    assert (found.correct, found.expected) == (True, "5 and 6")


def test_offered_tools_are_parts_also_when_nobody_calls_them() -> None:
    [found] = trajectories(DATA / "with_usage.json")
    assert [part.name for part in found.parts if part.kind == "schema"] == ["add", "sub"]


def test_rewards_of_one_and_zero_are_outcomes_and_others_are_marks() -> None:
    found = trajectories(DATA / "lists.jsonl")
    assert [t.correct for t in found] == [True, False, None]
    assert [t.score for t in found] == [1.0, 0.0, 0.5]
    assert [t.trajectory_id for t in found] == [f"lists.jsonl#{n}" for n in (1, 2, 3)]


def test_usage_beside_a_single_answer_is_its_usage(tmp_path: Path) -> None:
    usage = {"prompt_tokens": 9, "completion_tokens": 2}
    assert one(tmp_path, user("a"), said("b"), usage=usage).turns[0].prefill.tokens == 9


def test_usage_beside_several_answers_is_nobodys(tmp_path: Path) -> None:
    usage = {"prompt_tokens": 9, "completion_tokens": 2}
    found = one(tmp_path, user("a"), said("b"), user("c"), said("d"), usage=usage)
    assert [turn.prefill for turn in found.turns] == [None, None]


def test_a_list_of_lists_is_a_trajectory_each(tmp_path: Path) -> None:
    path = written(tmp_path, [[user("a"), said("b")], [user("c"), said("d")]])
    assert FORMAT.detect(Head(path)) == 0.6
    assert len(trajectories(path)) == 2


def test_a_list_of_documents_is_a_trajectory_each(tmp_path: Path) -> None:
    documents = [{"messages": [user("a"), said(str(n))]} for n in range(3)]
    assert len(trajectories(written(tmp_path, documents))) == 3


def test_lists_of_messages_by_line_are_a_trajectory_each(tmp_path: Path) -> None:
    path = by_line(tmp_path, [user("a"), said("b")], [user("c"), said("d")])
    assert len(trajectories(path)) == 2
    assert FORMAT.by_line(Head(path))


def test_a_message_on_every_line_is_one_conversation(tmp_path: Path) -> None:
    path = by_line(tmp_path, user("a"), said("b"), user("c"), said("d"))
    assert FORMAT.detect(Head(path)) == 0.6
    assert not FORMAT.by_line(Head(path))
    [found] = trajectories(path)
    assert len(found.turns) == 2


def test_lines_longer_than_the_beginning_are_still_lines(tmp_path: Path) -> None:
    long = "x" * (HEAD_BYTES + 10)
    rows = [{"messages": [user(long), said(str(n))]} for n in range(3)]
    path = by_line(tmp_path, *rows)
    assert FORMAT.detect(Head(path)) > 0
    assert len(trajectories(path)) == 3


def test_a_pretty_printed_document_is_not_taken_for_lines(tmp_path: Path) -> None:
    schema = {"type": "object", "required": ["a", "b"], "also": ["c"]}
    tools = [{"type": "function", "function": {"name": n, "parameters": schema}} for n in "fg"]
    document = {"messages": [user("a"), said("b")], "tools": tools}
    path = written(tmp_path, json.dumps(document, indent=2).encode())
    assert FORMAT.detect(Head(path)) == 0.6
    assert len(trajectories(path)) == 1


def test_content_parts_are_joined_and_images_are_left_to_unseen(tmp_path: Path) -> None:
    parts = [
        {"type": "text", "text": "What is"},
        {"type": "image_url"},
        {"type": "text", "text": "this?"},
    ]
    found = one(tmp_path, {"role": "user", "content": parts}, said("A cat."))
    assert context(found, 0) == ["What is\nthis?"]


def test_a_refusal_is_text(tmp_path: Path) -> None:
    found = one(tmp_path, user("a"), said(None, refusal="I will not."))
    assert found.parts[-1].text == "I will not."


# Calls -----------------------------------------------------------------------------------------


def test_empty_call_ids_are_answered_in_order(tmp_path: Path) -> None:
    found = one(
        tmp_path,
        user("go"),
        said(None, ("", "f", "{}"), (None, "g", "{}")),
        result("first", "made_up_1"),
        result("second"),
        said("done"),
    )
    assert [call.call_id for call in found.calls] == [None, None]
    assert [found.parts[call.result].text for call in found.calls] == ["first", "second"]


def test_duplicate_call_ids_are_answered_oldest_first(tmp_path: Path) -> None:
    found = one(
        tmp_path,
        user("go"),
        said(None, ("x", "f", "{}"), ("x", "g", "{}")),
        result("first", "x"),
        result("second", "x"),
        said(None, ("x", "h", "{}")),
        result("third", "x"),
        said("done"),
    )
    results = [found.parts[call.result].text for call in found.calls]
    assert results == ["first", "second", "third"]


@from_set("intake/formats/openai_chat", "raw", "kept")
def test_arguments_are_kept_as_written(tmp_path: Path, raw: Any, kept: str) -> None:
    found = one(tmp_path, user("go"), said(None, ("c", "f", raw)))
    [call] = found.calls
    assert (call.arguments, call.executed, call.result) == (kept, False, None)


def test_legacy_function_calls_are_calls() -> None:
    [found] = trajectories(DATA / "legacy.json")
    [call] = found.calls
    assert (call.tool, call.executed, found.parts[call.result].text) == ("clock", True, "noon")
    assert found.parts[0].kind == "schema"


def test_a_result_that_tells_of_an_error_is_one(tmp_path: Path) -> None:
    calls = said(None, ("1", "f", "{}"), ("2", "g", "{}"), ("3", "h", "{}"))
    found = one(
        tmp_path,
        user("go"),
        calls,
        result("Error: no such file", "1"),
        result("ran\nexit code: 1", "2"),
        result("exit code: 0", "3"),
        said("done"),
    )
    assert [call.error for call in found.calls] == ["Error: no such file", "exit code 1", None]
    assert all(call.executed for call in found.calls)


def test_a_result_without_any_call_stands_in_the_context(tmp_path: Path) -> None:
    found = one(tmp_path, user("go"), result("stray", "zzz"), said("ok"))
    assert (found.calls, context(found, 0)) == ((), ["go", "stray"])


# Usage -----------------------------------------------------------------------------------------


def test_zero_usage_means_missing(tmp_path: Path) -> None:
    zero = {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}
    turn = one(tmp_path, user("a"), said("b", usage=zero)).turns[0]
    assert (turn.prefill, turn.decode) == (None, None)


def test_deepseeks_cache_hits_are_cached_tokens() -> None:
    sums, _ = trajectories(DATA / "log.jsonl")
    assert [turn.cached_tokens for turn in sums.turns] == [0, 64]


@from_set("intake/formats/openai_chat", "told", "counts")
def test_a_total_says_what_was_generated_beside_the_answer(
    tmp_path: Path, told: dict[str, Any], counts: tuple[int, int, int | None]
) -> None:
    usage = {"prompt_tokens": 35, "completion_tokens": 12, **told}
    turn = one(tmp_path, user("a"), said("b", usage=usage)).turns[0]
    assert turn.prefill is not None
    assert turn.decode is not None
    assert (turn.prefill.tokens, turn.decode.tokens, turn.reasoning_tokens) == counts


@pytest.mark.parametrize(
    ("usage", "found"),
    [
        ({"cache_read_input_tokens": 3000, "cache_creation_input_tokens": 200}, (3207, 3000, 200)),
        ({"prompt_tokens_details": {"cached_tokens": 3000, "cache_creation_tokens": 200}},
         (3207, 3000, 200)),
        ({"prompt_tokens_details": {"cached_tokens": 3000}, "cache_read_input_tokens": 9},
         (3207, 3000, None)),
    ],
    ids=["Anthropic's names", "inside the details", "the details go first"],
)  # fmt: skip
def test_litellms_cache_fields_are_read(
    tmp_path: Path, usage: dict[str, Any], found: tuple[int, int, int | None]
) -> None:
    counts = {"prompt_tokens": 3207, "completion_tokens": 5, **usage}
    turn = one(tmp_path, user("a"), said("b", usage=counts)).turns[0]
    assert turn.prefill is not None
    assert (turn.prefill.tokens, turn.cached_tokens, turn.cache_write_tokens) == found


def test_a_prompt_that_leaves_out_what_was_cached_is_completed(tmp_path: Path) -> None:
    usage = {"prompt_tokens": 7, "completion_tokens": 5, "cache_read_input_tokens": 3000}
    turn = one(tmp_path, user("a"), said("b", usage=usage)).turns[0]
    assert (turn.prefill and turn.prefill.tokens, turn.cached_tokens) == (3007, 3000)


def test_groqs_time_is_the_latency() -> None:
    _, weather = trajectories(DATA / "log.jsonl")
    assert weather.turns[0].latency_seconds == 0.75


def test_hidden_reasoning_is_a_part_of_known_size() -> None:
    sums, _ = trajectories(DATA / "log.jsonl")
    [thought] = [part for part in sums.parts if part.kind == "reasoning"]
    assert (thought.text, thought.tokens, thought.made, thought.enters) == ("", 11, 0, None)


def test_reasoning_is_not_in_later_contexts(tmp_path: Path) -> None:
    found = one(tmp_path, user("a"), said("b", reasoning_content="hm"), user("c"), said("d"))
    assert [part.text for part in found.parts if part.kind == "reasoning"] == ["hm"]
    assert context(found, 1) == ["a", "b", "c"]


# Logs ------------------------------------------------------------------------------------------


def test_interleaved_conversations_are_told_apart() -> None:
    sums, weather = trajectories(DATA / "log.jsonl")
    assert (len(sums.turns), len(sums.calls)) == (2, 2)
    assert (len(weather.turns), len(weather.calls)) == (1, 0)
    assert sums.model == "tiny-1-2025"


def test_an_answer_that_comes_back_is_not_counted_again() -> None:
    sums, _ = trajectories(DATA / "log.jsonl")
    assert context(sums, 1) == [
        "You calculate.", "2+3 and 7-1?", 'add {"a":2,"b":3}', 'sub {"a":7,"b":1}', "5", "6",
    ]  # fmt: skip


def test_a_request_sent_again_after_a_failure_is_a_retry_and_no_second_attempt() -> None:
    _, weather = trajectories(DATA / "log.jsonl")
    assert (weather.retries, len(weather.turns)) == (1, 1)


def test_a_failure_in_the_middle_does_not_split_the_conversation(tmp_path: Path) -> None:
    longer = [user("a"), said("b"), user("c")]
    path = by_line(
        tmp_path,
        logged([user("a")], said("b")),
        logged(longer, {"error": {"message": "overloaded"}}),
        logged(longer, {"error": "overloaded"}),
        logged(longer, said("d")),
    )
    [found] = trajectories(path)
    assert (found.retries, len(found.turns), context(found, 1)) == (2, 2, ["a", "b", "c"])


def test_the_same_request_answered_twice_is_two_attempts(tmp_path: Path) -> None:
    path = by_line(tmp_path, logged([user("a")], said("b")), logged([user("a")], said("c")))
    assert len(trajectories(path)) == 2


def test_attempts_that_begin_alike_go_on_with_their_own_answer(tmp_path: Path) -> None:
    path = by_line(
        tmp_path,
        logged([user("a")], said("left")),
        logged([user("a")], said("right")),
        logged([user("a"), said("right"), user("more")], said("right again")),
        logged([user("a"), said("left"), user("more")], said("left again")),
    )
    found = {tuple(p.text for p in t.parts if p.kind == "text") for t in trajectories(path)}
    assert found == {("left", "left again"), ("right", "right again")}


def test_a_session_id_settles_what_belongs_together(tmp_path: Path) -> None:
    path = by_line(
        tmp_path,
        logged([user("a")], said("b"), session_id="s"),
        logged([user("a")], said("c"), session_id="t"),
        logged([user("summary"), user("next")], said("d"), session_id="s"),
    )
    s, t = sorted(trajectories(path), key=lambda found: -len(found.turns))
    assert (len(s.turns), len(t.turns)) == (2, 1)
    assert (context(s, 0), context(s, 1)) == (["a"], ["summary", "next"])


def test_results_behind_an_edit_still_belong_to_their_calls(tmp_path: Path) -> None:
    first = [{"role": "system", "content": "It is 9:00."}, user("go")]
    second = [{"role": "system", "content": "It is 9:01."}, user("go")]
    call, answer = said(None, ("c", "f", "{}")), result("42", "c")
    path = by_line(
        tmp_path,
        logged(first, call, session_id=1),
        logged([*second, call, answer], said("ok"), session_id=1),
    )
    [found] = trajectories(path)
    assert context(found, 1) == ["It is 9:01.", "go", "f {}", "42"]
    linked = [part.call for part in found.parts if part.enters == 1 and part.kind != "user"]
    assert linked == [None, 0, 0]


def test_a_call_the_provider_refused_is_a_call_that_did_not_run() -> None:
    [found] = trajectories(DATA / "refused.jsonl")
    refused, repeated = found.calls
    assert (refused.tool, refused.arguments) == ("find", '{"nme": "Ann"}')
    assert (refused.executed, refused.error) == (False, "Tool call validation failed")
    assert found.parts[refused.result].text == "name is missing"
    assert repeated.executed
    assert found.turns[0].error == "Tool call validation failed"


def test_a_failed_generation_that_is_no_call_is_text(tmp_path: Path) -> None:
    error = {"message": "bad", "failed_generation": "I would rather"}
    [found] = trajectories(by_line(tmp_path, logged([user("a")], {"error": error})))
    assert [(part.kind, part.text) for part in found.parts][1:] == [("text", "I would rather")]


def test_reasoning_that_the_log_shows_sent_back_is_in_the_context() -> None:
    [found] = trajectories(DATA / "refused.jsonl")
    assert context(found, 2) == [
        "Find Ann.", 'find {"nme": "Ann"}', "name is missing", "Use name.",
        'find {"name":"Ann"}', "Ann: room 4",
    ]  # fmt: skip


def test_tools_that_are_withdrawn_leave_the_context(tmp_path: Path) -> None:
    def offering(names: str, messages: list[Any], answer: Any) -> dict[str, Any]:
        row = logged(messages, answer)
        row["request"]["tools"] = [{"function": {"name": name}} for name in names]
        return row

    path = by_line(
        tmp_path,
        offering("fg", [user("a")], said("b")),
        offering("gh", [user("a"), said("b"), user("c")], said("d")),
    )
    [found] = trajectories(path)
    spans = {part.name: (part.enters, part.leaves) for part in found.parts if part.kind == "schema"}
    assert spans == {"f": (0, 1), "g": (0, None), "h": (1, None)}


def test_a_body_beside_the_status_is_the_response(tmp_path: Path) -> None:
    row = logged([user("a")], said("b"))
    row["response"] = {"status_code": 200, "body": row["response"]}
    [found] = trajectories(by_line(tmp_path, row, row))[:1]
    assert len(found.turns) == 1


def test_calls_of_another_api_in_the_same_log_are_rows(tmp_path: Path) -> None:
    other = {"request": {"contents": []}, "response": {"candidates": []}}
    bad, found = items(by_line(tmp_path, other, logged([user("a")], said("b"))))
    assert isinstance(found, Trajectory)
    assert isinstance(bad, BadRecord)
    assert (bad.place, bad.expected, bad.found) == (
        "line 1",
        "a field messages at $.request",
        "none",
    )


def test_a_conversation_that_was_never_answered_is_one_row(tmp_path: Path) -> None:
    path = by_line(
        tmp_path,
        logged([user("a")], {"error": "no"}),
        logged([user("a")], {"error": "no"}),
        logged([user("b")], said("c")),
    )
    bad = [item for item in items(path) if isinstance(item, BadRecord)]
    assert [(item.place, item.found) for item in bad] == [
        ("line 1", "no answer in the conversation")
    ]


def test_a_bad_record_in_a_log_is_one_row(tmp_path: Path) -> None:
    path = by_line(
        tmp_path,
        logged([{"role": "wizard", "content": "x"}], said("b")),
        logged([user("a")], said("b")),
    )
    bad, _ = items(path)
    assert isinstance(bad, BadRecord)
    assert (bad.place, bad.found) == ("line 1", "'wizard'")


# Damage ----------------------------------------------------------------------------------------

GOOD = json.dumps({"messages": [user("a"), said("b")]}).encode()


@pytest.mark.parametrize(
    "line",
    [
        GOOD[:40],
        GOOD.replace(b'"a"', b'"a\x00"'),
        b"[" * 3000,
        GOOD.replace(b'"a"', b"[" * 100_000 + b"]" * 100_000),
        b'{"messages": 7}',
        GOOD[:-1] + b', "tools": [{"name": 1e999}]}',
        b'{"messages": [{"role": 7}]}',
        b'{"messages": [{"role": "user", "content": "no answer"}]}',
    ],
    ids=["half", "nul", "deep", "deep inside", "type", "range", "deep type", "no turn"],
)
def test_a_bad_line_costs_only_itself(tmp_path: Path, line: bytes) -> None:
    found = items(written(tmp_path, b"\n".join([GOOD, line, GOOD]), "f.jsonl"))
    assert [type(item) for item in found] == [Trajectory, BadRecord, Trajectory]
    bad = found[1]
    assert isinstance(bad, BadRecord)
    assert (bad.place, bad.format) == ("line 2", "openai_chat")


def test_a_list_of_messages_over_the_limit_is_a_row(tmp_path: Path) -> None:
    path = written(tmp_path, [user("x" * 5000), said("b")])
    [bad] = items(path, max_record_bytes=2000)
    assert isinstance(bad, BadRecord)


def test_a_bom_and_windows_line_ends_do_no_harm(tmp_path: Path) -> None:
    path = written(tmp_path, b"\xef\xbb\xbf" + GOOD + b"\r\n\r\n" + GOOD + b"\r\n", "f.jsonl")
    assert FORMAT.detect(Head(path)) == 0.6
    assert len(trajectories(path)) == 2


def test_messages_among_the_events_of_an_agent_are_no_chat(tmp_path: Path) -> None:
    event = {"type": "tool_use", "tool_name": "ls", "tool_id": "ls-1", "parameters": {}}
    path = by_line(tmp_path, {"type": "message", **user("Look.")}, event)
    assert FORMAT.detect(Head(path)) == 0.0
