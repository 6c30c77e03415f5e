"""The thresholds behind the patterns, each with its reason. Precision goes before recall."""

from msgspec import Struct, field

from agentdyno.findings.patterns.families import Families, default_families

CHARACTERS_PER_TOKEN = 3.2
"""Of tool results in the o200k vocabulary: identifiers, numbers and brackets are dear."""


class PatternOptions(Struct, frozen=True):
    """What the detectors may be told."""

    families: Families = field(default_factory=default_families)
    """Which tools belong together."""
    oversized_tokens: int = 2_000
    """A result is large from here on: about 6,400 characters, three screens of text."""
    oversized_used_share: float = 0.1
    """It is mostly unused when less than this share of its distinct words is used later."""
    unread_characters: int = 240
    """Shorter results are receipts and empty answers, read in a glance, and cost little."""
    unread_turns: int = 2
    """An unread result must burden at least this many later turns to be worth a finding."""
    loop_calls: int = 2
    """So many calls in a row without news make a loop; with the one that had news, three."""
    loop_characters: int = 20
    """Shorter results (`34`, `[]`, `OK`) agree by chance."""
    unproven: bool = False
    """Whether patterns are looked for that were right less than four times in five, or that no
    real trace has shown yet."""
