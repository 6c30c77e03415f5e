"""The table of the styles experiment in the log follows from the rows in the repository."""

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def _read(lines: list[str]) -> dict[str, list[float]]:
    """The numbers of every row, by its place and name."""
    rows = [line for line in lines if re.match(r"\w+ \|.*\d", line)]
    return {
        f"{place} {row.partition(' |')[0]}": [float(n) for n in re.findall(r"[-+]?\d[\d.e+]*", row)]
        for place, row in enumerate(rows)
        if not row.startswith("measure")
    }


def test_the_log_shows_what_the_rows_say(capsys: pytest.CaptureFixture[str]) -> None:
    table = runpy.run_path(str(ROOT / "bench" / "gpu_training" / "styles_table.py"))
    rows = table["add_measures"](table["read_rows"](table["HERE"] / "attempts.csv.gz"))
    table["print_table"](rows, "greedy")
    table["print_pairs"](rows, "greedy")
    printed = _read(capsys.readouterr().out.splitlines())
    log = _read((ROOT / "docs" / "log" / "2026-11-17-styles-gpu.md").read_text().splitlines())
    assert len(printed) == 20
    assert printed.keys() == log.keys()
    for row, numbers in printed.items():  # Other releases of numpy may draw other tasks.
        assert numbers == pytest.approx(log[row], rel=0.1, abs=0.02), row
