"""Unreadable records as values: one bad record never costs the others."""

from functools import lru_cache

from msgspec import Struct

from agentdyno.records.secrets import clean_name
from agentdyno.records.secrets.excerpts import AHEAD, clean_beginning


class BadRecord(Struct, frozen=True, gc=False):
    """A record that was skipped, and why."""

    source: str
    """The file, relative to the path that was given."""
    place: str
    """Where in the file: `line 41`, `simulations[3]`, `samples/7_epoch_1.json`, or `file`."""
    expected: str
    """The expected content."""
    found: str
    """The actual content, shortened and made printable."""
    format: str | None = None
    """The format it was read as; None when none was recognised."""

    def __str__(self) -> str:
        return f"{self.source}: {self.place}: expected {self.expected}, found {self.found}"


class UnreadableError(Exception):
    """Raised while reading one record; becomes a `BadRecord` at the record's edge."""

    def __init__(self, expected: str, found: str, place: str | None = None) -> None:
        super().__init__(f"expected {expected}, found {found}")
        self.expected = expected
        self.found = found
        self.place = place


class InputError(Exception):
    """The input or the usage is wrong; its text is shown to the user and the exit code is 2."""


_LONGEST_NAME = 4_000


def printable(text: str, limit: int = 120) -> str:
    """Foreign text fit for a terminal or a table: without what the rules take for a secret, without
    control characters, and short."""
    return _fit_text(text[: limit * 2 + AHEAD], limit)


def printable_name(text: str, limit: int = 120) -> str:
    """The same for a name or an id, which may be random."""
    return _fit_name(text[:_LONGEST_NAME], limit)


# Cleaned before they are cut; a session's id and its files come again on every line.
@lru_cache(maxsize=8192)
def _fit_text(text: str, limit: int) -> str:
    return _fit(clean_beginning(text, limit * 2), limit)


@lru_cache(maxsize=8192)
def _fit_name(text: str, limit: int) -> str:
    return _fit(clean_name(text), limit)


def _fit(clean: str, limit: int) -> str:
    head = clean[: limit * 2]
    visible = head if head.isprintable() else "".join(map(_visible, head))
    return visible if len(visible) <= limit else visible[: limit - 1] + "…"


def _visible(sign: str) -> str:
    return sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}"


def shortened(path: object, limit: int = 60) -> str:
    """A path fit for a terminal: control characters are escaped, and where it is too long its
    middle is left out, so that the name of the file stays."""
    text = "".join(map(_escape, clean_name(str(path))))
    if len(text) <= limit:
        return text
    name = len(text) - text.rfind("/")
    # A name that fills the line alone is cut in its own middle.
    tail = max(2 * (limit - 1) // 3, name if name < limit - 1 else 0)
    return f"{text[: limit - 1 - tail]}…{text[len(text) - tail :]}"


def _escape(sign: str) -> str:
    return sign if sign.isprintable() else sign.encode("unicode_escape", "replace").decode()


def plural(count: int, singular: str, several: str | None = None) -> str:
    """1 turn, 2 turns, 1,234 trajectories."""
    word = singular if count == 1 else several or f"{singular}s"
    return f"{count:,} {word}"
