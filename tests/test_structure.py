"""The shape of the code that no import contract can check."""

import json
import re

from bench.structure import cycles, imports, is_participle, working_tree

from tests.conftest import ROOT
from tests.labelled import DATA


def test_no_module_imports_itself_through_others() -> None:
    """Imports inside functions count, too."""
    assert cycles(imports(working_tree(), lazy=True)) == []


def test_participles_are_told_from_verbs() -> None:
    assert [
        n for n in ("laid_out", "_checked", "making", "read", "seed_all") if is_participle(n)
    ] == ["laid_out", "_checked", "making"]


def test_every_row_of_a_set_of_cases_has_its_test() -> None:
    cases = DATA / "cases"
    for path in cases.rglob("*.jsonl"):
        rows = map(json.loads, path.read_text("utf-8").splitlines())
        names = {row["test"] for row in rows if isinstance(row, dict)}
        place = path.relative_to(cases)
        code = ROOT / "tests" / place.parent / f"test_{place.stem}.py"
        assert not names or names <= set(re.findall(r"def test_(\w+)", code.read_text())), path
