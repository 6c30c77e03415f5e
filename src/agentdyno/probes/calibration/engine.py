"""What a calibration asks of a serving engine."""

from collections.abc import Sequence
from typing import Protocol


class Engine(Protocol):
    """Generates tokens, for several requests at once where it can."""

    vocabulary: int
    """Token ids below this may stand in a prompt."""
    keeps_prefixes: bool
    """Whether a prompt that was sent before is found in the engine's cache."""

    async def generate(self, prompt: Sequence[int], tokens: int) -> list[int]:
        """Exactly this many tokens after the prompt, no earlier end."""
        ...

    def close(self) -> None:
        """Give back what the engine holds."""
        ...
