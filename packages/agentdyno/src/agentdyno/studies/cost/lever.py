"""A lever as a value."""

from typing import Literal

from msgspec import Struct

from agentdyno.records.cost_unit import CostUnit

LeverUnit = Literal[CostUnit, "seconds"]
Certainty = Literal["at most", "predicted", "proved"]


class Lever(Struct, frozen=True, kw_only=True):
    """Something that could be changed, and what hangs on it."""

    name: str
    """unused_tools, long_results, cache, …, or `pattern:NAME`."""
    what: str
    """What to do, in a few words without figures."""
    where: list[str]
    """The tools or settings it concerns, the largest first; names as the trace has them."""
    amount: float
    """How much hangs on it, in `unit`."""
    share: float
    """The same over all of the ledger's cost in that unit."""
    unit: LeverUnit = "pte"
    """What is saved; PTE only where the ledger has one architecture."""
    certainty: Certainty
    """How sure the amount is."""
    assumption: str
    """What the figure takes for granted."""
    command: str = ""
    """Options of `agentdyno whatif` that compute the same; empty where it cannot."""
    evidence: str = ""
    """What in the ledger speaks for it; empty where the amount says all."""
    change: str = ""
    """The exact change to make; empty where it cannot be named."""
