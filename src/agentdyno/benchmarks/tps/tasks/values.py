"""A compound task as a value: what the agent is asked, and all that is needed to mark it."""

from typing import Any, Literal

from msgspec import Struct

Level = Literal["easy", "hard", "train"]


class StateCheck(Struct, frozen=True):
    """A row that must be in the world's state at the end."""

    server: str
    """The server that holds it."""
    collection: str
    """The collection within the server's state."""
    equals: dict[str, Any]
    """Fields with the value that they must have."""
    contains: dict[str, list[Any]] = {}
    """Fields (texts or lists) with the values that must stand in them."""


class Subtask(Struct, frozen=True):
    """One thing that has to be done, by one call."""

    subtask_id: str
    """`s1`, `s2`, …, in an order in which they can be done."""
    goal: str
    """What is to be done, in a sentence; never shown to the agent."""
    tool: str
    """The tool of the reference plan, with its server's prefix."""
    arguments: dict[str, Any]
    """Its arguments; values from earlier results as references."""
    needs: list[str]
    """The subtasks whose results the arguments come from: the edges of the graph."""
    serves: list[str]
    """Tools that can do it, each proved by a call whose result held the evidence."""
    about: list[str]
    """Texts that a call for this subtask names, in its arguments or its result."""
    evidence: list[Any]
    """Values that the result of such a call holds."""
    answer: list[Any]
    """Values that the final answer must state."""
    state: StateCheck | None
    """What the call must leave in the world; None when it changes nothing."""
    latency_seconds: float
    """How long the reference call takes."""


class CompoundTask(Struct, frozen=True):
    """One task."""

    task_id: str
    """`easy-001`, `hard-001`, `train-001`."""
    level: Level
    """How hard it is, or that it is for training."""
    prompt: str
    """What the agent is asked."""
    scenes: list[str]
    """What it was composed of; for statistics only."""
    subtasks: list[Subtask]
    """What has to be done."""


class TaskSet(Struct, frozen=True):
    """A file of tasks."""

    world_seed: int
    """The seed of the world that the values were found in."""
    made_by: str
    """`pipeline` with its seed, or the author model's name."""
    tasks: list[CompoundTask]
    """The tasks."""
