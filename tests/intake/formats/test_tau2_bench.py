"""tau2-bench results: the agent's side, without the simulated user's."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from agentdyno.intake.format import Source
from agentdyno.intake.formats.tau2_bench import FORMAT
from agentdyno.intake.head import Head
from agentdyno.records import BadRecord, TokenCount, Trajectory

DATA = Path(__file__).resolve().parents[2] / "data" / "tau2_bench"
DOCUMENT = DATA / "telecom.json"


def read(path: Path) -> list[Trajectory | BadRecord]:
    return list(FORMAT.read(Source(path, path.name)))


def one(path: Path) -> Trajectory:
    (item,) = read(path)
    assert isinstance(item, Trajectory), item
    return item


def document(folder: Path, messages: list[dict[str, Any]], **changes: Any) -> Path:
    """A document of one simulation with these messages."""
    content = json.loads(DOCUMENT.read_bytes())
    content["simulations"] = [{"id": "s", "task_id": "t", "messages": messages}]
    content.update(changes)
    path = folder / "doc.json"
    path.write_text(json.dumps(content))
    return path


def answer(content: str | None = "Hello", **fields: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": content, **fields}


def ask(content: str = "Help") -> dict[str, Any]:
    return {"role": "user", "content": content}


@pytest.fixture(scope="module")
def full() -> Trajectory:
    item = read(DOCUMENT)[0]
    assert isinstance(item, Trajectory)
    return item


@pytest.fixture(scope="module")
def stripped() -> Trajectory:
    item = read(DOCUMENT)[1]
    assert isinstance(item, Trajectory)
    return item


def test_the_canned_greeting_is_context_and_no_turn(full: Trajectory):
    assert len(full.turns) == 3
    greeting = next(part for part in full.parts if part.kind == "text")
    assert greeting.text == "Hi! How can I help you today?"
    assert (greeting.made, greeting.enters) == (None, 0)


def test_the_greeting_of_a_stripped_file_is_no_turn_either(stripped: Trajectory):
    assert len(stripped.turns) == 2
    assert stripped.turns[0].prefill is None
    assert (stripped.task_id, stripped.attempt, stripped.correct) == (None, None, False)


def test_an_opening_that_the_model_generated_is_a_turn(tmp_path: Path):
    usage = {"prompt_tokens": 10, "completion_tokens": 2}
    assert len(one(document(tmp_path, [answer(usage=usage)])).turns) == 1


def test_the_history_a_task_begins_with_is_context_and_no_turn(tmp_path: Path):
    call = {"id": "h1", "name": "get_user", "arguments": {"id": 1}, "requestor": "assistant"}
    history = [
        answer("Hi"),
        ask(),
        answer(None, tool_calls=[call]),
        {"role": "tool", "id": "h1", "content": "Ana", "requestor": "assistant"},
    ]
    tasks = [{"id": "t", "initial_state": {"message_history": history}}]
    trajectory = one(document(tmp_path, [*history, answer("Hello Ana")], tasks=tasks))
    assert (len(trajectory.turns), len(trajectory.calls)) == (1, 0)
    assert [part.kind for part in trajectory.parts if part.enters == 0][2:] == [
        "text",
        "user",
        "request",
        "result",
    ]


def test_the_users_calls_and_results_are_not_the_agents(full: Trajectory):
    assert [call.tool for call in full.calls] == ["get_customer", "get_line"]
    texts = [part.text for part in full.parts]
    assert "Status Bar: Airplane Mode" not in texts
    # Said beside a call, it goes to the environment and never reaches the agent.
    assert "Let me look." not in texts
    assert "Airplane mode is on." in texts


def test_only_the_agents_usage_counts(full: Trajectory):
    assert [turn.prefill for turn in full.turns] == [
        TokenCount(1000, "reported"),
        TokenCount(1100, "reported"),
        TokenCount(1130, "reported"),
    ]
    assert [turn.decode and turn.decode.tokens for turn in full.turns] == [30, 12, 5]
    assert [turn.reported_usd for turn in full.turns] == [0.01, 0.011, 0.012]


def test_parallel_calls_get_their_own_results_errors_and_waits(full: Trajectory):
    first, second = full.calls
    assert (first.turn, first.call, second.turn, second.call) == (0, 0, 0, 1)
    assert (first.error, first.executed) == (None, True)
    assert second.error == "Error: Line must be suspended to resume"
    assert second.executed
    # Stamped 5.0 (the agent), 5.5 and 5.75: the tools ran one after the other.
    assert (first.wait_seconds, second.wait_seconds) == (0.5, 0.25)


def test_latency_is_the_time_since_the_message_before(full: Trajectory):
    # 2.0 to 5.0 after the user; 5.75 to 8.75 after the tool; 10.0 to 12.0 after the user.
    assert [turn.latency_seconds for turn in full.turns] == [3.0, 3.0, 2.0]
    first = full.turns[0]
    assert first.started_at is not None
    assert first.ended_at is not None
    assert first.ended_at - first.started_at == 3.0


def test_a_measured_generation_time_goes_before_the_stamps(tmp_path: Path):
    stamped = [
        {**ask(), "timestamp": "2025-08-01T10:00:00"},
        answer(timestamp="2025-08-01T10:00:09", generation_time_seconds=2.5),
    ]
    assert one(document(tmp_path, stamped)).turns[0].latency_seconds == 2.5


def test_stamps_out_of_order_give_no_latency(tmp_path: Path):
    stamped = [
        {**ask(), "timestamp": "2025-08-01T10:00:09"},
        answer(timestamp="2025-08-01T10:00:00"),
    ]
    assert one(document(tmp_path, stamped)).turns[0].latency_seconds is None


def test_model_domain_task_trial_and_reward_are_kept(full: Trajectory):
    assert (full.model, full.benchmark) == ("gpt-4o", "tau2-bench/telecom")
    assert (full.task_id, full.attempt, full.score, full.correct) == ("roaming", 2, 1.0, True)
    assert full.expected == '["airplane mode"]'
    assert [turn.finish for turn in full.turns] == ["tool_calls", "stop", "stop"]


def test_policy_and_offered_tools_open_the_context(full: Trajectory):
    schema, policy = full.parts[:2]
    assert (schema.kind, schema.name) == ("schema", "get_customer")
    assert (policy.kind, policy.text) == ("system", "# Telecom policy\nBe kind.")


def test_missing_tool_definitions_and_info_are_no_problem(tmp_path: Path):
    bare = document(tmp_path, [ask(), answer()], info={"environment_info": {"tool_defs": None}})
    trajectory = one(bare)
    assert (trajectory.model, trajectory.benchmark) == (None, "tau2-bench")
    assert [part.kind for part in trajectory.parts] == ["user", "text"]


def test_a_stripped_file_tells_errors_by_their_text(stripped: Trajectory):
    (call,) = stripped.calls
    assert call.error == "Error: Tool 'cancel' not found."
    assert not call.executed  # There is no such tool, so nothing ran.


def test_twelve_calls_in_one_turn_are_twelve_calls(tmp_path: Path):
    calls = [{"id": f"c{i}", "name": "look", "arguments": {"n": i}} for i in range(12)]
    results = [{"role": "tool", "id": f"c{i}", "content": str(i)} for i in reversed(range(12))]
    trajectory = one(document(tmp_path, [ask(), answer(None, tool_calls=calls), *results]))
    assert len(trajectory.turns) == 1
    assert [trajectory.parts[call.result or 0].text for call in trajectory.calls] == [
        str(i) for i in range(12)
    ]


def test_openai_raw_data_gives_cached_and_reasoning_tokens(tmp_path: Path):
    raw = {
        "model": "gpt-5-2025",
        "choices": [{"finish_reason": "stop", "message": {"reasoning_content": "Hm."}}],
        "usage": {
            "prompt_tokens": 900,
            "completion_tokens": 70,
            "prompt_tokens_details": {"cached_tokens": 512},
            "completion_tokens_details": {"reasoning_tokens": 40},
        },
    }
    usage = {"prompt_tokens": 900, "completion_tokens": 70}
    messages = [ask(), answer(usage=usage, raw_data=raw), ask(), answer("Bye")]
    trajectory = one(document(tmp_path, messages))
    turn = trajectory.turns[0]
    assert (turn.model, turn.finish) == ("gpt-5-2025", "stop")
    assert turn.prefill == TokenCount(900, "reported")
    assert (turn.cached_tokens, turn.reasoning_tokens) == (512, 40)
    thought = next(part for part in trajectory.parts if part.kind == "reasoning")
    assert (thought.text, thought.tokens, thought.enters) == ("Hm.", 40, None)


def test_anthropic_raw_data_adds_what_its_input_leaves_out(tmp_path: Path):
    raw = {
        "type": "message",
        "model": "claude-sonnet-4-5",
        "stop_reason": "tool_use",
        "content": [
            {"type": "thinking", "thinking": "Look it up.", "signature": "x"},
            {"type": "text", "text": "Hello"},
        ],
        "usage": {
            "input_tokens": 7,
            "output_tokens": 90,
            "cache_read_input_tokens": 3000,
            "cache_creation_input_tokens": 200,
        },
    }
    usage = {"prompt_tokens": 7, "completion_tokens": 90}
    trajectory = one(document(tmp_path, [ask(), answer(usage=usage, raw_data=raw)]))
    (turn,) = trajectory.turns
    assert turn.prefill == TokenCount(3207, "reported")
    assert (turn.cached_tokens, turn.cache_write_tokens) == (3000, 200)
    assert turn.decode == TokenCount(90, "reported")
    assert (turn.model, turn.finish) == ("claude-sonnet-4-5", "tool_use")
    assert [part.text for part in trajectory.parts if part.kind == "reasoning"] == ["Look it up."]


@pytest.mark.parametrize("inside", [True, False], ids=["in the choice", "beside it"])
def test_thinking_blocks_are_reasoning(tmp_path: Path, inside: bool):
    blocks = [
        {"type": "thinking", "thinking": "First.", "signature": "x"},
        {"type": "redacted_thinking", "data": "?"},
        {"type": "thinking", "thinking": "Then."},
    ]
    message = {"role": "assistant", "content": "Hello"}
    raw = {"thinking_blocks": blocks} if not inside else {
        "choices": [{"message": {**message, "thinking_blocks": blocks}}]
    }  # fmt: skip
    trajectory = one(document(tmp_path, [ask(), answer(raw_data=raw)]))
    thoughts = [part.text for part in trajectory.parts if part.kind == "reasoning"]
    assert thoughts == ["First.\nThen."]


@pytest.mark.parametrize(
    ("prompt", "prefill"),
    [(3207, 3207), (7, 3207)],
    ids=["cached tokens inside", "cached tokens left out"],
)
def test_cached_tokens_do_not_count_twice(tmp_path: Path, prompt: int, prefill: int):
    usage = {
        "prompt_tokens": prompt,
        "completion_tokens": 90,
        "cache_read_input_tokens": 3000,
        "cache_creation_input_tokens": 200,
    }
    trajectory = one(document(tmp_path, [ask(), answer(raw_data={"usage": usage})]))
    assert trajectory.turns[0].prefill == TokenCount(prefill, "reported")


def test_raw_data_of_an_unknown_shape_costs_only_the_finer_counts(tmp_path: Path):
    usage = {"prompt_tokens": 9, "completion_tokens": 2}
    odd = answer(usage=usage, raw_data={"usage": "n/a", "choices": 3})
    assert one(document(tmp_path, [ask(), odd])).turns[0].prefill == TokenCount(9, "reported")


def test_zero_usage_and_zero_cost_mean_unknown(tmp_path: Path):
    zero = answer(usage={"prompt_tokens": 0, "completion_tokens": 0}, cost=0.0)
    (turn,) = one(document(tmp_path, [ask(), zero])).turns
    assert (turn.prefill, turn.decode, turn.reported_usd) == (None, None, None)


def test_messages_dropped_from_a_full_window_leave_the_context(tmp_path: Path):
    cut = {"messages_dropped": 2, "messages_kept": 1}
    messages = [answer("Hi"), ask("One"), answer("1"), ask("Two"), answer("2")]
    messages[-1]["context_truncation"] = cut
    parts = {part.text: part for part in one(document(tmp_path, messages)).parts}
    assert parts["Hi"].leaves == parts["One"].leaves == 1
    assert parts["1"].leaves is None


def test_a_single_simulation_takes_what_is_shared_from_results_json():
    folder = DATA / "folder"
    assert read(folder / "results.json") == []
    trajectory = one(folder / "simulations" / "s-1.json")
    assert (trajectory.model, trajectory.benchmark) == ("gpt-4o", "tau2-bench/telecom")
    assert trajectory.parts[1].text == "# Telecom policy\nBe kind."
    assert len(trajectory.turns) == 3


def test_a_simulation_that_results_json_holds_as_well_is_counted_once(tmp_path: Path):
    shutil.copy(DOCUMENT, tmp_path / "results.json")
    shutil.copytree(DATA / "folder" / "simulations", tmp_path / "simulations")
    assert len(read(tmp_path / "results.json")) == 2
    assert read(tmp_path / "simulations" / "s-1.json") == []
    assert len(read(tmp_path / "simulations" / "v-1.json")) == 1


def test_a_simulation_without_results_json_is_read_alone(tmp_path: Path):
    path = tmp_path / "s-1.json"
    shutil.copy(DATA / "folder" / "simulations" / "s-1.json", path)
    trajectory = one(path)
    assert (trajectory.model, len(trajectory.turns)) == (None, 3)


def test_voice_ticks_are_one_bad_record():
    (item,) = read(DATA / "folder" / "simulations" / "v-1.json")
    assert isinstance(item, BadRecord)
    assert item.found == "voice ticks (full duplex), which are not supported"


def test_a_simulation_without_an_answer_says_how_it_ended(tmp_path: Path):
    content = json.loads(DOCUMENT.read_bytes())
    ended = {"id": "s", "messages": [], "termination_reason": "infrastructure_error"}
    path = tmp_path / "doc.json"
    path.write_text(json.dumps({**content, "simulations": [ended]}))
    (item,) = read(path)
    assert isinstance(item, BadRecord)
    assert item.place == "simulations[0]"
    assert item.found == "none; the simulation ended with infrastructure_error"


def test_damaged_info_is_told_and_the_simulations_are_read(tmp_path: Path):
    bad, good = read(document(tmp_path, [ask(), answer()], info={"agent_info": 5}))
    assert isinstance(bad, BadRecord)
    assert (bad.place, bad.expected) == ("info", "object | null at $.agent_info")
    assert isinstance(good, Trajectory)


def test_a_document_without_simulations_is_a_bad_record(tmp_path: Path):
    (item,) = read(document(tmp_path, [], simulations=[]))
    assert isinstance(item, BadRecord)
    assert item.expected == "at least one simulation"


def test_documents_and_single_simulations_are_recognised(tmp_path: Path):
    assert FORMAT.detect(Head(DOCUMENT)) > 0.9
    assert FORMAT.detect(Head(DATA / "folder" / "results.json")) > 0.9
    assert FORMAT.detect(Head(DATA / "folder" / "simulations" / "s-1.json")) >= 0.9
    assert FORMAT.detect(Head(DATA / "folder" / "simulations" / "v-1.json")) >= 0.9
    other = tmp_path / "other.json"
    other.write_text(json.dumps({"id": "x", "task_id": "y", "messages": []}))
    assert FORMAT.detect(Head(other)) == 0


def test_a_document_whose_tasks_fill_the_beginning_is_recognised(tmp_path: Path):
    content = json.loads(DOCUMENT.read_bytes())
    content["tasks"] = [{"id": str(i), "notes": "x" * 1000} for i in range(400)]
    path = tmp_path / "long.json"
    path.write_text(json.dumps(content))
    assert "simulations" not in Head(path).keys
    assert FORMAT.detect(Head(path)) > 0.9
    assert len(read(path)) == 2
