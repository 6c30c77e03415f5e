"""`classify --ledger`: doubts go into the ledger, once, with what the doubted calls cost."""

import json
from pathlib import Path

import polars as pl
import pytest

from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.measure import measure
from agentdyno.pipelines.report import build_report
from agentdyno.records import InputError
from agentdyno.studies.outdated import OldTable
from agentdyno_bench.app.cli.classify import command
from agentdyno_bench.toolfail.classify import doubt_ledger
from agentdyno_bench.toolfail.classify.old_checks import find_outdated_checks
from agentdyno_bench.toolfail.findings import unlabelled
from agentdyno_bench.toolfail.findings.unlabelled import CHECK_VERSIONS
from agentdyno_bench.toolfail.studies import doubts

CALL = {"id": "c1", "type": "function", "function": {"name": "market", "arguments": "{}"}}

WRITTEN = '<tool_call>{"name": "market", "arguments": {"city": "Reno"}}</tool_call>'
"""A call that is only written."""


def _trace(file: Path, answer: str) -> None:
    rules = {"role": "system", "content": "You help."}
    asked = {"role": "user", "content": "What do homes in Boise cost?"}
    called = {"role": "assistant", "content": None, "tool_calls": [CALL]}
    told = {"role": "tool", "tool_call_id": "c1", "content": '{"price_usd": 478000}'}
    said = {"role": "assistant", "content": answer}
    file.write_text(json.dumps({"messages": [rules, asked, called, told, said]}), "utf-8")


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    traces = tmp_path / "traces"
    traces.mkdir()
    _trace(traces / "good.json", "Homes in Boise cost $478,000.")
    _trace(traces / "bad.json", WRITTEN)
    return measure([traces], tmp_path / "ledger").ledger


def _labels(ledger: Path, check: str) -> list[tuple[str, str | None, int | None]]:
    rows = Ledger(ledger).read("failures").filter(pl.col("rule") == check)
    return sorted(
        (Path(name.partition("#")[0]).name, label, call)
        for name, label, call in rows.select("trajectory_id", "label", "call").iter_rows()
    )


