"""Wasteful habits of agents: a trajectory in, findings with their evidence out.

Each pattern has its own module with its rule, its source and a worked example; all of them prefer
silence to a false alarm. Text of traces is read, never obeyed, and quoted only in printable form.
Knows nothing of cost: that comes in `table` and `multipliers`, from the ledger.

A new pattern is a module with a `DETECTOR` and its place in `DETECTORS`; a stranger's is a package
with an entry point in the group `agentdyno.detectors`.
"""

from collections.abc import Sequence
from functools import cache

from agentdyno.findings.patterns import (
    format_collapse,
    loop,
    oversized_result,
    repeated_call,
    reread,
    tool_priors,
    unread_result,
)
from agentdyno.findings.patterns.detector import Detector, load_detectors
from agentdyno.findings.patterns.options import PatternOptions
from agentdyno.findings.patterns.reading import Reading
from agentdyno.plugins import report_failure
from agentdyno.records import Trajectory, printable
from agentdyno.records.patterns import NO_LONGER_SOUGHT, Finding
from agentdyno.records.precision import is_measured

DETECTORS = (
    tool_priors.DETECTOR,
    reread.DETECTOR,
    format_collapse.DETECTOR,
    repeated_call.DETECTOR,
    loop.DETECTOR,
    unread_result.DETECTOR,
    oversized_result.DETECTOR,
)
"""Two of the PTE paper (Appendix E), in our words, and what builders of agents know besides."""


def find_patterns(
    trajectory: Trajectory,
    options: PatternOptions | None = None,
    detectors: Sequence[Detector] = DETECTORS,
) -> list[Finding]:
    """Every measured pattern of a trajectory, in the order of the detectors; others on request."""
    reading = Reading(trajectory, options or _default_options())
    expected = [d for d in detectors if _is_needed(d, reading.options)]
    return [finding for detector in expected for finding in _found(detector, reading)]


def _is_needed(detector: Detector, options: PatternOptions) -> bool:
    """A stranger's detector answers for itself."""
    return options.unproven or detector not in DETECTORS or is_measured(detector.name)


def unshown_patterns() -> list[str]:
    """Patterns that are shown only when asked for: mostly wrong, never measured, or of older
    ledgers."""
    names = [*(detector.name for detector in DETECTORS), *NO_LONGER_SOUGHT]
    return [name for name in names if not is_measured(name)]


def _found(detector: Detector, reading: Reading) -> list[Finding]:
    """What it finds; a stranger's mistake is told and costs only the detector's own findings."""
    try:
        return detector.detect(reading)
    except Exception as error:
        if detector in DETECTORS:
            raise
        report_failure(detector, f"on {printable(reading.trajectory.trajectory_id)}", error)
        return []


@cache
def _default_options() -> PatternOptions:
    return PatternOptions()


__all__ = [
    "DETECTORS",
    "Detector",
    "Finding",
    "PatternOptions",
    "Reading",
    "find_patterns",
    "load_detectors",
    "unshown_patterns",
]
