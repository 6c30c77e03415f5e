"""Other ways to do a task, found by search over the world and proved by the marks.

For every step of the reference plan each reading tool is tried, with arguments that an agent could
know by then (what the user said, and what earlier results hold, by the kind of argument). A call
whose result holds all that the rest of the plan takes from the step can stand in its place. Ways
that differ in their tools, and get full marks, are returned; nothing is written by hand.
"""

from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

from msgspec import Struct

from agentdyno_bench.tps.outcomes.evidence import Seen
from agentdyno_bench.tps.outcomes.marking import RequestedCall, mark
from agentdyno_bench.tps.outcomes.replaying import Answered
from agentdyno_bench.tps.outcomes.submission import answers_of
from agentdyno_bench.tps.tasks.execution import run_plan
from agentdyno_bench.tps.tasks.references import Results
from agentdyno_bench.tps.tasks.values import CompoundTask, Subtask
from agentdyno_bench.tps.world import World
from agentdyno_bench.tps.world.directory import DEFAULT_SEED, all_tools
from agentdyno_bench.tps.world.kit.tool import Tool

CHOICES, TRIES = 3, 24
"""Values tried for an argument, and calls tried with a tool."""

_KINDS = {
    "origin": "city", "destination": "city", "source_city": "city", "target_city": "city",
    "origin_id": "place_id", "destination_id": "place_id", "sender": "name", "company": "name",
    "cities": "city", "hotel_ids": "hotel_id", "product_ids": "product_id", "symbols": "symbol",
    "films": "film", "message": "message_id", "base": "currency", "quote": "currency",
    "source": "currency", "target": "currency", "to": "email",
}  # fmt: skip
"""Arguments that take the same kind of value as another, by their names."""
_DAYS = frozenset({"date", "check_in", "end", "due", "until"})
_WORDS = frozenset({"query", "title", "name", "question", "topic", "beginning", "city", "film",
                    "album", "artist_or_genre", "book", "podcast", "author"})  # fmt: skip
_USUAL: dict[str, list[Any]] = {"days": [1, 7], "limit": [20], "minutes": [30]}


class Path(Struct, frozen=True):
    """One way to do a task."""

    calls: list[RequestedCall]
    """Its calls, in order."""
    answers: list[str]
    """Its answers, one to each message of the user."""

    def tools(self) -> tuple[str, ...]:
        """The tools that it uses, in order."""
        return tuple(call.tool for call in self.calls)


def paths(task: CompoundTask, world_seed: int = DEFAULT_SEED, enough: int = 3) -> list[Path]:
    """Ways with full marks that differ in their tools, the reference plan first."""
    plans: list[Path] = []
    tool_sets: set[tuple[str, ...]] = set()
    answers = answers_of(task)
    for calls in _alternative_plans(task, world_seed):
        path = Path(calls, answers)
        if path.tools() not in tool_sets and mark(task, calls, answers, world_seed).solved:
            plans.append(path)
            tool_sets.add(path.tools())
        if len(plans) == enough:
            break
    return plans


def _alternative_plans(task: CompoundTask, world_seed: int) -> Iterator[list[RequestedCall]]:
    """The plan, then with one step done otherwise, then with two."""
    plan = _plan(task, world_seed)
    yield plan
    single: list[tuple[int, RequestedCall]] = []
    for index, call in _single_changes(task, plan, world_seed):
        single.append((index, call))
        yield [*plan[:index], call, *plan[index + 1 :]]
    for (a, first), (b, second) in combinations(single, 2):
        if a != b:
            changed = list(plan)
            changed[a], changed[b] = first, second
            yield changed


def _plan(task: CompoundTask, world_seed: int) -> list[RequestedCall]:
    run = run_plan(task, World(world_seed), by_levels=False)
    return [RequestedCall(call.tool, call.arguments) for call in run.calls]


def _single_changes(
    task: CompoundTask, plan: list[RequestedCall], world_seed: int
) -> Iterator[tuple[int, RequestedCall]]:
    # Trying is not asking: whoever searches for ways does not use up quotas.
    world, results = World(world_seed, quotas=False), Results()
    for index, (step, planned) in enumerate(zip(task.subtasks, plan, strict=True)):
        if not all_tools()[step.tool].writes:
            for call in _substitutes(task, step, planned.arguments, results, world):
                yield index, call
        results[step.subtask_id] = world.call(step.tool, planned.arguments).value


def _substitutes(
    task: CompoundTask, step: Subtask, plan_args: dict[str, Any], results: Results, world: World
) -> Iterator[RequestedCall]:
    """Calls to other tools whose results hold what the step must bring."""
    values = _Known(task, step, plan_args, results)
    for name, tool in all_tools().items():
        if tool.writes or name == step.tool:
            continue
        for arguments in values.arguments(tool):
            outcome = world.call(name, arguments)
            if outcome.error is None:
                # A calculator's answer is a fact only where it gives a rate.
                seen = Seen([Answered(name, arguments, outcome.value)])
                if all(seen.holds(value) for value in step.evidence):
                    yield RequestedCall(name, arguments)
                    break


class _Known:
    """Values an agent can know when it comes to a step, by kind of argument."""

    def __init__(
        self, task: CompoundTask, step: Subtask, arguments: dict[str, Any], results: Results
    ) -> None:
        self._by_kind: dict[str, list[Any]] = {}
        for name, value in arguments.items():
            self._add(name, value)
        for other in task.subtasks:
            for name, value in other.arguments.items():
                if not isinstance(value, dict):
                    self._add(name, value)
        for result in results.values():
            self._leaves("", result)

    def _leaves(self, name: str, value: Any) -> None:
        if isinstance(value, dict):
            for key, item in value.items():
                self._leaves(key, item)
        elif isinstance(value, list):
            for item in value:
                self._leaves(name, item)
        else:
            self._add(name, value)

    def _add(self, name: str, value: Any) -> None:
        for item in value if isinstance(value, list) else [value]:
            for kind in _kinds(name, item):
                values = self._by_kind.setdefault(kind, [])
                if item not in values and len(values) < 40:
                    values.append(item)

    def arguments(self, tool: Tool) -> Iterator[dict[str, Any]]:
        """Arguments to try with a tool; none when something is needed that nobody knows."""
        needed = tool.schema.get("required", [])
        choices = [self._choices(name, tool.schema["properties"][name]) for name in needed]
        if not all(choices):
            return
        for number, values in enumerate(product(*choices)):
            if number == TRIES:
                return
            yield dict(zip(needed, values, strict=True))

    def _choices(self, name: str, schema: dict[str, Any]) -> list[Any]:
        kind = _kind(name, schema)
        values = self._by_kind.get(kind, []) or _USUAL.get(name, [])
        if schema.get("type") == "array":
            return [values[:5], values[:2]] if len(values) >= 2 else []
        if name in _WORDS:
            values = [*values, *self._by_kind.get("words", [])]
            return values[: 2 * CHOICES]
        return values[:CHOICES]


def _kind(name: str, schema: dict[str, Any]) -> str:
    if "YYYY-MM-DDT" in schema.get("description", ""):
        return "moment"
    if name in _DAYS or "YYYY-MM-DD" in schema.get("description", ""):
        return "day"
    return _KINDS.get(name, name)


def _kinds(name: str, value: Any) -> Iterator[str]:
    yield _KINDS.get(name, name)
    if isinstance(value, str):
        if len(value) == 10 and value[4:5] == value[7:8] == "-":
            yield "day"
        elif len(value) == 16 and value[10:11] == "T":
            yield "moment"
            yield "day_of_moment"
        elif name in _WORDS or name == "sender":
            yield "words"
