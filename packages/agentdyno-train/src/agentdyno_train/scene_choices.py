"""By what the answer of a training scene is chosen among rows: the cheapest flight, the last show.

A task keeps the values that it asks for and not the way to them; its scenes know the way. Takes a
task and the results of its steps, returns references that lead to the values asked for, each tried:
one that leads elsewhere is left out.
"""

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

from agentdyno_bench.tps.tasks.draft import Draft, DraftError
from agentdyno_bench.tps.tasks.references import Results, UnclearError, resolve
from agentdyno_bench.tps.tasks.scenes import CHAINS, SMALL
from agentdyno_bench.tps.tasks.values import CompoundTask, Subtask
from agentdyno_bench.tps.world import World
from agentdyno_bench.tps.world.directory import DEFAULT_SEED

TRIES = 20
"""Draws until a scene works out."""

Reference = dict[str, Any]


def told_by(task: CompoundTask, step: Subtask, results: Results) -> list[Reference]:
    """References to the values that a task wants said of one step's result."""
    wanted = [w.slot for w in task.wishes if w.step == step.subtask_id and w.slot is not None]
    known = [at for scene in task.scenes for at in _told(scene).get(step.tool, ())]
    here = [{**at, "$from": step.subtask_id} for at in known]
    return [
        at
        for slot in wanted
        for at in [x for x in here if x.get("field") == slot.field][:1]
        if _leads_to(at, slot.value, results)
    ]


def _leads_to(at: Reference, value: Any, results: Results) -> bool:
    try:
        return bool(resolve(at, results) == value)
    except UnclearError:
        return False


@cache
def _told(scene: str) -> dict[str, list[Reference]]:
    """Tool -> what is told of its results, without the step."""
    for attempt in range(TRIES):
        draft = Draft(World(DEFAULT_SEED), random.Random(f"{scene}-{attempt}"))
        try:
            {**SMALL, **CHAINS}[scene](draft)
        except (DraftError, KeyError):
            continue
        found: dict[str, list[Reference]] = {}
        for tool, at in _references(draft):
            found.setdefault(tool, []).append(at)
        return found
    return {}


def _references(draft: Draft) -> Iterator[tuple[str, Reference]]:
    tools = {subtask.subtask_id: subtask.tool for subtask in draft.subtasks()}
    for name, step in draft.steps.items():
        for at in step.told:
            yield tools[name], {key: value for key, value in at.items() if key != "$from"}
