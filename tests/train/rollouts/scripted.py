"""A decoder that says what a script has for each game, so that plays need no capable model."""

from collections.abc import Callable, Sequence
from typing import Any

Says = Callable[[str, int], str]
"""What is said to a context (its text) in a turn of the table."""


def scripted_decoder(tokenizer: Any, says: Says) -> type:
    """A class that stands in for `Decoder`."""

    class Scripted:
        def __init__(
            self, model: Any, ends: Sequence[int], rows: int, capacity: int, step: Any = None
        ) -> None:
            self.ends, self._rows = list(ends), [list[int]() for _ in range(rows)]

        def begin(self, prompts: Sequence[Sequence[int]]) -> None:
            self._rows = [list(prompt) for prompt in prompts]
            self._said = [0] * len(self._rows)

        def prepare(self) -> None:
            pass

        def has_room(self, chunks: Sequence[Sequence[int]], more: int) -> bool:
            return True

        def feed(self, chunks: Sequence[Sequence[int]]) -> None:
            for row, chunk in zip(self._rows, chunks, strict=True):
                row += chunk

        def decode(
            self, active: Sequence[bool], most: int, temperature: float = 0.0, seed: int = 0
        ) -> list[list[int]]:
            return [self._one(place) if on else [] for place, on in enumerate(active)]

        def _one(self, place: int) -> list[int]:
            text = says(tokenizer.decode(self._rows[place]), self._said[place])
            self._said[place] += 1
            ids = tokenizer(text, add_special_tokens=False)["input_ids"]
            return [*ids, self.ends[0]]

    return Scripted
