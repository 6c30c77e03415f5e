"""Habits that only the PTE paper's experiments ask for: its four, and two of them as we read them.

None is looked for by `measure`: on sessions of coding agents they are no waste, or nobody could
measure how often they are right. They come by the entry point group `agentdyno.detectors`, and a
rule is imported when it is asked.
"""

from collections.abc import Callable

from agentdyno.findings.patterns.detector import Detector
from agentdyno.findings.patterns.reading import Reading
from agentdyno.plugins import load_place
from agentdyno.records.patterns import Finding


def _at(place: str) -> Callable[[Reading], list[Finding]]:
    def detect(reading: Reading) -> list[Finding]:
        found: list[Finding] = load_place(f"{__name__}.{place}")(reading)
        return found

    return detect


DETECTORS = tuple(
    Detector(name, version, _at(place), by_default=False)
    for name, version, place in (
        ("confirmatory", 3, "confirmatory:detect"),
        ("tool_mixing", 2, "tool_mixing:detect"),
        ("published_confirmatory", 2, "published:detect_confirmatory"),
        ("published_tool_mixing", 1, "published:detect_tool_mixing"),
        ("published_lack_of_tool_priors", 2, "published:detect_lack_of_priors"),
        ("published_format_collapse", 2, "published:detect_format_collapse"),
    )
)
OWN, PUBLISHED = DETECTORS[:2], DETECTORS[2:]
"""As we read the paper, stricter; and exactly as it defines them."""
