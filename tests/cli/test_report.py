"""`agentdyno report`: the file's suffix says what is written; charts go where they are asked."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from agentdyno.pipelines.report import build_report
from tests.cli.run import Agentdyno
from tests.pipelines.ledger_builder import LedgerRows
from tests.reports.hostile import large_ledger


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return large_ledger(tmp_path_factory.mktemp("large") / "ledger", 12)


@pytest.fixture(scope="module", autouse=True)
def _built_once() -> Iterator[None]:
    """What is asked for in the same words is built once: these tests are about what is written."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("agentdyno.pipelines.report.build_report", cache(build_report))
        yield


@pytest.fixture
def agentdyno(capsys: pytest.CaptureFixture[str], ledger: Path) -> Agentdyno:
    return Agentdyno(capsys, ledger)


def test_the_suffix_says_what_is_written(agentdyno: Agentdyno, tmp_path: Path) -> None:
    for name, start in (("r.html", "<!doctype html>"), ("r.md", "# What it cost"), ("r.json", "{")):
        assert agentdyno.run("report", agentdyno.ledger, "-o", tmp_path / name) == 0
        assert (tmp_path / name).read_text().startswith(start)
        assert agentdyno.out == ""
        assert name in agentdyno.err


def test_a_format_goes_before_the_suffix(agentdyno: Agentdyno, tmp_path: Path) -> None:
    file = tmp_path / "report.txt"
    assert agentdyno.run("report", agentdyno.ledger, "-o", file, "--format", "md") == 0
    assert file.read_text().startswith("# What it cost")


def test_an_unknown_suffix_is_refused_with_what_to_do(agentdyno: Agentdyno, tmp_path: Path) -> None:
    assert agentdyno.run("report", agentdyno.ledger, "-o", tmp_path / "r.pdf") == 2
    assert "found '.pdf'" in agentdyno.err
    assert "--format html, md or json" in agentdyno.err
    assert not (tmp_path / "r.pdf").exists()


def test_charts_are_written_as_png(agentdyno: Agentdyno, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "charts"
    assert agentdyno.run("report", agentdyno.ledger, "--json", "--png", folder) == 0
    json.loads(agentdyno.out)
    names = {path.name for path in folder.iterdir()}
    assert {"fuel.png", "pattern-frequency.png"} <= names
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in folder.iterdir())


@pytest.mark.parametrize("by", ["session", "file"])
def test_one_table_is_whole_wherever_it_is_not_read_at_a_terminal(
    agentdyno: Agentdyno, tmp_path: Path, by: str
) -> None:
    rows = LedgerRows()
    for number in range(60):
        name = f"s{number}"
        rows.trajectory(name, 10.0, usd=1.0, calls=1, started_at=1.7e9, session_id=name)
        rows.turn(name, 0, 10.0, usd=1.0, calls=1)
        rows.call(name, 0, "Read", pte=1.0, usd=0.1, subject=f"{name}.py", subject_kind="file")
    many = rows.write(tmp_path / "many")

    assert agentdyno.run("report", many, "--by", by) == 0
    assert sum(f"s{number}" in agentdyno.out for number in range(60)) == 60
    assert "more rows" not in agentdyno.out
    assert agentdyno.run("report", many, "--by", by, "--json") == 0
    assert len(json.loads(agentdyno.out)) == 60
