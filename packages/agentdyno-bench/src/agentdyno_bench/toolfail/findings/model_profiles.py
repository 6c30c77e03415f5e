"""How a model fails, in a word: labels in, a profile with its reason out.

broken output   most answers are raw tokens or repetition: the run is reported apart, not scored
refusing        most required tasks are refused
phantom-call    most required tasks are skipped, and most of the skips write or claim a call
always-call     a tool is called on most controls
disciplined     hardly any control gets a call and most required tasks are clean
tool-skip       most required tasks are skipped in silence
mixed           none of these

Worked: UTR 77.7 % -> always-call, whatever the CTUR (Llama-3.1-70B, ToolFailBench Table 3).
"""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

from agentdyno_bench.toolfail.findings.rates import failure_rates
from agentdyno_bench.toolfail.records import Labelled

ProfileName = Literal[
    "broken output", "refusing", "phantom-call", "always-call", "disciplined", "tool-skip", "mixed"
]
MOST = 0.5
FEW = 0.1
"""The paper's disciplined models call a tool on at most 1.61 % of controls."""


class Profile(Struct, frozen=True):
    """A model's way of failing."""

    name: ProfileName
    reason: str
    scored: bool
    """Whether the run belongs on a leaderboard."""


def profile_of(labels: Sequence[Labelled]) -> Profile:
    """The profile of one model's run."""
    broken = _share([row.broken for row in labels])
    if broken >= MOST:
        return Profile("broken output", f"{broken:.0%} of the answers are broken", False)
    rates = failure_rates(labels).rates
    skipped, clean = rates["TSR"].value or 0.0, rates["CTUR"].value or 0.0
    needless, refused = rates["UTR"].value, rates["Refused"].value or 0.0
    skips = [row.phantom for row in labels if row.label == "tool_skip"]
    if refused >= MOST:
        return Profile("refusing", f"{refused:.0%} of the required tasks refused", True)
    if skipped >= MOST and _share(skips) >= MOST:
        reason = f"TSR {skipped:.0%}, {_share(skips):.0%} of the skips write or claim a call"
        return Profile("phantom-call", reason, True)
    if needless is not None and needless >= MOST:
        return Profile("always-call", f"UTR {needless:.0%}", True)
    if skipped >= MOST:
        return Profile("tool-skip", f"TSR {skipped:.0%}", True)
    if needless is not None and needless <= FEW and clean >= MOST:
        return Profile("disciplined", f"UTR {needless:.0%}, CTUR {clean:.0%}", True)
    sentence = "unknown" if needless is None else f"{needless:.0%}"
    return Profile("mixed", f"UTR {sentence}, CTUR {clean:.0%}", True)


def _share(values: list[bool]) -> float:
    return sum(values) / len(values) if values else 0.0
