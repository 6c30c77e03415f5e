"""Results of tau-bench and of tau2-bench, of which the agent's side alone; what damage costs."""

import json
from functools import partial
from pathlib import Path

from agentdyno.intake.formats import tau2_bench
from agentdyno.intake.formats.tau_bench import FORMAT, model_in
from agentdyno.intake.head import Head
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


@from_set("intake/formats/tau_bench", "name", "model")
def test_the_model_is_taken_from_the_file_name_only_when_evident(name: str, model: str | None):
    assert model_in(name) == model


DATA_2 = Path(__file__).resolve().parents[2] / "data" / "tau2_bench"
DOCUMENT = DATA_2 / "telecom.json"


read_2 = partial(items_of, "tau2_bench")


def test_a_document_whose_tasks_fill_the_beginning_is_recognised(tmp_path: Path):
    content = json.loads(DOCUMENT.read_bytes())
    content["tasks"] = [{"id": str(i), "notes": "x" * 1000} for i in range(400)]
    path = tmp_path / "long.json"
    path.write_text(json.dumps(content))
    assert "simulations" not in Head(path).keys
    assert tau2_bench.FORMAT.detect(Head(path)) > 0.9
    assert len(read_2(path)) == 2
