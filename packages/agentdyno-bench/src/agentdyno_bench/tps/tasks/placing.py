"""Places executed calls on a task's graph: what each was for, and what it was the first to do.

A call was for the subtask whose fixed arguments it shares most, among those that its tool can
serve; a subtask that nobody has tried yet goes first. So a call with a guessed argument still
counts as an attempt, which is how calls made too early are seen. A call that did not run was for
nothing and did nothing.
"""

from typing import Any

import msgspec

from agentdyno.records.scheduling import GraphNode, ScheduledCall
from agentdyno_bench.tps.tasks.checking import ExecutedCall, first_evidence
from agentdyno_bench.tps.tasks.matching import holds
from agentdyno_bench.tps.tasks.references import is_reference
from agentdyno_bench.tps.tasks.values import CompoundTask, Subtask

_canonical = msgspec.json.Encoder(order="sorted").encode


def graph_of(task: CompoundTask) -> list[GraphNode]:
    """The task's graph with the times of its reference plan. What the user says later cannot be
    done before everything that was asked before."""
    return [
        GraphNode(s.subtask_id, s.needs + _find_earlier(s, task), s.latency_seconds)
        for s in task.subtasks
    ]


def _find_earlier(subtask: Subtask, task: CompoundTask) -> list[str]:
    earlier = [s.subtask_id for s in task.subtasks if s.stage < subtask.stage]
    return [name for name in earlier if name not in subtask.needs]


def place_calls(task: CompoundTask, calls: list[ExecutedCall]) -> list[ScheduledCall]:
    """Every call with its place on the graph."""
    did: dict[int, list[str]] = {}
    stage, earlier = 0, set[int]()
    for subtask in task.subtasks:
        if subtask.stage > stage:
            stage, earlier = subtask.stage, set(did)
        # A call before the user's next message was not made for it, where another one was.
        before = range(max(earlier, default=-1) + 1)
        call_index = first_evidence(subtask, calls, before)
        call_index = first_evidence(subtask, calls, earlier) if call_index is None else call_index
        if call_index is not None:
            did.setdefault(call_index, []).append(subtask.subtask_id)
    tried: set[str] = set()
    succeeded: dict[bytes, str | None] = {}
    placed = []
    for call_index, call in enumerate(calls):
        key = _canonical([call.tool, call.arguments])
        node: str | None = None
        if call_index in did:
            node = did[call_index][0]
        elif call.ran:  # Made again, it is for what it was made for.
            node = succeeded[key] if key in succeeded else _attempt(task, call, tried)
        tried |= {node} if node is not None else set()
        placed.append(
            ScheduledCall(
                turn=call.turn,
                tool=call.tool,
                node=node,
                did=did.get(call_index, []),
                seconds=call.latency_seconds,
                failed=call.error is not None,
                repeated=call.ran and key in succeeded and call_index not in did,
                ran=call.ran,
            )
        )
        if call.ran and call.error is None:
            succeeded[key] = node
    return placed


def _attempt(task: CompoundTask, call: ExecutedCall, tried: set[str]) -> str | None:
    served = [s for s in task.subtasks if call.tool in s.serves]
    if not served:
        return None
    best = max(served, key=lambda s: (_count_shared(s, call), s.subtask_id not in tried))
    return best.subtask_id


def _count_shared(subtask: Subtask, call: ExecutedCall) -> int:
    """Fixed arguments that the call has too, and texts of the subtask that it names."""
    args = call.arguments if isinstance(call.arguments, dict) else {}
    fixed: int = sum(
        args.get(name) == value for name, value in subtask.arguments.items() if not _varies(value)
    )
    return fixed + sum(holds(args, text) for text in subtask.about)


def _varies(value: Any) -> bool:
    return is_reference(value) or isinstance(value, (dict, list))
