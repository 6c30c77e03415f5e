"""Depth in a ledger: each turn and call once, also after a kill; windows; other readings beside
it."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.records import InputError, Part, ToolCall, Trajectory, Turn
from agentdyno_bench.toolfail.classify.traces import read_trajectories
from agentdyno_depth.pipelines.depth import ledger_turns as adding
from agentdyno_depth.pipelines.depth.ledger_turns import add_depth, first_drawn, spread
from agentdyno_depth.pipelines.depth.turns import turn_depths
from agentdyno_depth.probes.profiles import label_sequences
from agentdyno_depth.probes.windows import TurnText, Window, read_turns
from agentdyno_depth.records.depth import PAPER, Thresholds
from tests.tiny import tiny_model

ROOT = Path(__file__).resolve().parents[3]
KEY = ["trajectory_id", "turn", "call", "depth_model", "g", "rho"]


@pytest.fixture
def tiny() -> Any:
    return tiny_model()


def _chat(task: int, variant: str = "plain", calls: int = 2) -> dict[str, Any]:
    """A turn of two words and `calls` calls, then one that answers."""
    asked = [
        {"id": f"c{n}", "type": "function",
         "function": {"name": "look", "arguments": json.dumps({"q": "u" * (n + 1)})}}
        for n in range(calls)
    ]  # fmt: skip
    answered = [{"role": "tool", "tool_call_id": f"c{n}", "content": "rain"} for n in range(calls)]
    first: dict[str, Any] = {"role": "assistant", "content": "I look."}
    return {
        "model": "writer",
        "task_id": task,
        "variant": variant,
        "correct": task % 2 == 0,
        "messages": [
            {"role": "user", "content": f"weather {task}?"},
            first | ({"tool_calls": asked} if calls else {}),
            *answered,
            {"role": "assistant", "content": "It rains."},
        ],
    }


def _ledger(folder: Path, chats: list[dict[str, Any]]) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "chats.jsonl").write_text("\n".join(map(json.dumps, chats)))
    measure([folder / "chats.jsonl"], folder / "ledger", MeasureOptions(workers=1, costs_only=True))
    return folder / "ledger"


def test_every_turn_has_a_row_and_so_has_every_call(tiny: Any, tmp_path: Path) -> None:
    ledger = _ledger(tmp_path, [_chat(1)])
    added = add_depth(ledger, tiny, [PAPER])
    table = Ledger(ledger).read("depth").sort("turn", "call", nulls_last=False)
    assert (added.trajectories, added.known, added.missing) == (1, 0, {})
    assert table.select("turn", "call").rows() == [(0, None), (0, 0), (0, 1), (1, None)]
    whole, one, two, last = table.iter_rows(named=True)
    # One token per byte: "I look." and two requests, then "It rains." and its end token.
    assert whole["call_tokens"] == one["depth_tokens"] + two["depth_tokens"]
    assert whole["depth_tokens"] == len("I look.") + whole["call_tokens"]
    assert (last["depth_tokens"], last["call_tokens"], last["call_dtr"]) == (10, 0, None)
    deep = one["dtr"] * one["depth_tokens"] + two["dtr"] * two["depth_tokens"]
    assert whole["call_dtr"] == pytest.approx(deep / whole["call_tokens"])
    assert whole["mean_log_prob"] < 0 < whole["entropy"]
    turns = Ledger(ledger).read("turns").select("trajectory_id", "turn")
    assert len(turns.join(table, on=["trajectory_id", "turn"], how="anti")) == 0


def test_the_same_reading_is_not_done_twice_and_another_adds_rows(
    tiny: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = _ledger(tmp_path, [_chat(1), _chat(2)])
    add_depth(ledger, tiny, [PAPER])
    before = Ledger(ledger).read("depth")
    other = Thresholds(0.25, 0.5)
    again = add_depth(ledger, tiny, [PAPER, other])
    table = Ledger(ledger).read("depth")
    assert (again.trajectories, again.known) == (2, 0)  # the second pair was missing
    assert table.group_by("g").len().sort("g").rows() == [(0.25, len(before)), (0.5, len(before))]
    assert table.select(KEY).is_duplicated().any() is False

    monkeypatch.setattr(adding, "label_turns", None)  # Nothing is left that would call it.
    third = add_depth(ledger, tiny, [PAPER, other])
    assert (third.trajectories, third.known) == (0, 2)
    assert len(Ledger(ledger).read("layer_distances").select("trajectory_id", "turn").unique()) == 1


def test_a_limit_takes_settings_in_turn_and_a_larger_one_adds(tiny: Any, tmp_path: Path) -> None:
    chats = [_chat(n) for n in range(6)] + [_chat(n, "other") for n in range(2)]
    ledger = _ledger(tmp_path, chats)
    first = add_depth(ledger, tiny, [PAPER], limit=4)
    assert (first.trajectories, first.left) == (4, 4)
    read = (
        Ledger(ledger)
        .read("trajectories")
        .join(Ledger(ledger).read("depth").select("trajectory_id").unique(), on="trajectory_id")
    )
    assert sorted(read["variant"]) == ["other", "other", "plain", "plain"]
    second = add_depth(ledger, tiny, [PAPER], limit=6)
    assert (second.trajectories, second.known, second.left) == (2, 4, 2)


def test_spread_keeps_what_a_smaller_limit_took() -> None:
    names = [f"t{n}" for n in range(30)]
    table = pl.DataFrame(
        {
            "trajectory_id": names,
            "model": ["m"] * 30,
            "benchmark": ["b"] * 30,
            "variant": ["v"] * 30,
        }
    )
    small, large = spread(table, 5), spread(table, 12)
    assert large[:5] == small
    assert small != names[:5]  # No prefix of the file: files are often sorted by task.
    assert spread(table, None) == spread(table, 30) == names


def test_one_turn_of_each_setting_is_kept_for_the_picture(tiny: Any, tmp_path: Path) -> None:
    chats = [_chat(n) for n in range(3)] + [_chat(n, "silent", calls=0) for n in range(3)]
    ledger = _ledger(tmp_path, chats)
    add_depth(ledger, tiny, [PAPER])
    thought = Ledger(ledger).read("layer_distances")
    turns = (
        thought.select("trajectory_id", "turn")
        .unique()
        .join(
            Ledger(ledger).read("trajectories").select("trajectory_id", "variant"),
            on="trajectory_id",
        )
    )
    assert sorted(turns["variant"]) == ["plain", "silent"]
    assert set(thought["layer"]) == {1, 2, 3, 4}
    assert thought.filter(layer=4)["distance"].to_list() == [0.0] * len(thought.filter(layer=4))
    silent = turns.filter(variant="silent")["trajectory_id"][0]
    own = thought.filter(trajectory_id=silent, layer=1).sort("token")
    assert "".join(own["text"]) == "I look.<end>"


def test_the_picture_begins_shortly_before_the_call() -> None:
    def text(before: int, call: int) -> TurnText:
        calls = (None,) * before + (0,) * call
        return TurnText(0, Window((0,), ()), 0, calls)

    assert first_drawn(text(10, 30)) == 0
    assert first_drawn(text(300, 100)) == 285
    assert first_drawn(text(300, 10)) == 260  # 50 tokens are shown, the call at their end
    assert first_drawn(text(200, 0)) == 0


def test_a_file_that_is_gone_is_named_and_the_rest_is_read(tiny: Any, tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / "in").mkdir(exist_ok=True)
        (tmp_path / "in" / f"{name}.jsonl").write_text(json.dumps(_chat(1 + (name == "b"))))
    measure([tmp_path / "in"], tmp_path / "l", MeasureOptions(workers=1, costs_only=True))
    (tmp_path / "in" / "a.jsonl").unlink()
    added = add_depth(tmp_path / "l", tiny, [PAPER])
    assert (list(added.missing.values()), added.trajectories) == (["the file is gone"], 1)


def test_two_at_once_are_refused(tiny: Any, tmp_path: Path) -> None:
    ledger = _ledger(tmp_path, [_chat(1)])

    def meanwhile(done: int, total: int) -> None:
        with pytest.raises(InputError, match="another process is writing"):
            add_depth(ledger, tiny, [PAPER])

    assert add_depth(ledger, tiny, [PAPER], progress=meanwhile).trajectories == 1


def test_an_interruption_keeps_what_is_done(tiny: Any, tmp_path: Path) -> None:
    ledger = _ledger(tmp_path, [_chat(n) for n in range(4)])

    def interrupt(done: int, total: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        add_depth(ledger, tiny, [PAPER], progress=interrupt)
    assert Ledger(ledger).read("depth")["trajectory_id"].n_unique() == 2
    assert add_depth(ledger, tiny, [PAPER]).known == 2


DRIVER = """
import sys, time
from pathlib import Path
from agentdyno_depth.pipelines.depth import ledger_turns as adding
from agentdyno_depth.records.depth import PAPER
from tests.tiny import tiny_model

