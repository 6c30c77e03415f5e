"""Schedules as values: a graph of work, calls placed on it, what they measure, and ledger tables.

Known graphs come with our own tasks. On any other trace edges are inferred from values and every
row says so.
"""

from typing import Literal

from msgspec import Struct

from agentdyno.records.columns import Column


class GraphNode(Struct, frozen=True):
    """One piece of work."""

    node: str
    """Its name."""
    needs: list[str]
    """What must be done before."""
    seconds: float
    """How long it takes."""


class ScheduledCall(Struct, frozen=True):
    """One executed call, placed on a known graph."""

    turn: int
    """The turn with calls that made it, from 0."""
    tool: str
    """The tool."""
    node: str | None
    """The piece of work it was for; None when no piece of work can use this tool."""
    did: list[str]
    """The pieces of work that it was the first to do."""
    seconds: float
    """How long it took, or would have taken."""
    failed: bool
    """Whether it ended with an error."""
    repeated: bool
    """Whether the same call had succeeded before."""


class ScheduleMeasures(Struct, frozen=True):
    """A schedule against the best one known."""

    turns: int
    """Turns that made calls."""
    best_turns: int
    """The longest chain of the graph: fewer turns are impossible."""
    turns_over_best: float | None
    """Turns over the longest chain; None without calls."""
    calls: int
    """Calls that were executed."""
    best_calls: int
    """Pieces of work: the reference plan's calls."""
    busy_seconds: float
    """Sum of all calls' times: what they take one after the other."""
    makespan_seconds: float
    """Tool time from first to last call, the turns one after the other."""
    critical_path_seconds: float
    """The longest chain in time: no schedule is faster."""
    by_turns_seconds: float
    """The plan with every call in its earliest turn: what an agent needs that waits for turns."""
    makespan_over_critical: float | None
    """Makespan over the critical path; None without calls."""
    speedup_taken: float | None
    """Busy time over makespan; 1 when nothing ran at the same time; None without calls."""
    speedup_available: float
    """The plan's busy time over its critical path."""
    speedup_by_turns: float
    """The plan's busy time over its time with every call in its earliest turn."""
    early_calls: int
    """Calls made before something that they need was done."""
    repeated_calls: int
    """Calls made again after they had succeeded."""
    unneeded_calls: int
    """Calls to tools that no piece of work can use."""
    failed_calls: int
    """Calls that ended with an error."""


class InferredEdge(Struct, frozen=True):
    """A dependency read off the values: a later call's argument came from an earlier result."""

    source: int
    """Index into `Trajectory.calls` of the call whose result first showed the value."""
    target: int
    """Index of the call that used it."""
    value: str
    """The value, printable and shortened."""


class Parallelism(Struct, frozen=True):
    """How much ran at the same time in a trajectory."""

    calls: int
    """Executed calls."""
    call_turns: int
    """Turns that made calls."""
    calls_per_turn: float | None
    """Calls over turns with calls; None without calls."""
    widest_turn: int
    """Most calls in one turn."""
    overlap: float | None
    """Summed call times over the time in which any ran; 1 without overlap; None without times."""


class MissedParallelism(Struct, frozen=True):
    """What independent calls made one after the other cost."""

    turns: int
    """Turns whose calls could have been made by an earlier turn."""
    joined: dict[int, int]
    """Such a turn -> the earlier turn that could have made its calls."""
    tool_seconds: float | None
    """Waiting that running them at the same time would have saved; None without times."""
    model_seconds_at_most: float | None
    """Generation time of those turns; what they wrote would still have to be written."""
    pte: float | None
    """Cost that would be gone; None without the turns' costs."""


EdgeSource = Literal["inferred", "known"]

SCHEDULING: tuple[Column, ...] = (
    Column("trajectory_id", "text", "The trajectory."),
    Column("edge_source", "text", "`inferred` from values, or `known` from the task's graph."),
    Column("call_turns", "whole", "Turns that made calls."),
    Column("calls_per_turn", "number", "Calls over turns with calls; null without calls."),
    Column("widest_turn", "whole", "Most calls in one turn."),
    Column("overlap", "number", "Summed call times over the time in which any call ran."),
    Column("edges", "whole", "Dependencies between calls."),
    Column("depth", "whole", "Calls in the longest chain of dependencies."),
    Column("missed_turns", "whole", "Turns whose calls could have been made by an earlier one."),
    Column("missed_tool_seconds", "number", "Waiting that would have been saved."),
    Column("missed_model_seconds", "number", "Generation time of those turns, at most saved."),
    Column("missed_pte", "number", "Cost of those turns that would have been saved."),
)

DEPENDENCIES: tuple[Column, ...] = (
    Column("trajectory_id", "text", "The trajectory."),
    Column("edge_source", "text", "`inferred` from values, or `known` from the task's graph."),
    Column("source_turn", "whole", "Turn of the call whose result is used."),
    Column("source_call", "whole", "That call's place in its turn."),
    Column("target_turn", "whole", "Turn of the call that uses it."),
    Column("target_call", "whole", "That call's place in its turn."),
    Column("value", "text", "The value that gave it away, shortened."),
)
