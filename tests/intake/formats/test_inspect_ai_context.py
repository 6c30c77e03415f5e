"""What stands in the context of an Inspect agent's model calls, and whose calls they are."""

import json
from pathlib import Path
from typing import Any

import pytest

from agentdyno.records import TokenCount
from tests.intake.formats.conformance import spoken as texts_at
from tests.intake.formats.inspect_logs import (
    Json,
    assistant,
    call,
    model_event,
    read_all,
    read_one,
    result,
    sample,
    span,
    system,
    tool_event,
    user,
    write_eval,
    write_json,
)

# The context ------------------------------------------------------------------------------------


def test_repeated_history_is_counted_once(tmp_path: Path) -> None:
    history = [system("S"), user("Q")]
    answer, said = assistant("let me see", call("c1")), result("c1", "sunny")
    events = [
        model_event(history, answer),
        tool_event("c1", "sunny"),
        model_event([*history, answer, said], assistant("done")),
    ]
    found = read_one(write_json(tmp_path, sample(*events)))
    kinds = [(part.kind, part.made, part.enters) for part in found.parts]
    assert kinds == [
        ("system", None, 0),
        ("user", None, 0),
        ("text", 0, 1),
        ("request", 0, 1),
        ("result", None, 1),
        ("text", 1, None),
    ]
    assert (found.calls[0].wait_seconds, found.calls[0].executed) == (2.5, True)


def test_compaction_retires_what_is_gone(tmp_path: Path) -> None:
    history, answer = [system("S"), user("long task")], assistant("step", call("c1"))
    events = [
        model_event(history, answer),
        model_event([*history, answer, result("c1", "much")], assistant("more", call("c2"))),
        model_event([system("S"), user("summary so far")], assistant("done")),
    ]
    found = read_one(write_json(tmp_path, sample(*events)))
    assert texts_at(found, 1) == ["S", "long task", "step", 'look {"town":"Ulm"}', "much"]
    assert texts_at(found, 2) == ["S", "summary so far"]
    assert len(found.calls) == 2


def test_a_cleared_result_is_still_its_calls_result(tmp_path: Path) -> None:
    history, answer = [user("Q")], assistant("", call("c1"))
    long, cleared = result("c1", "x" * 500), result("c1", "(cleared)")
    second = assistant("", call("c2"))
    events = [
        model_event(history, answer),
        model_event([*history, answer, long], second),
        model_event([*history, answer, cleared, second, result("c2", "ok")], assistant("done")),
    ]
    found = read_one(write_json(tmp_path, sample(*events)))
    first = [p for p in found.parts if p.kind == "result" and p.call == 0]
    assert [(p.text[:9], p.enters, p.leaves) for p in first] == [
        ("x" * 9, 1, 2),
        ("(cleared)", 2, None),
    ]
    assert texts_at(found, 2)[-2:] == ['look {"town":"Ulm"}', "ok"]


def test_a_new_id_for_the_same_message_changes_nothing(tmp_path: Path) -> None:
    answer = assistant("one")
    events = [
        model_event([user("Q")], answer),
        model_event([user("Q") | {"id": "x"}, answer | {"id": "y"}, user("go on")], assistant("2")),
    ]
    found = read_one(write_json(tmp_path, sample(*events)))
    assert [part.kind for part in found.parts] == ["user", "text", "user", "text"]


def thinking(text: str) -> list[Json]:
    return [{"type": "reasoning", "reasoning": "hm hm"}, {"type": "text", "text": text}]


@pytest.mark.parametrize(("back", "enters"), [(thinking("one"), 1), ("one", None)])
def test_reasoning_stays_only_when_the_next_request_has_it(
    tmp_path: Path, back: Any, enters: int | None
) -> None:
    usage = {"input_tokens": 9, "output_tokens": 8, "total_tokens": 17, "reasoning_tokens": 6}
    events = [
        model_event([user("Q")], assistant(thinking("one")), usage=usage),
        model_event([user("Q"), assistant(back, id="new"), user("more")], assistant("two")),
    ]
    found = read_one(write_json(tmp_path, sample(*events)))
    reasoning = next(part for part in found.parts if part.kind == "reasoning")
    assert (reasoning.text, reasoning.tokens, reasoning.enters) == ("hm hm", 6, enters)
    assert next(part for part in found.parts if part.kind == "text").enters == 1


