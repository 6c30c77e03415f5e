"""What tools are worth: planted ones get the right verdict, and the bill is split as was paid."""

from pathlib import Path
from typing import Any

import pytest

from agentdyno.pipelines.sources import ReadableLedger
from agentdyno_bench.utility.worth.results import Worth
from agentdyno_bench.utility.worth.study import WorthOptions, study_worth
from tests.bench.utility.worth.planted import TOOLS, covers, is_sign_right, plant
from tests.cli.run import Agentdyno
from tests.pipelines.ledger_builder import LedgerRows

BY_NAME = {tool.name: tool for tool in TOOLS}
MAIL = "mail_search"


def attempt(
    rows: LedgerRows, name: str, pte: float, *parts: tuple[str, float], **fields: Any
) -> None:
    """An attempt at the task after the underscore; parts are the mail server's."""
    rows.trajectory(name, pte, benchmark="b", task_id=name.split("_")[-1], **fields)
    rows.turn(name, 0, pte)
    for kind, cost in parts:
        rows.part(name, kind, cost, name=MAIL)


def sides(tmp_path: Path, tasks: int = 24, **options: Any) -> Worth:
    """With the server 1,000 PTE, of them 300 its own; without it 650 and one task fewer solved."""
    rows = LedgerRows()
    for task in range(tasks):
        bill = [("schema", 100.0), ("request", 20.0), ("result", 180.0)]
        attempt(rows, f"a_{task}", 1000.0 + task, *bill, variant="all", correct=True)
        attempt(rows, f"b_{task}", 650.0 + task, variant="none", correct=task > 0)
    ledger = ReadableLedger(rows.write(tmp_path / "ledger"))
    return study_worth(ledger, ledger, WorthOptions(**options), ("all", "none"))


def test_the_bill_is_split_into_menu_calls_returns_and_what_followed(tmp_path: Path) -> None:
    worth = sides(tmp_path)
    assert worth.tools == (MAIL,)
    change = {part.metric: part.effect for part in worth.bill}
    assert change == {
        "menu pte": pytest.approx(-100.0),
        "calls pte": pytest.approx(-20.0),
        "returns pte": pytest.approx(-180.0),
        "what followed pte": pytest.approx(-50.0),
        "pte": pytest.approx(-350.0),
    }
    assert (worth.only_first, worth.only_second) == (1, 0)


def test_one_task_fewer_is_undecided_at_two_points_and_no_loss_at_twenty(tmp_path: Path) -> None:
    narrow = sides(tmp_path / "narrow").decision
    assert narrow.verdict == "undecided"
    assert narrow.more_tasks is not None
    assert narrow.more_tasks > 24
    assert sides(tmp_path / "wide", margin=20.0).decision.verdict == "drop"


def test_parts_of_a_sub_agent_are_its_attempts(tmp_path: Path) -> None:
    rows = LedgerRows()
    for task in range(3):
        attempt(rows, f"a_{task}", 500.0, ("result", 30.0), variant="all", correct=True)
        rows.trajectory(f"sub{task}", 200.0, parent_id=f"a_{task}").turn(f"sub{task}", 0, 200.0)
        rows.part(f"sub{task}", "result", 70.0 + task, name=MAIL)
        attempt(rows, f"b_{task}", 400.0, variant="none", correct=True)
    ledger = ReadableLedger(rows.write(tmp_path))
    worth = study_worth(ledger, ledger, WorthOptions(), ("all", "none"))
    bill = {part.metric: part for part in worth.bill}
    assert bill["returns pte"].a_mean == pytest.approx(101.0)
    assert bill["pte"].a_mean == pytest.approx(700.0)
    # Nobody recorded a schema, so what the menu costs is unknown and not zero.
    assert (bill["menu pte"].a_mean, worth.menu_outweighs) == (None, None)
    assert any("no schemas are recorded" in line for line in worth.warnings)


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("harmful", "drop"),
        ("useful", "keep"),
        ("useful, rarely called", "defer"),
        ("no difference", "undecided"),
    ],
)
def test_a_planted_tool_gets_its_verdict(name: str, verdict: str, tmp_path: Path) -> None:
    """A difference of 14.4 points is five standard errors at 200 tasks."""
    tool = BY_NAME[name]
    worth = plant(tool, 200, 0, tmp_path)
    assert worth.decision.verdict == verdict, worth.decision
    assert is_sign_right(worth, tool.truth)


def test_intervals_cover_what_was_planted(tmp_path: Path) -> None:
    """The table in docs/guides/utility.md has 100 repeats; a part of the bill that is counted twice
    or not at all is covered by none."""
    tool = BY_NAME["useful"]
    drawn = [covers(plant(tool, 60, seed, tmp_path / f"{seed}"), tool.truth) for seed in range(6)]
    assert all(len(within) == 6 for within in drawn)
    for name in tool.truth:
        assert sum(within[name] for within in drawn) >= 4, name


def test_two_ledgers_are_compared_from_the_command_line(
    agentdyno: Agentdyno, tmp_path: Path
) -> None:
    for side, cost, menu in (("with", 900.0, 300.0), ("without", 500.0, 0.0)):
        rows = LedgerRows()
        for task in range(20):
            parts = [("schema", menu)] if menu else []
            attempt(rows, f"{side}_{task}", cost + task, *parts, correct=task % 2 == 0)
        rows.write(tmp_path / side)
    both = (tmp_path / "with", tmp_path / "without")
    assert agentdyno.run("worth", *both) == 0
    said = " ".join(agentdyno.out.split())
    assert "drop: B costs" in said
    assert "accuracy is the same (paired on 20 tasks)" in said
    assert f"Tools in question: {MAIL}." in said
    assert agentdyno.run("worth", *both, "--json") == 0
    [pair] = agentdyno.object()["pairs"]
    assert pair["decision"]["verdict"] == "drop"
    assert pair["menu_outweighs"] == 1.0


def test_the_same_ledger_twice_decides_nothing(agentdyno: Agentdyno, tmp_path: Path) -> None:
    rows = LedgerRows()
    for task in range(20):
        attempt(rows, f"a_{task}", 900.0 + task, ("schema", 300.0), correct=task % 2 == 0)
    ledger = rows.write(tmp_path)
    assert agentdyno.run("worth", ledger, ledger) == 0
    assert "undecided: Both sides are the same runs." in " ".join(agentdyno.out.split())


def test_a_ledger_alone_does_not_say_what_is_compared(agentdyno: Agentdyno, tmp_path: Path) -> None:
    rows = LedgerRows()
    attempt(rows, "a_0", 100.0, variant="all")
    ledger = rows.write(tmp_path)
    assert agentdyno.run("worth", ledger, "--variant", "all") == 2
    assert "expected a benchmark (facts, tir, toolfail, tps), two ledgers, or one" in agentdyno.err


def test_a_ledger_is_judged_before(agentdyno: Agentdyno, tmp_path: Path) -> None:
    assert agentdyno.run("worth", tmp_path, tmp_path, "--judge", "openai/x") == 2
    assert f"agentdyno judge {tmp_path} --model openai/x" in agentdyno.err


def test_the_former_name_says_the_new_one(agentdyno: Agentdyno) -> None:
    assert agentdyno.run("ablate", "facts") == 2
    assert "`agentdyno ablate` is now `agentdyno worth`" in agentdyno.err
