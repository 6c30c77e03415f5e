"""Looks for a habit of your own in every trajectory of a ledger.

    python examples/own_detector.py

A detector takes a reading of a trajectory and returns findings. Registered as an entry point in the
group `agentdyno.detectors`, it runs with ours in every report; see docs/guides/extend.md.
"""

import tempfile
from pathlib import Path

import agentdyno
from agentdyno.findings.patterns import Detector, Finding, Reading, find_patterns
from agentdyno.records import printable

SAMPLES = Path(agentdyno.__file__).parent / "samples"


def detect(reading: Reading) -> list[Finding]:
    """Calls whose arguments are longer than what came back."""
    return [
        Finding(
            "chatty_call", call.turn, call.call, printable(call.arguments), "asks more than it gets"
        )
        for call in reading.calls
        if (result := reading.result(call)) is not None and len(call.arguments) > len(result.text)
    ]


DETECTOR = Detector("chatty_call", 1, detect)


def main(out: Path) -> None:
    ledger = agentdyno.measure(SAMPLES, out)
    for trajectory in ledger.trajectories():
        for finding in find_patterns(trajectory, detectors=(DETECTOR,)):
            print(f"{trajectory.trajectory_id} turn {finding.turn}: {finding.evidence}")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        main(Path(folder) / "ledger")
