"""`agentdyno compare` from the outside: exit codes and outputs."""

import json

import pytest
import typer
from typer.testing import CliRunner

from agentdyno.cli.compare import command
from agentdyno.records import InputError
from tests.studies.comparison.build import attempt, write_ledger

app = typer.Typer()
app.command()(command)
TASKS = [f"t{i}" for i in range(10)]


@pytest.fixture(scope="module")
def ledgers(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ledgers")
    base = [attempt(t, 1000.0 + 10 * i, variant="full") for i, t in enumerate(TASKS)]
    dear = [row | {"pte": row["pte"] * 1.3 + i} for i, row in enumerate(base)]
    a = write_ledger(folder / "a", base)
    return str(a), str(write_ledger(folder / "b", dear))


def _run(*arguments):
    return CliRunner().invoke(app, list(arguments), standalone_mode=False)


def test_broken_gate_exits_1(ledgers):
    found = _run(*ledgers, "--gate", "pte<=+5%")
    assert found.return_value == 1
    assert "BROKEN" in found.stdout


def test_kept_gate_exits_0(ledgers):
    assert _run(*ledgers, "--gate", "pte<=+50%").return_value == 0


def test_undecided_gate_exits_0_unless_strict(ledgers):
    assert _run(*ledgers, "--gate", "accuracy>=-2pt").return_value == 0
    assert _run(*ledgers, "--gate", "accuracy>=-2pt", "--strict").return_value == 1


def test_json_is_one_object_with_the_outcome(ledgers):
    found = _run(*ledgers, "--gate", "pte<=+5%", "--json")
    shown = json.loads(found.stdout)
    assert shown["passed"] is False
    assert shown["gates"][0]["state"] == "broken"
    assert {row["metric"] for row in shown["metrics"]} >= {"accuracy", "pte", "usd"}
    assert found.return_value == 1


def test_markdown_is_fit_for_a_comment(ledgers):
    found = _run(*ledgers, "--format", "md", "--gate", "pte<=+5%")
    assert found.stdout.splitlines()[2].startswith("Gates: 1 BROKEN. B costs 3")


def test_one_ledger_needs_two_settings(ledgers):
    found = _run(ledgers[0])
    assert isinstance(found.exception, InputError)
    assert "expected a second ledger" in str(found.exception)
