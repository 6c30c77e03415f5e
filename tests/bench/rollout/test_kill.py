"""A rollout run killed in the middle and started again: nothing is lost, little is repeated."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("inspect_ai", reason="needs the extra bench")
pytest.importorskip("math_verify", reason="needs the extra bench")

from agentdyno.findings.utility.rollouts import SignTest
from agentdyno.ledger.reader import Ledger
from agentdyno_bench.pipelines.rollout import roll_out
from agentdyno_bench.pipelines.rollout.inspect_runs import Continuing, find_benches
from tests.bench.rollout.builders import tir_ledger
from tests.bench.rollout.scripts import BEGUN
from tests.conftest import ROOT

IN_FLIGHT = 4
PROGRAM = """
import sys
from pathlib import Path
from agentdyno.findings.utility.rollouts import SignTest
from agentdyno_bench.pipelines.rollout import roll_out
from agentdyno_bench.pipelines.rollout.inspect_runs import Continuing
from agentdyno_bench.pipelines.rollout.inspect_runs import find_benches
if __name__ == "__main__":
    ledger = Path(sys.argv[1])
    asked = Continuing(concurrency=4, trusted=True)
    roll_out(ledger, find_benches(ledger, asked), SignTest(most=16))
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is not of this system")
def test_only_continuations_in_flight_are_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = tir_ledger(tmp_path, "slowly", many=2)
    begun = tmp_path / "begun"
    monkeypatch.setenv(BEGUN, str(begun))
    child = subprocess.Popen([sys.executable, "-c", PROGRAM, str(ledger)], cwd=ROOT)
    while lines(begun) < 20 and child.poll() is None:
        time.sleep(0.02)
    assert child.poll() is None  # Otherwise nothing was interrupted.
    child.kill()
    child.wait()
    asked = Continuing(concurrency=IN_FLIGHT, trusted=True)
    done = roll_out(ledger, find_benches(ledger, asked), SignTest(most=16))
    assert done.calls == done.decided == 2
    # Two cuts of two trajectories, sixteen continuations each.
    starts = begun.read_text().split()
    assert len(set(starts)) == 64
    assert len(starts) <= 64 + IN_FLIGHT
    assert done.continuations < 64
    assert Ledger(ledger).read("rollouts")["delta"].to_list() == [1.0, 1.0]


def lines(file: Path) -> int:
    return len(file.read_text().split()) if file.exists() else 0
