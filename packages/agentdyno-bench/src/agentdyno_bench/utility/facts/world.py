"""The rules of the world, and the exact chance of success from any state.

A task asks for `FACTS` facts. `search_archive` and `lookup_index` give one that is missing with
probability `FINDS`, and only `LOOKUPS` such calls are granted in all. `get_gossip` gives words.
`query_rumours` misleads with probability `MISLEADS`; an agent that was misled and has all facts
still gets it right with `SEES_THROUGH`. `write_note` keeps a note. Without all facts the agent
guesses right with `GUESSES`.

    V(state) = sum over tools p(tool) sum over outcomes p(outcome) V(next state)

Gossip and notes leave the state as it is, so their delta is exactly 0 and they drop out of the sum.
Worked, without rumours: 4 facts of at most 5 lookups that find with 0.75: 0.633 + 0.367 * 0.1.
"""

from bisect import bisect_right
from functools import lru_cache
from itertools import accumulate

from msgspec import Struct, structs

FACTS = 4
LOOKUPS = 5
FINDS = 0.75
MISLEADS = 0.5
SEES_THROUGH = 0.5
GUESSES = 0.1

WEIGHTS = {
    "search_archive": 0.32,
    "lookup_index": 0.24,
    "get_gossip": 0.26,
    "query_rumours": 0.06,
    "write_note": 0.12,
}
"""How often the agent reaches for each tool, before the suite is cut."""

TOOLS = tuple(WEIGHTS)
FACT_TOOLS = ("search_archive", "lookup_index")
DISTRACTORS = ("get_gossip", "query_rumours")
"""Tools that never help and do not write."""

Suite = tuple[str, ...]


class Progress(Struct, frozen=True):
    """Where an attempt stands."""

    found: int = 0
    """Number of facts found so far."""
    looked: int = 0
    """Number of lookups used so far."""
    misled: bool = False
    """Whether a rumour was believed."""

    @property
    def is_over(self) -> bool:
        """True when the agent answers now."""
        return self.found >= FACTS or self.looked >= LOOKUPS


class World(Struct, frozen=True):
    """The world under one tool suite."""

    suite: Suite = TOOLS
    """The tools that are offered."""

    def weights(self) -> dict[str, float]:
        """How often each offered tool is called."""
        return _weights(self.suite)

    def draw(self, number: float) -> str:
        """The tool that a number from 0 to 1 falls on."""
        tools, edges = _edges(self.suite)
        return tools[min(bisect_right(edges, number), len(tools) - 1)]


@lru_cache(maxsize=256)
def _weights(suite: Suite) -> dict[str, float]:
    total = sum(WEIGHTS[tool] for tool in suite)
    return {tool: WEIGHTS[tool] / total for tool in suite}


@lru_cache(maxsize=256)
def _edges(suite: Suite) -> tuple[Suite, list[float]]:
    return suite, list(accumulate(_weights(suite).values()))


@lru_cache(maxsize=4096)
def state_after_call(state: Progress, tool: str, had_effect: bool) -> Progress:
    """The state after a call; `took` says whether the tool found or misled."""
    if tool in FACT_TOOLS:
        return structs.replace(state, looked=state.looked + 1, found=state.found + had_effect)
    if tool == "query_rumours":
        return structs.replace(state, misled=state.misled or had_effect)
    return state


CHANCES = {"search_archive": FINDS, "lookup_index": FINDS, "query_rumours": MISLEADS}


def chance_of(tool: str) -> float:
    """How likely the tool does what it does."""
    return CHANCES.get(tool, 0.0)


def chance_at_end(state: Progress) -> float:
    """How likely the answer is right."""
    if state.found < FACTS:
        return GUESSES
    return SEES_THROUGH if state.misled else 1.0


@lru_cache(maxsize=4096)
def value(state: Progress, suite: Suite = TOOLS) -> float:
    """Probability that the task ends up solved."""
    if state.is_over:
        return chance_at_end(state)
    stays = moves = 0.0
    for tool, weight in World(suite).weights().items():
        chance = chance_of(tool)
        for had_effect, probability in ((True, chance), (False, 1 - chance)):
            reached = state_after_call(state, tool, had_effect)
            if reached == state:
                stays += weight * probability
            else:
                moves += weight * probability * value(reached, suite)
    return moves / (1 - stays)


def true_delta(before: Progress, after_it: Progress, suite: Suite = TOOLS) -> float:
    """Change of the odds by a call."""
    return value(after_it, suite) - value(before, suite)
