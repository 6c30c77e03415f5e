"""Draws the plan of the serving study: part of a factorial, decorrelated, half of it held out.

Every shape gets four workloads at each concurrency, two with the cache kept and two with it
evicted; context, decoded tokens and turns are chosen so that no two factors correlate over the
shape's plan. The number of trajectories makes a workload long enough to time and short enough to
pay for.
"""

import itertools
import random
from collections.abc import Callable, Sequence

import numpy as np
from workloads import Workload

CONTEXTS = (300, 1500, 6000)
DECODES = (40, 160, 640)
TURNS = (2, 5)
CONCURRENCIES = (1, 8, 64, 128)
CACHES = ("evicted", "kept")
SHORTEST, LONGEST = 1.5, 26.0
"""Seconds that a workload may take, by theory."""
TRIES = 30000

Predict = Callable[[Workload], float]


def draw_plan(
    shape: str, predict: Predict, most_tokens: float, budget: float, seed: int
) -> list[Workload]:
    """Sixteen workloads of a shape, in the order of running."""
    chance = random.Random(seed)
    cells = [c for c in _cells(shape, predict, most_tokens, seed) if c[1] <= LONGEST]
    groups = [
        [cell for cell in cells if cell[0].concurrency == c and cell[0].cache == kept]
        for c in CONCURRENCIES
        for kept in CACHES
    ]
    chosen = [cell[0] for cell in _improved(chance, groups, budget)]
    held = [pair[chance.randrange(2)].name for pair in zip(chosen[::2], chosen[1::2], strict=True)]
    chance.shuffle(chosen)
    return [w._replace(held_out=int(w.name in held)) for w in chosen]


def mixed_workload(shape: str, cache: str, seed: int) -> Workload:
    """Trajectories as agents make them, 64 at once: held out, for the wall time of each."""
    return Workload(f"{shape}-agents-x64-{cache}", shape, 1200, 120, 0, 64, cache, 80, seed, 1)


def _cells(
    shape: str, predict: Predict, most_tokens: float, seed: int
) -> list[tuple[Workload, float]]:
    found = []
    levels = itertools.product(CONTEXTS, DECODES, TURNS, CONCURRENCIES, CACHES)
    for place, (context, decode, turns, concurrency, cache) in enumerate(levels):
        reached = context * (1 + 0.15 * (turns - 1)) + turns * decode
        if concurrency * reached * 1.15 > most_tokens:
            continue
        name = f"{shape}-c{context}-d{decode}-t{turns}-x{concurrency}-{cache}"
        cell = Workload(
            name, shape, context, decode, turns, concurrency, cache, 1, seed * 1000 + place, 0
        )
        found.append(_sized(cell, predict))
    return found


def _sized(cell: Workload, predict: Predict) -> tuple[Workload, float]:
    """With the fewest trajectories that take long enough, every place filled at least once."""
    for times in (1, 2, 3, 4, 6):
        sized = cell._replace(trajectories=cell.concurrency * times)
        seconds = predict(sized)
        if seconds >= SHORTEST:
            break
    return sized, seconds


Cell = tuple[Workload, float]


def _improved(chance: random.Random, groups: Sequence[Sequence[Cell]], budget: float) -> list[Cell]:
    """Two cells of each group; one is exchanged as long as the plan gets no worse."""
    chosen = [cell for group in groups for cell in chance.sample(list(group), 2)]
    fault = _fault(chosen, budget)
    for _ in range(TRIES):
        place = chance.randrange(len(chosen))
        other = chance.choice(groups[place // 2])
        if other in chosen:
            continue
        tried = [*chosen[:place], other, *chosen[place + 1 :]]
        if (new := _fault(tried, budget)) <= fault:
            chosen, fault = tried, new
    return chosen


def _fault(chosen: Sequence[Cell], budget: float) -> float:
    """Correlated factors, levels that are rare, seconds beyond the budget."""
    plan = [cell[0] for cell in chosen]
    rare = [
        1 - sum(getattr(w, factor) == level for w in plan) * len(levels) / len(plan)
        for factor, levels in (("context", CONTEXTS), ("decode", DECODES), ("turns", TURNS))
        for level in levels
    ]
    over = max(0.0, sum(cell[1] for cell in chosen) / budget - 1)
    return correlation(plan) + 0.5 * max(0.0, *rare) + 5 * over


def correlation(plan: Sequence[Workload]) -> float:
    """The largest correlation between two factors of a plan, in size."""
    factors = np.array(
        [
            [np.log(w.context), np.log(w.decode), w.turns, np.log(w.concurrency), w.cache == "kept"]
            for w in plan
        ],
        dtype=float,
    )
    if (factors.std(axis=0) == 0).any():
        return 1.0
    matrix = np.corrcoef(factors.T)
    return float(np.abs(matrix[np.triu_indices(len(matrix), 1)]).max())
