"""Counts tokens of texts. Each text is counted once; texts seen before come from a cache.

Knows vocabularies, not trajectories: what has to be counted is decided by the caller.
"""

from agentdyno.intake.vocabularies import Vocabulary, load_tokenizer

MAX_CACHED_CHARACTERS = 64 * 2**20
"""The cache is emptied when it holds this much text, so memory stays bounded."""


class Counter:
    """Counts with one vocabulary."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self._encode = load_tokenizer(vocabulary.name).encode_ordinary
        # Some vocabularies put a marker before every text; it belongs to no part.
        self._frame = len(self._encode(""))
        self._seen: dict[str, int] = {}
        self._characters = 0

    def count(self, text: str) -> int:
        """How many tokens the text has."""
        known = self._seen.get(text)
        if known is None:
            known = self._count_new(text)
        return known

    def _count_new(self, text: str) -> int:
        if self._characters > MAX_CACHED_CHARACTERS:
            self._seen.clear()
            self._characters = 0
        self._characters += len(text)
        count = self._seen[text] = len(self._tokens(text)) - self._frame
        return count

    def _tokens(self, text: str) -> list[int]:
        try:
            return self._encode(text)
        except UnicodeEncodeError:
            # Half a surrogate pair, as broken exporters write it, is no text to any vocabulary.
            return self._encode(text.encode("utf-8", "replace").decode())
