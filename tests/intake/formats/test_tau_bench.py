"""tau-bench results: what is read, and what a damaged file costs."""

import json
from functools import partial
from pathlib import Path

import pytest

from agentdyno.intake.formats.tau_bench import FORMAT
from agentdyno.intake.formats.tau_bench.detect import model_in
from agentdyno.intake.head import Head
from agentdyno.records import Trajectory
from tests.intake.formats.conformance import items_of
from tests.labelled import from_set

DATA = Path(__file__).resolve().parents[2] / "data" / "tau_bench"


read = partial(items_of, "tau_bench")


def test_json_lines_are_read_like_the_list():
    from_lines, from_list = read(DATA / "results.jsonl"), read(DATA / "gpt-4o-retail.json")
    assert [t.calls for t in from_lines] == [t.calls for t in from_list[:2]]
    assert [t.trajectory_id for t in from_lines] == ["results.jsonl#1", "results.jsonl#2"]
    assert FORMAT.by_line(Head(DATA / "results.jsonl"))
    assert not FORMAT.by_line(Head(DATA / "gpt-4o-retail.json"))


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
