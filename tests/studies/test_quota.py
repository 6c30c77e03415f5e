"""Points of a weekly limit go to the turns that used them, and a plan's charge is inferred or said
to be unknown."""

import json
import random
from pathlib import Path

import pytest

from agentdyno.ledger.file_names import LIMITS
from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.quota import find_quota, read_limits
from agentdyno.pipelines.sources import ReadableLedger
from agentdyno.records import InputError
from agentdyno.studies.quota import Quota, Reading, study_quota
from agentdyno.studies.report_context import ReportContext
from tests.cli.run import Agentdyno
from tests.pipelines.ledger_builder import LedgerRows

WEEK = 7 * 86_400.0
START = 1_780_000_000.0


def simulate(folder: Path, seed: int, charge: float, weeks: int = 4) -> Quota:
    """Weeks of work under a plan that charges a cached token `charge` times its list price and
    everything else 1.4 points a dollar; the share is read rounded, after every turn."""
    draw, rows, readings = random.Random(seed), LedgerRows(), []
    for week in range(weeks):
        used, at, resets = 0.0, START + week * WEEK, START + (week + 1) * WEEK
        for session in range(6):
            name = f"{seed}-{week}-{session}"
            # Sessions differ in how much of their cost is read from the cache.
            share = draw.uniform(0.1, 0.9)
            rows.trajectory(name, session_id=name, title=name, turns=20, usd=1.0, started_at=at)
            for turn in range(20):
                at += draw.uniform(60, 3_000)
                usd = draw.lognormvariate(-1.8, 0.8)
                reads = usd * min(max(draw.gauss(share, 0.15), 0.0), 1.0)
                rows.turn(name, turn, usd=usd, usd_read=reads, started_at=at - 5, ended_at=at)
                used += 1.4 * (usd - reads + charge * reads)
                readings.append(Reading(at + 2, float(int(used)), resets))
    ledger = rows.write(folder / "ledger", unit="usd")
    found = study_quota(ReportContext(ReadableLedger(ledger)), readings)
    assert found is not None
    return found


@pytest.mark.parametrize("charge", [0.0, 0.25, 1.0, 3.0])
def test_the_interval_of_a_plans_charge_holds_it(tmp_path: Path, charge: float) -> None:
    found = simulate(tmp_path, 7, charge).cached_charge
    assert found.low is not None
    assert found.high is not None
    assert found.low <= charge <= found.high
    assert found.high - found.low < 1.0 + charge


def test_intervals_of_many_plans_hold_their_charge(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    held, known = 0, 0
    for seed in range(30):
        found = simulate(tmp_path / str(seed), seed, 0.3).cached_charge
        if found.low is not None and found.high is not None:
            known += 1
            held += found.low <= 0.3 <= found.high
    with capsys.disabled():
        print(f"\nintervals that hold the charge: {held} of {known}, {30 - known} unknown")
    assert known >= 20
    assert held >= 0.85 * known


def test_points_are_those_of_the_readings_and_nobodys_are_elsewhere(tmp_path: Path) -> None:
    rows = LedgerRows()
    for name, at in (("a", 100.0), ("b", 5_000.0)):
        rows.trajectory(name, session_id=name, title=f"Session {name}", usd=2.0)
        rows.turn(name, 0, usd=2.0, usd_read=1.0, ended_at=START + at)
    rows.call("a", 0, "Read", usd=0.5, subject="/home/ada/shop/a.py", subject_kind="file")
    ledger = rows.write(tmp_path / "ledger", unit="usd")
    resets = START + 50_000
    readings = [
        Reading(START + 50, 10.0, resets),  # All of it before anything here ran.
        Reading(START + 200, 14.0, resets),  # Session a.
        Reading(START + 3_000, 17.0, resets),  # Nothing here ran.
        Reading(START + 6_000, 18.0, resets),  # Session b.
    ]
    found = study_quota(ReportContext(ReadableLedger(ledger)), readings)
    assert found is not None
    assert [(each.name, each.points) for each in found.sessions] == [
        ("Session a", 4.0), ("Session b", 1.0)
    ]  # fmt: skip
    assert (found.used, found.points, found.elsewhere) == (18.0, 18.0, 13.0)
    assert [(each.name, each.points) for each in found.files] == [("/home/ada/shop/a.py", 1.0)]
    assert found.usd_per_point.value is None
    assert "2 of 12 stretches" in (found.cached_charge.reason or "")


def test_a_week_that_begins_anew_is_another_one(tmp_path: Path) -> None:
    ledger = LedgerRows().trajectory("a", usd=1.0).turn("a", 0, usd=1.0, ended_at=START)
    readings = [Reading(START, 90.0, 0.0), Reading(START + 60, 3.0, 0.0)]
    folder = ledger.write(tmp_path / "ledger", unit="usd")
    found = study_quota(ReportContext(ReadableLedger(folder)), readings)
    assert found is not None
    assert (found.weeks, found.points, found.resets_at) == (2, 0.0, None)


def test_the_verb_reads_what_the_status_line_kept(tmp_path: Path, agentdyno: Agentdyno) -> None:
    rows = LedgerRows().trajectory("a", session_id="a", title="Vouchers", usd=2.0)
    ledger = rows.turn("a", 0, usd=2.0, ended_at=START + 100).write(tmp_path / "l", unit="usd")
    with pytest.raises(InputError, match="statusline --install"):
        find_quota(ledger)
    lines = [
        {"at": START, "session": "a", "five_hour": None, "seven_day": [10.0, START + 9_000]},
        {
            "at": START + 200,
            "session": "a",
            "five_hour": [1, 2],
            "seven_day": [12.5, START + 9_000],
        },
        {"at": "soon", "seven_day": [1, 2]},
        {"at": START + 300, "seven_day": None},
    ]
    text = "\n".join(json.dumps(line) for line in lines)
    (ledger / LIMITS).write_text(f"{text}\n[1\nno json\n")
    assert len(read_limits(ledger)) == 2
    assert agentdyno.run("quota", ledger) == 0
    assert "12 % of the week was used" in agentdyno.out.replace("\n", " ")
    assert "Vouchers" in agentdyno.out
    assert "charges for a cached token is unknown" in agentdyno.out.replace("\n", " ")
    assert agentdyno.run("quota", ledger, "--json") == 0
    assert agentdyno.object()["sessions"][0]["points"] == 2.5
    assert Ledger(ledger).manifest.generation
