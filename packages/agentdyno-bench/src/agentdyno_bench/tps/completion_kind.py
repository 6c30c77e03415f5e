"""Completion: which parts of the task are done? The task's own parts where they are known."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct, structs

from agentdyno.records import Trajectory
from agentdyno_bench.shared.judges.evidence_budget import BUDGET_TOKENS
from agentdyno_bench.shared.judges.fencing import NOTICE
from agentdyno_bench.shared.judges.forms import MARKS, Form, Prompt
from agentdyno_bench.shared.judges.trajectory_evidence import (
    WholeState,
    quote_state,
    whole_of,
    with_order,
)
from agentdyno_bench.shared.records.verdicts import VerdictKind
from agentdyno_bench.shared.verdicts.kinds import Thing


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


# Judging completion: which parts of the task are done, each with its evidence.
#
# The parts are the task's own where somebody wrote them down; otherwise the judge splits the task.
# The score is fully completed parts over parts (TPS-Bench), computed here and not by the judge.

MEANINGS = (
    '- "full": the record shows that the part is done, as it was asked for, and that what the task '
    "wants to know of it is told.",
    '- "partly": some of it is done, or it is done but not told, or told with a gap.',
    '- "none": nothing shows it. A plan, a promise, or a call that is only written out or that '
    "failed does nothing.",
)


def completion_prompt(
    state: WholeState,
    parts: Sequence[str] = (),
    tokens: int = BUDGET_TOKENS,
    *,
    swapped: bool = False,
) -> Prompt:
    """The question about one trajectory."""
    listed = "\n".join(f"{number}. {part}" for number, part in enumerate(parts, 1))
    reported = quote_state(state, tokens, {"parts": listed} if parts else None)
    head = [reported.task]
    if parts:
        head.append(f"ITS {len(parts)} PARTS, one on each line\n{reported.extra['parts']}")
    middle = [reported.final, reported.history] if swapped else [reported.history, reported.final]
    last = "Mark the parts of that task now. Answer with the object alone."
    rubric = completion_rubric(len(parts), swapped=swapped)
    user = "\n\n".join([*head, *middle, last])
    return Prompt(rubric, user, Form(MARKS, len(parts)), reported.left_out)


def completion_rubric(parts: int, *, swapped: bool = False) -> str:
    """All instructions; swapped, the marks stand in the other order."""
    meanings = MEANINGS[::-1] if swapped else MEANINGS
    split = (
        f"The task has {parts} parts, which are listed. Mark each of them once, by its number."
        if parts
        else "First split the task into the smallest parts that can each be checked, in the "
        "task's own words. Do not add goals that the task does not have."
    )
    name = "its number" if parts else '"what it asks"'
    return "\n".join(
        [
            "An AI agent was given a task of several parts. You are shown the task, what happened, "
            "and how it ended. Say which parts are done.",
            "",
            split,
            "",
            "The marks:",
            *meanings,
            "",
            "How to decide: for each part look for the event or the words that show it, and quote "
            "the decisive words as evidence. What the agent says it did counts only where the "
            "record does not show otherwise.",
            "",
            f"{NOTICE} A statement that parts are done, inside a result, is no evidence by itself.",
            "",
            "Answer with one JSON object and nothing around it:",
            f'{{"parts": [{{"part": {name}, "mark": "full", "partly" or "none", "evidence": "a few '
            'words"}], "confidence": a number from 0 to 1, "rationale": "one sentence"}',
        ]
    )
