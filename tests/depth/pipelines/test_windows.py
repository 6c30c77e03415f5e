"""Turns in windows: each token read once, each turn behind its own context."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agentdyno.pipelines.classify.traces import read_trajectories
from agentdyno.records import Part, ToolCall, Trajectory, Turn
from agentdyno_depth.pipelines.depth.turns import turn_depths
from agentdyno_depth.probes.windows import read_turns
from agentdyno_depth.records.depth import Thresholds

PAIRS = [Thresholds(0.5, 0.75), Thresholds(0.25, 0.5)]


@pytest.fixture
def tiny() -> Any:
    from tests.tiny import tiny_model

    return tiny_model()


def _trajectory(*parts: Part) -> Trajectory:
    turns = 1 + max(part.made for part in parts if part.made is not None)
    calls = tuple(
        ToolCall(turn=part.made, call=0, tool="look", arguments=part.text)
        for part in parts
        if part.kind == "request" and part.made is not None
    )
    return Trajectory("a#1", "a", "f", parts, (Turn(),) * turns, calls)


def _text(tiny: Any, tokens: tuple[int, ...]) -> str:
    return str(tiny.tokenizer.decode(tokens))


ASKS = (
    Part("user", "weather?", enters=0),
    Part("text", "I look.", made=0, enters=1),
    Part("request", "Ulm", name="look", call=0, made=0, enters=1),
    Part("result", "rain", name="look", call=0, enters=1),
    Part("text", "It rains.", made=1, enters=2),
    Part("user", "thanks", enters=2),
    Part("text", "Bye.", made=2),
)


def test_turns_that_go_on_from_each_other_share_a_window(tiny: Any) -> None:
    first, second, third = read_turns(_trajectory(*ASKS), tiny)
    assert first.window is second.window is third.window
    assert _text(tiny, first.window.prompt) == "<user>weather?<model>"
    call = '\n<tool_call>{"name": "look", "arguments": "Ulm"}</tool_call>'
    assert _text(tiny, first.window.response) == (
        f"I look.{call}<end><user><tool_response>rain</tool_response><model>It rains.<end>"
        "<user>thanks<model>Bye.<end>"
    )
    assert [_text(tiny, text.sequence().response) for text in (first, second, third)] == [
        f"I look.{call}<end>",
        "It rains.<end>",
        "Bye.<end>",
    ]
    # The call's letters, and the end token that follows them; what is before is no call.
    assert first.calls == (None,) * 7 + (0,) * (len(call) + 1)
    assert _text(tiny, third.sequence(1, 2).response) == "ye"


def test_a_shared_window_gives_the_numbers_of_turns_read_alone(tiny: Any) -> None:
    from agentdyno_depth.probes.profiles import label_sequences

    trajectory = _trajectory(*ASKS)
    rows = [row for row in turn_depths(trajectory, tiny, PAIRS) if row.call is None]
    alone = [text.sequence() for text in read_turns(trajectory, tiny)]
    labels = label_sequences(tiny, alone, PAIRS).labels
    for place, pair in enumerate(PAIRS):
        own = [row for row in rows if (row.g, row.rho) == (pair.g, pair.rho)]
        assert [row.dtr for row in own] == [float(each.deep[place].mean()) for each in labels]
    means = [float(np.mean(each.confidence.log_probs)) for each in labels]
    assert [row.mean_log_prob for row in rows[::2]] == pytest.approx(means, abs=1e-4)


def test_what_left_the_context_is_not_in_the_next_turns_window(tiny: Any) -> None:
    parts = (
        Part("user", "weather?", enters=0),
        Part("reasoning", "secret", made=0),  # written, and never in a context
        Part("text", "Rain.", made=0, enters=1),
        Part("user", "sure?", enters=1, leaves=2),
        Part("text", "Yes.", made=1, enters=2),
        Part("text", "Really.", made=2),
    )
    first, second, third = read_turns(_trajectory(*parts), tiny)
    # The template writes thinking between tags.
    assert _text(tiny, first.window.response) == "<think>\nsecret\n</think>\n\nRain.<end>"
    assert "secret" not in _text(tiny, second.sequence().prompt)
    assert "sure?" in _text(tiny, second.sequence().prompt)
    assert "sure?" not in _text(tiny, third.sequence().prompt)
    assert "Yes." in _text(tiny, third.sequence().prompt)


def test_a_full_window_is_followed_by_one_with_the_latest_context(tiny: Any) -> None:
    parts = [Part("user", "go", enters=0)]
    parts += [Part("text", f"{n}" * 30, made=n, enters=n + 1) for n in range(6)]
    texts = read_turns(_trajectory(*parts), tiny, context_tokens=60)
    windows = list({id(text.window): text.window for text in texts}.values())
    assert 1 < len(windows) < 6
    assert all(len(window.prompt) + len(window.response) <= 120 for window in windows)
    for text in texts[2:]:  # 60 tokens before each: the turn before, and its header at least
        before = _text(tiny, text.sequence().prompt)
        assert before.endswith(f"{text.turn - 1}" * 30 + "<end><model>")


def test_a_turn_longer_than_the_model_holds_is_cut(tiny: Any) -> None:
    parts = (Part("user", "u" * 3000, enters=0), Part("text", "t" * 3000, made=0))
    (text,) = read_turns(_trajectory(*parts), tiny)  # The model has 2,048 positions.
    assert (len(text.window.prompt), len(text.window.response)) == (1, 2047)
    assert len(text.calls) == 2047


def test_a_turn_without_text_breaks_no_window(tiny: Any) -> None:
    parts = (
        Part("user", "weather?", enters=0),
        Part("text", "Wait.", made=0, enters=1),
        Part("text", "", made=1, enters=2),
        Part("text", "Rain.", made=2),
    )
    first, silent, last = read_turns(_trajectory(*parts), tiny)
    assert silent.calls == ()
    assert first.window is last.window
    rows = turn_depths(_trajectory(*parts), tiny)
    assert [row.depth_tokens for row in rows] == [6, 0, 6]  # five letters and the end
    assert rows[1].dtr is None


def test_a_text_cannot_speak_as_a_special_token(tiny: Any) -> None:
    end = tiny.tokenizer.eos_token_id
    assert end in tiny.tokenizer("x<end>")["input_ids"]
    (text,) = read_turns(_trajectory(Part("text", "x<end>", made=0)), tiny)
    assert end not in text.window.response
    assert _text(tiny, text.window.response) == "x<end>"


def test_calls_in_the_history_of_the_first_request_keep_name_and_arguments(
    tiny: Any, tmp_path: Path
) -> None:
    call = {"id": "c1", "function": {"name": "look", "arguments": '{"at": "Ulm"}'}}
    request = [
        {"role": "user", "content": "weather?"},
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "rain"},
    ]
    answer = {"choices": [{"message": {"role": "assistant", "content": "It rains."}}]}
    line = {"request": {"model": "m", "messages": request}, "response": answer}
    (tmp_path / "log.jsonl").write_text(json.dumps(line))
    (trajectory,) = read_trajectories([tmp_path / "log.jsonl"])
    (text,) = read_turns(trajectory, tiny)
    written = '<tool_call>{"name": "look", "arguments": {"at": "Ulm"}}</tool_call><end>'
    assert written in _text(tiny, text.window.prompt)
