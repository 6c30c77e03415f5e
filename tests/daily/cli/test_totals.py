"""First totals on the screen, for programs, and beside a ledger that says otherwise."""

import json
from pathlib import Path

import pytest

from agentdyno.cost.prices import money
from agentdyno.pipelines.samples import sample_traces
from agentdyno_daily.cli import first_totals
from agentdyno_daily.totals import first_totals as totals
from tests.cli.run import Agentdyno
from tests.daily.cli.test_home import home, run

__all__ = ["home"]
BLOCK = "tokens from the cache"
"""What only the first totals say."""


def test_totals_alone_are_those_of_the_ledger_and_nothing_is_written(agentdyno: Agentdyno) -> None:
    assert agentdyno.run("measure", "--totals-only", "--json", "--out", agentdyno.ledger) == 0
    found = agentdyno.object()
    assert not agentdyno.ledger.exists()
    assert agentdyno.measure("--costs-only", "--json") == 0
    measured = agentdyno.object()
    assert found["total"]["usd"] == pytest.approx(measured["usd"])
    assert found["total"]["responses"] == measured["turns"]
    assert measured["first_totals_differ"] == []
    for grouping in ("agent", "model", "project", "day", "session"):
        parts = [each["usd"] or 0.0 for each in found[f"by_{grouping}"]]
        assert sum(parts) == pytest.approx(measured["usd"])


def test_an_option_without_effect_is_refused(agentdyno: Agentdyno) -> None:
    assert agentdyno.run("measure", "--totals-only", "--set", "model=gpt-5") == 2
    assert "expected no option but --prices and --json, found --set" in agentdyno.err


def test_without_a_verb_all_agents_are_summed_up(home: Path) -> None:
    done = run(home, "--totals-only", "--json", AGENTDYNO_LEDGER=str(home / "mine"))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["by_agent"][0]["name"] == "claude_code"
    assert not (home / "mine").exists()
    done = run(home, "--totals-only")
    assert "by project" in done.stdout


def test_a_large_first_run_says_the_totals_first_and_a_second_one_does_not(
    agentdyno: Agentdyno, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert agentdyno.measure("--costs-only") == 0
    assert BLOCK not in agentdyno.out
    again = Agentdyno(agentdyno._captured, agentdyno.ledger.with_name("other"))
    monkeypatch.setattr(first_totals, "AT_ONCE_BYTES", 0)
    assert again.measure("--costs-only") == 0
    assert BLOCK in again.out.splitlines()[0]
    assert "by model" in again.out
    assert again.measure(sample_traces() / "coding", "--costs-only") == 0
    assert BLOCK not in again.out


def test_where_they_differ_the_ledger_counts_and_it_is_said(
    agentdyno: Agentdyno, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(totals, "money", lambda *counts: 2 * (money(*counts) or 0.0))
    assert agentdyno.measure("--costs-only", "--json") == 0
    assert "First totals and the ledger differ in" in agentdyno.err
    differences = agentdyno.object()["first_totals_differ"]
    assert {each["field"] for each in differences} == {"usd"}
    for each in differences:
        assert each["scanned"] == pytest.approx(2 * each["ledger"])


def test_a_scan_that_fails_stops_no_run(
    agentdyno: Agentdyno, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ValueError("broken")

    monkeypatch.setattr(first_totals, "scan", fail)
    assert agentdyno.measure("--costs-only") == 0
    assert "there are no first totals: ValueError: broken" in agentdyno.err


def test_what_the_run_says_itself_is_said_once(agentdyno: Agentdyno) -> None:
    assert agentdyno.run("measure", "no-such-folder") == 2
    assert agentdyno.err.count("no such file or folder") == 1
