"""tau-bench results: what is read, and what a damaged file costs."""

import json
from pathlib import Path
from typing import Any

import pytest

from agentdyno.intake.format import Source
from agentdyno.intake.formats.tau_bench import FORMAT
from agentdyno.intake.formats.tau_bench.detect import model_in
from agentdyno.intake.head import Head
from agentdyno.records import BadRecord, Trajectory
from tests.labelled import from_set

DATA = Path(__file__).resolve().parents[2] / "data" / "tau_bench"


def read(path: Path) -> list[Trajectory | BadRecord]:
    return list(FORMAT.read(Source(path, path.name)))


def written(folder: Path, results: Any, name: str = "results.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(results))
    return path


@pytest.fixture(scope="module")
def solved() -> Trajectory:
    item = read(DATA / "gpt-4o-retail.json")[0]
    assert isinstance(item, Trajectory)
    return item


def test_every_assistant_message_is_a_turn_and_the_simulated_user_is_not(solved: Trajectory):
    assert len(solved.turns) == 5
    assert [part.text for part in solved.parts if part.kind == "user"] == [
        "I want my money back.",
        "#1",
        "###STOP###",
    ]


def test_task_trial_reward_and_what_to_tell_the_user_are_kept(solved: Trajectory):
    assert (solved.task_id, solved.attempt, solved.score, solved.correct) == ("7", 1, 1.0, True)
    assert solved.expected == '["12.50"]'


def test_domain_comes_from_the_policy_and_the_model_from_the_file_name(solved: Trajectory):
    assert solved.benchmark == "tau-bench/retail"
    assert solved.model == "gpt-4o"
    assert {turn.model for turn in solved.turns} == {"gpt-4o"}


def test_content_that_starts_with_error_is_the_calls_error(solved: Trajectory):
    lookup, refund, _ = solved.calls
    assert (lookup.error, lookup.executed) == (None, True)
    assert (refund.error, refund.executed) == ("Error: payment method not found", True)


def test_malformed_and_empty_arguments_are_kept_as_written(solved: Trajectory):
    assert [call.arguments for call in solved.calls] == [
        '{"order_id":"#1"}',
        '{"order_id":"#1", "to":',
        "",
    ]


def test_an_unknown_tool_was_not_executed(solved: Trajectory):
    unknown = solved.calls[2]
    assert (unknown.tool, unknown.executed) == ("undo_order", False)
    assert unknown.error == "Unknown action undo_order"


def test_no_usage_means_unknown_tokens_and_times(solved: Trajectory):
    for turn in solved.turns:
        assert turn.prefill is None
        assert turn.decode is None
        assert turn.latency_seconds is None


def test_what_follows_the_last_turn_is_in_no_context(solved: Trajectory):
    assert solved.parts[-1].text == "###STOP###"
    assert solved.parts[-1].enters is None


def test_a_mark_in_between_is_a_score_but_no_verdict():
    half = read(DATA / "gpt-4o-retail.json")[1]
    assert isinstance(half, Trajectory)
    assert (half.score, half.correct) == (0.5, None)
    assert half.benchmark == "tau-bench/retail"  # From the file's name: there is no policy.


def test_a_run_that_broke_is_a_bad_record_with_its_error():
    broken = read(DATA / "gpt-4o-retail.json")[2]
    assert isinstance(broken, BadRecord)
    assert broken.place == "[2]"
    assert broken.found == "none; the run ended with Rate limit reached"


def test_json_lines_are_read_like_the_list():
    from_lines, from_list = read(DATA / "results.jsonl"), read(DATA / "gpt-4o-retail.json")
    assert [t.calls for t in from_lines] == [t.calls for t in from_list[:2]]
    assert [t.trajectory_id for t in from_lines] == ["results.jsonl#1", "results.jsonl#2"]
    assert FORMAT.by_line(Head(DATA / "results.jsonl"))
    assert not FORMAT.by_line(Head(DATA / "gpt-4o-retail.json"))


def test_a_piece_of_a_file_of_lines_is_read_alone():
    path = DATA / "results.jsonl"
    second = Source(path, path.name, start=10, first_line=2)
    assert [item.trajectory_id for item in FORMAT.read(second)] == ["results.jsonl#2"]


@pytest.mark.parametrize("indent", [None, 2])
def test_one_attempt_alone_is_read(tmp_path: Path, indent: int | None):
    attempt = json.loads((DATA / "gpt-4o-retail.json").read_bytes())[0]
    path = tmp_path / "one.json"
    path.write_text(json.dumps(attempt, indent=indent))
    assert FORMAT.detect(Head(path)) > 0.9
    (trajectory,) = read(path)
    assert isinstance(trajectory, Trajectory)
    assert len(trajectory.turns) == 5


@from_set("intake/formats/tau_bench", "name", "model")
def test_the_model_is_taken_from_the_file_name_only_when_evident(name: str, model: str | None):
    assert model_in(name) == model


def test_an_unknown_domain_leaves_the_benchmark_alone(tmp_path: Path):
    attempt = {"task_id": "a", "reward": 0, "traj": [{"role": "assistant", "content": "Hi"}]}
    (trajectory,) = read(written(tmp_path, [attempt]))
    assert isinstance(trajectory, Trajectory)
    assert (trajectory.benchmark, trajectory.model, trajectory.correct) == (
        "tau-bench",
        None,
        False,
    )


def test_a_bad_attempt_costs_only_itself(tmp_path: Path):
    good = {"task_id": 1, "reward": 1, "traj": [{"role": "assistant", "content": "Hi"}]}
    bad = {"task_id": 2, "reward": 1, "traj": [{"role": 5}]}
    strange = {"task_id": 3, "reward": 1, "traj": [{"role": "narrator", "content": "x"}]}
    first, second, third = read(written(tmp_path, [good, bad, strange]))
    assert isinstance(first, Trajectory)
    assert isinstance(second, BadRecord)
    assert second.expected == "str at $.traj[0].role"
    assert isinstance(third, BadRecord)
    assert third.found == "'narrator'"


def test_the_file_is_recognised_and_others_are_not(tmp_path: Path):
    assert FORMAT.detect(Head(DATA / "gpt-4o-retail.json")) > 0.9
    assert FORMAT.detect(Head(DATA / "results.jsonl")) > 0.9
    chat = written(tmp_path, [{"role": "user", "content": "task_id reward traj"}])
    assert FORMAT.detect(Head(chat)) == 0