def test_offered_tools_are_parts_and_not_sent_when_none_may_be_used(tmp_path: Path) -> None:
    tools = [{"name": "look", "description": "Looks.", "parameters": {"type": "object"}}]
    events = [
        model_event([user("Q")], assistant("A"), tools=tools),
        model_event([user("Q")], assistant("B"), tools=tools, tool_choice="none"),
        model_event([user("Q")], assistant("C"), tools=tools, tool_choice="none",
                    model="anthropic/claude-sonnet-4-5"),
    ]  # fmt: skip
    found = read_one(write_json(tmp_path, sample(*events)))
    schemas = [part for part in found.parts if part.kind == "schema"]
    assert [(s.name, s.enters, s.leaves) for s in schemas] == [("look", 0, 1), ("look", 2, None)]
    assert schemas[0].text == json.dumps(tools[0], separators=(",", ":"))


# Where things are kept --------------------------------------------------------------------------


@pytest.mark.parametrize("pool", ["message_pool", "events_data"])
def test_messages_come_out_of_their_pool(tmp_path: Path, pool: str) -> None:
    answer = assistant("A", call("c1"))
    messages = [user("Q"), answer, result("c1", "R")]
    kept = {"message_pool": messages} if pool == "message_pool" else {
        "events_data": {"messages": messages, "calls": []}
    }  # fmt: skip
    events = [
        model_event([], answer, input_refs=[[0, 1]]),
        model_event([], assistant("B"), input_refs=[[0, 1], [1, 3]]),
    ]
    found = read_one(write_json(tmp_path, sample(*events, **kept)))
    assert texts_at(found, 1) == ["Q", "A", 'look {"town":"Ulm"}', "R"]


def test_a_reference_outside_the_pool_is_a_bad_record(tmp_path: Path) -> None:
    event = model_event([], assistant("A"), input_refs=[[0, 7]])
    good, bad = read_all(write_json(tmp_path, sample(event, message_pool=[user("Q")])))
    assert not good
    assert (bad[0].place, bad[0].found) == ("samples[0]", "[0, 7)")


def test_attachments_are_resolved_in_texts_arguments_schemas_and_results(tmp_path: Path) -> None:
    names = {kind: f"{number:032x}" for number, kind in enumerate("qars")}
    made = call("c1", arguments={"town": f"attachment://{names['a']}"})
    tools = [{"name": "look", "description": f"attachment://{names['s']}"}]
    events = [
        model_event([user(f"attachment://{names['q']}")], assistant("A", made), tools=tools),
        tool_event("c1", f"attachment://{names['r']}"),
    ]
    kept = {"q": "the question", "a": "the argument", "r": "the result", "s": "the schema"}
    attachments = {names[kind]: text for kind, text in kept.items()}
    found = read_one(write_eval(tmp_path, sample(*events, attachments=attachments)))
    assert [part.text for part in found.parts] == [
        '{"name":"look","description":"the schema"}',
        "the question",
        "A",
        'look {"town":"the argument"}',
        "the result",
    ]


def test_a_log_without_events_is_read_from_its_messages(tmp_path: Path) -> None:
    usage = {"input_tokens": 70, "output_tokens": 5, "total_tokens": 75}
    messages = [
        user("example"),
        assistant("shown before", source="input"),
        user("Q"),
        assistant("A", call("c1")),
        result("c1", "R"),
        assistant("B"),
    ]
    output = {"choices": [{"message": assistant("B"), "stop_reason": "stop"}], "usage": usage}
    old = sample(messages=messages, output=output)
    found = read_one(write_json(tmp_path, old))
    assert [turn.prefill for turn in found.turns] == [None, TokenCount(70, "reported")]
    assert [turn.model for turn in found.turns] == ["openai/gpt-4o-mini"] * 2
    assert texts_at(found, 0) == ["example", "shown before", "Q"]
    assert (len(found.calls), found.calls[0].executed) == (1, True)


# Who called -------------------------------------------------------------------------------------


def test_scorer_calls_are_left_out_by_span_step_and_role(tmp_path: Path) -> None:
    judged = model_event([user("is it right?")], assistant("yes"))
    events = [
        model_event([user("Q")], assistant("A")),
        span("all", "scorers"),
        span("one", "scorer", "all"),
        judged | {"span_id": "one"},
        {"event": "step", "action": "begin", "type": "scorer", "name": "m"},
        judged,
        {"event": "step", "action": "end", "type": "scorer", "name": "m"},
        judged | {"role": "grader"},
    ]
    assert len(read_one(write_json(tmp_path, sample(*events))).turns) == 1


