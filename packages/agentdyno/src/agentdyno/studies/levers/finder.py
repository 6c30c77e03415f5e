"""What finds levers: a report context in, levers out, under a name.

Built-in finders and those of third parties register under the same entry point group,
`agentdyno.levers`.
"""

from collections.abc import Callable, Iterable

from msgspec import Struct

from agentdyno.plugins import load_plugins
from agentdyno.studies.cost.lever import Lever
from agentdyno.studies.report_context import ReportContext

GROUP = "agentdyno.levers"


class LeverFinder(Struct, frozen=True):
    """A rule that finds levers of one sort."""

    name: str
    """Unique among the finders."""
    find: Callable[[ReportContext], Iterable[Lever]]
    """The levers that a ledger has, small ones too; none where the ledger cannot say."""


def load_levers() -> dict[str, LeverFinder]:
    """Every installed finder by name, built-in ones first."""
    return load_plugins(GROUP, LeverFinder)[0]
