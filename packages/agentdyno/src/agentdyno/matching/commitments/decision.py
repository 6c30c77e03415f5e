"""The answer to one question to a text: yes, no or unclear, with the reason and the place."""

from typing import Literal, NamedTuple

from agentdyno.matching.commitments.stance import Stance

Answer = Literal["yes", "no", "unclear"]


STANDS: frozenset[Stance] = frozenset({"asserted", "past"})


class Decision(NamedTuple):
    """The answer to one question to a text."""

    answer: Answer
    reason: str
    """Why, in a sentence."""
    start: int = 0
    """Where in the text that stands which decided."""
    end: int = 0

    @property
    def span(self) -> tuple[int, int]:
        """Both ends; equal where nothing in the text decided."""
        return self.start, self.end
