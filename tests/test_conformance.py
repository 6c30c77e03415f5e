"""Every home of `conformance/` is counted as it was worked out by hand."""

import importlib.util
import json
from pathlib import Path

import pytest

from tests.cli.run import Agentdyno

FOLDER = Path(__file__).parents[1] / "conformance"
CASES = sorted(file.parent for file in FOLDER.glob("cases/*/*/expected.json"))

_spec = importlib.util.spec_from_file_location("conformance_run", FOLDER / "run.py")
assert _spec is not None
assert _spec.loader is not None
runner = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(runner)


@pytest.mark.daily
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}/{case.name}")
def test_a_home_is_counted_as_by_hand(agentdyno: Agentdyno, case: Path, tmp_path: Path) -> None:
    expected, csv = json.loads((case / "expected.json").read_text()), tmp_path / "turns.csv"
    assert agentdyno.measure(*(case / "home").iterdir(), "--costs-only") == 0
    assert agentdyno.run("export", agentdyno.ledger, "--table", "turns", "--to", csv) == 0
    assert runner.differences(runner.sum_turns(csv), expected["totals"]) == []


def test_the_readme_has_a_row_for_every_case() -> None:
    text = (FOLDER / "README.md").read_text()
    assert len(CASES) >= 19
    assert [c for c in CASES if f"`{c.parent.name}/{c.name}`" not in text] == []


@pytest.mark.parametrize("kind", ["responses", "input", "cache_read", "output", "usd"])
def test_a_wrong_total_is_named(kind: str) -> None:
    expected = {"responses": 2, "input": 30, "cache_read": 8000, "output": [250, 350], "usd": 0.04}
    right = {**expected, "output": 300}
    assert runner.differences(right, expected) == []
    assert len(runner.differences(right | {kind: right[kind] * 1.5}, expected)) == 1
