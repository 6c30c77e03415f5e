"""Names that an answer brings in and no source knows: "aboard the MV Ligurian Star".

Takes an answer and the texts that it may draw on; returns names of two words or more that stand
inside a sentence and of which no word is known, and identifiers of words that are mostly new.
Headings, labels, the heads of tables and the first word of a sentence are written in capitals for
other reasons, and are left out.
"""

import re
from collections.abc import Iterable
from itertools import islice

from agentdyno.matching.support import MOST_SPANS, Claim
from agentdyno.matching.legacy_values import Name, find_names, plain_words
from agentdyno.matching.legacy_values.dates import names_of_month

_INSIDE = re.compile(r"[^\W\d_]*[a-zß-ÿ],?\s(?:(?:MV|MS|SS|Dr|Mr|Ms|Mrs|Prof)\.?\s)?\Z")
"""A word in small letters right before it, on the same line."""
_OPENS = re.compile(r"[^\W_][.!?]\s\Z")
"""The end of the sentence before, on the same line."""
_VERB = re.compile(r"\s[a-z]{2,}")
_LABEL = re.compile(r"\W{0,3}:|\s?\|")
_STOP = re.compile(r"[^\W\d_]{2}\.\s|\d[.!?]?\.\s|\b[A-Z]\W{0,2}\.\s|-\.\s")
"""The end of a sentence within it: "KO. For"; initials and titles apart."""
SHORTEST = 3
"""Letters of a word that can tell a name."""
_CALENDAR = frozenset(
    ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
) | frozenset(name for number in range(1, 13) for name in names_of_month(number))


_IDENTIFIER = re.compile(
    r"(?<![\w/.@-])(?:[a-z][a-z0-9]*(?:_[a-z0-9]+)+(?![\w/@-]|\.\w)"
    r"|(?<=`)(?:[a-z]{3,}(?:-[a-z]{3,})+|[A-Z][a-z]+(?:[A-Z][a-z]+)+)(?=`))"
)
"""invoice_rounding; in a box, also invoice-rounding and InvoiceRounding."""
_PIECE = re.compile(r"[A-Z]?[a-z]+")


def invented_identifiers(text: str, sources: Iterable[str]) -> list[Claim]:
    """Identifiers of words of which no source holds the half: names of tests, rules, services."""
    found = list(_IDENTIFIER.finditer(text))
    if not found:
        return []
    known = {word.lower() for source in sources for word in _PIECE.findall(source)}
    unknown = (each for each in found if _is_mostly_new(each[0], known))
    return [Claim(each[0], *each.span(), "name") for each in islice(unknown, MOST_SPANS)]


def _is_mostly_new(identifier: str, known: set[str]) -> bool:
    words = [word.lower() for word in _PIECE.findall(identifier) if len(word) >= SHORTEST]
    return 2 * sum(word not in known for word in words) > len(words)


def invented_names(text: str, sources: Iterable[str]) -> list[Claim]:
    """Names that no source holds a word of."""
    names = [
        name
        for found in find_names(text)
        if not found.quoted
        and (name := _without_head(text, found))
        and not _LABEL.match(text, name.end)
        and not _STOP.search(name.text)
    ]
    if not names:
        return []
    known = set(plain_words(" ".join(sources).replace("_", " ").replace("-", " ")).split())
    unknown = (name for name in names if not _is_known(name.text, known))
    return [Claim(n.text, n.start, n.end, "name") for n in islice(unknown, MOST_SPANS)]


def _without_head(text: str, name: Name) -> Name | None:
    """The name without the first word of its sentence: "Adjuster Paul Henning signed"; None for
    what may be a heading, or leaves no two words."""
    if _INSIDE.search(text[max(0, name.start - 30) : name.start]):
        return name
    head, _, rest = name.text.partition(" ")
    goes_on = _OPENS.search(text[max(0, name.start - 30) : name.start]) and _VERB.match(
        text, name.end
    )
    if not goes_on or " " not in rest:
        return None
    return Name(rest, name.start + len(head) + 1, name.end, False)


def _is_known(name: str, known: set[str]) -> bool:
    parts = " ".join(part for part in name.replace("-", " ").split() if part[0].isupper())
    words = [word for word in plain_words(parts).split() if len(word) >= SHORTEST]
    return not words or any(word in known or word in _CALENDAR for word in words)
