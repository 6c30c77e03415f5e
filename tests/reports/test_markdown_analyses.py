"""The analyses as Markdown: foreign words forge no row, no markup and no control character."""

from pathlib import Path

import pytest

from agentdyno.pipelines.report import build_report
from agentdyno.reports.markdown_analyses import render_analyses
from tests.reports.hostile import hostile_ledger


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder: Path = tmp_path_factory.mktemp("hostile") / "ledger"
    return render_analyses(build_report(hostile_ledger(folder)).analyses)


def test_hostile_words_are_only_words(text: str) -> None:
    assert "\\<script\\>" in text
    assert "<script" not in text.replace("\\<", "")
    assert {c for c in text if not c.isprintable()} <= {"\n"}


def test_every_row_of_a_table_has_as_many_cells_as_its_head(text: str) -> None:
    for block in text.split("\n\n"):
        rows = [line for line in block.split("\n") if line.startswith("|")]
        cells = {row.replace("\\|", "").count("|") for row in rows}
        assert len(cells) <= 1, block[:200]


def test_long_tables_say_what_they_leave_out(text: str) -> None:
    assert "more rows in `--format json`" in text
