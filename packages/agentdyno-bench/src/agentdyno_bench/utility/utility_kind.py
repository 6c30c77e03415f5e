"""Utility: did a call raise the odds that the task is solved?"""

from collections.abc import Iterator
from typing import Literal

from msgspec import structs

from agentdyno.matching.logical_tools import LogicalTools
from agentdyno.records import Trajectory
from agentdyno_bench.shared.judges.forms import Prompt
from agentdyno_bench.shared.judges.framing import Framing
from agentdyno_bench.shared.records.verdicts import VerdictKind
from agentdyno_bench.shared.verdicts.kinds import Thing
from agentdyno_bench.utility.judge import CallState, build_prompt, state_of


class UtilityKind:
    """Every call that the rules do not leave out."""

    name: VerdictKind = "utility"
    about: Literal["calls", "trajectories"] = "calls"

    def __init__(self, framing: Framing | None = None, rules: LogicalTools | None = None) -> None:
        self._framing = framing or Framing()
        self._rules = rules or LogicalTools()
        self.framings: tuple[str, ...] = (self._framing.name,)

    def things(self, trajectory: Trajectory) -> Iterator[Thing]:
        """The calls with the state around each."""
        for index, call in enumerate(trajectory.calls):
            tool = self._rules.name_of(call.tool, call.arguments)
            if tool is not None:
                yield Thing(state_of(trajectory, index, tool), call.turn, call.call)

    def prompt(self, evidence: CallState, framing: str, *, swapped: bool = False) -> Prompt:
        """The question about one call."""
        return build_prompt(evidence, structs.replace(self._framing, swapped=swapped))

    def steered(self, evidence: CallState, order: str) -> CallState:
        """The order stands at the end of the result."""
        return structs.replace(evidence, result=(evidence.result or "") + order)
