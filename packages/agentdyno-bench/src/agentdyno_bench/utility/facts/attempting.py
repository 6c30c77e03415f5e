"""Attempts in the world: a task and a seed in, the calls that were made and the outcome out.

`continue_from` continues from any state under another seed: that is what a rollout asks of a run.
"""

import random
from hashlib import blake2b

from msgspec import Struct

from agentdyno_bench.utility.facts.world import (
    FACTS,
    Progress,
    World,
    chance_at_end,
    chance_of,
    state_after_call,
)

PLACES = ("harbour", "orchard", "foundry", "library", "railway", "brewery", "mill", "quarry")
TALK = (
    "People at the market say the weather will turn.",
    "Somebody's cousin is said to have seen a fox.",
    "There was a quarrel about the fence again.",
    "The choir is looking for tenors, as ever.",
)


class AttemptCall(Struct, frozen=True):
    tool: str
    arguments: dict[str, str]
    result: str
    before: Progress
    after: Progress


class Attempt(Struct, frozen=True):
    """One attempt at one task."""

    task_id: str
    question: str
    calls: tuple[AttemptCall, ...]
    """The calls, in order."""
    answer: str
    """What the agent says in the end."""
    solved: bool


def attempt(task: int, seed: int, world: World) -> Attempt:
    """Plays one attempt; the same task and seed give the same attempt."""
    chance = random.Random(_number("attempt", task, seed, *world.suite))
    state, calls = Progress(), []
    while not state.is_over:
        tool = world.draw(chance.random())
        reached = state_after_call(state, tool, chance.random() < chance_of(tool))
        calls.append(AttemptCall(tool, *_texts(task, tool, state, reached, chance), state, reached))
        state = reached
    solved = chance.random() < chance_at_end(state)
    answer = ", ".join(_fact(task, i) for i in range(FACTS)) if solved else "I could not tell."
    return Attempt(f"facts-{task}", question(task), tuple(calls), answer, solved)


def continue_from(task: int, state: Progress, seed: int, world: World) -> bool:
    """True when a continuation from this state solves the task."""
    chance = random.Random((task << 48) ^ seed)
    while not state.is_over:
        tool = world.draw(chance.random())
        state = state_after_call(state, tool, chance.random() < chance_of(tool))
    return chance.random() < chance_at_end(state)


def state_after(results: list[tuple[str, str]]) -> Progress:
    """Replays recorded calls, given as tool and result, to the state that they led to."""
    state = Progress()
    for tool, result in results:
        had_effect = result.startswith(("Entry:", "It is certain:"))
        state = state_after_call(state, tool, had_effect)
    return state


def question(task: int) -> str:
    """The question of a task."""
    things = ", ".join(f"the {_building(task, i)}" for i in range(FACTS))
    return f"In which years were these built in town {task}: {things}? Give all {FACTS}."


def _texts(
    task: int, tool: str, state: Progress, reached: Progress, chance: random.Random
) -> tuple[dict[str, str], str]:
    topic = _building(task, min(state.found, FACTS - 1))
    if tool == "write_note":
        return {"text": f"{state.found} of {FACTS} found"}, "Noted."
    if reached.found > state.found:
        page = "; ".join(_fact(task, i) for i in range(state.found, -1, -1))
        return {"query": topic}, f"Entry: {page}"
    if tool == "query_rumours":
        year = 1500 + chance.randrange(400)
        sure = f"It is certain: {topic} was built in {year}." if reached != state else "No rumours."
        return {"query": topic}, sure
    if tool == "get_gossip":
        return {"query": topic}, " ".join(chance.sample(TALK, 3))
    return {"query": topic}, "Nothing found under this name."


def _fact(task: int, index: int) -> str:
    return f"{_building(task, index)} {1500 + _number('year', task, index) % 400}"


def _building(task: int, index: int) -> str:
    return PLACES[(task + index) % len(PLACES)]


def _number(*words: object) -> int:
    return int.from_bytes(blake2b(repr(words).encode(), digest_size=8).digest(), "big")
