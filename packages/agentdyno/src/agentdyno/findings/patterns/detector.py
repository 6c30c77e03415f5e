"""What a detector is: a rule that finds one wasteful habit, with its name and its version.

Takes a `Reading` of a trajectory, returns findings. Built-in detectors and those of third parties
register under the same entry point group, `agentdyno.detectors`.
"""

from collections.abc import Callable

from msgspec import Struct

from agentdyno.findings.patterns.reading import Reading
from agentdyno.plugins import load_plugins
from agentdyno.records.patterns import Finding

GROUP = "agentdyno.detectors"


class Detector(Struct, frozen=True):
    """A rule for one pattern."""

    name: str
    """The pattern that its findings are of."""
    version: int
    """One more whenever the rule finds other things than before: ledgers whose findings are older
    are looked at again at their next report. The first is 1."""
    detect: Callable[[Reading], list[Finding]]
    """Its findings in one trajectory. Silence is better than a false alarm."""


def load_detectors() -> dict[str, Detector]:
    """Every installed detector by name, built-in ones first."""
    return load_plugins(GROUP, Detector)[0]
