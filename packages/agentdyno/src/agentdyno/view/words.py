"""Foreign text on its way to the page: without secrets and control characters, and short.

The page sets text by `textContent` alone, so markup in it is text. What is cleaned here is what
would mislead a reader all the same: signs that turn the direction of writing, or that nobody sees.
"""

from functools import lru_cache

from agentdyno.records import printable
from agentdyno.records.problems import printable_name
from agentdyno.records.secrets.excerpts import clean_beginning

LONGEST_LINE = 400
LONGEST_EXCERPT = 2000
"""Characters of a message, a request or a result that the page shows."""
MOST_LINES = 80


@lru_cache(maxsize=65_536)
def clean_words(text: str | None, limit: int = 120) -> str | None:
    """A title, a subject or an error."""
    return None if text is None else printable(" ".join(text.split()), limit)


@lru_cache(maxsize=65_536)
def clean_id(text: str | None, limit: int = 160) -> str | None:
    """A name or an id, which may be random."""
    return None if text is None else printable_name(text, limit)


def cut_excerpt(text: str) -> tuple[str, bool]:
    """How a text begins, line by line, and whether more follows."""
    lines = clean_beginning(text, LONGEST_EXCERPT)[:LONGEST_EXCERPT].splitlines()
    kept = [_strip(line) for line in lines[:MOST_LINES]]
    is_cut = len(text) > LONGEST_EXCERPT or len(lines) > MOST_LINES
    return "\n".join(kept), is_cut


def _strip(line: str) -> str:
    """A line without what cannot be printed; blanks at its beginning stay."""
    indent = line[: len(line) - len(line.lstrip(" \t"))].replace("\t", "    ")
    visible = "".join(sign if sign.isprintable() else " " for sign in line.strip())
    return indent + visible[:LONGEST_LINE] + ("…" if len(visible) > LONGEST_LINE else "")
