"""`agentdyno findings`: users say which findings are right, and the report counts it."""

from pathlib import Path

import pytest

from agentdyno.ledger.user_marks import count_marks
from agentdyno.pipelines.findings import list_findings, mark_finding
from agentdyno.records import InputError
from tests.pipelines.ledger_builder import LedgerRows


def _ledger(folder: Path) -> Path:
    rows = LedgerRows().trajectory("a").turn("a", 0).turn("a", 1)
    return rows.pattern("a", "loop").pattern("a", "lack_of_tool_priors").write(folder)


def test_the_latest_mark_of_a_finding_counts(tmp_path: Path) -> None:
    folder = _ledger(tmp_path / "l")
    one = next(each for each in list_findings(folder) if each.kind == "loop")
    assert one.right is None
    mark_finding(folder, one.id, right=False)
    mark_finding(folder, one.id, right=True)
    assert count_marks(folder) == {"loop": (1, 0)}
    assert [each.right for each in list_findings(folder, "loop")] == [True]


def test_an_unknown_id_is_named_with_what_to_do(tmp_path: Path) -> None:
    folder = _ledger(tmp_path / "l")
    with pytest.raises(InputError, match=r"expected the id of a finding.*findings list"):
        mark_finding(folder, "ffffffffff", right=True)


def test_a_line_that_is_no_mark_costs_only_itself(tmp_path: Path) -> None:
    folder = _ledger(tmp_path / "l")
    one = list_findings(folder)[0]
    (folder / "marks.jsonl").write_bytes(b'{"finding": 3}\n\xff\n')
    mark_finding(folder, one.id, right=True)
    assert count_marks(folder) == {one.kind: (1, 0)}
