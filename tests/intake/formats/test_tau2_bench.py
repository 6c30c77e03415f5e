"""tau2-bench results: the agent's side, without the simulated user's."""

import json
import shutil
from functools import partial
from pathlib import Path

from agentdyno.intake.formats.tau2_bench import FORMAT
from agentdyno.intake.head import Head
from tests.intake.formats.conformance import items_of, read_alone

DATA = Path(__file__).resolve().parents[2] / "data" / "tau2_bench"
DOCUMENT = DATA / "telecom.json"


read = partial(items_of, "tau2_bench")
one = partial(read_alone, "tau2_bench")


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


def test_a_document_whose_tasks_fill_the_beginning_is_recognised(tmp_path: Path):
    content = json.loads(DOCUMENT.read_bytes())
    content["tasks"] = [{"id": str(i), "notes": "x" * 1000} for i in range(400)]
    path = tmp_path / "long.json"
    path.write_text(json.dumps(content))
    assert "simulations" not in Head(path).keys
    assert FORMAT.detect(Head(path)) > 0.9
    assert len(read(path)) == 2
