"""Names and quoted phrases: what a text calls things, compared without case, accents and articles.

Takes texts, returns places and plain words. "The Fig Tree" and "fig tree" are one name; "fig" does
not stand in "configure".
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

LONGEST = 2_000
"""Characters beyond which nothing is looked for as words."""
_NAME = re.compile(
    r"(?<![\w.])[A-ZÀ-ÖØ-Þ][\w'’&.-]{0,40}(?: (?:of|de|la|le|van|von|der|the|and|&) "
    r"[A-ZÀ-ÖØ-Þ][\w'’&-]{0,40}| [A-ZÀ-ÖØ-Þ][\w'’&-]{0,40}){1,6}"
)
_QUOTED = re.compile(r"[\"“«]([^\"“”«»\n]{3,200})[\"”»]|`([^`\n]{3,200})`|‘([^‘’\n]{3,200})’")
_ARTICLE = re.compile(r"\b(?:a|an|the)\b")
_NOT_WORD = re.compile(r"[^\w%.+-]+")


class Name(NamedTuple):
    """A name or a quoted phrase where it stands."""

    text: str
    start: int
    end: int
    quoted: bool


def find_names(text: str) -> Iterator[Name]:
    """Names of two words or more, and everything in quotes."""
    for match in _QUOTED.finditer(text):
        place = next(n for n in (1, 2, 3) if match[n])
        yield Name(match[place], match.start(place), match.end(place), True)
    for match in _NAME.finditer(text):
        yield Name(match[0].rstrip(".'’"), match.start(), match.end(), False)


def contains_words(text: str, wanted: str) -> bool:
    """Whether a text holds another, not as part of a longer word; case does not count."""
    return find_words(text, wanted) is not None


def find_words(text: str, wanted: str, prefix: bool = False) -> tuple[int, int] | None:
    """Where a text holds another as whole words; with `prefix` the last word may go on.

    Hyphens, underscores and blanks between words are alike. Places are those of the text itself.
    """
    return next(iter(every_place(text, wanted, prefix)), None)


def every_place(
    text: str, wanted: str, prefix: bool = False, between: str = r"[\s_-]{0,4}"
) -> Iterator[tuple[int, int]]:
    """All places of the wanted words, with such signs between them."""
    pattern = _pattern(wanted, prefix, between) if len(wanted) <= LONGEST else None
    for match in pattern.finditer(_folded(text)) if pattern else ():
        yield match.span()


_AND = dict.fromkeys(("&", "and"), "(?:&|and)")
"""Maple & 5th is Maple and 5th."""


_TITLES = {
    title: rf"{title}\.?"
    for title in "dr st mr mrs ms prof jr sr inc ltd co mt ft ste no ave rd bldg rev capt".split()
}
"""St Olav is St. Olav."""


@lru_cache(maxsize=4096)
def _pattern(wanted: str, prefix: bool, between: str) -> re.Pattern[str] | None:
    """Words as a pattern; made once, because the same ones are looked for in many texts."""
    words = [
        _AND.get(word) or _TITLES.get(word.lower().rstrip(".")) or re.escape(_folded(word))
        for word in re.split(r"[\s_-]+", wanted.strip())
        if word
    ]
    if not words:
        return None
    left = r"(?<![^\W_])" if words[0][0].isalnum() or words[0][0] == "_" else ""
    right = r"(?![^\W_])" if not prefix and words[-1][-1].isalnum() else ""
    return re.compile(left + between.join(words) + right)


def _folded(text: str) -> str:
    """Lower case without accents, every character in its place."""
    if text.isascii():
        return text.lower()
    return "".join(map(_plain_character, text))


_STROKES = str.maketrans("łŁøØđĐħĦŧŦıßæÆœŒ’‘", "llooddhhttisaaoo''")
"""Letters that do not come apart into a letter and its mark."""


def _plain_character(character: str) -> str:
    if (plain := character.translate(_STROKES)) != character:
        return plain
    bare = unicodedata.normalize("NFKD", character)[:1].lower()
    return bare if len(bare) == 1 else character


def plain_words(text: str) -> str:
    """A text as its words: no case, punctuation, accents or articles."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    words = _NOT_WORD.sub(" ", _ARTICLE.sub(" ", bare.casefold())).split()
    return " ".join(word.strip(".") for word in words)