adding.WRITE_SECONDS = 0.0
adding.add_depth(Path(sys.argv[1]), tiny_model(), [PAPER], progress=lambda *_: time.sleep(0.1))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is not of this system")
@pytest.mark.parametrize("kills", [(3,), pytest.param((2, 5, 9), marks=pytest.mark.slow)])
def test_killed_in_the_middle_it_goes_on_and_has_every_row_once(
    tiny: Any, tmp_path: Path, kills: tuple[int, ...]
) -> None:
    chats = [_chat(n) for n in range(20)]
    ledger, untouched = _ledger(tmp_path / "a", chats), _ledger(tmp_path / "b", chats)
    for wanted in kills:
        _killed_after(ledger, wanted)
    held = Ledger(ledger).read("depth")["trajectory_id"].n_unique()
    assert 2 <= held < 20
    added = add_depth(ledger, tiny, [PAPER])
    assert (added.trajectories, added.known) == (20 - held, held)
    add_depth(untouched, tiny, [PAPER])
    table, fresh = (Ledger(each).read("depth").sort(KEY) for each in (ledger, untouched))
    assert table.select(KEY).rows() == fresh.select(KEY).rows()
    assert table["dtr"].to_list() == fresh["dtr"].to_list()


def _killed_after(ledger: Path, files: int) -> None:
    """Starts to add depth in a process of its own and kills it when so many files are there."""
    paths = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    child = subprocess.Popen(
        [sys.executable, "-c", DRIVER, str(ledger)], env={**os.environ, "PYTHONPATH": paths}
    )
    deadline = time.monotonic() + 300
    while len(list((ledger / "depth").glob("[!.]*.parquet"))) < files:
        assert child.poll() is None, "it ended before it could be killed"
        assert time.monotonic() < deadline, "it wrote nothing"
        time.sleep(0.01)
    child.send_signal(signal.SIGKILL)
    child.wait()


PAIRS = [Thresholds(0.5, 0.75), Thresholds(0.25, 0.5)]


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
    found = [_text(tiny, text.sequence().response) for text in (first, second, third)]
    assert found == [f"I look.{call}<end>", "It rains.<end>", "Bye.<end>"]
    # The call's letters, and the end token that follows them; what is before is no call.
    assert first.calls == (None,) * 7 + (0,) * (len(call) + 1)
    assert _text(tiny, third.sequence(1, 2).response) == "ye"


def test_a_shared_window_gives_the_numbers_of_turns_read_alone(tiny: Any) -> None:
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
    assert (len(text.window.prompt), len(text.window.response), len(text.calls)) == (1, 2047, 2047)


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
