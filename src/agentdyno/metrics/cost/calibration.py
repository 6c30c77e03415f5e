"""Fits the parameters of the physical cost to measured bursts.

Takes the rows of a calibration and the architecture they were measured on; returns a `Calibrated`
model: its parameters, their intervals and how well they fit. It measures nothing.

Every burst is linear in what is asked for, the curve's heights at its knots among it:

    prefill of P tokens    = request + sum over chunks curve(chunk) + attend * FLOPs
    two decodes, per step  = curve(batch) + read * numbers of the batch

so one least-squares fit over relative errors, no parameter below zero, gives all of them. Intervals
come from refitting to rows drawn again within each kind of burst.
"""

import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from statistics import median
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from scipy.optimize import nnls

from agentdyno.metrics.cost.replay import CHUNK_TOKENS
from agentdyno.metrics.cost.shape import Architecture
from agentdyno.metrics.cost.steps import StepModel, numbers_read, points, prefill_flops
from agentdyno.records import InputError

DRAWS = 200
"""Refits behind an interval."""
NOISY = 0.15
"""Repetitions of one burst that differ by more than this share of their median are noise."""


class Burst(NamedTuple):
    """Requests sent at once, and the seconds until all were answered."""

    kind: str
    """`prefill`: fresh prompts, one token each · `decode`: prompts that the cache holds."""
    batch: int
    context: int
    decode: int
    repeat: int
    seconds: float


class Calibrated(Struct, frozen=True):
    """A fitted model and what is known of the fit."""

    model: StepModel
    """The parameters."""
    low: StepModel
    """Each parameter's 2.5 % quantile over the refits."""
    high: StepModel
    """Each parameter's 97.5 % quantile."""
    error: float
    """Mean absolute relative error of the fit on its own bursts."""
    noise: float
    """Median over the bursts of how far repetitions lie apart, as a share of their median."""

    @property
    def noisy(self) -> bool:
        """Whether the machine did something else meanwhile."""
        return self.noise > NOISY


class _Equation(NamedTuple):
    """One observation: what it weighs each unknown with, and its seconds."""

    knots: dict[int, float]
    request: float
    attend: float
    read: float
    seconds: float


def calibrate(
    rows: Iterable[Burst], architecture: Architecture, chunk: int = CHUNK_TOKENS, seed: int = 1
) -> Calibrated:
    """The parameters that explain the bursts best, with intervals."""
    bursts = list(rows)
    knots = _knots(bursts, chunk)
    observed = list(_equations(bursts, architecture, knots, chunk))
    if len(observed) < 4:
        raise InputError(
            "A calibration needs single prefills of several lengths and decoding bursts of two "
            f"lengths at each batch; found {len(bursts)} rows that give {len(observed)} equations."
        )
    model, error = _fit(observed, knots)
    chance = random.Random(seed)
    refits = [_fit(chance.choices(observed, k=len(observed)), knots)[0] for _ in range(DRAWS)]
    low, high = (_quantile(refits, model.tokens, q) for q in (0.025, 0.975))
    return Calibrated(model, low, high, error, _noise(bursts))


def _knots(bursts: Sequence[Burst], chunk: int) -> list[int]:
    """The curve is laid down where it was measured: batches that decode, prompts that prefill."""
    decoding = {b.batch for b in bursts if b.kind == "decode"}
    largest = max(decoding, default=1)
    prefilling = {min(b.context, chunk) for b in bursts if b.kind == "prefill" and b.batch == 1}
    return sorted({1} | decoding | {length for length in prefilling if length > largest})


def _equations(
    bursts: Sequence[Burst], shape: Architecture, knots: Sequence[int], chunk: int
) -> Iterable[_Equation]:
    for burst in bursts:
        if burst.kind == "prefill" and burst.batch == 1:
            flops = prefill_flops(shape, burst.context, burst.context)
            weights: dict[int, float] = defaultdict(float)
            for start in range(0, burst.context, chunk):
                _add(weights, knots, min(chunk, burst.context - start))
            yield _Equation(weights, 1.0, flops, 0.0, burst.seconds)
    yield from _steps(bursts, shape, knots)


def _steps(
    bursts: Sequence[Burst], shape: Architecture, knots: Sequence[int]
) -> Iterable[_Equation]:
    """Pairs of decoding bursts over the same prompts: their difference is steps alone."""
    pairs: dict[tuple[int, int, int], dict[int, float]] = defaultdict(dict)
    for burst in bursts:
        if burst.kind == "decode":
            pairs[burst.batch, burst.context, burst.repeat][burst.decode] = burst.seconds
    for (batch, context, _), found in pairs.items():
        if len(found) < 2:
            continue
        short, long = min(found), max(found)
        steps = long - short
        numbers = batch * numbers_read(shape, context + short, steps) / steps
        weights: dict[int, float] = defaultdict(float)
        _add(weights, knots, batch)
        yield _Equation(weights, 0.0, 0.0, numbers, (found[long] - found[short]) / steps)


def _add(weights: dict[int, float], knots: Sequence[int], tokens: int) -> None:
    """Linear interpolation between the knots, as weights on them."""
    above = next((i for i, knot in enumerate(knots) if knot >= tokens), len(knots) - 1)
    if knots[above] == tokens or above == 0:
        weights[knots[above]] += 1.0
        return
    low, high = knots[above - 1], knots[above]
    share = (tokens - low) / (high - low)
    weights[low] += 1 - share
    weights[high] += share


def _fit(observed: Sequence[_Equation], knots: Sequence[int]) -> tuple[StepModel, float]:
    """Non-negative least squares over relative errors; columns scaled to one another."""
    rows = np.array(
        [
            [*(e.knots.get(k, 0.0) for k in knots), e.request, e.attend, e.read]
            for e in observed
        ]
    )
    rows = rows / np.array([[e.seconds] for e in observed])
    scale = np.maximum(np.abs(rows).max(axis=0), 1e-300)
    solved = nnls(rows / scale, np.ones(len(rows)))[0] / scale
    error = float(np.abs(rows @ solved - 1).mean())
    return _as_model(solved, rows, knots), error


def _as_model(
    solved: NDArray[np.float64], rows: NDArray[np.float64], knots: Sequence[int]
) -> StepModel:
    """The curve keeps the knots that some row bears on: a refit may have lost one."""
    seen = np.abs(rows[:, : len(knots)]).sum(axis=0) > 0
    heights = [(float(k), float(s)) for k, s, ok in zip(knots, solved, seen, strict=False) if ok]
    tokens, seconds = points(heights)
    request, attend, read = (float(value) for value in solved[len(knots) :])
    return StepModel(tokens, seconds, read, attend, request)


def _quantile(models: Sequence[StepModel], tokens: tuple[float, ...], q: float) -> StepModel:
    def at(values: Sequence[float]) -> float:
        return float(np.quantile(values, q))

    return StepModel(
        tokens=tokens,
        seconds=tuple(at([model.curve(t) for model in models]) for t in tokens),
        read_seconds=at([model.read_seconds for model in models]),
        attend_seconds=at([model.attend_seconds for model in models]),
        request_seconds=at([model.request_seconds for model in models]),
    )


def _noise(bursts: Sequence[Burst]) -> float:
    groups: dict[tuple[str, int, int, int], list[float]] = defaultdict(list)
    for burst in bursts:
        groups[burst.kind, burst.batch, burst.context, burst.decode].append(burst.seconds)
    spreads = [(max(g) - min(g)) / median(g) for g in groups.values() if len(g) > 1]
    return median(spreads) if spreads else 0.0
