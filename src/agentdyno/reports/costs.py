"""How every form of a report says what a ledger cost in all, and in which unit.

One PTE is a prefilled token of its own model: over several architectures there is no sum, and
GPU-seconds stand in its place.
"""

from agentdyno.reports.numbers import UNKNOWN, dollars, short
from agentdyno.studies.cost.summary_results import Summary

SOURCES = {
    "theory": "by theory",
    "measured": "as calibrated",
    "transferred": "by theory with this machine's efficiency",
    "mixed": "as calibrated or by theory",
}


def total(s: Summary) -> tuple[str, str]:
    """The cost of all trajectories and its unit."""
    if s.architectures > 1 and s.gpu_seconds is not None:
        return seconds(s.gpu_seconds), "GPU-seconds"
    return short(s.pte), "PTE"


def seconds(value: float | None) -> str:
    """Seconds to three digits."""
    if value is None:
        return UNKNOWN
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def basis(s: Summary) -> str:
    """What GPU-seconds mean here; empty where there are none."""
    if s.gpu_seconds is None or s.concurrency is None:
        return ""
    money = "" if s.gpu_usd is None else f", {dollars(s.gpu_usd)} of GPU time"
    how = SOURCES.get(s.gpu_seconds_source or "", "by theory")
    several = ""
    if s.architectures > 1:
        several = (
            f"; {s.architectures} architectures, whose PTE have different units and are not added "
            "up"
        )
    return f"{seconds(s.gpu_seconds)} GPU-seconds at {s.concurrency} at once, {how}{money}{several}"
