"""What a calibration asks of a serving engine."""

from collections.abc import Sequence
from typing import Protocol

from agentdyno.records import InputError


class EndedEarlyError(InputError):
    """An answer was shorter than asked for, so it times nothing."""


class Engine(Protocol):
    """Generates tokens, for several requests at once where it can."""

    vocabulary: int
    """Token ids below this may stand in a prompt."""
    keeps_prefixes: bool | None
    """Whether a prompt that was sent before is found in the engine's cache; None: not known."""
    longest_tokens: int | None = None
    """The longest prompt with its answer that the engine takes; None: not known."""
    most_at_once: int | None = None
    """Requests that the engine serves at once, further ones wait; None: not known."""
    may_end: bool = False
    """Whether answers can be shorter than asked for, always after the same prompts."""

    async def generate(self, prompt: Sequence[int], tokens: int) -> list[int]:
        """Exactly this many tokens after the prompt, no earlier end."""
        ...

    def count_prompt(self, prompt: Sequence[int]) -> int:
        """Tokens that the engine counts in a prompt; more or fewer where it takes texts alone."""
        return len(prompt)

    def close(self) -> None:
        """Give back what the engine holds."""
        ...
