"""Runs a scripted agent on a task in a world of this process: the fast path of the tests."""

from collections.abc import Iterable
from typing import Any

from bench.scripted.ways import Move, Way, next_move
from msgspec import Struct

from agentdyno.records.scheduling import ScheduledCall
from agentdyno_bench.tps.outcomes import AttemptMarks, mark
from agentdyno_bench.tps.tasks.checking import ExecutedCall
from agentdyno_bench.tps.tasks.placing import place_calls
from agentdyno_bench.tps.tasks.references import Results
from agentdyno_bench.tps.tasks.stages import split_stages
from agentdyno_bench.tps.tasks.values import CompoundTask
from agentdyno_bench.tps.world import World

TURN_LIMIT = 80


def memory_pool(tasks: Iterable[CompoundTask]) -> dict[str, Any]:
    """The servers of the reference plans, in this process: Inspect copies all tools every turn."""
    servers = {step.tool.partition("_")[0] for task in tasks for step in task.subtasks}
    return {"transport": "memory", "servers": sorted(servers)}


class AgentRun(Struct, frozen=True):
    """One attempt at one task."""

    calls: list[ExecutedCall]
    """Calls that were executed."""
    placed: list[ScheduledCall]
    """The same, on the task's graph."""
    answer: str
    """Final answer of the agent."""
    marks: AttemptMarks
    """What it is worth."""

    @property
    def completed(self) -> list[str]:
        """Goals that were met."""
        return self.marks.done


def run_agent(way: Way, task: CompoundTask, world_seed: int) -> AgentRun:
    """Lets an agent of this way work until it answers."""
    world, results, calls, answers = World(world_seed), Results(), list[ExecutedCall](), []
    turns = 0
    for stage in split_stages(task):
        for turn in range(TURN_LIMIT):
            move = next_move(way, stage, turn, results)
            if not move.calls:
                answers.append(move.answer)
                break
            calls += _execute(move, turns, world, results)
            turns += 1
    marks = mark(task, calls, answers, world_seed)
    return AgentRun(calls, place_calls(task, calls), "\n".join(answers), marks)


def _execute(move: Move, turn: int, world: World, results: Results) -> list[ExecutedCall]:
    calls = []
    for call in move.calls:
        outcome = world.call(call.tool, call.arguments)
        results[call.call_id] = outcome.value
        calls.append(
            ExecutedCall(turn, call.tool, call.arguments, outcome.value, outcome.error,
                     outcome.latency_seconds, ran=True)
        )  # fmt: skip
    return calls
