"""Short, printable quotes out of foreign text."""

from agentdyno.records import printable

LIMIT = 200


def quote(text: str) -> str:
    """The beginning of a text, on one line."""
    return printable(" ".join(text[: LIMIT * 4].split()), LIMIT)


def quote_around(text: str, start: int, end: int, margin: int = 80) -> str:
    """A span with some of what stands around it."""
    return quote(text[max(0, start - margin) : end + margin])
