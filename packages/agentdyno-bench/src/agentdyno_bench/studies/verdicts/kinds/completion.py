"""Completion: which parts of the task are done? The task's own parts where they are known."""

from collections.abc import Iterator, Mapping
from typing import Literal

from msgspec import Struct, structs

from agentdyno.records import Trajectory
from agentdyno_bench.judges.completion import completion_prompt
from agentdyno_bench.judges.evidence_budget import BUDGET_TOKENS
from agentdyno_bench.judges.prompt import Prompt
from agentdyno_bench.judges.trajectory_evidence import WholeState, whole_of, with_order
from agentdyno_bench.records.verdicts import VerdictKind
from agentdyno_bench.studies.verdicts.kinds import Thing


class JobResult(Struct, frozen=True):
    """A trajectory, and the parts of its task."""

    state: WholeState
    parts: tuple[str, ...]
    """The task's own parts; empty when nobody wrote them down."""


class CompletionKind:
    """Every main trajectory that has a turn."""

    name: VerdictKind = "completion"
    about: Literal["calls", "trajectories"] = "trajectories"
    framings: tuple[str, ...] = ("completion",)

    def __init__(
        self, parts: Mapping[str, tuple[str, ...]] | None = None, tokens: int = BUDGET_TOKENS
    ) -> None:
        self._parts = parts or {}
        self._tokens = tokens

    def things(self, trajectory: Trajectory) -> Iterator[Thing]:
        """The trajectory with the parts of its task."""
        if trajectory.parent_id is None and trajectory.turns:
            parts = self._parts.get(trajectory.task_id or "", ())
            yield Thing(JobResult(whole_of(trajectory), parts))

    def prompt(self, evidence: JobResult, framing: str, *, swapped: bool = False) -> Prompt:
        """The question about one trajectory."""
        return completion_prompt(evidence.state, evidence.parts, self._tokens, swapped=swapped)

    def steered(self, evidence: JobResult, order: str) -> JobResult:
        """The order stands in the last result, or else in the end."""
        return structs.replace(evidence, state=with_order(evidence.state, order))
