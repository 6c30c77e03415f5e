"""Wasteful habits of agents: a trajectory in, findings with their evidence out.

Each pattern has its own module with its rule, its source and a worked example; all of them prefer
silence to a false alarm. Text of traces is read, never obeyed, and quoted only in printable form.
Knows nothing of cost: that comes in `table` and `multipliers`, from the ledger.

A new pattern is a module with `detect(reading) -> list[Finding]` and a line in `DETECTORS`.
"""

from collections.abc import Callable

from agentdyno.metrics.patterns import (
    confirmatory,
    format_collapse,
    loop,
    oversized_result,
    repeated_call,
    tool_mixing,
    tool_priors,
    unread_result,
)
from agentdyno.metrics.patterns.options import PatternOptions
from agentdyno.metrics.patterns.reading import Reading
from agentdyno.records import Trajectory
from agentdyno.records.patterns import Finding, PatternName
from agentdyno.records.precision import is_proven

Detector = Callable[[Reading], list[Finding]]

DETECTORS: dict[PatternName, Detector] = {
    "confirmatory": confirmatory.detect,
    "tool_mixing": tool_mixing.detect,
    "lack_of_tool_priors": tool_priors.detect,
    "format_collapse": format_collapse.detect,
    "repeated_call": repeated_call.detect,
    "loop": loop.detect,
    "unread_result": unread_result.detect,
    "oversized_result": oversized_result.detect,
}

_DEFAULTS: list[PatternOptions] = []


def find_patterns(trajectory: Trajectory, options: PatternOptions | None = None) -> list[Finding]:
    """Every proven pattern of a trajectory, in the order of `DETECTORS`; all of them on request."""
    reading = Reading(trajectory, options or _default_options())
    every = reading.options.unproven
    wanted = [detect for name, detect in DETECTORS.items() if every or is_proven(name)]
    return [finding for detect in wanted for finding in detect(reading)]


def _default_options() -> PatternOptions:
    if not _DEFAULTS:
        _DEFAULTS.append(PatternOptions())
    return _DEFAULTS[0]


__all__ = ["DETECTORS", "Detector", "Finding", "PatternOptions", "Reading", "find_patterns"]
