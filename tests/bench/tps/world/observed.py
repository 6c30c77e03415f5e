"""Output schemas of the world's tools, from what the tools really give.

Takes nothing; calls every tool of several worlds: once each, by every reference plan, and with
other cities, days and things in place of those of the plans.
`python -m tests.bench.tps.world.observed` writes the schemas to the file that the servers
announce them from.
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec

import agentdyno_bench.tps.world as world_package
from agentdyno_bench.tps.tasks.dataset import LEVELS, load_bundled
from agentdyno_bench.tps.tasks.execution import run_plan
from agentdyno_bench.tps.tasks.references import resolve
from agentdyno_bench.tps.tasks.values import CompoundTask
from agentdyno_bench.tps.world import World
from agentdyno_bench.tps.world.directory import DEFAULT_SEED, SERVERS, all_tools
from agentdyno_bench.tps.world.kit.schemas import join_schemas, schema_of, widen
from tests.labelled import read_set

FILE = Path(str(world_package.__file__)).parent / "schemas.json"
VARIANTS = 40
Seen = tuple[str, dict[str, Any], Any]


def observed(seeds: tuple[int, ...], tasks: list[CompoundTask]) -> Iterator[Seen]:
    """Tool, arguments and result of every call that succeeded."""
    for seed in seeds:
        yield from _once_each(seed)
    planned: list[Seen] = []
    for task in tasks:
        seed = load_bundled(task.level).world_seed
        calls = run_plan(task, World(seed), by_levels=False).calls
        planned += [(call.tool, call.arguments, call.result) for call in calls]
    yield from planned
    for seed in seeds:
        yield from _otherwise([*_once_each(seed), *planned], seed)


def _once_each(seed: int) -> Iterator[Seen]:
    for server in SERVERS:
        world, results = World(seed), dict[str, Any]()
        for tool, arguments in CALLS[server].items():
            try:
                given = arguments_of(arguments, results)
            except (KeyError, IndexError, ValueError, LookupError):
                continue
            outcome = world.call(f"{server}_{tool}", given)
            if outcome.error is None:
                results[tool] = outcome.value
                yield f"{server}_{tool}", given, outcome.value


def _otherwise(seen: list[Seen], seed: int) -> Iterator[Seen]:
    """The same tools with arguments from other calls."""
    pool: dict[str, list[Any]] = {}
    for _, arguments, _ in seen:
        for name, value in arguments.items():
            pool.setdefault(name, []).append(value)
    by_tool: dict[str, list[dict[str, Any]]] = {}
    for tool, arguments, _ in seen:
        by_tool.setdefault(tool, []).append(arguments)
    for tool, calls in sorted(by_tool.items()):
        chance, world = Random(f"{seed} {tool}"), World(seed)
        for _ in range(VARIANTS):
            given = dict(chance.choice(calls))
            needed = all_tools()[tool].schema.get("required", ())
            for name in list(given):
                if name not in needed and chance.random() < 0.4:
                    del given[name]
                elif chance.random() < 0.6:
                    given[name] = chance.choice(pool[name])
            outcome = world.call(tool, given)
            if outcome.error is None:
                yield tool, given, outcome.value


def schemas(seen: Iterator[Seen]) -> dict[str, Any]:
    """One schema for every tool, which all of its results satisfy."""
    made: dict[str, Any] = {}
    for tool, _, value in seen:
        found = schema_of(value)
        made[tool] = join_schemas(made[tool], found) if tool in made else found
    missing = all_tools().keys() - made.keys()
    assert not missing, f"nobody called {sorted(missing)}"
    for server in SERVERS:
        own = [tool for tool in made if tool.partition("_")[0] == server]
        made |= dict(zip(own, widen([made[tool] for tool in own], _left_out(own)), strict=True))
    return dict(sorted(made.items()))


def _left_out(tools: list[str]) -> set[str]:
    """Arguments that may be left out: what was never said is null in the results."""
    return {
        name
        for tool in tools
        for name, argument in all_tools()[tool].schema["properties"].items()
        if {"type": "null"} in argument.get("anyOf", ())
    }


def every_task() -> list[CompoundTask]:
    return [task for level in LEVELS for task in load_bundled(level).tasks]


CALLS: dict[str, dict[str, dict[str, Any]]] = {}
for _call in read_set("world_calls"):
    CALLS.setdefault(_call["server"], {})[_call["tool"]] = _call["arguments"]


def arguments_of(arguments: dict[str, Any], results: dict[str, Any]) -> dict[str, Any]:
    """Arguments with values from earlier results."""
    found: dict[str, Any] = resolve(arguments, results)
    return found


if __name__ == "__main__":
    text = msgspec.json.encode(schemas(observed((DEFAULT_SEED, 1, 2, 3), every_task())))
    FILE.write_bytes(text + b"\n")
    print(f"{FILE}: {len(text)} bytes")
