"""A page as text. Knows nothing of where it came from."""

from typing import Protocol

from msgspec import Struct


class Page(Struct, frozen=True):
    """A page that was read."""

    url: str
    """Where it was in the end, after redirects."""
    title: str
    """Its title; empty when it has none."""
    text: str
    is_complete: bool = True
    """Whether it was read to its end."""


class VisitBackend(Protocol):
    """A way to pages."""

    name: str
    """Its name in the configuration."""

    async def read(self, url: str) -> Page:
        """The page; `ToolFailedError` when it cannot be had."""
