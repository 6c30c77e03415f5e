"""What a report concludes, as values: three sentences, and what could be changed."""

from msgspec import Struct


class Lever(Struct, frozen=True):
    """Something that could be changed, and what hangs on it."""

    name: str
    """setting, unused_schemas, long_results, cache, or pattern:NAME."""
    sentence: str
    """What to do, with its figure."""
    pte_share: float
    """Share of all PTE that hangs on it."""
    assumption: str
    """What the figure takes for granted."""


class Conclusion(Struct, frozen=True):
    """Three sentences."""

    cost: str
    """What it costs."""
    place: str
    """Where it goes."""
    change: str
    """What to change, or why the data cannot say."""
