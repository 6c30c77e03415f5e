"""Letters and words for patterns that look through whole texts.

A pattern that ignores case takes three times as long as one over a text in lower case, and a list
of words as many times as long as it has words, unless words that begin alike are tried together.
"""

from collections.abc import Iterable


def lowered(text: str) -> str:
    """The text in lower case, every letter where it stood; only İ would become two."""
    return text.replace("İ", "i").lower()


def any_of(words: Iterable[str]) -> str:
    """A pattern of words, the longest first; by first letters, so that most fail at one glance."""
    letters: dict[str, list[str]] = {}
    for word in sorted(words, key=len, reverse=True):
        letters.setdefault(word[0], []).append(word[1:])
    return "(?:" + "|".join(f"{a}(?:{'|'.join(rest)})" for a, rest in letters.items()) + ")"
