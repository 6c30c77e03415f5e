"""tau-bench results: what is read, and what a damaged file costs."""

import json
from functools import partial
from pathlib import Path

import pytest

from agentdyno.intake.format import Source
from agentdyno.intake.formats.tau_bench import FORMAT
from agentdyno.intake.formats.tau_bench.detect import model_in
from agentdyno.intake.head import Head
from agentdyno.records import Trajectory
from tests.intake.formats.conformance import items_of
from tests.labelled import from_set

DATA = Path(__file__).resolve().parents[2] / "data" / "tau_bench"


read = partial(items_of, "tau_bench")


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


def test_domain_comes_from_the_policy_and_the_model_from_the_file_name(solved: Trajectory):
    assert solved.benchmark == "tau-bench/retail"
    assert solved.model == "gpt-4o"
    assert {turn.model for turn in solved.turns} == {"gpt-4o"}


def test_no_usage_means_unknown_tokens_and_times(solved: Trajectory):
    for turn in solved.turns:
        assert turn.prefill is None
        assert turn.decode is None
        assert turn.latency_seconds is None


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
