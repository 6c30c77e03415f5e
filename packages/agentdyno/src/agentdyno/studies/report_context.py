"""One ledger being asked: its tables, and what several studies share, each worked out once."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, TypeVar

from agentdyno.matching.logical_tools import LogicalTools
from agentdyno.records.cost_unit import CostUnit
from agentdyno.studies.cost.drilldown import Excerpts
from agentdyno.studies.cost.frames import Frames
from agentdyno.studies.cost.results import Patterns
from agentdyno.studies.cost.summary import sum_ledger, summarise_frames
from agentdyno.studies.cost.summary_results import Summary
from agentdyno.studies.outdated import OldRows, OldTable
from agentdyno.studies.tables import Sums, Texts

Answer = TypeVar("Answer")


class ReportContext:
    """What every study of a report is given."""

    def __init__(
        self,
        tables: Texts,
        outdated: Sequence[OldTable] = (),
        unproven: bool = False,
        old: OldRows | None = None,
        rules: LogicalTools | None = None,
        read_excerpts: Callable[[Sequence[str]], Excerpts] | None = None,
        *,
        everything: bool = False,
    ) -> None:
        self.tables = tables
        self.outdated = outdated
        """Derived tables with rows of an older version."""
        self.old = old
        """Measured rows of an older version; None where there are none."""
        self.unproven = unproven
        """Whether patterns are asked for that were mostly wrong, or never read on real traces."""
        self.rules = rules or LogicalTools()
        """Which tool a call is of, and which tools only read."""
        self.read_excerpts = read_excerpts
        """How calls begin, read again from the traces; None where no text is to be shown."""
        self.everything = everything
        """Whether lists are wanted whole, not their first rows."""
        self._known: dict[str, Any] = {}

    def once(self, name: str, ask: Callable[[], Answer]) -> Answer:
        """What was found under a name, asked for the first time it is needed."""
        if name not in self._known:
            self._known[name] = ask()
        answer: Answer = self._known[name]
        return answer

    @cached_property
    def summary(self) -> Summary:
        """The ledger at a glance."""
        return summarise_frames(self.tables, self.frames, self.sums)

    @cached_property
    def sums(self) -> Sums:
        """Parts, calls and turns of the ledger by name."""
        return sum_ledger(self.tables, self.frames.costs.unit)

    @cached_property
    def frames(self) -> Frames:
        """The tables, each trajectory with its setting and its task."""
        unread = frozenset(self.tables.missing("patterns"))
        return Frames(self.tables, unread, self.unproven)

    @property
    def unit(self) -> CostUnit:
        """What costs are counted in wherever they are added or compared over the ledger."""
        return self.summary.unit

    @cached_property
    def patterns(self) -> Patterns:
        """Wasteful habits that were found."""
        from agentdyno.studies.cost.patterns import patterns

        return patterns(self.frames)
