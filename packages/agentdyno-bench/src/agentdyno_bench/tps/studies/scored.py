"""Scores that our own scorer wrote for an attempt: completion, calls on the graph."""

from typing import Any

from msgspec import Struct

from agentdyno.records.scheduling import GraphNode, ScheduledCall


class PlanScore(Struct, frozen=True):
    """How a sample was scored, as its scorer wrote it."""

    level: str
    """easy, hard, purpose or train."""
    subtasks: int
    """How many goals the task has."""
    completed: list[str]
    """Those that are done, by program."""
    graph: list[GraphNode]
    placed: list[ScheduledCall]
    """The executed calls, on the graph."""
    needed_tools: list[list[str]]
    """For each subtask the tools that can serve it."""
    serving_tools: list[str]
    """All tools that can serve something."""
    selection: str
    """self, none or rule."""
    scheduling: str
    harms: list[dict[str, Any]] | None = None
    """Changes that nobody asked for; a task with any is not solved. None in older logs."""
    unclear: list[str] | None = None
    """Goals of which nobody could tell whether they are done; None in older logs."""
    answers: str | None = None
    """submit or prose; None in older logs, whose answers were prose that rules read."""
    ceiling: float | None = None
    """Share of the goals that the setting lets any agent meet; None in older logs."""
    selected: list[str] | None = None
    """Tools that the agent got."""
    stopped: str | None = None
    wall_seconds: float | None = None
    """From selection to answer, real time."""
    judged_completion: float | None = None
    """Completion by the judge."""
    judged_subtasks: int | None = None
    """Parts that the judge found in the task."""
    judged_selection: float | None = None
    """The judge's points for the selection."""


class ScoredSample(Struct, frozen=True):
    """One sample of one setting."""

    trajectory_id: str
    """The agent's trajectory in the ledger."""
    completion: float
    """Share of the subtasks that are done, by program."""
    marks: PlanScore
