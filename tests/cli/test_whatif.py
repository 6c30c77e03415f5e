"""`agentdyno whatif` from the outside."""

import json

import polars as pl
import pytest
import typer
from typer.testing import CliRunner

from agentdyno.cli.whatif import command
from agentdyno.records import InputError
from tests.studies.whatif.traces import chat, ledger_of, turn

app = typer.Typer()
app.command()(command)


@pytest.fixture(scope="module")
def ledger(tmp_path_factory):
    look = turn(
        "Let me look.", ("findAlpha", "gate", " red red red"), ("findBeta", "ship", " tide")
    )
    return str(ledger_of(tmp_path_factory.mktemp("whatif") / "x", [chat(look, turn("Red."))]))


def _run(*arguments):
    return CliRunner().invoke(app, list(arguments), standalone_mode=False)


def test_json_is_one_object(ledger):
    found = _run(ledger, "--drop-tool", "findBeta", "--cap-results", "1", "--json")
    shown = json.loads(found.stdout)
    assert len(shown["scenarios"]) == 2
    assert shown["together"]["figures"][0]["difference"] < 0
    assert found.return_value == 0


def test_terminal_and_markdown(ledger):
    assert "drop findBeta" in _run(ledger, "--drop-tool", "findBeta").stdout
    assert "### drop findBeta" in _run(ledger, "--drop-tool", "findBeta", "--format", "md").stdout


@pytest.mark.parametrize(("suffix", "read"), [("csv", pl.read_csv), ("parquet", pl.read_parquet)])
def test_rows_per_trajectory_are_written(ledger, tmp_path, suffix, read):
    file = tmp_path / f"rows.{suffix}"
    _run(ledger, "--drop-tool", "findB*", "--per-trajectory", str(file))
    rows = read(file)
    assert len(rows) == 1
    assert rows["pte_after"][0] < rows["pte_before"][0]


def test_wrong_usage_is_told(ledger, tmp_path):
    for arguments, said in (
        (["--drop-turns"], "--drop-turns: expected --drop-tool"),
        (["--cap-results", "1", "--per-trajectory", "rows.xlsx"], "a file called .csv or .parquet"),
    ):
        found = _run(ledger, *arguments)
        assert isinstance(found.exception, InputError)
        assert said in str(found.exception)
