"""Intervals of a calibration's parameters, by profile likelihood.

Takes the repetitions of each burst; returns bounds around fitted parameters. Only times that are
linear in the parameters bear on them: those of requests that were served alone, and what the longer
of two bursts over the same prompts took more than the shorter. Bursts of many requests bend where
one waits for another, and are left to the fit of the values.

Noise may have two sides, or be pauses that make every repetition longer: bounds hold for the median
repetition, for the shortest, and for what is shorter still by as much. No parameter is below
zero, a larger step takes no less time than a smaller one, and a step that prefills no less than one
that decodes. What a request alone cannot show (how waiting outside and the least step divide) gets
an interval as wide as that. Coverage on simulated engines: `bench/calibration_coverage.py`.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from statistics import median
from typing import NamedTuple

import numpy as np
from scipy.optimize import nnls
from scipy.stats import t as student

from agentdyno.cost.columns import Floats
from agentdyno.cost.replay import Turn
from agentdyno.cost.shape import Architecture
from agentdyno.cost.step_model import StepModel
from agentdyno.cost.steps import numbers_read
from agentdyno_depth.fitting.layout import Layout

# Takes rows that should each sum to one, and a direction; returns the least and the most that the
# direction can be before the fit gets worse than chance explains. Where nothing bears on a
# direction the interval is as wide as its bounds; a linearised one would be as narrow as anywhere.
HELD = 1e4
"""Weight of the row that holds a direction at a value, beside rows of about one."""
HALVINGS = 14
"""Bisections of each bound: one part in ten thousand of the bracket."""
WIDEST = 10.0
"""A bound is not sought beyond so many times what would make up a whole row."""


_Check = Callable[[float], bool]
"""Whether the rows allow a value."""


class LinearFit:
    """Least squares over relative errors, no unknown below zero."""

    def __init__(self, rows: Floats, right: Floats) -> None:
        largest = np.abs(rows).max(axis=0)
        self._scale = 1.0 / np.where(largest > 0, largest, 1.0)
        self._rows, self._right = rows * self._scale, right
        solved = nnls(self._rows, right)[0]
        self.solved: Floats = solved * self._scale
        self.residuals: Floats = self._rows @ solved - right

    def bounds(self, direction: Floats, offset: float, spread: float) -> tuple[float, float]:
        """The 95 % interval of `direction` times the unknowns, plus an offset."""
        value = float(direction @ self.solved)
        free = max(len(self._right) - int((self.solved > 0).sum()), 1)
        most = float((self.residuals**2).sum()) + (student.ppf(0.975, free) * spread) ** 2
        scaled = direction * self._scale

        def allows(end: float) -> bool:
            size = max(abs(end), abs(value), 1e-300)
            rows = np.vstack([self._rows, HELD * scaled / size])
            solved, _ = nnls(rows, np.append(self._right, HELD * end / size))
            is_held = abs(scaled @ solved - end) <= 1e-3 * size
            return bool(is_held and ((self._rows @ solved - self._right) ** 2).sum() <= most)

        # So much of the direction alone would make up a whole row.
        unit = float(np.abs(scaled).max())
        return offset + _lowest(allows, value), offset + _highest(allows, value, unit)


def _lowest(allows: _Check, value: float) -> float:
    if value <= 0 or allows(0.0):
        return 0.0
    outside, inside = 0.0, value
    for _ in range(HALVINGS):
        middle = (outside + inside) / 2
        outside, inside = (outside, middle) if allows(middle) else (middle, inside)
    return inside


def _highest(allows: _Check, value: float, unit: float) -> float:
    inside, step = value, 1e-4 * unit
    while allows(inside + step):
        inside += step
        step *= 2
        if inside > value + WIDEST * unit:
            return inside
    outside = inside + step
    for _ in range(HALVINGS):
        middle = (outside + inside) / 2
        outside, inside = (outside, middle) if allows(middle) else (middle, inside)
    return inside


Key = tuple[str, int, int, int]
"""Kind, batch, context and decoded tokens of a burst."""
BLOCK = 16
"""Tokens of a cache block: a cached prompt is found in whole blocks, and its last token never."""
MODEL_ERROR = 0.005
"""The least spread of a row, as a share: what straight lines between the points leave out."""
OUTLYING = 0.1
"""Relative errors from here on count less and less."""


class _Row(NamedTuple):
    """One time that is linear in the parameters."""

    form: Floats
    least: float
    """Seconds without any pause: the shortest repetition, less what repetitions usually lie
    apart."""
    shortest: float
    """Seconds by the shortest repetitions."""
    usual: float
    """Seconds by the median ones."""


class Intervals:
    """The linear part of a calibration."""

    def __init__(
        self,
        times: Mapping[Key, Sequence[float]],
        shape: Architecture,
        layout: Layout,
        chunk: int,
        keeps_prefixes: bool,
        least_read: float = 0.0,
    ) -> None:
        self._times, self._shape, self._layout, self._chunk = times, shape, layout, chunk
        self._keeps_prefixes = keeps_prefixes
        self._least = np.zeros(layout.size)
        self._least[layout.read] = least_read
        self._steps = _increments(layout)
        self._apart = _measure_scatter(times)
        self._rows = [*self._rows_alone(), *self._rows_longer()]

    def around(self, model: StepModel) -> tuple[StepModel, StepModel]:
        """Lower and upper 95 % bounds; the fitted values are always inside."""
        low, high = self.bound_all()
        values = self._layout.values(model)
        return self._layout.model(np.minimum(low, values)), self._layout.model(
            np.maximum(high, values)
        )

    def bound_all(self) -> tuple[Floats, Floats]:
        """Lower and upper 95 % bounds of every parameter, in the layout's order."""
        parts = [[getattr(row, part) for row in self._rows] for part in _Row._fields[1:]]
        found = [self._bound(seconds) for seconds in parts]
        low = np.min([low for low, _ in found], axis=0)
        return low, np.max([high for _, high in found], axis=0)

    def _bound(self, seconds: Sequence[float]) -> tuple[Floats, Floats]:
        fit = self._fit(np.array(seconds))
        many = len(seconds)
        free = max(many - int((fit.solved > 0).sum()), many // 4, 1)
        spread = math.sqrt(float((fit.residuals**2).sum()) / free + MODEL_ERROR**2)
        pairs = [
            fit.bounds(self._steps[place], float(self._least[place]), spread)
            for place in range(self._layout.size)
        ]
        low, high = np.array(pairs).T
        request = self._layout.read + 2
        # Alone, taking a request in is one with waiting outside: either could be all of it.
        low[request], low[request + 1] = 0.0, 0.0
        high[request + 1] = high[request]
        return low, high

    def _fit(self, seconds: Floats) -> LinearFit:
        relative = np.array([row.form for row in self._rows]) / seconds[:, None]
        right = 1 - relative @ self._least
        unknowns = relative @ self._steps
        unknowns[:, self._layout.read + 3] = 0.0
        weights = np.ones(len(right))
        for _ in range(3):
            fit = LinearFit(unknowns * weights[:, None], right * weights)
            weights = (1 + ((unknowns @ fit.solved - right) / OUTLYING) ** 2) ** -0.25
        return fit

    def _rows_alone(self) -> list[_Row]:
        """The times of requests alone, the shortest answer over each prompt."""
        keys = [key for key in self._times if key[1] == 1 and self._shorter(key) == key]
        turns = [self._turn(key) for key in keys]
        forms = self._layout.form_requests(turns, self._shape, self._chunk)
        found = []
        for key, form in zip(keys, forms, strict=True):
            shortest, usual = min(self._times[key]), median(self._times[key])
            found.append(_Row(form, shortest * (1 - self._apart), shortest, usual))
        return found

    def _turn(self, key: Key) -> Turn:
        kind, _, context, decode = key
        is_cached = kind == "decode" and self._keeps_prefixes
        return Turn(context, decode, (context - 1) // BLOCK * BLOCK if is_cached else 0)

    def _rows_longer(self) -> Iterator[_Row]:
        """What a burst takes more than the one with the shortest answers over the same prompts."""
        for key, times in self._times.items():
            _, batch, context, decode = key
            shorter = self._shorter(key)
            more = min(times) - min(self._times[shorter])
            if more <= 0:
                continue
            steps = decode - shorter[3]
            form = steps * self._layout.decoding(batch)
            read = numbers_read(self._shape, float(context + shorter[3]), float(steps))
            form[self._layout.read] = batch * read
            usually = max(median(times) - median(self._times[shorter]), more)
            least = max(more - self._apart * min(times), more / 2)
            yield _Row(form, least, more, usually)

    def _shorter(self, key: Key) -> Key:
        return min((k for k in self._times if k[:3] == key[:3]), key=lambda k: k[3])


def _measure_scatter(times: Mapping[Key, Sequence[float]]) -> float:
    """How far the median repetition of a burst usually lies from its shortest, as a share."""
    apart = [median(found) / min(found) - 1 for found in times.values() if len(found) > 1]
    return min(median(apart), 0.5) if apart else 0.0


def _increments(layout: Layout) -> Floats:
    """Parameters from unknowns of at least zero: each step takes what the one before it takes and
    more, one that prefills what one that decodes takes and more."""
    found = np.eye(layout.size)
    found[: layout.read, : layout.read] = np.tril(np.ones((layout.read, layout.read)))
    many = len(layout.knots)
    found[layout.mixed :, layout.mixed :] = np.tril(np.ones((many, many)))
    for place, tokens in enumerate(layout.knots):
        decoding = layout.decoding(min(tokens, layout.batches[-1]))
        found[layout.mixed + place] += decoding[: layout.read] @ found[: layout.read]
    return found
