"""Search results and their text for a model. Knows nothing of where it was searched."""

from typing import Protocol

from msgspec import Struct


class Hit(Struct, frozen=True):
    """One result."""

    title: str
    url: str
    """Its address, for the tool visit."""
    snippet: str
    """A few lines of it."""


class SearchBackend(Protocol):
    """A place to search in."""

    name: str
    """Its name in the configuration."""

    async def search(self, query: str) -> list[Hit]:
        """The best results first; `ToolFailedError` when searching failed."""


def describe(query: str, hits: list[Hit]) -> str:
    """The results of a query for the model."""
    if not hits:
        return f'Nothing was found for "{query}". Try other words.'
    entries = [
        f"{number}. {hit.title}\n   {hit.url}\n   {hit.snippet}"
        for number, hit in enumerate(hits, 1)
    ]
    return f'Results for "{query}":\n' + "\n".join(entries)
