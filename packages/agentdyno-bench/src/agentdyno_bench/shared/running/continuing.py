"""A task whose samples go on from the middle of recorded ones.

TaskRecipe(FACTORY, {"task": {...}}, {"plan": "plan.json"})

Takes the recipe of a task and a plan, which says where recorded samples are to be cut and with
which seeds they go on; returns an ordinary task: the recorded task's own samples, solver, tools,
limits and scorer, each sample played back to its cut (see `replaying`) and live from there. Any
task can be continued whose solver asks `get_model()` and whose tools stand in for recorded calls
or give the same again.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from agentdyno.records import InputError, printable
from agentdyno_bench.shared.running.options import TaskRecipe
from agentdyno_bench.shared.running.recipes import build_task

if TYPE_CHECKING:
    from inspect_ai import Task
    from inspect_ai.dataset import Sample
    from inspect_ai.solver import Solver

FACTORY = "agentdyno_bench.shared.running.continuing:continuing_task"
PREFIX = "rollout_"
"""Before the task's own name: continuations are never mistaken for attempts."""


class Continuation(Struct, frozen=True, gc=False):
    """One sample of the task."""

    name: str
    """Its id, unique among all continuations of a ledger."""
    log: str
    """The log with the recorded sample."""
    sample: str
    answers: int
    """Recorded answers before the cut."""
    calls: int
    """Calls that the last of these keeps."""
    seed: int
    """Seed of the live answers."""


def write_plan(file: Path, continuations: list[Continuation]) -> None:
    """The plan, in a file that every process can read."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(msgspec.json.encode(continuations))


def continuing_task(task: dict[str, Any], plan: str) -> "Task":
    from inspect_ai import task_with
    from inspect_ai.dataset import MemoryDataset

    continuations = msgspec.json.decode(Path(plan).read_bytes(), type=list[Continuation])
    base = build_task(msgspec.convert(task, TaskRecipe))
    name = f"{PREFIX}{base.name}"
    recorded = {str(sample.id): sample for sample in base.dataset}
    samples = [_sample(recorded, item) for item in continuations]
    return task_with(
        base,
        name=name,
        dataset=MemoryDataset(samples, name=name),
        solver=_continue_solver(base.solver, {item.name: item for item in continuations}),
    )


def _sample(recorded: "dict[str, Sample]", item: Continuation) -> "Sample":
    sample = recorded.get(item.sample)
    if sample is None:
        raise InputError(
            f"{item.log}: expected its sample {printable(item.sample, 60)} among the task's own, "
            "found none. The questions have changed since; run the benchmark again."
        )
    return sample.model_copy(update={"id": item.name})


def _continue_solver(task_solver: "Solver", continuations: dict[str, Continuation]) -> "Solver":
    """The task's own solver, played back to the cut first."""
    from inspect_ai.model import get_model
    from inspect_ai.solver import Generate, TaskState, solver

    from agentdyno_bench.shared.running.recording import read_recording
    from agentdyno_bench.shared.running.replaying import Cut, Replay, start_replay

    @solver(name="going_on")
    def continue_solve() -> "Solver":
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            item = continuations[str(state.sample_id)]
            recording = await read_recording(item.log, item.sample)
            start_replay(get_model(), Replay(recording, Cut(item.answers, item.calls), item.seed))
            # Solvers and scorers find what they know of a task by its own id.
            state._sample_id = item.sample
            return await task_solver(state, generate)

        return solve

    return continue_solve()
