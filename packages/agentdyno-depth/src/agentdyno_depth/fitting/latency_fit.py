"""Fits the physical parameters to latencies that traces recorded, as far as those can tell.

Takes the tokens and seconds of turns of one model; returns a `Calibrated` model. A client sees how
long its own request took, not how many shared the machine, so what comes out is the pace at the
provider's unknown concurrency: seconds of waiting, to be used at concurrency 1.

    seconds = request + prefill * new tokens + step * (decode - 1) + read * numbers

by least squares over relative errors, no term below zero; trajectories are drawn again for the
intervals, because turns of one trajectory are not independent. A provider's reading of the cache
hides behind its step (both grow with decoded tokens), so `read` stays only where its interval
excludes zero. Latencies that show no prefill or no step give no profile: it would call them free.
"""

from collections.abc import Sequence

import numpy as np

from agentdyno.cost.columns import Floats, Ints
from agentdyno.cost.replay import CHUNK_TOKENS
from agentdyno.cost.shape import Architecture
from agentdyno.cost.step_model import StepModel
from agentdyno.cost.steps import numbers_read
from agentdyno.records import InputError
from agentdyno_depth.fitting.calibration import Calibrated

FEWEST_TURNS = 30
DRAWS = 200
PREFILL, STEP, READ = 1, 2, 3
"""Columns of the fit, after the request's own."""


def fit_latencies(
    shape: Architecture,
    prefill: Floats,
    context: Floats,
    decode: Floats,
    seconds: Floats,
    trajectory: Ints,
    seed: int = 1,
) -> Calibrated:
    """The parameters that explain the turns' seconds best."""
    known = ~np.isnan(prefill + context + decode + seconds) & (seconds > 0) & (decode > 0)
    if known.sum() < FEWEST_TURNS:
        raise InputError(
            f"A calibration from latencies needs {FEWEST_TURNS} turns with tokens and a latency; "
            f"found {int(known.sum())}."
        )
    following = np.maximum(decode - 1, 0.0)
    rows = np.stack(
        [np.ones(len(seconds)), prefill, following, numbers_read(shape, context + 1, following)], 1
    )
    rows, owners = (rows / seconds[:, None])[known], trajectory[known]
    low, high = np.quantile(_refits(rows, owners, seed), (0.025, 0.975), axis=0)
    if low[READ] <= 0:
        rows[:, READ] = 0.0
        low, high = np.quantile(_refits(rows, owners, seed), (0.025, 0.975), axis=0)
    solved = _solve(rows)
    error = float(np.abs(rows @ solved - 1).mean())
    _refuse_unseen(solved, high, error, len(rows))
    return Calibrated(_model(solved), _model(low), _model(high), error, None, from_latencies=True)


def _refuse_unseen(solved: Floats, high: Floats, error: float, turns: int) -> None:
    """A term of zero is not free: these turns cannot show it."""
    unseen = [
        f"{word} ({1e6 * high[place]:,.0f} us at most)"
        for place, word in ((PREFILL, "a prefilled token"), (STEP, "a decoded token"))
        if solved[place] <= 0
    ]
    if unseen:
        raise InputError(
            f"The latencies of {turns} turns do not show what {' and '.join(unseen)} takes: their "
            f"seconds hardly follow their tokens (the fit misses them by {error:.0%}). Turns of "
            "more different lengths would, or latencies without waiting in them; expected both to "
            "be above zero."
        )


def _refits(rows: Floats, owners: Ints, seed: int) -> list[Floats]:
    chance = np.random.default_rng(seed)
    names = np.unique(owners)
    places = {int(name): np.flatnonzero(owners == name) for name in names}
    found = []
    for _ in range(DRAWS):
        drawn: Sequence[int] = chance.choice(names, len(names)).tolist()
        found.append(_solve(rows[np.concatenate([places[int(name)] for name in drawn])]))
    return found


def _solve(rows: Floats) -> Floats:
    scale = np.maximum(np.abs(rows).max(axis=0), 1e-300)
    from scipy.optimize import nnls

    solved: Floats = nnls(rows / scale, np.ones(len(rows)))[0] / scale
    return solved


def _model(found: Floats) -> StepModel:
    request, prefill, step, read = (float(value) for value in found)
    return StepModel(
        tokens=(1.0,),
        seconds=(step,),
        read_seconds=read,
        attend_seconds=0.0,
        request_seconds=request,
        mixed_tokens=(1.0, float(CHUNK_TOKENS)),
        mixed_seconds=(prefill, prefill * CHUNK_TOKENS),
    )
