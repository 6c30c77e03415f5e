"""Fits the parameters of the physical cost to measured bursts.

Takes the rows of a calibration and the architecture they were measured on; returns a `Calibrated`
model: its parameters, their intervals and how well they fit. It measures nothing.

Timing noise is one-sided (a pause makes a burst longer, never shorter), so the shortest repetition
of each burst stands for it. Two bursts over the same prompts that differ in decoded tokens alone
give the decoding step:

    (seconds of the longer - seconds of the shorter) / steps = decoding(batch) + read * numbers

which is linear, and solved by least squares over relative errors. What is left (steps that prefill,
attention in a prefill, the way in and out) is fitted by replaying every other burst on paper, with
weak priors on the way in and out. The time to the first token is that of an answer of one
token: over a prompt that the cache holds it shows the way in, which a fresh one has besides its
prefill.

A step that prefills takes no less than one that decodes, and a number is read no faster than the
card's memory gives it, where its data sheet is known. Intervals are profile likelihoods
(`intervals`). A fit that misses its own bursts by much is refused: it describes nothing.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from statistics import median
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct

from agentdyno.cost.columns import Floats
from agentdyno.cost.replay import CHUNK_TOKENS, Turn, replay
from agentdyno.cost.shape import Architecture
from agentdyno.cost.steps import GRID, StepModel, numbers_read, points
from agentdyno.records import InputError
from agentdyno_depth.fitting.intervals import Intervals
from agentdyno_depth.fitting.layout import Layout

NOISY = 0.15
"""Repetitions of one burst that lie further apart than this share of the shortest are noise."""
MOST_ERROR = 0.10
"""A fit that misses its own bursts by more than this on average is refused."""
NOISY_FIT = 0.35
"""A fit to recorded latencies that misses by more than this on average says little."""
BLOCK = 16
"""Tokens of a cache block: a cached prompt is found in whole blocks, and its last token never."""
PRIOR_SPREAD = 20.0
"""Inverse weight of the priors: e-fold from the prior counts as much as an error of 5 %."""
STARTS = 6
"""Descents of the fit, the first from the priors."""
START_SPREAD = 0.4
"""Standard deviation of the other starts from it, in logarithms."""
LARGEST_LOGARITHM = 60.0
"""Bounds of what nothing bears on would overflow otherwise."""
_WAY_IN = (0.005, 0.0003, 3e-7)
"""Priors: seconds a request waits outside, seconds to take it in, seconds for each prompt token."""


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
    """Fitted parameters of the step model."""
    low: StepModel
    """Each parameter's lower 95 % bound."""
    high: StepModel
    """Each parameter's upper 95 % bound."""
    error: float
    """Mean absolute relative error of the fit on its own bursts."""
    noise: float | None
    """Median over the bursts of how far repetitions lie apart, as a share of the shortest; None
    where nothing was repeated."""
    from_latencies: bool = False
    """Whether it was fitted to recorded latencies, not to bursts."""

    @property
    def noisy(self) -> bool | None:
        """Whether the machine did something else meanwhile, or waiting drowns the fit; None where
        each burst was sent once, which says nothing of it."""
        if self.from_latencies:
            return self.error > NOISY_FIT
        return None if self.noise is None else self.noise > NOISY


Key = tuple[str, int, int, int]
"""Kind, batch, context and decoded tokens of a burst."""


def calibrate(
    rows: Iterable[Burst],
    architecture: Architecture,
    chunk: int = CHUNK_TOKENS,
    recorded: int | None = None,
    keeps_prefixes: bool = True,
    least_read_seconds: float = 0.0,
) -> Calibrated:
    """The parameters that explain the bursts best, with intervals.

    `recorded` is the largest step that the engine replays from a recording: its curve may jump
    there. `keeps_prefixes`: whether prompts that were sent before were found in the cache.
    `least_read_seconds`: what a cached number takes at the card's full bandwidth.
    """
    bursts = list(rows)
    times = _drop_paused(_group_bursts(bursts))
    shortest = shortest_bursts(bursts)
    decoding = fit_decoding(shortest, architecture, least_read_seconds)
    rest = Unknowns(shortest, architecture, decoding, chunk, recorded, keeps_prefixes)
    solved = best_fit(rest, STARTS)
    model = rest.model(solved.x)
    error = float(np.abs(rest.miss(model)).mean())
    layout = Layout(decoding.tokens, tuple(sorted({1.0, *rest.knots})))
    bounds = Intervals(times, architecture, layout, chunk, keeps_prefixes, least_read_seconds)
    low, high = bounds.around(model)
    return Calibrated(model, low, high, error, _noise(bursts))


def shortest_bursts(rows: Iterable[Burst]) -> dict[Key, float]:
    """The shortest repetition of each burst, those with a pause left out."""
    times = _drop_paused(_group_bursts(list(rows)))
    return {key: min(found) for key, found in times.items()}