def test_model_calls_inside_a_tool_are_a_trajectory_of_their_own(tmp_path: Path) -> None:
    answer = assistant("ask", call("c1", "helper"))
    events = [
        span("main", "agent"),
        model_event([user("Q")], answer, span_id="main"),
        span("tool", "tool", "main"),
        tool_event("c1", "helped", span_id="main"),
        span("inner", "agent", "tool"),
        model_event([user("help")], assistant("helped"), span_id="inner"),
        model_event([user("Q"), answer, result("c1", "helped")], assistant("B"), span_id="main"),
    ]
    good, _ = read_all(write_json(tmp_path, sample(*events)))
    assert [(t.trajectory_id, t.parent_id, len(t.turns)) for t in good] == [
        ("log.json#0", None, 2),
        ("log.json#0~1", "log.json#0", 1),
    ]
    assert texts_at(good[0], 1)[-1] == "helped"


def test_events_inside_of_old_tool_events_are_a_sub_agent(tmp_path: Path) -> None:
    inner = model_event([user("help")], assistant("helped"))
    events = [
        model_event([user("Q")], assistant("ask", call("c1"))),
        tool_event("c1", "helped", events=[inner]),
        {"event": "subtask", "name": "plan", "input": {}, "events": [inner, inner]},
    ]
    good, _ = read_all(write_json(tmp_path, sample(*events)))
    assert [(len(t.turns), t.parent_id) for t in good] == [
        (1, None), (1, "log.json#0"), (2, "log.json#0"),
    ]  # fmt: skip
    assert [t.parent_call_id for t in good] == [None, "c1", None]


def test_an_agent_that_takes_over_the_conversation_goes_on_with_it(tmp_path: Path) -> None:
    answer = assistant("A")
    events = [
        span("outer", "agent"),
        model_event([user("Q")], answer, span_id="outer"),
        span("same", "agent", "outer"),
        model_event([user("Q"), answer, user("more")], assistant("B"), span_id="same"),
        span("other", "agent", "outer"),
        model_event([user("new")], assistant("C"), span_id="other"),
    ]
    good, _ = read_all(write_json(tmp_path, sample(*events)))
    assert [len(t.turns) for t in good] == [2, 1]


def test_where_the_agent_calls_no_model_its_first_helper_stands_for_it(tmp_path: Path) -> None:
    events = [
        span("outer", "agent"),
        span("one", "agent", "outer"),
        model_event([user("1")], assistant("A"), span_id="one"),
        span("two", "agent", "outer"),
        model_event([user("2")], assistant("B"), span_id="two"),
    ]
    good, _ = read_all(write_json(tmp_path, sample(*events, scores={"s": {"value": "C"}})))
    assert [(t.parent_id, t.correct) for t in good] == [(None, True), ("log.json#0", None)]


def test_reasoning_that_only_the_last_answer_keeps_leaves_a_turn_later(tmp_path: Path) -> None:
    one, two = assistant(thinking("one"), call("c1")), assistant(thinking("two"), call("c2"))
    bare = assistant("one", call("c1"), id="new")
    sent = [user("Q"), one, result("c1", "R1")]
    events = [
        model_event(sent[:1], one),
        model_event(sent, two),
        model_event([user("Q"), bare, result("c1", "R1"), two, result("c2", "R2")],
                    assistant("three")),
    ]  # fmt: skip
    found = read_one(write_json(tmp_path, sample(*events)))
    look = 'look {"town":"Ulm"}'
    assert texts_at(found, 1) == ["Q", "hm hm", "one", look, "R1"]
    assert texts_at(found, 2) == ["Q", "one", look, "R1", "hm hm", "two", look, "R2"]
    assert len(found.calls) == 2


def test_an_attempt_that_was_never_answered_is_one_all_the_same(tmp_path: Path) -> None:
    failed = model_event([user("Q")], assistant(""), usage=None, error="server_error: no answer")
    events = [span("main", "agent"), failed | {"span_id": "main"}, failed | {"span_id": "main"}]
    found = read_one(write_json(tmp_path, sample(*events)))
    assert [(turn.error, turn.model) for turn in found.turns] == [
        ("server_error: no answer", "openai/gpt-4o-mini")
    ]
    assert (found.retries, texts_at(found, 0)) == (1, ["Q"])
    assert found.turns[0].decode is None