@pytest.fixture(autouse=True)
def read_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if enough phantom calls had been read, and unused calls were mostly wrong."""
    for module in (unlabelled, doubts):
        monkeypatch.setattr(module, "is_measured", lambda kind: kind != "unused_call")


def test_every_trajectory_gets_a_row_for_each_check(ledger: Path) -> None:
    done = doubt_ledger(ledger)
    phantoms = [("bad.json", "doubtful", None), ("good.json", "clear", None)]
    assert _labels(ledger, "phantom_call") == phantoms
    # A check that was mostly wrong on real traces looks at nothing unless it is asked to.
    assert [label for _, label, _ in _labels(ledger, "unused_call")] == [None, None]
    found = {each.check: each for each in done.checks}
    assert (found["phantom_call"].doubtful, found["phantom_call"].share.n) == (1, 2)
    assert (found["unused_call"].calls, found["unused_call"].doubtful) == (0, 0)


def test_the_second_time_adds_nothing(ledger: Path) -> None:
    assert doubt_ledger(ledger).added == 4  # Two trajectories, two checks.
    assert doubt_ledger(ledger).added == 0


def test_a_check_of_a_newer_version_looks_again_and_takes_its_old_doubts_back(
    ledger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    doubt_ledger(ledger)
    monkeypatch.setitem(CHECK_VERSIONS, "phantom_call", 2)
    monkeypatch.setattr(unlabelled, "_phantoms", lambda index: [])
    assert find_outdated_checks(Ledger(ledger)) == [
        OldTable("failures", {"phantom_call": 1}, {"phantom_call": 2})
    ]
    assert doubt_ledger(ledger).added == 4
    assert [label for _, label, _ in _labels(ledger, "phantom_call")] == ["clear", "clear"]
    assert find_outdated_checks(Ledger(ledger)) == []
    assert doubt_ledger(ledger).added == 0


def test_what_an_older_check_said_of_a_trace_that_is_gone_stays_and_is_named(
    ledger: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    doubt_ledger(ledger)
    (tmp_path / "traces" / "bad.json").unlink()
    monkeypatch.setitem(CHECK_VERSIONS, "phantom_call", 2)
    doubt_ledger(ledger)
    phantoms = [("bad.json", "doubtful", None), ("good.json", "clear", None)]
    assert _labels(ledger, "phantom_call") == phantoms
    (old,) = find_outdated_checks(Ledger(ledger))
    assert old in build_report(ledger).results["outdated"]
    assert doubt_ledger(ledger).added == 0


def _unread_trace(file: Path) -> None:
    """A look-up of which nothing recurs, and an answer that says nothing about it."""
    names = [f"Harbour Lane {n} lot QX-{n * 7919}" for n in range(11, 41)]
    asked = {"role": "user", "content": "Book the ferry to Oban for tomorrow."}
    look = {"id": "c1", "type": "function", "function": {"name": "find_homes", "arguments": "{}"}}
    called = {"role": "assistant", "content": None, "tool_calls": [look]}
    told = {"role": "tool", "tool_call_id": "c1", "content": json.dumps({"homes": names})}
    ferry = {"name": "book_ferry", "arguments": '{"to": "Oban"}'}
    booked = {"role": "assistant", "content": None,
              "tool_calls": [{"id": "c2", "type": "function", "function": ferry}]}  # fmt: skip
    done = {"role": "tool", "tool_call_id": "c2", "content": "ok"}
    said = {"role": "assistant", "content": "Booked."}
    file.write_text(json.dumps({"messages": [asked, called, told, booked, done, said]}), "utf-8")


def test_unproven_checks_look_where_they_are_asked_to(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "traces").mkdir()
    _unread_trace(tmp_path / "traces" / "unread.json")
    ledger = measure([tmp_path / "traces"], tmp_path / "ledger").ledger
    assert command(ledger=ledger, json=True) == 0
    plain = {each["check"]: each for each in json.loads(capsys.readouterr().out)["checks"]}
    assert (plain["unused_call"]["doubtful"], plain["unused_call"]["passed_over"]) == (0, 1)
    assert command(ledger=ledger, unproven=True, json=True) == 0
    asked = {each["check"]: each for each in json.loads(capsys.readouterr().out)["checks"]}
    assert (asked["unused_call"]["doubtful"], asked["unused_call"]["calls"]) == (1, 1)
    # Not asked for again, it is not told, although the table has it.
    again = {each.check: each for each in doubt_ledger(ledger).checks}
    assert (again["unused_call"].doubtful, again["unused_call"].calls) == (0, 0)


def test_a_changed_trace_leaves_no_stale_rows(ledger: Path, tmp_path: Path) -> None:
    doubt_ledger(ledger)
    _trace(tmp_path / "traces" / "bad.json", "Homes in Boise cost 478,000 dollars.")
    measure([tmp_path / "traces"], ledger)
    doubt_ledger(ledger)
    phantoms = [("bad.json", "clear", None), ("good.json", "clear", None)]
    assert _labels(ledger, "phantom_call") == phantoms


def test_traces_that_are_gone_are_named(
    ledger: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "traces" / "bad.json").unlink()
    assert command(ledger=ledger) == 0
    shown = capsys.readouterr()
    assert "bad.json: the file is gone" in shown.err
    assert "call that was not executed" in shown.out


def test_the_verb_sums_up_as_json(ledger: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(ledger=ledger, json=True) == 0
    shown = json.loads(capsys.readouterr().out)
    got = [each["check"] for each in shown["checks"]]
    assert got == ["phantom_call", "unused_call"]
    assert shown["added"] == 4


def test_a_folder_that_is_no_ledger_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected a ledger"):
        command(ledger=tmp_path)
