"""Fits what a family's counted tokens must be multiplied by, and says how far off that is.

Takes responses with their counted texts and their true counts; returns the coefficients of
`calibration`, and the error on responses that were withheld from the fit.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from msgspec import Struct

from agentdyno.cost.columns import Floats, Ints
from agentdyno.records import Part, Trajectory, Turn

FOLDS = 10
SMALL = 20.0
"""Responses are weighted by the root of their size, from this many tokens on."""
FEWEST_OF_A_KIND = 5
LEAST_BIAS = 0.025
"""Other people's agents write otherwise than those in the sample; more cannot be promised."""
PRIOR_TOKENS = 300.0
"""How many tokens' worth of doubt there is that a family needs a factor of its own."""

Count = Callable[[str | None, Sequence[str]], Sequence[int]]


class Observed(Struct, frozen=True):
    """One response whose true count is known."""

    identity: str
    """What makes it that response."""
    model: str
    """The model that answered."""
    text: float
    """Counted tokens of visible text."""
    request: float
    """Counted tokens of calls."""
    reasoning: float
    """Counted tokens of reasoning."""
    calls: float
    """How many calls it made."""
    truth: float
    """What the provider counted, or the growth of the context proves."""


class Fit(Struct, frozen=True):
    """What was found for one family."""

    coefficients: tuple[float, ...]
    """Factors on text, request and reasoning; tokens per call and per response."""
    withheld_error: float
    """Sum of the estimates of withheld responses against their true sum, less 1."""
    uncalibrated: float
    """The same of the bare counts."""
    spread: float
    """Relative standard deviation of one withheld response, weighted by size."""
    bias: float
    """Relative standard error of the sum over all of them, `LEAST_BIAS` at least."""
    responses: int
    """How many there were."""


def observe_turns(trajectory: Trajectory, count: Count) -> Iterator[Observed]:
    """The responses of a trajectory that the provider counted and whose text is all there."""
    for index, turn in enumerate(trajectory.turns):
        parts = [part for part in trajectory.parts if part.made == index]
        model = turn.model or trajectory.model
        if not model or not _is_proof(turn, parts):
            continue
        assert turn.decode is not None
        sizes = dict.fromkeys(("text", "request", "reasoning"), 0.0)
        counts = count(trajectory.model, [part.text for part in parts])
        for part, tokens in zip(parts, counts, strict=True):
            sizes[part.kind] = sizes.get(part.kind, 0.0) + tokens
        calls = float(sum(part.kind == "request" for part in parts))
        yield Observed(
            turn.identity or f"{trajectory.trajectory_id} {index}",
            model,
            sizes["text"],
            sizes["request"],
            sizes["reasoning"],
            calls,
            float(turn.decode.tokens),
        )


def _is_proof(turn: Turn, parts: Sequence[Part]) -> bool:
    if turn.decode is None or turn.decode.source != "reported" or not turn.decode.tokens:
        return False
    hidden = any(part.kind == "reasoning" and not part.text for part in parts)
    return bool(parts) and not hidden and not any(part.tokens for part in parts)


def fit(rows: Sequence[Observed]) -> Fit:
    """The family's coefficients, with the errors of a ten-fold cross-validation."""
    features, truth = _arrays(rows)
    everything = np.arange(len(truth))
    withheld = np.zeros(len(truth))
    order = np.random.default_rng(0).permutation(len(truth))
    for fold in range(min(FOLDS, len(truth))):
        held = order[fold::FOLDS]
        withheld[held] = features[held] @ _solve(features, truth, np.setdiff1d(order, held))
    off = withheld - truth
    spread = float(np.sqrt(np.sum(off**2 / np.maximum(truth, SMALL)) / truth.sum()))
    rng = np.random.default_rng(1)
    sums = [off[picked].sum() / truth[picked].sum() for picked in _resample(rng, len(truth))]
    counted = features[:, :3].sum()
    bias = float(np.hypot(np.std(sums), off.sum() / truth.sum()))
    return Fit(
        tuple(float(c) for c in _solve(features, truth, everything)),
        float(off.sum() / truth.sum()),
        float(counted / truth.sum() - 1),
        spread,
        max(bias, LEAST_BIAS),
        len(truth),
    )


def _arrays(rows: Sequence[Observed]) -> tuple[Floats, Floats]:
    listed = [(r.text, r.request, r.reasoning, r.calls, 1.0) for r in rows]
    return np.array(listed), np.array([r.truth for r in rows])


def _solve(features: Floats, truth: Floats, chosen: Ints) -> Floats:
    """Least squares without negative coefficients, then one factor so that the sums agree."""
    from scipy.optimize import nnls

    weight = 1.0 / np.sqrt(np.maximum(truth[chosen], SMALL))
    found, _ = nnls(features[chosen] * weight[:, None], truth[chosen] * weight)
    total = (features[chosen] @ found).sum()
    found = found * (truth[chosen].sum() + PRIOR_TOKENS) / (total + PRIOR_TOKENS)
    # A kind of text that is too rare to tell is taken as visible text is.
    rare = (features[chosen] > 0).sum(axis=0) < FEWEST_OF_A_KIND
    fallback = found[0] if found[0] > 0 else 1.0
    found[:3] = np.where(rare[:3] | (found[:3] == 0), fallback, found[:3])
    return np.asarray(found, dtype=np.float64)


def _resample(rng: np.random.Generator, count: int) -> Iterator[Ints]:
    for _ in range(400):
        yield rng.integers(0, count, count)
