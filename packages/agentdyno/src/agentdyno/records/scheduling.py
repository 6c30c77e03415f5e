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
    needs: list[str]
    """Nodes that must be done before."""
    seconds: float
    """How long it takes."""


class ScheduledCall(Struct, frozen=True):
    """One executed call, placed on a known graph."""

    turn: int
    """The turn with calls that made it, from 0."""
    tool: str
    node: str | None
    """The piece of work it was for; None when no piece of work can use this tool."""
    did: list[str]
    """The pieces of work that it was the first to do."""
    seconds: float
    """How long it took, or would have taken."""
    failed: bool
    """True when it ended with an error."""
    repeated: bool
    """True when the same call had succeeded before."""
    ran: bool = True
    """True when the tool was executed; a call that was refused before is in no schedule."""


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
    """Calls that ended with an error, those that were refused before they ran included."""


class CallEdge(Struct, frozen=True):
    """A dependency: a later call used what an earlier one brought."""

    source: int
    """Index into `Trajectory.calls` of the earlier call."""
    target: int
    """Index of the call that used its result."""
    value: str
    """The evidence: the value, printable and shortened, or the piece of work it needed."""
    reason: str = "the task's graph says so"
    """Why the later call rests on the earlier one, in words."""
    confidence: float = 1.0
    """How sure that is, from 0 to 1; 1 where the graph is known."""


class Join(Struct, frozen=True):
    """A turn whose calls could have been made by an earlier one."""

    turn: int
    """The turn that would not exist."""
    into: int
    """The earlier turn that could have made its calls."""
    reason: str
    """Why, in words."""


class KnownSchedule(Struct, frozen=True):
    """Facts that come with a task about the calls of a trajectory."""

    edges: list[CallEdge]
    """The graph's edges between calls."""
    seconds: dict[int, float]
    """How long services took, or would have taken, by index into `Trajectory.calls`."""


class Parallelism(Struct, frozen=True):
    """The parallelism of a trajectory's calls."""

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
    """The cost of independent calls made one after the other."""

    turns: int
    """Turns whose calls could have been made by an earlier turn."""
    joined: dict[int, int]
    """Such a turn -> the earlier turn that could have made its calls."""
    joins: list[Join]
    """Every join, with its reason."""
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
    Column(
        "missed_turns",
        "whole",
        "Turns that could have been part of an earlier one; null where the graph is not known.",
    ),
    Column("missed_tool_seconds", "number", "Waiting that would have been saved."),
    Column("missed_model_seconds", "number", "Generation time of those turns, at most saved."),
    Column("missed_pte", "number", "Cost of those turns that would have been saved."),
)

JOINS: tuple[Column, ...] = (
    Column("trajectory_id", "text", "The trajectory."),
    Column("edge_source", "text", "`inferred` from values, or `known` from the task's graph."),
    Column("turn", "whole", "The turn that would not exist."),
    Column("into", "whole", "The earlier turn that could have made its calls."),
    Column("confidence", "text", "`certain`; older ledgers have `possible` ones, used nowhere."),
    Column("reason", "text", "Why, in words."),
)
"""A row per turn that could have been part of an earlier one, where the graph is known; older
ledgers have inferred ones, used nowhere."""

DEPENDENCIES: tuple[Column, ...] = (
    Column("trajectory_id", "text", "The trajectory."),
    Column("edge_source", "text", "`inferred` from values, or `known` from the task's graph."),
    Column("source_turn", "whole", "Turn of the call whose result is used."),
    Column("source_call", "whole", "That call's place in its turn."),
    Column("target_turn", "whole", "Turn of the call that uses it."),
    Column("target_call", "whole", "That call's place in its turn."),
    Column("value", "text", "The value that gave it away, shortened, or the work it needed."),
    Column("reason", "text", "Why the later call rests on the earlier one, in words."),
    Column("confidence", "number", "How sure that is, from 0 to 1; 1 where the graph is known."),
)

PLANNING: tuple[Column, ...] = (
    Column("trajectory_id", "text", "The trajectory; its task comes with a known graph of work."),
    Column("selection", "text", "How tools were selected: `self`, `none` or `rule`."),
    Column("scheduling", "text", "How calls were scheduled: `parallel` or `sequential`."),
    Column("answers", "text", "`submit` or `prose`; null in logs from before `submit`."),
    Column("subtasks", "whole", "Pieces of work in the task."),
    Column("completed", "whole", "Pieces that are done, by program."),
    Column("unclear", "whole", "Pieces of answers in prose that no judge decided."),
    Column("completion", "number", "Completed over subtasks."),
    Column("correct", "truth", "Whether all of them are done, and nothing else was changed."),
    Column("harms", "whole", "Changes that nobody asked for; null in logs that do not say."),
    Column("ceiling", "number", "Share of the pieces that the setting lets any agent do."),
    Column("judged_completion", "number", "Completion by a judge; null without one."),
    Column("judged_subtasks", "whole", "Parts that the judge found in the task."),
    Column("selected_tools", "whole", "Tools that the agent was given."),
    Column("selection_precision", "number", "Of these, the share that can serve a subtask."),
    Column("selection_recall", "number", "Share of the subtasks that one of them can serve."),
    Column("judged_selection", "number", "The judge's points for the selection, out of 100."),
    Column("call_turns", "whole", "Turns that made calls."),
    Column("best_turns", "whole", "The longest chain of the graph: fewer turns are impossible."),
    Column("turns_over_best", "number", "The first over the second; null without calls."),
    Column("calls", "whole", "Calls that were executed."),
    Column("best_calls", "whole", "Calls of the reference plan."),
    Column("busy_seconds", "number", "The services' times of all calls, one after the other."),
    Column("tool_seconds", "number", "The same with the calls of a turn at once: the makespan."),
    Column("critical_path_seconds", "number", "The longest chain in time: no schedule is faster."),
    Column("by_turns_seconds", "number", "The plan with every call in its earliest turn."),
    Column("makespan_over_critical", "number", "Makespan over critical path; null without calls."),
    Column("speedup_taken", "number", "Busy time over makespan; null without calls."),
    Column("speedup_available", "number", "The plan's busy time over its critical path."),
    Column("early_calls", "whole", "Calls made before something that they need was done."),
    Column("repeated_calls", "whole", "Calls made again after they had succeeded."),
    Column("unneeded_calls", "whole", "Calls to tools that no piece of work can use."),
    Column("failed_calls", "whole", "Calls that ended with an error or were refused."),
    Column("model_seconds", "number", "Generation time of all turns; null when any is unknown."),
    Column("wall_seconds", "number", "Real time from the selection to the answer."),
    Column("stopped", "text", "Why the agent stopped."),
)
"""A row per attempt at a task of our own benchmark of planning and scheduling."""

PLACEMENTS: tuple[Column, ...] = (
    Column("trajectory_id", "text", "The trajectory."),
    Column("turn", "whole", "The turn that made the call."),
    Column("call", "whole", "Its place among the calls of that turn, from 0."),
    Column("node", "text", "The piece of work it was for; null when none can use its tool."),
    Column("did", "whole", "Pieces of work that it was the first to do."),
    Column("seconds", "number", "How long the service took, or would have taken."),
    Column("early", "truth", "Whether something that it needs had not been done before."),
    Column("repeated", "truth", "Whether the same call had succeeded before."),
)
"""A row per executed call of such an attempt, on the task's graph."""
