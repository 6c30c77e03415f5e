"""A compound task as a value: what the agent is asked, and all that is needed to mark it."""

from typing import Any, Literal

from msgspec import Struct

Level = Literal["easy", "hard", "purpose", "train"]


SlotKind = Literal["number", "date", "time", "moment", "entity", "list"]
"""`moment` is a date with a time, of which the time must be stated."""


BARE = "1"
"""The unit of a number without a dimension: stated in kilograms or euros it is another one."""


class Slot(Struct, frozen=True):
    """A value that the final answer must give, as an answer."""

    kind: SlotKind
    """What kind of value it is, and so how it may be worded."""
    value: Any
    """The value, as the services give it."""
    unit: str | None = None
    """Unit or currency code of a number, `BARE` for a count, a score or a year; None otherwise."""
    field: str = ""
    """The results' name for it; other values of that name are rivals to it."""
    support: list[Any] = []
    """Values that it can be worked out from; empty when it must be read as it is."""


class StateCheck(Struct, frozen=True):
    """A row that must be in the world's state at the end, or must be gone from it."""

    server: str
    """The server that holds it."""
    collection: str
    """The collection within the server's state."""
    equals: dict[str, Any]
    """Fields with the value that they must have."""
    contains: dict[str, list[Any]] = {}
    """Fields (texts or lists) with the values that must stand in them."""
    gone: bool = False
    """Whether the row was there at first and must not be any more."""


class Goal(Struct, frozen=True):
    """One outcome that the user wants: a value in the answer, or a state of the world."""

    goal_id: str
    """Id within the task: `w1`, `w2`, …"""
    step: str
    """The step of the reference plan that brings it; any other way counts as well."""
    asks: str
    """The goal in words; the agent never sees it."""
    slot: Slot | None = None
    """The value that the answer must give."""
    state: StateCheck | None = None
    """The state to be reached."""
    stage: int = 0
    """The user's message that asks for it, from 0; a value must stand in the answer to it."""


class Subtask(Struct, frozen=True):
    """One step of the reference plan: a call that brings the task further."""

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
    stage: int = 0
    """The user's message after which it is done, from 0."""


class CompoundTask(Struct, frozen=True):
    task_id: str
    """Id such as `easy-001`, `hard-001`, `purpose-001` or `train-001`."""
    level: Level
    """How hard it is, or that it is for training."""
    prompt: str
    """What the agent is asked."""
    scenes: list[str]
    """What it was composed of; for statistics only."""
    subtasks: list[Subtask]
    """The reference plan with its graph: one way to do it, by which schedules are measured."""
    goals: list[Goal] = []
    """The goals by which the task is marked."""
    follow_ups: list[str] = []
    """What the user says after the first answer, after the second, …"""
    forbidden: bool | None = None
    """Whether a rule of the user's forbids what he asks for; None where he states no rule."""


class TaskSet(Struct, frozen=True):
    """A file of tasks."""

    world_seed: int
    """The seed of the world that the values were found in."""
    made_by: str
    """`pipeline` with its seed."""
    tasks: list[CompoundTask]
    """The tasks in their order."""
    draws: list[int] = []
    """Numbers of the pipeline's drafts that became the tasks: they give the same tasks again,
    whatever today's screen would refuse. Empty for tasks of other origin."""
