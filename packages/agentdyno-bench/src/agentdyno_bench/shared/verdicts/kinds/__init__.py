"""Kinds of judging: a trajectory in, things to judge and their prompts out.

    utility      did a call help                                 a verdict for every call
    failure      how were the tools used, in two framings        a verdict for every trajectory
    answer       is the end right, by a reference                a verdict for every trajectory
    completion   which parts of the task are done                a verdict for every trajectory

A kind knows its rubric and nothing of money, journals or ledgers: those are the same for all.
"""

from collections.abc import Iterator
from typing import Any, Literal, Protocol

from msgspec import Struct

from agentdyno.records import Trajectory
from agentdyno_bench.shared.judges.forms import Prompt
from agentdyno_bench.shared.prompts import replace_instructions
from agentdyno_bench.shared.records.verdicts import VerdictKind


class Thing(Struct, frozen=True):
    """One call or one trajectory that is to be judged."""

    evidence: Any
    """What a prompt is made of."""
    turn: int | None = None
    """The call's turn; None for a trajectory."""
    call: int | None = None
    """The call within that turn; None for a trajectory."""
    problem: str | None = None
    """Why no judge can say; it is recorded without a label, and nobody is asked."""


class Kind(Protocol):
    """A sort of judgement."""

    name: VerdictKind
    """Its name in the table."""
    about: Literal["calls", "trajectories"]
    """The ledger's table whose rows are judged."""
    framings: tuple[str, ...]
    """Ways to put the question, each a judge of its own; a single model takes all of them, several
    take them in turn."""

    def things(self, trajectory: Trajectory) -> Iterator[Thing]:
        """The things to judge in a trajectory."""
        ...

    def prompt(self, evidence: Any, framing: str, *, swapped: bool = False) -> Prompt:
        """The question; swapped, labels and evidence come in the other order."""
        ...

    def steered(self, evidence: Any, order: str) -> Any:
        """The same evidence with an order to the judge inside, where a hostile tool or model would
        put it."""
        ...


class InstructedKind:
    """A kind whose rubrics are somebody else's; with one text for two framings they are one."""

    def __init__(self, kind: Kind, instructions: tuple[str, ...]) -> None:
        self._kind, self._instructions = kind, instructions
        self.name, self.about = kind.name, kind.about
        self.framings = kind.framings[: len(instructions)]

    def things(self, trajectory: Trajectory) -> Iterator[Thing]:
        """The things to judge in a trajectory."""
        return self._kind.things(trajectory)

    def prompt(self, evidence: Any, framing: str, *, swapped: bool = False) -> Prompt:
        """The question under the framing's text."""
        text = self._instructions[self.framings.index(framing)]
        return replace_instructions(self._kind.prompt(evidence, framing, swapped=swapped), text)

    def steered(self, evidence: Any, order: str) -> Any:
        """The same evidence with an order to the judge inside."""
        return self._kind.steered(evidence, order)
