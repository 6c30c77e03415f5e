"""A measurement that is killed again and again, workers and all, and then left to finish."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from uuid import uuid4

import pytest

from agentdyno.ledger.file_names import NAME
from agentdyno.ledger.manifest import load
from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.measure import MeasureOptions, measure
from agentdyno.records.ledger import TABLES
from agentdyno.studies.cost.summary import summarise
from tests.ledger.traces import assert_consistent, assert_same, assert_tidy, glob, write_jsonl

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/environ").exists(), reason="finds processes through /proc"
)

# Small jobs, so that a run has many moments between two commits; where asked, it stops after some.
DRIVER = """
import os, time
from functools import partial
from pathlib import Path
from agentdyno.cli.app import main
from agentdyno.ledger.writer import LedgerWriter
from agentdyno.pipelines import commits as pace, input_plan, measure

commits, stop_after = 0, int(os.environ["AGENTDYNO_TEST_COMMITS"])
commit = LedgerWriter.commit

def commit_and_stop(self, *drafts):
    global commits
    commit(self, *drafts)
    commits += 1
    if commits == stop_after:
        Path(os.environ["AGENTDYNO_TEST_STOPPED"]).touch()
        time.sleep(600)

LedgerWriter.commit = commit_and_stop
measure.JOB_BYTES = 12_000
pace.REST = 0.0  # Every draft is a commit.
input_plan.pieces_of = partial(input_plan.pieces_of, piece_bytes=12_000)
main()
"""
FILES, EACH = 3, 120


class Measurement:
    """`agentdyno measure` in a process of its own, its workers marked so that they are found."""

    def __init__(self, traces: Path, ledger: Path, commits: int = 0) -> None:
        self.mark = uuid4().hex
        self.commits = commits
        self.stopped = ledger.with_name(f"stopped-{self.mark}")
        words = ["measure", str(traces), "--out", str(ledger), "--workers", "2", "--json"]
        self.process = subprocess.Popen(
            [sys.executable, "-c", DRIVER, *words],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env={
                **os.environ,
                "AGENTDYNO_TEST_MARK": self.mark,
                "AGENTDYNO_TEST_COMMITS": str(commits),
                "AGENTDYNO_TEST_STOPPED": str(self.stopped),
            },
        )

    def finish(self) -> None:
        _, errors = self.process.communicate(timeout=180)
        # On a slow machine it prints how far it has read.
        told = [line for line in errors.splitlines() if not line.startswith(b"reading ")]
        assert (self.process.returncode, told) == (0, [])
        self.assert_no_orphans()

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stderr.close()

    def assert_no_orphans(self) -> None:
        deadline = time.monotonic() + 20
        while _marked(self.mark):
            assert time.monotonic() < deadline, "worker processes outlive their parent"
            time.sleep(0.02)


def _marked(mark: str) -> list[str]:
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (process / "environ").read_bytes():
                found.append(process.name)
        except OSError:
            continue  # It ended, or is not ours.
    return found


def _assert_opens(ledger: Path) -> None:
    for name in TABLES:
        if (ledger / name / "empty.parquet").exists():
            glob(ledger, name)
    if (ledger / NAME).exists():
        assert_consistent(ledger)
        assert_consistent(ledger, load(ledger))
        summarise(Ledger(ledger))


def _commits_before(kill: int) -> int:
    """The first kills hit a ledger in the making however slow the machine; later ones any time."""
    return 2 + kill % 4 if kill < 3 or kill % 2 else 0


def _wait_for_a_moment(rng: random.Random, running: Measurement, longest: float) -> float:
    """Until it stopped after its commits; else by the clock, imports and first writes included.
    Returns the longest that any took to its commits: a wait by the clock says nothing of that, and
    would make the next one longer."""
    began = time.monotonic()
    if not running.commits:
        time.sleep(longest * rng.uniform(0.1, 1.5))
        return longest
    while not running.stopped.exists() and running.process.poll() is None:
        time.sleep(0.005)
    return max(longest, time.monotonic() - began)


@pytest.mark.parametrize("kills", [3, pytest.param(40, marks=pytest.mark.slow)])
def test_killed_at_any_moment_and_run_again_it_is_as_if_never_killed(
    tmp_path: Path, kills: int
) -> None:
    traces, ledger = tmp_path / "traces", tmp_path / "ledger"
    for index in range(FILES):
        write_jsonl(traces / f"{index}.jsonl", range(1000 * index, 1000 * index + EACH))
    rng, started, held, in_the_making, longest = random.Random(20), [], 0, 0, 0.0
    for kill in range(kills):
        if kill in (3, 8) or held == FILES * EACH:  # A file is replaced under fire, too.
            write_jsonl(traces / "1.jsonl", range(1000 * kill, 1000 * kill + EACH))
        started.append(Measurement(traces, ledger, _commits_before(kill)))
        longest = _wait_for_a_moment(rng, started[-1], longest)
        started[-1].kill()
        _assert_opens(ledger)
        if (ledger / NAME).exists():
            held = summarise(Ledger(ledger, load(ledger))).trajectories
            in_the_making += 0 < held < FILES * EACH
        if kill % 3 == 0:  # The other times the next run meets the workers of this one.
            started[-1].assert_no_orphans()
    assert in_the_making >= 3, "too few kills hit a ledger in the making"

    Measurement(traces, ledger).finish()
    for measurement in started:
        measurement.assert_no_orphans()
    assert_consistent(ledger)
    assert_tidy(ledger)
    assert summarise(Ledger(ledger)).trajectories == FILES * EACH
    measure([traces], tmp_path / "fresh", MeasureOptions(workers=1))
    assert_same(ledger, tmp_path / "fresh")
