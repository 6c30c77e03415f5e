"""Which tools an attempt in training is offered: what the task needs, among others.

Half of the lists are what the benchmark's rule would offer (names and descriptions that match the
task best, by BM25), with the needed tools put in where the rule missed them; half are the needed
ones among neighbours of the same services and unrelated tools. Lists differ in length. So an agent
learns to choose, and sees in training what it will see in the benchmark.
"""

import random
from functools import cache

from agentdyno_bench.tps.tasks.values import CompoundTask
from agentdyno_bench.tps.world.directory import all_tools
from agentdyno_bench.tps.world.kit.ranking import Ranking

FEWEST = 8


def offer(task: CompoundTask, rng: random.Random, most: int) -> list[str] | None:
    """Tools for one attempt; None when the task needs more."""
    needed = list(dict.fromkeys(step.tool for step in task.subtasks))
    if len(needed) > most:
        return None
    size = max(len(needed), rng.randint(min(FEWEST, most), most))
    return among(task.prompt, needed, size, rng)


def among(prompt: str, needed: list[str], size: int, rng: random.Random) -> list[str]:
    """So many tools, with those that a prompt needs."""
    ruled = rng.random() < 0.5
    return _by_rule(prompt, needed, size, rng) if ruled else _mix(needed, size, rng)


def _by_rule(prompt: str, needed: list[str], size: int, rng: random.Random) -> list[str]:
    names = by_rule(prompt, size)
    missed = [name for name in needed if name not in names]
    spare = [name for name in names if name not in needed]
    for name in missed:
        index = rng.randrange(len(names) + 1)
        names.insert(index, name)
        if len(names) > size and spare:
            names.remove(spare.pop())
    unused = [name for name in all_tools() if name not in names]
    return names + rng.sample(unused, max(0, min(size, FEWEST) - len(names)))


def _mix(needed: list[str], size: int, rng: random.Random) -> list[str]:
    servers = {name.partition("_")[0] for name in needed}
    unused = [name for name in all_tools() if name not in needed]
    near = [name for name in unused if name.partition("_")[0] in servers]
    room = size - len(needed)
    names = needed + rng.sample(near, min(len(near), (room + 1) // 2))
    far = [name for name in unused if name not in names]
    names += rng.sample(far, size - len(names))
    rng.shuffle(names)
    return names


def by_rule(prompt: str, most: int) -> list[str]:
    """The tools whose names and descriptions match a text best, as the benchmark's rule has it."""
    names, ranking = _rank_tools()
    return [names[index] for index in ranking.best(prompt, most)]


@cache
def _rank_tools() -> tuple[list[str], Ranking]:
    tools = all_tools()
    texts = [f"{name.replace('_', ' ')} {tool.description}" for name, tool in tools.items()]
    return list(tools), Ranking(texts)
