"""Which bursts a calibration sends: three plans, and the choice between them.

Takes what is known of an engine (its pace, its longest prompt); returns a `Plan`. It sends nothing.
Prompts of decoding bursts are a multiple of 128 tokens and one more: whatever the size of an
engine's cache blocks (vLLM: 16 on a GPU, 128 on a CPU), all but the last token is found again.
"""

from collections.abc import Sequence
from typing import NamedTuple


class Plan(NamedTuple):
    """Which bursts to send."""

    prefills: Sequence[int]
    """Prompt lengths of single prefills."""
    decodes: Sequence[tuple[int, int]]
    """Batch and context of each decoding burst."""
    short: int
    """Tokens of the shorter burst."""
    long: int
    """Tokens of the longer one; the difference is the steps that are timed."""
    repeats: int
    """How often each burst is sent."""
    patience_seconds: float = 60.0
    """After so long a half of the plan is not repeated any more: a busy machine gets fewer
    repetitions, not an endless calibration."""

    @property
    def prompt_tokens(self) -> int:
        """Tokens that the plan prefills at least once."""
        return sum(self.prefills) + sum(batch * context for batch, context in self.decodes)

    def within(self, longest: int | None) -> "Plan":
        """Without the bursts that do not fit an engine's longest context."""
        if longest is None:
            return self
        return self._replace(
            prefills=tuple(length for length in self.prefills if length < longest),
            decodes=tuple(d for d in self.decodes if d[1] + self.long <= longest),
        )


SERVER = Plan(
    prefills=(16, 256, 512, 1024, 2048, 4096, 8192, 16384),
    decodes=(
        (1, 129), (8, 129), (32, 129), (64, 129), (128, 129), (8, 12033), (32, 6017), (128, 2049),
    ),
    short=9,
    long=73,
    repeats=3,
)  # fmt: skip
"""For an engine that batches on a card: about half a minute for 7B on an H200."""

SLOW_SERVER = Plan(
    prefills=(16, 64, 128, 256, 512, 1024),
    decodes=((1, 129), (2, 129), (4, 129), (8, 129), (4, 513), (1, 1025)),
    short=3,
    long=19,
    repeats=3,
    patience_seconds=30.0,
)
"""For an engine that batches on processors: some two minutes for 135M on two cores."""

ALONE = Plan(
    prefills=(16, 64, 256, 512),
    decodes=((1, 32), (1, 500)),
    short=2,
    long=10,
    repeats=3,
    patience_seconds=25.0,
)
"""For an engine that serves one request after the other: half a minute for 135M on two cores."""

PACE_TOKENS = 256
"""Tokens of the prompt that shows an engine's pace."""
MOST_SECONDS = 240.0
"""What the prompts of the large plan may take; an engine that needs longer gets the small one."""


def plan_for(pace: float, longest: int | None) -> Plan:
    """The plan for an engine that prefills `pace` tokens a second."""
    large = SERVER.within(longest)
    return large if large.prompt_tokens / pace <= MOST_SECONDS else SLOW_SERVER.within(longest)
