"""How well dependencies are inferred from values, on tasks whose graph is known.

Each task's plan is executed and laid out as a trajectory; edges inferred from it are compared with
the edges of its graph.

    precision = inferred edges that are in the graph / inferred edges
    recall    = edges of the graph that were inferred / edges of the graph

A value may be shown by two results in a row (a search shows a time, the booking repeats it); then
the inferred edge comes from further back than the graph's. `back` counts inferred edges whose
source is any ancestor of their target: nothing is claimed there that need not wait.

What follows for missed parallelism is counted too: turns that inference would join against turns
that the graph lets join.
"""

from collections import Counter
from collections.abc import Iterable

import msgspec
from bench.scripted.ways import Way
from msgspec import Struct

from agentdyno.findings.scheduling.inference import infer_edges
from agentdyno.records import Part, ToolCall, Trajectory, Turn
from agentdyno_bench.tps.tasks.checking import ExecutedCall
from agentdyno_bench.tps.tasks.references import plain_references
from agentdyno_bench.tps.tasks.values import CompoundTask, Subtask
from tests.bench.tps.inprocess import run_agent


class InferenceTruth(Struct, frozen=True):
    """Counts over all tasks."""

    tasks: int
    """Tasks whose plans were laid out."""
    known: int
    """Edges of the graphs."""
    inferred: int
    """Edges that were inferred."""
    right: int
    """Number of edges in both graphs."""
    back: int
    """Inferred edges whose source is an ancestor of their target in the graph."""
    missed: dict[str, int]
    """Missed edges by how the later call depends on the earlier one."""

    @property
    def precision(self) -> float | None:
        """Inferred edges that are true."""
        return self.right / self.inferred if self.inferred else None

    @property
    def precision_back(self) -> float | None:
        """Inferred edges that state a true order, direct or not."""
        return self.back / self.inferred if self.inferred else None

    @property
    def recall(self) -> float | None:
        """True edges that were inferred."""
        return self.right / self.known if self.known else None


def measure_inference(
    tasks: Iterable[CompoundTask], world_seed: int, way: Way = "sequential"
) -> InferenceTruth:
    """Compares inferred with known edges over all tasks."""
    count = known = inferred = right = back = 0
    missed: Counter[str] = Counter()
    for task in tasks:
        run = run_agent(way, task, world_seed)
        place = {p.node: i for i, p in enumerate(run.placed)}
        truth = {(place[n], place[s.subtask_id]) for s in task.subtasks for n in s.needs}
        trajectory = lay_out(task, run.calls, run.answer)
        found = {(edge.source, edge.target) for edge in infer_edges(trajectory)}
        count, known, inferred = count + 1, known + len(truth), inferred + len(found)
        right += len(truth & found)
        before = _ancestors(truth)
        back += sum(source in before.get(target, ()) for source, target in found)
        by_place = {place[s.subtask_id]: s for s in task.subtasks}
        missed.update(_manner(by_place[b], by_place[a].subtask_id) for a, b in truth - found)
    return InferenceTruth(count, known, inferred, right, back, dict(missed))


def _ancestors(edges: set[tuple[int, int]]) -> dict[int, set[int]]:
    """Everything that each call must wait for."""
    before: dict[int, set[int]] = {}
    for source, target in sorted(edges, key=lambda edge: edge[1]):
        before.setdefault(target, set()).update({source} | before.get(source, set()))
    return before


def _manner(subtask: Subtask, source: str) -> str:
    """How a subtask uses the result of another."""
    for name, value in subtask.arguments.items():
        if any(ref["$from"] == source for ref in plain_references(value)):
            if isinstance(value, dict) and "$best" in value:
                return "chosen by comparing results"
            return f"value of {name} seen elsewhere or reworded"
    return "order only"


def lay_out(task: CompoundTask, calls: list[ExecutedCall], answer: str) -> Trajectory:
    """Executed calls as the trajectory that intake would read from their log."""
    turns = max((call.turn for call in calls), default=-1) + 1
    parts = [Part("user", task.prompt, enters=0)]
    rebuilt: list[ToolCall] = []
    for turn in range(turns):
        mine = [call for call in calls if call.turn == turn]
        first = len(rebuilt)
        for number, call in enumerate(mine):
            arguments = msgspec.json.encode(call.arguments).decode()
            request, result = len(parts) + number, len(parts) + len(mine) + number
            rebuilt.append(
                ToolCall(turn, number, call.tool, arguments, f"c{first + number}", request, result,
                         True, call.error, call.latency_seconds)
            )  # fmt: skip
        for number, call in enumerate(mine):
            text = rebuilt[first + number].arguments
            parts.append(Part("request", text, call.tool, first + number, turn, turn + 1))
        for number, call in enumerate(mine):
            text = msgspec.json.encode(call.result).decode()
            parts.append(Part("result", text, call.tool, first + number, None, turn + 1))
    parts.append(Part("text", answer, made=turns))
    return Trajectory(
        trajectory_id=task.task_id,
        source=task.task_id,
        format="plan",
        parts=tuple(parts),
        turns=tuple(Turn() for _ in range(turns + 1)),
        calls=tuple(rebuilt),
        task_id=task.task_id,
        level=task.level,
    )
