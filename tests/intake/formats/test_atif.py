"""ATIF: steps, copied context, pieces of a run, sub-agents, and the trial around the file."""

import json
import shutil
from functools import partial
from pathlib import Path
from typing import Any

from agentdyno.intake.formats.atif import FORMAT
from agentdyno.intake.head import Head
from agentdyno.records import BadRecord, Trajectory
from tests.intake.formats.conformance import items_of, read_alone
from tests.labelled import from_set

DATA = Path(__file__).resolve().parents[2] / "data" / "atif"
TERMINUS = DATA / "terminus"


read = partial(items_of, "atif")
one = partial(read_alone, "atif")


def run_of(folder: Path, steps: list[dict[str, Any]], **fields: Any) -> Path:
    """A file with these steps."""
    path = folder / "trajectory.json"
    agent = {"name": "a", "version": "1", "model_name": "m"}
    numbered = [{"step_id": i, **step} for i, step in enumerate(steps, 1)]
    whole = {"schema_version": "ATIF-v1.7", "agent": agent, "steps": numbered, **fields}
    path.write_text(json.dumps(whole))
    return path


def act(message: str = "Go", **fields: Any) -> dict[str, Any]:
    return {"source": "agent", "message": message, **fields}


@from_set("intake/formats/atif", "name", "text", "score")
def test_outcome_comes_from_the_verifiers_file(
    tmp_path: Path, name: str, text: str, score: float | None
):
    (tmp_path / "verifier").mkdir()
    (tmp_path / "verifier" / name).write_text(text)
    assert one(run_of(tmp_path, [act()])).score == score


def test_only_the_last_piece_of_a_run_has_the_marks(tmp_path: Path):
    shutil.copytree(TERMINUS, tmp_path / "run")
    shutil.copy(DATA / "trial" / "result.json", tmp_path / "run")
    found = {path.name: one(path) for path in (tmp_path / "run").glob("trajectory*.json")}
    assert {name: piece.correct for name, piece in found.items()} == {
        "trajectory.json": None,
        "trajectory.cont-1.json": True,
        "trajectory.summarization-1-summary.json": None,
    }
    assert {piece.task_id for piece in found.values()} == {"hello-world"}


def test_lines_and_lists_of_trajectories_are_read(tmp_path: Path):
    whole = json.loads((DATA / "embedded.json").read_bytes())
    lines, listed = tmp_path / "runs.jsonl", tmp_path / "runs.json"
    lines.write_text(json.dumps(whole) + "\n" + json.dumps(whole) + "\n")
    listed.write_text(json.dumps([whole, whole], indent=1))
    for path, first in ((lines, 1), (listed, 0)):
        assert FORMAT.detect(Head(path)) > 0.9
        ids = [item.trajectory_id for item in read(path) if isinstance(item, Trajectory)]
        assert ids == [
            f"{path.name}#{n}{rest}" for n in (first, first + 1) for rest in ("", "/0", "/0/0")
        ]


def test_sub_agents_nested_too_deep_are_a_bad_record(tmp_path: Path):
    inner: dict[str, Any] = {"schema_version": "ATIF-v1.7", "steps": [act()]}
    for _ in range(30):
        inner = {"schema_version": "ATIF-v1.7", "steps": [act()], "subagent_trajectories": [inner]}
    path = tmp_path / "deep.json"
    path.write_text(json.dumps(inner))
    *trajectories, last = read(path)
    assert len(trajectories) == 17
    assert isinstance(last, BadRecord)
    assert last.expected == "at most 16 levels of sub-agents"