def refuse_bad_fit(found: Calibrated) -> None:
    """No profile from a fit that misses what it was made from."""
    if found.error > MOST_ERROR:
        raise InputError(
            f"The fit misses its own bursts by {found.error:.0%} on average; expected at most "
            f"{MOST_ERROR:.0%}, so no profile was written. Either something else ran on the "
            "machine (measure again when it is idle), or the server does not batch requests in "
            "steps, as engines for language models do, or it compiled kernels meanwhile (measure "
            "again while it still runs). --rows keeps the bursts to look at."
        )


def best_fit(rest: "Unknowns", descents: int) -> Any:
    """The fit with the smallest error on the bursts, of several starts: replayed schedules make
    the error jump, and one descent may stop at the next ledge."""
    from scipy.optimize import least_squares

    chance = np.random.default_rng(1)
    starts = [rest.start + start * chance.normal(0, START_SPREAD, len(rest.start))
              for start in (0.0, *(1.0,) * (descents - 1))]  # fmt: skip
    fits = [
        least_squares(rest.residuals, s, diff_step=0.02, max_nfev=60, loss="soft_l1", f_scale=0.1)
        for s in starts
    ]
    return min(fits, key=lambda fit: float(fit.cost))


class _Decoding(NamedTuple):
    """The linear part: the decoding curve and the reading of the cache."""

    tokens: tuple[float, ...]
    seconds: tuple[float, ...]
    read: float


def fit_decoding(
    shortest: dict[Key, float], shape: Architecture, least_read: float = 0.0
) -> _Decoding:
    """Steps by batch and the seconds for each number read, from pairs of decoding bursts."""
    steps = list(_steps(shortest, shape))
    if not steps:
        raise InputError(
            "A calibration needs decoding bursts of two lengths over the same prompts; "
            f"found {len(shortest)} bursts and no pair of which the longer took longer."
        )
    batches = sorted({batch for batch, _, _ in steps})
    rows = np.array(
        [[*(float(b == batch) for b in batches), n] for batch, n, _ in steps]
    ) / np.array([[seconds] for _, _, seconds in steps])
    scale = np.maximum(np.abs(rows).max(axis=0), 1e-300)
    from scipy.optimize import nnls

    solved = nnls(rows / scale, 1 - least_read * rows[:, -1])[0] / scale
    tokens, seconds = points(list(zip(map(float, batches), solved[:-1].tolist(), strict=True)))
    return _Decoding(tokens, seconds, float(solved[-1]) + least_read)


def _steps(shortest: dict[Key, float], shape: Architecture) -> Iterable[tuple[int, float, float]]:
    """Batch, numbers read and seconds of one step, for each pair of decoding bursts."""
    lengths: dict[tuple[int, int], list[int]] = defaultdict(list)
    for kind, batch, context, decode in shortest:
        if kind == "decode":
            lengths[batch, context].append(decode)
    for (batch, context), found in lengths.items():
        short, long = min(found), max(found)
        if short == long:
            continue
        spent = shortest["decode", batch, context, long] - shortest["decode", batch, context, short]
        if spent > 0:
            numbers = batch * numbers_read(shape, context + short, long - short) / (long - short)
            yield batch, numbers, spent / (long - short)


