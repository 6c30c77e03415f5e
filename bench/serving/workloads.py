"""The serving study's workloads from a seed: standard library alone, for a bare GPU machine."""

import csv
import json
import math
import random
from pathlib import Path
from typing import NamedTuple

BLOCK = 16
"""Tokens of a cache block: a kept cache is found in whole blocks."""


class Workload(NamedTuple):
    """One cell of the plan."""

    name: str
    shape: str
    context: int
    """Median prompt tokens of the first turn."""
    decode: int
    """Median generated tokens of a turn."""
    turns: int
    """Turns of each trajectory; 0: drawn, and all sizes spread wider, as agents' are."""
    concurrency: int
    cache: str
    """`evicted`: every turn sends a fresh prompt · `kept`: the same prompt, longer."""
    trajectories: int
    seed: int
    held_out: int
    """1: not looked at while the model was made."""
    pause: float = 0.0
    """Median seconds that tools take between two turns."""
    rate: float = 0.0
    """Trajectories that begin in a second; 0: each as soon as one of `concurrency` is free."""
    prefix: int = 0
    """Tokens that every prompt begins with, among those of its context."""


class Request(NamedTuple):
    """One turn."""

    context: int
    decode: int
    cached: int


def read_plan(path: Path) -> list[Workload]:
    """The plan's rows, in the order in which they are run."""
    kinds = Workload.__annotations__
    with path.open(newline="") as file:
        return [
            Workload(**{k: kinds[k](v) for k, v in row.items()}) for row in csv.DictReader(file)
        ]


def write_plan(path: Path, plan: list[Workload]) -> None:
    """One row a workload."""
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(Workload._fields)
        writer.writerows(plan)


def trajectories(workload: Workload) -> list[list[Request]]:
    """The workload's trajectories: sizes spread log-normally about the cell's medians."""
    chance = random.Random(workload.seed)
    drawn = [_trajectory(workload, chance) for _ in range(workload.trajectories)]
    if not workload.prefix:
        return drawn
    held = workload.prefix // BLOCK * BLOCK
    return [
        [r._replace(cached=max(r.cached, held if i or turn else 0)) for turn, r in enumerate(item)]
        for i, item in enumerate(drawn)
    ]


def pauses(workload: Workload) -> list[list[float]]:
    """Per turn of each trajectory: the seconds that tools take before it; none before the first."""
    chance = random.Random(workload.seed + 2)
    return [
        [
            chance.lognormvariate(math.log(workload.pause), 0.8) if turn and workload.pause else 0.0
            for turn in range(len(item))
        ]
        for item in trajectories(workload)
    ]


def beginnings(workload: Workload) -> list[float] | None:
    """When each trajectory begins, in seconds; None where one follows the other."""
    if not workload.rate:
        return None
    chance, clock, found = random.Random(workload.seed + 4), 0.0, []
    for _ in range(workload.trajectories):
        found.append(clock)
        clock += chance.expovariate(workload.rate)
    return found


def _trajectory(workload: Workload, chance: random.Random) -> list[Request]:
    mixed = workload.turns == 0
    own = _drawn(chance, workload.context, 0.6 if mixed else 0.4, 32, 20000)
    context = own + workload.prefix
    requests: list[Request] = []
    cached = 0
    for _ in range(_drawn(chance, 3.5, 0.7, 1, 10) if mixed else workload.turns):
        decode = _drawn(chance, workload.decode, 0.9 if mixed else 0.5, 4, 2500)
        requests.append(Request(context, decode, cached))
        before = context + decode
        context = before + _drawn(chance, 40 + workload.context * 0.15, 0.5, 16, 4000)
        cached = (before - 1) // BLOCK * BLOCK if workload.cache == "kept" else 0
    return requests


def _drawn(chance: random.Random, median: float, spread: float, least: int, most: int) -> int:
    return max(least, min(most, round(chance.lognormvariate(math.log(median), spread))))


def write_json(path: Path, value: object) -> None:
    """A small result, readable."""
    path.write_text(json.dumps(value, indent=1) + "\n")
