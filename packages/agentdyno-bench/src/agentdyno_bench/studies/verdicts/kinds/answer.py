"""Answer: is the end right? Only where a reference answer is known, in the trace or in a file."""

from collections.abc import Iterator, Mapping
from typing import Literal

from msgspec import Struct, structs

from agentdyno.records import Trajectory
from agentdyno_bench.judges.evidence_budget import BUDGET_TOKENS
from agentdyno_bench.judges.prompt import Prompt
from agentdyno_bench.judges.right_answer import answer_prompt
from agentdyno_bench.judges.trajectory_evidence import WholeState, whole_of
from agentdyno_bench.records.verdicts import VerdictKind
from agentdyno_bench.studies.verdicts.kinds import Thing

NO_REFERENCE = "no reference answer: neither the trace nor --references has one for this task"
NO_END = "the last turn has neither a text nor a call that could be an answer"


class Answered(Struct, frozen=True):
    """An end, and what it should be."""

    state: WholeState
    reference: str


class AnswerKind:
    """Every main trajectory that has a turn."""

    name: VerdictKind = "answer"
    about: Literal["calls", "trajectories"] = "trajectories"
    framings: tuple[str, ...] = ("answer",)

    def __init__(
        self, references: Mapping[str, str] | None = None, tokens: int = BUDGET_TOKENS
    ) -> None:
        self._references = references or {}
        self._tokens = tokens

    def things(self, trajectory: Trajectory) -> Iterator[Thing]:
        """The end with its reference; what the file says goes before what the trace says."""
        if trajectory.parent_id is not None or not trajectory.turns:
            return
        reference = self._references.get(trajectory.task_id or "", trajectory.expected)
        state = whole_of(trajectory)
        if not (reference or "").strip():
            yield Thing(None, problem=NO_REFERENCE)
        elif not state.final:
            yield Thing(None, problem=NO_END)
        else:
            yield Thing(Answered(state, reference or ""))

    def prompt(self, evidence: Answered, framing: str, *, swapped: bool = False) -> Prompt:
        """The question about one end."""
        return answer_prompt(evidence.state, evidence.reference, self._tokens, swapped=swapped)

    def steered(self, evidence: Answered, order: str) -> Answered:
        """The order stands at the end of the answer."""
        stated = structs.replace(evidence.state, final=evidence.state.final + order)
        return structs.replace(evidence, state=stated)
