"""OpenTelemetry GenAI spans: what becomes a trajectory, a turn, a call, and from which name."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdyno.intake.format import Source
from agentdyno.intake.formats.otel_genai import FORMAT
from agentdyno.intake.head import Head
from agentdyno.intake.spans.usage import usage_fields
from agentdyno.records import BadRecord, Trajectory
from tests.intake.formats.conformance import context as texts
from tests.intake.mutations import assert_survives
from tests.labelled import from_set

DATA = Path(__file__).parents[2] / "data" / "otel_genai"
START = 1_760_000_000
CHAT = {"gen_ai.operation.name": "chat", "gen_ai.request.model": "m"}
AGENT = {"gen_ai.operation.name": "invoke_agent"}
TOOL = {"gen_ai.operation.name": "execute_tool"}


def items(path: Path, **options: Any) -> list[Trajectory | BadRecord]:
    return list(FORMAT.read(Source(path, path.name, **options)))


def trajectories(path: Path) -> list[Trajectory]:
    found = items(path)
    bad = [item for item in found if isinstance(item, BadRecord)]
    assert not bad, bad
    return [item for item in found if isinstance(item, Trajectory)]


def span(
    span_id: str, parent: str | None, at: float, to: float, attributes: dict[str, Any], **more: Any
) -> dict[str, Any]:
    """A span with plain attributes; the reader takes them typed, as a list or as an object."""
    return {
        "traceId": more.pop("trace", "t1"),
        "spanId": span_id,
        "parentSpanId": parent,
        "name": more.pop("name", span_id),
        "startTimeUnixNano": str(int((START + at) * 10**9)),
        "endTimeUnixNano": str(int((START + to) * 10**9)),
        "attributes": attributes,
        **more,
    }


def used(into: int, out: int) -> dict[str, Any]:
    return CHAT | {"gen_ai.usage.input_tokens": into, "gen_ai.usage.output_tokens": out}


def told(*messages: tuple[str, str], answer: str = "ok") -> dict[str, Any]:
    sent = [{"role": r, "parts": [{"type": "text", "content": c}]} for r, c in messages]
    back = [{"role": "assistant", "parts": [{"type": "text", "content": answer}]}]
    return used(10, 1) | {
        "gen_ai.input.messages": json.dumps(sent),
        "gen_ai.output.messages": json.dumps(back),
    }


def exported(folder: Path, *spans: dict[str, Any]) -> Path:
    path = folder / "spans.json"
    path.write_text(json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": list(spans)}]}]}))
    return path


def one(folder: Path, *spans: dict[str, Any]) -> Trajectory:
    [found] = trajectories(exported(folder, *spans))
    return found


# One model call, however many spans -----------------------------------------------------------


def test_nested_spans_of_one_model_call_are_one_turn() -> None:
    [found] = trajectories(DATA / "tempo.json")
    assert len(found.turns) == 2
    assert len(found.calls) == 1


def test_usage_is_the_leafs_and_falls_back_to_the_spans_around_it() -> None:
    [found] = trajectories(DATA / "tempo.json")
    first = found.turns[0]
    # The innermost span has no output count; `generate_content` around it says 9.
    assert (first.prefill.tokens, first.cached_tokens, first.decode.tokens) == (120, 64, 9)


def test_an_agents_sums_are_never_used() -> None:
    [found] = trajectories(DATA / "openinference.json")
    assert [turn.prefill.tokens for turn in found.turns] == [100, 150]
    assert [turn.decode.tokens for turn in found.turns] == [10, 15]


def test_a_wrapper_of_two_calls_lends_its_usage_to_neither(tmp_path: Path) -> None:
    found = one(
        tmp_path,
        span("outer", None, 0, 9, used(500, 50)),
        span("a", "outer", 1, 2, CHAT),
        span("b", "outer", 3, 4, CHAT),
    )
    assert [turn.prefill for turn in found.turns] == [None, None]


def test_latency_is_the_leafs_and_without_tools() -> None:
    [found] = trajectories(DATA / "tempo.json")
    assert [turn.latency_seconds for turn in found.turns] == pytest.approx([2.0, 3.0])


def test_latency_ends_where_the_tools_inside_the_span_begin(tmp_path: Path) -> None:
    found = one(
        tmp_path,
        span("call_llm", None, 0, 9, {"gen_ai.request.model": "m"}),
        span("tool", "call_llm", 4, 9, TOOL | {"gen_ai.tool.name": "t"}),
    )
    assert found.turns[0].latency_seconds == pytest.approx(4.0)


def test_the_same_response_told_by_two_instrumentations_is_one_turn(tmp_path: Path) -> None:
    same = {"gen_ai.response.id": "r1"}
    found = one(
        tmp_path,
        span("a", None, 0, 4, CHAT | same),
        span("b", None, 1, 3, used(7, 2) | same),
        span("c", None, 5, 6, used(8, 3) | same),  # A replayed answer: later, so another call.
    )
    assert [turn.prefill.tokens for turn in found.turns] == [7, 8]


# Usage under every name ------------------------------------------------------------------------


@from_set("intake/formats/otel_genai", "into", "out")
def test_input_and_output_are_read_under_every_name(into: str, out: str) -> None:
    fields = usage_fields([{into: 30, out: "4"}])
    assert (fields["prefill"].tokens, fields["decode"].tokens) == (30, 4)


@from_set("intake/formats/otel_genai", "name")
def test_cached_tokens_are_inside_the_input(name: str) -> None:
    fields = usage_fields([{"gen_ai.usage.input_tokens": 30, name: 20}])
    assert (fields["prefill"].tokens, fields["cached_tokens"]) == (30, 20)


def test_cached_tokens_outside_the_input_are_added_when_the_total_says_so() -> None:
    counts = {
        "gen_ai.usage.input_tokens": 30,
        "gen_ai.usage.output_tokens": 5,
        "gen_ai.usage.cache_read_input_tokens": 20,
        "gen_ai.usage.cache_creation_input_tokens": 4,
        "gen_ai.usage.total_tokens": 59,
    }
    assert usage_fields([counts])["prefill"].tokens == 54
    assert usage_fields([counts | {"gen_ai.usage.total_tokens": 35}])["prefill"].tokens == 30


def test_more_cached_tokens_than_input_are_outside_it() -> None:
    fields = usage_fields(
        [{"gen_ai.usage.input_tokens": 3, "gen_ai.usage.cache_read_input_tokens": 90}]
    )
    assert fields["prefill"].tokens == 93


def test_reasoning_outside_the_output_is_added_when_the_total_says_so() -> None:
    counts = {
        "gen_ai.usage.input_tokens": 30,
        "gen_ai.usage.output_tokens": 5,
        "gen_ai.usage.reasoning_tokens": 4,
    }
    assert usage_fields([counts])["decode"].tokens == 5
    assert usage_fields([counts | {"gen_ai.usage.total_tokens": 39}])["decode"].tokens == 9


def test_zero_usage_means_that_nobody_counted() -> None:
    assert usage_fields([{"gen_ai.usage.input_tokens": 0, "gen_ai.usage.output_tokens": 0}]) == {}


def test_old_names_of_reasoning_and_cache_are_read_from_jaeger() -> None:
    [found] = trajectories(DATA / "jaeger.json")
    first = found.turns[0]
    assert (first.prefill.tokens, first.decode.tokens) == (40, 30)
    assert (first.cached_tokens, first.reasoning_tokens) == (0, 12)


def test_reasoning_without_text_is_a_part_of_known_size() -> None:
    [found] = trajectories(DATA / "jaeger.json")
    [thought] = [part for part in found.parts if part.kind == "reasoning"]
    assert (thought.text, thought.tokens, thought.enters) == ("", 12, None)


# Messages --------------------------------------------------------------------------------------


def test_current_conventions_give_system_messages_calls_and_results() -> None:
    found = trajectories(DATA / "spread.jsonl")[1]
    kinds = [part.kind for part in found.parts]
    assert kinds == [
        "schema", "system", "user", "reasoning", "request", "request", "result", "result", "text",
    ]  # fmt: skip
    assert texts(found, 0)[1:] == ["Be exact.", "Sum 2 and 3, and 4 and 5."]
    assert texts(found, 1)[3:] == ['add {"a":2,"b":3}', 'add {"a":4,"b":5}', "5", "9"]


def test_current_conventions_give_cache_writes_reasoning_and_first_token() -> None:
    turn = trajectories(DATA / "spread.jsonl")[1].turns[0]
    assert (turn.cached_tokens, turn.cache_write_tokens, turn.reasoning_tokens) == (300, 100, 33)
    assert turn.first_token_seconds == 0.25
    assert turn.finish == "tool_call"
    assert turn.model == "m-2026"


def test_message_events_of_earlier_conventions_are_the_context() -> None:
    [found] = trajectories(DATA / "events.json")
    assert texts(found, 1) == [
        "Be short.", "Read a.txt", "Reading.", 'read {"path":"a.txt"}', "no such file",
    ]  # fmt: skip


def test_details_event_carries_the_messages(tmp_path: Path) -> None:
    chat = span("a", None, 0, 1, used(10, 1))
    details = told(("user", "Hi"), answer="Hello")
    chat["events"] = [{"name": "gen_ai.client.inference.operation.details", "attributes": details}]
    assert [part.text for part in one(tmp_path, chat).parts] == ["Hi", "Hello"]


def test_events_exported_as_log_records_find_their_span(tmp_path: Path) -> None:
    log = {
        "traceId": "t1",
        "spanId": "a",
        "eventName": "gen_ai.user.message",
        "body": {"kvlistValue": {"values": [{"key": "content", "value": {"stringValue": "Hi"}}]}},
    }
    rows = [
        {"resourceSpans": [{"scopeSpans": [{"spans": [span("a", None, 0, 1, used(10, 1))]}]}]},
        {"resourceLogs": [{"scopeLogs": [{"logRecords": [log]}]}]},
    ]
    path = tmp_path / "both.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    [found] = trajectories(path)
    assert [part.text for part in found.parts] == ["Hi"]


def test_numbered_attributes_offer_tools() -> None:
    [found] = trajectories(DATA / "tempo.json")
    assert [part.name for part in found.parts if part.kind == "schema"] == [
        "get_weather",
        "get_time",
    ]


def test_numbers_of_messages_are_sorted_as_numbers(tmp_path: Path) -> None:
    prompts = {
        key: value
        for number in range(12)
        for key, value in (
            (f"gen_ai.prompt.{number}.role", "user"),
            (f"gen_ai.prompt.{number}.content", f"message {number}"),
        )
    }
    found = one(tmp_path, span("a", None, 0, 1, used(10, 1) | prompts))
    assert texts(found, 0) == [f"message {number}" for number in range(12)]


def test_openinference_messages_and_schemas_are_read() -> None:
    [found] = trajectories(DATA / "openinference.json")
    assert texts(found, 1)[1:] == ["How tall is the tower?", 'search {"q": "tower"}', "330 m"]
    assert found.parts[0].name == "search"


def test_adk_request_and_response_are_read_where_nothing_else_is(tmp_path: Path) -> None:
    request = {
        "config": {
            "system_instruction": "Be kind.",
            "tools": [{"function_declarations": [{"name": "look"}]}],
        },
        "contents": [{"role": "user", "parts": [{"text": "Look."}]}],
    }
    response = {
        "content": {"role": "model", "parts": [{"function_call": {"name": "look", "args": {}}}]}
    }
    attributes = {
        "gen_ai.request.model": "g",
        "gcp.vertex.agent.llm_request": json.dumps(request),
        "gcp.vertex.agent.llm_response": json.dumps(response),
    }
    tool = TOOL | {"gen_ai.tool.name": "look", "gen_ai.tool.call.id": "adk-7"}
    found = one(tmp_path, span("a", None, 0, 3, attributes), span("b", "a", 1, 2, tool))
    assert [(part.kind, part.text) for part in found.parts[:4]] == [
        ("schema", '{"name":"look"}'),
        ("system", "Be kind."),
        ("user", "Look."),
        ("request", "look {}"),
    ]
    # The id was made up by the framework, the model's call has none: name and order join them.
    assert (len(found.calls), found.calls[0].wait_seconds) == (1, pytest.approx(1.0))


def test_reasoning_stays_out_of_later_contexts_unless_it_is_sent_again(tmp_path: Path) -> None:
    thinking = {"type": "reasoning", "content": "hm"}
    text = {"type": "text", "content": "yes"}
    user = {"role": "user", "parts": [{"type": "text", "content": "go"}]}

    def pair(echo: list[dict[str, str]]) -> Trajectory:
        answer = [{"role": "assistant", "parts": [thinking, text]}]
        after = [user, {"role": "assistant", "parts": echo}, user]
        first = used(1, 1) | {"gen_ai.input.messages": [user], "gen_ai.output.messages": answer}
        second = used(2, 1) | {"gen_ai.input.messages": after}
        return one(tmp_path, span("a", None, 0, 1, first), span("b", None, 2, 3, second))

    assert texts(pair([text]), 1) == ["go", "yes", "go"]
    assert texts(pair([thinking, text]), 1) == ["go", "hm", "yes", "go"]


def test_an_edited_history_leaves_the_context_and_calls_keep_their_results(tmp_path: Path) -> None:
    def request(system: str, *more: dict[str, Any]) -> dict[str, Any]:
        return used(9, 1) | {
            "gen_ai.input.messages": [{"role": "system", "content": system}, *more],
        }

    call = {"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": "f"}}]}
    result = {"role": "tool", "tool_call_id": "c", "content": "42"}
    first = request("It is 9:00.", {"role": "user", "content": "go"})
    first["gen_ai.output.messages"] = [call]
    found = one(
        tmp_path,
        span("a", None, 0, 1, first),
        span(
            "b", None, 2, 3, request("It is 9:01.", {"role": "user", "content": "go"}, call, result)
        ),
    )
    assert texts(found, 0) == ["It is 9:00.", "go"]
    assert texts(found, 1) == ["It is 9:01.", "go", "f ", "42"]
    again = [part for part in found.parts if part.enters == 1]
    assert [(part.kind, part.call) for part in again][2:] == [("request", 0), ("result", 0)]


def test_an_answer_that_was_not_recorded_is_read_from_the_next_request(tmp_path: Path) -> None:
    first, second = told(("user", "a")), told(("user", "a"), ("assistant", "b"), ("user", "c"))
    del first["gen_ai.output.messages"]
    found = one(tmp_path, span("a", None, 0, 1, first), span("b", None, 2, 3, second))
    assert [(part.text, part.made) for part in found.parts] == [
        ("a", None), ("b", 0), ("c", None), ("ok", 1),
    ]  # fmt: skip


# Content capture is off ------------------------------------------------------------------------


def test_turns_without_content_still_have_usage_and_calls_from_tool_spans() -> None:
    main, _ = trajectories(DATA / "no_content.json")
    assert [turn.prefill.tokens for turn in main.turns] == [50, 70]
    [call] = main.calls
    assert (call.tool, call.turn, call.executed) == ("ask_helper", 0, True)


def test_a_failed_model_call_without_an_answer_is_a_retry_and_no_turn() -> None:
    main, _ = trajectories(DATA / "no_content.json")
    assert (main.retries, len(main.turns)) == (1, 2)


def test_a_failed_model_call_with_an_answer_is_a_turn_with_an_error(tmp_path: Path) -> None:
    failed = span("a", None, 0, 1, used(5, 2), status={"code": 2, "message": "cut off"})
    assert one(tmp_path, failed).turns[0].error == "cut off"


def test_an_attempt_of_failed_calls_only_is_one_bad_record(tmp_path: Path) -> None:
    failed = span("a", None, 0, 1, CHAT, status={"code": 2})
    [bad] = items(exported(tmp_path, failed))
    assert isinstance(bad, BadRecord)
    assert (bad.place, bad.found) == ("trace t1", "only failed ones")


# Tools -----------------------------------------------------------------------------------------


def test_tool_spans_time_their_calls() -> None:
    found = trajectories(DATA / "spread.jsonl")[1]
    assert [call.wait_seconds for call in found.calls] == pytest.approx([1.0, 2.0])
    assert found.calls[0].started_at == START + 3


def test_a_tool_spans_error_is_the_calls() -> None:
    [found] = trajectories(DATA / "jaeger.json")
    [call] = found.calls
    assert (call.error, call.executed) == ("forbidden", True)
    assert found.parts[call.result].text == "not allowed"


def test_an_error_told_in_a_content_block_is_the_calls() -> None:
    [found] = trajectories(DATA / "events.json")
    assert found.calls[0].error == "no such file"


def test_tools_that_code_in_the_answer_ran_are_no_calls(tmp_path: Path) -> None:
    found = one(
        tmp_path,
        span("a", None, 0, 1, told(("user", "go"), answer="search('x')")),
        span("b", None, 2, 3, {"openinference.span.kind": "TOOL", "tool.name": "search"}),
    )
    assert found.calls == ()


def test_a_call_id_tells_a_call_that_the_answer_does_not_show(tmp_path: Path) -> None:
    found = one(
        tmp_path,
        span("a", None, 0, 1, told(("user", "go"), answer="I search.")),
        span("b", None, 2, 3, TOOL | {"gen_ai.tool.name": "s", "gen_ai.tool.call.id": "7"}),
    )
    assert [(call.tool, call.call_id) for call in found.calls] == [("s", "7")]


def test_reused_call_ids_join_the_call_of_their_turn(tmp_path: Path) -> None:
    calls = {"gen_ai.output.messages": [{"role": "assistant", "tool_calls": [
        {"id": "x", "function": {"name": "f", "arguments": "{}"}}]}]}  # fmt: skip
    tool = TOOL | {"gen_ai.tool.name": "f", "gen_ai.tool.call.id": "x"}
    found = one(
        tmp_path,
        span("a", None, 0, 1, used(1, 1) | calls),
        span("b", None, 1, 3, tool),
        span("c", None, 4, 5, used(1, 1) | calls),
        span("d", None, 5, 9, tool),
    )
    assert [call.wait_seconds for call in found.calls] == pytest.approx([2.0, 4.0])


def test_the_span_that_repeats_parallel_calls_merged_is_no_call(tmp_path: Path) -> None:
    found = one(
        tmp_path,
        span("a", None, 0, 1, used(1, 1)),
        span("b", None, 2, 3, TOOL | {"gen_ai.tool.name": "f", "gen_ai.tool.call.id": "1"}),
        span("c", None, 3, 4, TOOL | {"gen_ai.tool.name": "(merged tools)"}),
    )
    assert [call.tool for call in found.calls] == ["f"]


# What is one attempt ---------------------------------------------------------------------------


def test_a_sub_agent_is_a_trajectory_with_a_parent() -> None:
    main, sub = trajectories(DATA / "no_content.json")
    assert sub.parent_id == main.trajectory_id
    assert [turn.prefill.tokens for turn in sub.turns] == [20, 30]
    assert [(call.tool, call.error) for call in sub.calls] == [("grep", "timed out")]


def test_a_tool_that_asks_a_model_is_a_trajectory_with_a_parent(tmp_path: Path) -> None:
    main, sub = trajectories(
        exported(
            tmp_path,
            span("a", None, 0, 1, used(1, 1)),
            span(
                "b",
                None,
                2,
                5,
                TOOL | {"gen_ai.tool.name": "summarise", "gen_ai.tool.call.id": "7"},
            ),
            span("c", "b", 3, 4, used(2, 1)),
        )
    )
    assert sub.parent_call_id == "7"
    assert (sub.parent_id, len(main.turns), len(sub.turns)) == (main.trajectory_id, 1, 1)


def test_an_evaluators_model_calls_are_left_out() -> None:
    found = trajectories(DATA / "no_content.json")
    assert all(turn.prefill.tokens != 900 for t in found for turn in t.turns)


def siblings(folder: Path, first: dict[str, Any], second: dict[str, Any], talk: str) -> int:
    agent = AGENT | {"gen_ai.agent.name": "bot", "gen_ai.conversation.id": talk}
    return len(
        trajectories(
            exported(
                folder,
                span("root", None, 0, 9, {}),
                span("x", "root", 0, 4, agent),
                span("a", "x", 1, 2, first),
                span("y", "root", 5, 9, agent),
                span("b", "y", 6, 7, second),
            )
        )
    )


def test_sibling_agents_are_separate_unless_one_takes_the_conversation_up(tmp_path: Path) -> None:
    hello = told(("user", "a"))
    longer = told(("user", "a"), ("assistant", "ok"), ("user", "b"))
    assert siblings(tmp_path, hello, hello, "same") == 2
    assert siblings(tmp_path, hello, longer, "same") == 1
    assert siblings(tmp_path, used(1, 1), used(2, 1), "same") == 1
    assert siblings(tmp_path, used(1, 1), used(2, 1), "") == 2


def test_conversation_ids_separate_calls_outside_every_agent(tmp_path: Path) -> None:
    found = trajectories(
        exported(
            tmp_path,
            span("a", None, 0, 1, used(1, 1) | {"gen_ai.conversation.id": "p"}),
            span("b", None, 2, 3, used(2, 1) | {"gen_ai.conversation.id": "q"}),
            span("c", None, 4, 5, used(3, 1) | {"gen_ai.conversation.id": "p"}),
        )
    )
    assert [[turn.prefill.tokens for turn in t.turns] for t in found] == [[1, 3], [2]]


def test_spans_of_one_trace_spread_over_lines_are_one_trajectory() -> None:
    small, sums = trajectories(DATA / "spread.jsonl")
    assert (len(small.turns), len(sums.turns), len(sums.calls)) == (1, 2, 2)


def test_an_evaluation_is_the_score() -> None:
    small, sums = trajectories(DATA / "spread.jsonl")
    assert (sums.score, sums.correct) == (1.0, True)
    assert (small.score, small.correct) == (None, None)


def test_several_evaluations_of_something_else_are_no_score(tmp_path: Path) -> None:
    def noted(name: str) -> dict[str, Any]:
        body = {"gen_ai.evaluation.name": name, "gen_ai.evaluation.score.value": 0.5}
        return {"name": "gen_ai.evaluation.result", "attributes": body}

    two = span("a", None, 0, 1, used(1, 1), events=[noted("tone"), noted("length")])
    assert one(tmp_path, two).score is None
    alone = span("a", None, 0, 1, used(1, 1), events=[noted("tone")])
    assert (one(tmp_path, alone).score, one(tmp_path, alone).correct) == (0.5, None)


def test_embeddings_are_no_turns(tmp_path: Path) -> None:
    vectors = {"gen_ai.operation.name": "embeddings", "gen_ai.request.model": "e"}
    found = one(tmp_path, span("a", None, 0, 1, vectors), span("b", None, 2, 3, used(1, 1)))
    assert len(found.turns) == 1


# Files -----------------------------------------------------------------------------------------


def test_traces_without_a_model_call_are_passed_over_in_silence() -> None:
    assert len(items(DATA / "jaeger.json")) == 1


def test_a_file_without_any_genai_span_is_one_bad_record() -> None:
    [bad] = items(DATA / "plumbing.json")
    assert isinstance(bad, BadRecord)
    assert (bad.place, bad.found) == ("file", "2 spans without any")


def test_typed_values_are_read_from_tempos_wrapper_and_from_bare_spans(tmp_path: Path) -> None:
    bare = span("a", None, 0, 1, used(5, 2))
    typed = {"key": "gen_ai.usage.input_tokens", "value": {"intValue": "5"}}
    listed = [{"key": key, "value": {"stringValue": value}} for key, value in CHAT.items()]
    wrapped = {"trace": {"resourceSpans": [{"scopeSpans": [{"spans": [
        bare | {"attributes": [*listed, typed]}]}]}]}}  # fmt: skip
    for content in (json.dumps(wrapped), json.dumps(bare) + "\n" + json.dumps(bare)):
        path = tmp_path / "file.json"
        path.write_text(content)
        assert FORMAT.detect(Head(path)) > 0.9
        [found] = trajectories(path)
        assert [turn.prefill.tokens for turn in found.turns] == [5]


def test_a_damaged_span_costs_only_itself(tmp_path: Path) -> None:
    good = span("a", None, 0, 1, used(5, 2))
    bad, found = items(exported(tmp_path, span("b", None, 2, 3, CHAT) | {"events": 7}, good))
    assert isinstance(found, Trajectory)
    assert isinstance(bad, BadRecord)
    assert bad.place == "resourceSpans[0] span 0"


def test_a_block_whose_type_is_no_text_is_passed_over(tmp_path: Path) -> None:
    blocks = [{"type": [], "text": "still read"}, {"type": {}}]
    sent = {"gen_ai.input.messages": [{"role": "user", "parts": blocks}]}
    assert texts(one(tmp_path, span("a", None, 0, 1, used(1, 1) | sent)), 0) == ["still read"]


def test_a_circle_of_parents_ends(tmp_path: Path) -> None:
    found = one(tmp_path, span("a", "b", 0, 1, {}), span("b", "a", 0, 1, used(1, 1)))
    assert len(found.turns) == 1


def test_a_span_exported_twice_counts_once(tmp_path: Path) -> None:
    twice = span("a", None, 0, 1, used(5, 2))
    assert len(one(tmp_path, twice, twice).turns) == 1


def test_a_record_over_the_limit_is_a_row_and_the_rest_is_read(tmp_path: Path) -> None:
    def line(trace: str, text: str) -> str:
        chat = span("a", None, 0, 1, told(("user", text)), trace=trace)
        return json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": [chat]}]}]})

    path = tmp_path / "large.jsonl"
    path.write_text(line("t1", "x" * 5000) + "\n" + line("t2", "short") + "\n")
    found = items(path, max_record_bytes=3000)
    assert [type(item) for item in found] == [BadRecord, Trajectory]


def test_ids_are_unique_and_stable() -> None:
    paths = sorted(DATA.glob("*.json*"))
    first = [t.trajectory_id for path in paths for t in items(path) if isinstance(t, Trajectory)]
    again = [t.trajectory_id for path in paths for t in items(path) if isinstance(t, Trajectory)]
    assert first == again
    assert len(set(first)) == len(first) == 15


@settings(max_examples=60)
@given(
    value=st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner),
        max_leaves=8,
    ),
    key=st.sampled_from([
        "gen_ai.input.messages", "gen_ai.output.messages", "gen_ai.tool.definitions",
        "gen_ai.usage.input_tokens", "events", "gen_ai.prompt.0.tool_calls.0",
        "llm.tools.0", "gcp.vertex.agent.llm_request", "gen_ai.response.finish_reasons",
        "gen_ai.tool.call.result", "gen_ai.operation.name", "ai.prompt.tools",
    ]),
)  # fmt: skip
def test_any_value_under_any_name_is_survived(
    value: object, key: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.getbasetemp()
    chat = span("a", None, 0, 1, used(5, 2) | {key: value})
    tool = span("b", None, 1, 2, TOOL | {key: json.dumps(value)})
    assert_survives(FORMAT, exported(folder, chat, tool))


# Real files ------------------------------------------------------------------------------------


def test_real_usage_is_the_leafs(real_traces: Path) -> None:
    [found] = trajectories(real_traces / "otel_genai" / "jaeger" / "helm_3.json")
    assert [turn.prefill.tokens for turn in found.turns] == [1909, 2138]
    assert [turn.decode.tokens for turn in found.turns] == [32, 771]
    assert [turn.cached_tokens for turn in found.turns] == [0, 1792]
    assert [turn.reasoning_tokens for turn in found.turns] == [0, 256]
