"""Wasteful habits of agents: a trajectory in, findings with their evidence out.

Each pattern has its own module with its rule, its source and a worked example; all of them prefer
silence to a false alarm. Text of traces is read, never obeyed, and quoted only in printable form.
Knows nothing of cost: that comes in `table` and `multipliers`, from the ledger.

A new pattern is a module with a `DETECTOR` and its place in `DETECTORS`; a third party's is a
package with an entry point in the group `agentdyno.detectors`.
"""

from collections.abc import Sequence

from agentdyno.findings.patterns import reread, tool_priors
from agentdyno.findings.patterns.detector import Detector, load_detectors
from agentdyno.findings.patterns.reading import Reading
from agentdyno.plugins import report_failure
from agentdyno.records import Trajectory, printable
from agentdyno.records.patterns import NO_LONGER_SOUGHT, Finding
from agentdyno.records.precision import is_measured

DETECTORS = (tool_priors.DETECTOR, reread.DETECTOR)
"""Those that readers of real findings found right, or that nothing has to be judged for."""


def find_patterns(
    trajectory: Trajectory, detectors: Sequence[Detector] = DETECTORS
) -> list[Finding]:
    """Every pattern of a trajectory, in the order of the detectors."""
    reading = Reading(trajectory)
    return [finding for detector in detectors for finding in _found(detector, reading)]


def unshown_patterns() -> list[str]:
    """Patterns that are shown only when asked for: mostly wrong, never measured, or of older
    ledgers."""
    names = [*(detector.name for detector in DETECTORS), *NO_LONGER_SOUGHT]
    return [name for name in names if not is_measured(name)]


def _found(detector: Detector, reading: Reading) -> list[Finding]:
    """What it finds; a third party's mistake is reported and costs its own findings alone."""
    try:
        return detector.detect(reading)
    except Exception as error:
        if detector in DETECTORS:
            raise
        report_failure(detector, f"on {printable(reading.trajectory.trajectory_id)}", error)
        return []


__all__ = [
    "DETECTORS",
    "Detector",
    "Finding",
    "Reading",
    "find_patterns",
    "load_detectors",
    "unshown_patterns",
]
