"""Failure: how did the agent use its tools, with the task's truth where it is known?"""

from collections.abc import Iterator
from typing import Literal, cast

from msgspec import Struct, structs

from agentdyno.records import Trajectory
from agentdyno_bench.shared.judges.evidence_budget import BUDGET_TOKENS
from agentdyno_bench.shared.judges.forms import Prompt
from agentdyno_bench.shared.judges.trajectory_evidence import WholeState, whole_of, with_order
from agentdyno_bench.shared.records.verdicts import VerdictKind
from agentdyno_bench.shared.verdicts.kinds import Thing
from agentdyno_bench.toolfail.judge import FRAMINGS, Framing, blind_prompt, failure_prompt
from agentdyno_bench.toolfail.records import TaskSuite, ToolAnswer, ToolTask
from agentdyno_bench.toolfail.studies.labels import answer_of


class Attempt(Struct, frozen=True):
    """An attempt at a task whose truth is known."""

    task: ToolTask
    answer: ToolAnswer
    """What was called and said."""
    offered: tuple[str, ...]
    """Names of the tools of its domain."""


class FailureKind:
    """Every main trajectory that has a turn; one of the suite by its truth, others without."""

    name: VerdictKind = "failure"
    about: Literal["calls", "trajectories"] = "trajectories"
    framings: tuple[str, ...] = FRAMINGS

    def __init__(self, suite: TaskSuite | None = None, tokens: int = BUDGET_TOKENS) -> None:
        self._tasks = {task.task_id: task for task in suite.tasks} if suite else {}
        self._tools = suite.tools if suite else {}
        self._tokens = tokens

    def things(self, trajectory: Trajectory) -> Iterator[Thing]:
        """The trajectory with its task, or as it stands."""
        if trajectory.parent_id is not None or not trajectory.turns:
            return
        task = self._tasks.get(trajectory.task_id or "")
        if task is None:
            yield Thing(whole_of(trajectory))
        else:
            offered = tuple(tool.name for tool in self._tools.get(task.domain, ()))
            yield Thing(Attempt(task, answer_of(trajectory), offered))

    def prompt(
        self, evidence: Attempt | WholeState, framing: str, *, swapped: bool = False
    ) -> Prompt:
        """The question about one trajectory."""
        known_framing = cast(Framing, framing)
        if isinstance(evidence, WholeState):
            return blind_prompt(evidence, known_framing, self._tokens, swapped=swapped)
        task, answer, offered = evidence.task, evidence.answer, evidence.offered
        return failure_prompt(task, answer, known_framing, offered, swapped=swapped)

    def steered(self, evidence: Attempt | WholeState, order: str) -> Attempt | WholeState:
        """Add the order to a tool result of the task where there is one, else to the answer."""
        if isinstance(evidence, WholeState):
            return with_order(evidence, order)
        changed = structs.replace(evidence.answer, answer=evidence.answer.answer + order)
        return structs.replace(evidence, answer=changed)
