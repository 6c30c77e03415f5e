"""What the analyses behind a report found, as values. Renderers read them and compute nothing.

Every figure that could be missing is a `Estimate`, which then says why it is. What is called `cost`
is in the `unit` that its result names.
"""

from msgspec import Struct

from agentdyno.estimates.estimate import Estimate
from agentdyno.records.cost_unit import CostUnit
from agentdyno.records.settings import SettingName
from agentdyno.studies.cost.highlights import Highlights
from agentdyno.studies.cost.lever import Lever
from agentdyno.studies.cost.summary_results import Summary
from agentdyno.studies.outdated import OldRows


class PatternRate(Struct, frozen=True):
    """One wasteful pattern in one setting."""

    pattern: str
    setting: SettingName | None
    """Which setting; None for all together."""
    found: int
    frequency: Estimate
    """Share of trajectories that show it."""
    cost: float | None
    """What the detections cost together. None when unknown."""
    share: float | None
    """The same over the cost of all trajectories looked at."""


class PatternCase(Struct, frozen=True):
    """One detection with its evidence."""

    pattern: str
    trajectory_id: str
    turn: int | None
    call: int | None
    """The call within the turn."""
    evidence: str | None
    detail: str | None
    cost: float | None
    confidence: float | None = None
    """The share of such findings that was right when people read them; None when not measured."""


class PatternKind(Struct, frozen=True):
    """Detections of one kind of a pattern, with all that they cost."""

    pattern: str
    kind: str
    """What was wrong; for most patterns its name again."""
    found: int
    turns: int
    """Turns that made these calls."""
    cost: float | None
    """What their requests and results cost while they were in context."""
    turn_cost: float | None
    """What the turns cost that made them, by their share of the turn's calls: without these calls
    there would have been no such turns."""


class Patterns(Struct, frozen=True):
    """Which habits waste the fuel."""

    rates: list[PatternRate]
    """All settings together first, then by setting; the most expensive first."""
    cases: list[PatternCase]
    """The most expensive detections of each pattern."""
    found: int
    unread: int
    """Trajectories whose texts could not be read again, so that nobody looked."""
    reason: str | None
    """Why there are none. None when there are."""
    unproven: dict[str, int] = {}
    """Detections that are left out, by pattern: nobody measured how often it is right, or it was
    wrong too often."""
    unit: CostUnit = "pte"
    kinds: list[PatternKind] = []
    """Of all settings together, the most expensive first."""


class KindShare(Struct, frozen=True):
    """What one kind of part costs in one setting."""

    setting: SettingName
    kind: str
    """system, schema, user, reasoning, text, request, result or unseen."""
    cost: float | None
    """Summed; None where none of it is known."""
    share: float | None
    """Over the setting's total."""
    trajectories: int


class ToolShare(Struct, frozen=True):
    """What one tool costs in one setting."""

    setting: SettingName
    tool: str
    kind: str
    calls: int
    """How often it was called there."""
    cost: float | None
    """Summed; None where none of it is known."""
    share: float | None
    """Over the setting's total."""


class ExpensiveCall(Struct, frozen=True):
    """One of the calls that cost the most."""

    trajectory_id: str
    turn: int
    call: int
    """Its place in the turn."""
    tool: str | None
    request_tokens: float | None
    result_tokens: float | None
    held_turns: int | None
    """Turns whose context held the result."""
    error: str | None
    cost: float
    share: float | None
    """Over its trajectory's cost."""
    unit: CostUnit = "pte"
    subject: str | None = None
    """The file, command, … that it is about."""


class Overview(Struct, frozen=True):
    """What it cost, where it went, what to change."""

    summary: Summary
    """The ledger at a glance."""
    graded: int
    """Attempts known to be solved or not."""
    solved: int
    """Attempts known to be solved."""
    graded_cost: float | None
    """Cost of all graded attempts. None when any is unknown."""
    levers: list[Lever]
    """What could be changed; what is left to take first."""
    old: OldRows | None = None
    """Rows behind these figures that an older version measured; None where there are none."""
    highlights: Highlights = Highlights()
    """What the head of a report names."""


class Fuel(Struct, frozen=True):
    """Where the fuel went."""

    summary: Summary
    """By kind of part and by tool, over the whole ledger."""
    kinds: list[KindShare]
    """By setting and kind."""
    tools: list[ToolShare]
    """By setting, tool and kind."""


class Waste(Struct, frozen=True):
    """Wasteful habits."""

    patterns: Patterns
