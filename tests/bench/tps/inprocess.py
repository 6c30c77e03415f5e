"""Runs a scripted agent on a task in a world of this process: the fast path of the tests."""

from msgspec import Struct

from agentdyno.records.scheduling import ScheduledCall
from agentdyno_bench.tps.agents.ways import Move, Way, next_move
from agentdyno_bench.tps.outcomes import AttemptMarks, mark
from agentdyno_bench.tps.tasks.checking import ExecutedCall
from agentdyno_bench.tps.tasks.placing import place_calls
from agentdyno_bench.tps.tasks.references import Results
from agentdyno_bench.tps.tasks.values import CompoundTask
from agentdyno_bench.tps.world import World

TURN_LIMIT = 80


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
    world, results, calls, answer = World(world_seed), Results(), list[ExecutedCall](), ""
    for turn in range(TURN_LIMIT):
        move = next_move(way, task, turn, results)
        if not move.calls:
            answer = move.answer
            break
        calls += _execute(move, turn, world, results)
    marks = mark(task, calls, answer, world_seed)
    return AgentRun(calls, place_calls(task, calls), answer, marks)


def _execute(move: Move, turn: int, world: World, results: Results) -> list[ExecutedCall]:
    calls = []
    for call in move.calls:
        outcome = world.call(call.tool, call.arguments)
        results[call.call_id] = outcome.value
        calls.append(
            ExecutedCall(turn, call.tool, call.arguments, outcome.value, outcome.error,
                     outcome.latency_seconds)
        )  # fmt: skip
    return calls
