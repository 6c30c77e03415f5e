"""A trajectory laid out for the detectors: who said what when, each text looked at once.

Takes a `Trajectory`, returns views of it that are worked out when first asked for. Knows nothing of
any pattern.
"""

from functools import cached_property
from typing import Any

from agentdyno.findings.patterns.families import family_of
from agentdyno.matching.appearances import Appearances, appearances
from agentdyno.matching.effects import Effect, effect_of
from agentdyno.measures.patterns import read_arguments
from agentdyno.records import Part, ToolCall, Trajectory


class Reading:
    """Views of one trajectory."""

    def __init__(self, trajectory: Trajectory) -> None:
        self.trajectory = trajectory
        self.calls = tuple(trajectory.calls)
        self.parts = tuple(trajectory.parts)

    def result(self, call: ToolCall) -> Part | None:
        """What came back; None when nothing is recorded."""
        return None if call.result is None else self.parts[call.result]

    def family(self, call: ToolCall) -> str | None:
        """The family of the call's tool."""
        return family_of(call.tool)

    @cached_property
    def written(self) -> list[list[Part]]:
        """Per turn: the texts and the reasoning that it decoded."""
        by_turn: list[list[Part]] = [[] for _ in self.trajectory.turns]
        for part in self.parts:
            if part.made is not None and part.text and part.kind in ("text", "reasoning"):
                by_turn[part.made].append(part)
        return by_turn

    @cached_property
    def calls_by_turn(self) -> list[list[ToolCall]]:
        """Per turn: its calls."""
        by_turn: list[list[ToolCall]] = [[] for _ in self.trajectory.turns]
        for call in self.calls:
            by_turn[call.turn].append(call)
        return by_turn

    @cached_property
    def schemas(self) -> dict[str, list[Part]]:
        """Offered tools by name; empty when the trace shows none."""
        offered: dict[str, list[Part]] = {}
        for part in self.parts:
            if part.kind == "schema":
                offered.setdefault(part.name or "", []).append(part)
        return offered

    @cached_property
    def arguments(self) -> list[Any]:
        """Per call: its arguments decoded; text that claims to be no JSON stays as it is."""
        return [read_arguments(call.arguments) for call in self.calls]

    @cached_property
    def index(self) -> Appearances:
        """Where every token of the trajectory stands."""
        return appearances(self.trajectory)

    @cached_property
    def effects(self) -> list[Effect]:
        """Per call: what it may have done to the world; broken arguments say nothing of it."""
        columns = zip(self.calls, self.arguments, self.index.effects, strict=True)
        return [
            effect if isinstance(value, dict) else effect_of(call.tool, value, self._schema(call))
            for call, value, effect in columns
        ]

    def _schema(self, call: ToolCall) -> str | None:
        offered = self.schemas.get(call.tool)
        return offered[0].text if offered else None
