"""`agentdyno compare` from the outside: exit codes and outputs."""

import json
import re

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


def test_an_inconclusive_gate_exits_3_and_says_how_many_more_tasks(ledgers):
    found = _run(*ledgers, "--gate", "accuracy>=-2pt")
    assert found.return_value == 3
    assert re.search(r"inconclusive: accuracy>=-2pt: .* run [\d,]+ more tasks", found.stderr)
    allowed = _run(*ledgers, "--gate", "accuracy>=-2pt", "--allow-inconclusive")
    assert allowed.return_value == 0
    assert "inconclusive" in allowed.stdout


def test_a_broken_gate_goes_before_an_inconclusive_one(ledgers):
    gates = ("--gate", "accuracy>=-2pt", "--gate", "pte<=+5%")
    assert _run(*ledgers, *gates).return_value == 1
    assert _run(*ledgers, *gates, "--allow-inconclusive").return_value == 1


@pytest.mark.parametrize("gates", [(), ("--gate", "pte<=+500%")])
def test_ledgers_that_cannot_be_compared_exit_2(agentdyno, tmp_path, gates):
    rows = [attempt(t, 1000.0 + i) for i, t in enumerate(TASKS)]
    a = write_ledger(tmp_path / "a", rows)
    other = write_ledger(
        tmp_path / "other", [row | {"task_id": f"x{i}"} for i, row in enumerate(rows)]
    )
    empty = write_ledger(tmp_path / "empty", [])
    assert agentdyno.run("compare", a, other, *gates) == 2
    assert "expected tasks that both sides attempted, found none" in agentdyno.err
    for sides in ((a, empty), (empty, a), (empty, empty)):
        assert agentdyno.run("compare", *sides, *gates) == 2
        assert "found an empty ledger" in agentdyno.err


def test_json_is_one_object_with_the_outcome(ledgers):
    found = _run(*ledgers, "--gate", "pte<=+5%", "--json")
    shown = json.loads(found.stdout)
    assert shown["passed"] is False
    assert shown["gates"][0]["state"] == "broken"
    assert {row["metric"] for row in shown["metrics"]} >= {"accuracy", "pte", "usd"}
    assert found.return_value == 1


def test_one_ledger_needs_two_settings(ledgers):
    found = _run(ledgers[0])
    assert isinstance(found.exception, InputError)
    assert "expected a second ledger" in str(found.exception)
