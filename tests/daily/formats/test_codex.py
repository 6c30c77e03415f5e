"""Codex: rollouts, forks, sub-agents and exec streams."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import zstandard

from agentdyno.intake.source import Source
from agentdyno.records import BadRecord, Trajectory
from agentdyno_daily.formats.codex import FORMAT
from tests.intake.formats.conformance import (
    context,
    json_lines,
    ledger_counts,
    read_good,
    write_lines,
)

DATA = Path(__file__).resolve().parents[2] / "data" / "codex"
PARENT, AGENT, FORK, LATER, NEWEST = sorted(DATA.glob("rollout-*.jsonl"))


@pytest.mark.parametrize(
    ("name", "responses"),
    [
        (
            "counts-first-0.47",
            [(8000, 2000, 120, ["shell"]), (8500, 7936, 60, ["shell"]), (9100, 8448, 200, [])],
        ),
        (
            "counts-behind-0.98",
            [(7000, 0, 90, ["shell"]), (7400, 6912, 40, ["shell"]), (8000, 7296, 150, [])],
        ),
        ("review-itself", [(3000, 2048, 50, ["shell"]), (3300, 3072, 20, [])]),
        (
            "review-asked-for",
            [(6000, 0, 30, []), (3000, 2048, 50, []), (3300, 3072, 20, []), (6200, 5888, 10, [])],
        ),
    ],
)
def test_a_count_is_that_of_its_own_response(name: str, responses: list[Any]) -> None:
    [run] = read_good("codex", DATA / f"{name}.jsonl")
    tools = [[call.tool for call in run.calls if call.turn == i] for i in range(len(run.turns))]
    assert [
        (turn.prefill and turn.prefill.tokens, turn.cached_tokens, turn.decode.tokens, called)
        for turn, called in zip(run.turns, tools, strict=True)
        if turn.decode
    ] == responses


def test_reasoning_that_follows_its_count_has_its_size() -> None:
    [run] = read_good("codex", DATA / "counts-first-0.47.jsonl")
    assert [part.tokens for part in run.parts if part.kind == "reasoning"] == [64, 128]


def test_a_session_that_goes_on_in_a_newer_version_has_both_orders(tmp_path: Path) -> None:
    older, newer = (
        list(json_lines(DATA / f"counts-{n}.jsonl")) for n in ("first-0.47", "behind-0.98")
    )
    [run] = read_good("codex", write_lines(tmp_path / "a.jsonl", [*older, *newer[1:]]))
    counts = [turn.prefill and turn.prefill.tokens for turn in run.turns]
    assert counts == [8000, 8500, 9100, 7000, 7400, 8000]
    assert [call.turn for call in run.calls] == [0, 1, 3, 4]


def test_a_response_that_was_cut_before_its_items_leaves_its_count_alone(tmp_path: Path) -> None:
    lines = list(json_lines(DATA / "counts-first-0.47.jsonl"))
    cut = [line for line in lines if "Ls81kq0aZ" not in str(line)]
    [run] = read_good("codex", write_lines(tmp_path / "a.jsonl", cut))
    assert [turn.prefill and turn.prefill.tokens for turn in run.turns] == [8000, 8500, 9100]
    assert [call.turn for call in run.calls] == [1]


def test_copies_and_the_exec_stream_of_a_session_count_once(tmp_path: Path) -> None:
    home = tmp_path / "home"
    archived = home / "archived_sessions" / f"{PARENT.name}.zst"
    archived.parent.mkdir(parents=True)
    archived.write_bytes(zstandard.compress(PARENT.read_bytes()))
    shutil.copy(PARENT, home)
    lines = list(json_lines(PARENT))
    counts = [line["payload"]["info"] for line in lines if "'token_count'" in str(line)]
    total = counts[-1]["total_token_usage"]
    stream = [
        {"type": "thread.started", "thread_id": lines[0]["payload"]["id"]},
        {"type": "item.completed", "item": {"id": "1", "type": "agent_message", "text": "Bye."}},
        {"type": "turn.completed", "usage": total},
    ]
    write_lines(home / "exec.jsonl", stream)
    assert ledger_counts([home], tmp_path) == ledger_counts([PARENT], tmp_path / "alone")


def test_a_stream_and_a_rollout_in_one_file_are_two_trajectories(tmp_path: Path) -> None:
    first = next(json_lines(PARENT))["payload"]["id"]
    stream = [*json_lines(DATA / "exec-stream.jsonl")]
    stream[0]["thread_id"] = first
    path = write_lines(tmp_path / "both.jsonl", [*json_lines(PARENT), *stream])
    one, other = read_good("codex", path)
    assert one.trajectory_id != other.trajectory_id
    assert one.session_id == other.session_id == first


@pytest.mark.parametrize(("child", "responses"), [(FORK, 2), (AGENT, 2), (LATER, 1)])
def test_what_a_child_copied_is_its_context_and_not_its_usage(child: Path, responses: int) -> None:
    [found] = read_good("codex", child)
    assert len(found.turns) == responses
    copied = any("hello twice" in text for text in context(found, 0))
    assert copied is (child is not LATER)
    assert found.begins_midway is (child is LATER)


def test_copies_without_ids_of_turns_count_once(tmp_path: Path) -> None:
    """As in versions of 2025, whose turns are numbered and have no start."""

    def count(sum_: int, last: int) -> dict[str, Any]:
        info = {
            "total_token_usage": {"input_tokens": sum_, "output_tokens": sum_ // 10},
            "last_token_usage": {"input_tokens": last, "output_tokens": last // 10},
        }
        return {"type": "event_msg", "payload": {"type": "token_count", "info": info}}

    def meta(**fields: str) -> dict[str, Any]:
        return {"type": "session_meta", "payload": fields}

    both = [count(100, 100), count(300, 200)]
    old = meta(id="parent")
    write_lines(tmp_path / "in" / "a.jsonl", [old, *both])
    child = meta(id="child", forked_from_id="parent")
    write_lines(tmp_path / "in" / "b.jsonl", [child, old, *both, count(350, 50)])
    other = meta(id="other", forked_from_id="parent")
    write_lines(tmp_path / "in" / "c.jsonl", [other, *both, both[-1], count(380, 80)])
    found = ledger_counts([tmp_path / "in"], tmp_path)
    assert (found.responses, found.context) == (4, 100 + 200 + 50 + 80)


def test_a_compaction_replaces_the_context_but_not_the_instructions() -> None:
    [found] = read_good("codex", PARENT)
    before, after = context(found, 4), context(found, 6)
    assert any("hello twice" in text for text in before)
    assert [text[:16] for text in after] == [
        "You are a coding", '{"name":"lookup_', "Look up ticket 1", "Summary so far: ",
    ]  # fmt: skip
    assert "compacted" in [turn.context_event for turn in found.turns]


def test_a_message_in_the_middle_of_a_task_drops_the_reasoning_before_it(tmp_path: Path) -> None:
    lines = list(json_lines(DATA / "counts-behind-0.98.jsonl"))
    said = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Stop"}]}
    kinds = [line["payload"].get("type") for line in lines]
    lines.insert(
        len(kinds) - kinds[::-1].index("function_call_output"),
        {"type": "response_item", "payload": said},
    )
    [found] = read_good("codex", write_lines(tmp_path / "a.jsonl", lines))
    assert next(part for part in found.parts if part.kind == "reasoning").leaves == 2


def test_an_overflow_of_the_window_starts_the_total_anew(tmp_path: Path) -> None:
    lines = list(json_lines(LATER))
    counted = lines[-2]
    full = json.loads(json.dumps(counted))
    usage = dict.fromkeys(counted["payload"]["info"]["last_token_usage"], 0)
    full["payload"]["info"] = {"total_token_usage": usage | {"total_tokens": 258_400}}
    anew = json.loads(json.dumps(counted))
    anew["payload"]["info"]["total_token_usage"] = anew["payload"]["info"]["last_token_usage"]
    [found] = read_good("codex", write_lines(tmp_path / "a.jsonl", [*lines, full, anew]))
    assert [turn.prefill and turn.prefill.tokens for turn in found.turns] == [7700, 7700]


def test_a_rollback_takes_prompts_out_of_the_context(tmp_path: Path) -> None:
    lines = list(json_lines(FORK))
    back = {"type": "event_msg", "payload": {"type": "thread_rolled_back", "num_turns": 1}}
    said = {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "output_text", "text": "x"}],
    }
    answer = {"type": "response_item", "payload": said}
    [found] = read_good("codex", write_lines(tmp_path / "a.jsonl", [*lines, back, answer]))
    texts = " ".join(context(found, 2))
    assert "hello twice" in texts
    assert "three times" not in texts


def test_a_cut_file_costs_only_its_last_line(tmp_path: Path) -> None:
    path = tmp_path / "cut.jsonl"
    path.write_bytes(PARENT.read_bytes()[:-700])
    *found, bad = list(FORMAT.read(Source(path, path.name)))[::-1]
    assert isinstance(bad, BadRecord)
    assert "line" in bad.place
    [trajectory] = found
    assert isinstance(trajectory, Trajectory)
    assert len(trajectory.turns) == 7
    assert trajectory.turns[-1].decode is None  # The count behind the last answer is gone.
