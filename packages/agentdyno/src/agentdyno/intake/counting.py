"""Counts tokens of texts. A text that comes again is counted once: prompts and schemas, mostly.

Takes texts, returns how many tokens each has. Knows vocabularies, not trajectories: what has to be
counted is decided by the caller.

Many texts at once go through the tokenizer's batch door, which hands back where each text's tokens
end and makes no list of them. That door takes a special token that a text spells out
(`<|endoftext|>`) for the token itself; a text that may hold one goes through the other door, which
never does, so that both count alike.
"""

from array import array
from collections import Counter as Tally
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from agentdyno.intake.vocabularies import Vocabulary, load_tokenizer

MAX_CACHED_CHARACTERS = 64 * 2**20
"""The cache is emptied when it holds this much text, so memory stays bounded."""

_Batch = Callable[[list[str]], tuple[bytes, bytes]]


class Counter:
    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        tokenizer: Any = load_tokenizer(vocabulary.name)
        self._encode: Callable[[str], list[int]] = tokenizer.encode_ordinary
        self._batch: _Batch | None = getattr(tokenizer, "encode_batch_flat", None)
        self._marks = _marks(tokenizer)
        # Some vocabularies put a marker before every text; it belongs to no part.
        self._frame = len(self._encode(""))
        self._seen: dict[str, int] = {"": 0}
        self._characters = 0

    def count(self, texts: Sequence[str]) -> list[int]:
        # Each text is looked up once: there are many, and each look at one is a look at memory.
        places: dict[str, int] = {}
        which = [places.setdefault(text, len(places)) for text in texts]
        distinct = list(places)
        counts = self._distinct(distinct)
        if len(distinct) < len(texts):
            # To hold on to every text takes longer than to count the few again that come again.
            times = Tally(which)
            self._remember({distinct[p]: counts[p] for p, many in times.items() if many > 1})
        return [counts[index] for index in which]

    def _distinct(self, texts: list[str]) -> list[int]:
        remembered = list(map(self._seen.get, texts))
        new = [text for text, count in zip(texts, remembered, strict=True) if count is None]
        counted = iter(self._counts(new))
        return [next(counted) if count is None else count for count in remembered]

    def _remember(self, counted: dict[str, int]) -> None:
        if self._characters > MAX_CACHED_CHARACTERS:
            self._seen = {"": 0}
            self._characters = 0
        self._characters += sum(len(text) for text in counted if text not in self._seen)
        self._seen |= counted

    def _counts(self, texts: list[str]) -> list[int]:
        if self._batch is None:
            return list(map(self._count_one, texts))
        plain = texts
        for mark in self._marks:
            # One letter is found ten times as quickly as two, and is mostly not there.
            plain = [text for text in plain if mark[0] not in text or mark not in text]
        counts = self._count_plain(plain)
        if len(plain) == len(texts):
            return counts
        count_of_plain = dict(zip(plain, counts, strict=True))
        return [count_of_plain[t] if t in count_of_plain else self._count_one(t) for t in texts]

    def _count_plain(self, texts: list[str]) -> list[int]:
        assert self._batch is not None
        try:
            _, offsets = self._batch(texts)
        except UnicodeEncodeError:
            return list(map(self._count_one, texts))
        ends = array("Q", offsets)  # Little-endian, as all machines are that it is built for.
        return [end - start - self._frame for start, end in pairwise(ends)]

    def _count_one(self, text: str) -> int:
        try:
            return len(self._encode(text)) - self._frame
        except UnicodeEncodeError:
            # Half a surrogate pair, as broken exporters write it, is no text to any vocabulary.
            return len(self._encode(text.encode("utf-8", "replace").decode())) - self._frame


def _marks(tokenizer: Any) -> tuple[str, ...]:
    """Strings that every text contains that spells out a special token."""
    if not hasattr(tokenizer, "special_tokens"):
        return ()
    special = tokenizer.special_tokens()
    if tokenizer.family == BYTE_LEVEL:
        return tuple({token[:2] for token in special})
    # Other families promote tokens that they do not list, all of them in angle brackets.
    return tuple({"<", *(token[0] for token in special)})


BYTE_LEVEL = "BPE"
"""The family whose list of special tokens is complete."""