class Unknowns:
    """The part that is fitted by replaying bursts: unknowns are logarithms, so none is negative."""

    def __init__(
        self,
        shortest: dict[Key, float],
        shape: Architecture,
        decoding: _Decoding,
        chunk: int,
        recorded: int | None,
        keeps_prefixes: bool,
    ) -> None:
        self.keeps_prefixes = keeps_prefixes
        self.shape, self.decoding, self.chunk = shape, decoding, chunk
        longest = {(b, c): d for k, b, c, d in sorted(shortest) if k == "decode"}
        self.keys = [k for k in shortest if k[0] == "prefill" or longest[k[1], k[2]] != k[3]]
        self.seconds = np.array([shortest[key] for key in self.keys])
        single = sorted({k[2] for k in self.keys if k[:2] == ("prefill", 1) and k[2] <= chunk})
        if len(single) < 2:
            raise InputError(
                f"A calibration needs single prefills of at least two lengths; found {len(single)}."
            )
        # A prompt that the cache holds is a prefill of one token. A dense model on a card takes as
        # long for sixteen (a point of its own made held-out workloads worse); a mixture, which
        # touches fewer experts for one, and processors take far less.
        first = [1] if keeps_prefixes and (recorded is None or shape.routed_params) else []
        self.knots = tuple(float(k) for k in _with_jump([*first, *single], recorded))
        times = {float(length): shortest["prefill", 1, length, 1] for length in single}
        heights = [
            0.6 * times[min((t for t in times if t >= k), default=max(times))] for k in self.knots
        ]
        self._least_heights = np.interp(self.knots, decoding.tokens, decoding.seconds)
        self._experts = _Experts(shape, decoding)
        self._decoding_curve = self._experts.fill(decoding.tokens, decoding.seconds)
        attend = _attention_prior(single, times, shape)
        self.start = np.log([attend, *_WAY_IN, *np.maximum(heights, decoding.seconds[0])])
        self._prior = self.start[:4].copy()

    def model(self, unknowns: Floats) -> StepModel:
        """The step model that a vector of logarithms stands for."""
        attend, request, send, token, *heights = np.exp(
            np.clip(unknowns, -LARGEST_LOGARITHM, LARGEST_LOGARITHM)
        ).tolist()
        # A step that prefills takes no less than one that decodes.
        heights = np.maximum.accumulate(np.maximum(heights, self._least_heights))
        tokens, seconds = self._decoding_curve
        mixed_tokens, mixed_seconds = self._experts.fill(self.knots, heights)
        return StepModel(
            tokens=tokens,
            seconds=seconds,
            read_seconds=self.decoding.read,
            attend_seconds=attend,
            request_seconds=request,
            send_seconds=send,
            send_token_seconds=token,
            mixed_tokens=mixed_tokens,
            mixed_seconds=mixed_seconds,
        )

    def miss(self, model: StepModel) -> Floats:
        """Each burst's relative error."""
        predicted = np.array([self.replay(key, model) for key in self.keys])
        missed: Floats = predicted / self.seconds - 1
        return missed

    def residuals(self, unknowns: Floats) -> Floats:
        """Logarithms of predicted over measured, and the weak pull of the priors."""
        model = self.model(unknowns)
        pull = (unknowns[:4] - self._prior) / PRIOR_SPREAD
        return np.concatenate([np.log1p(self.miss(model)), pull])

    def replay(self, key: Key, model: StepModel) -> float:
        """Seconds of a burst, replayed."""
        kind, batch, context, decode = key
        found = kind == "decode" and self.keeps_prefixes
        cached = (context - 1) // BLOCK * BLOCK if found else 0
        turns = [[Turn(context, decode, cached)]] * batch
        return replay(turns, batch, self.shape, model, self.chunk).makespan_seconds


class _Experts:
    """How long a mixture's steps take between two measured sizes. Two tokens touch nearly twice the
    experts of one, a hundred no more than fifty: its steps follow the bytes of their experts, and
    straight lines between the points would miss them."""

    def __init__(self, shape: Architecture, decoding: _Decoding) -> None:
        self._shape = shape
        few, many = (shape.step_bytes(decoding.tokens[end]) for end in (0, -1))
        more = decoding.seconds[-1] - decoding.seconds[0]
        self._byte_seconds = more / (many - few) if many > few else 0.0

    def fill(
        self, tokens: Sequence[float], seconds: Sequence[float] | Floats
    ) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """The curve with a point at every power of two; of a dense model as it is."""
        if not self._byte_seconds:
            return tuple(tokens), tuple(float(s) for s in seconds)
        between = [float(t) for t in GRID if tokens[0] < t < tokens[-1]]
        found = np.array(sorted({*tokens, *between}))
        reading = self._byte_seconds * np.array([self._shape.step_bytes(t) for t in found])
        known = np.isin(found, tokens)
        besides = np.interp(found, tokens, np.asarray(seconds) - reading[known])
        heights = np.maximum.accumulate(besides + reading)
        return tuple(found.tolist()), tuple(heights.tolist())


def _with_jump(lengths: Sequence[int], recorded: int | None) -> list[int]:
    inside = recorded is not None and lengths[0] <= recorded < lengths[-1]
    return sorted({*lengths, recorded, recorded + 1}) if inside and recorded else list(lengths)


def _attention_prior(
    single: Sequence[int], times: dict[float, float], shape: Architecture
) -> float:
    """A tenth of the longest prefill, as if attention took that much of it."""
    pairs = single[-1] ** 2 / 2 * shape.attention_flops * max(shape.full_attention_layers, 1)
    return 0.1 * times[float(single[-1])] / pairs


def _group_bursts(bursts: Sequence[Burst]) -> dict[Key, list[float]]:
    groups: dict[Key, list[float]] = defaultdict(list)
    for burst in bursts:
        groups[burst.kind, burst.batch, burst.context, burst.decode].append(burst.seconds)
    return groups


def _drop_paused(times: dict[Key, list[float]]) -> dict[Key, list[float]]:
    """Without bursts that were sent once and took longer than a larger one: nothing else of them
    tells a pause from the engine, and the first request after others often has one."""
    shortest = {key: min(found) for key, found in times.items()}

    def has_pause(key: Key) -> bool:
        larger = (
            seconds
            for (kind, *sizes), seconds in shortest.items()
            if kind == key[0] and all(a >= b for a, b in zip(sizes, key[1:], strict=True))
        )
        return len(times[key]) == 1 and shortest[key] > min(larger)

    return {key: found for key, found in times.items() if not has_pause(key)}


def _noise(bursts: Sequence[Burst]) -> float | None:
    spreads = [(median(g) - min(g)) / min(g) for g in _group_bursts(bursts).values() if len(g) > 1]
    return median(spreads) if spreads else None
