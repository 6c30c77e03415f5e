"""Splits every turn's tokens over the parts in its context and the parts it decoded.

The provider reports totals; the trace shows texts. Within a trajectory, reported context =
`unseen + rate * visible`: the slope corrects the estimate of the visible texts, the intercept is
what the trace does not show (hidden prompts, schemas, the chat template). So `unseen` is a part of
its own and is not spread over the others. With fewer than three reported turns the line cannot be
drawn; then the visible texts are scaled by at most `MAX_STRETCH` and the rest is unseen.

Worked: visible sizes 100, 200, 300, reported 150, 250, 350 -> rate 1, unseen 50 in every turn.
"""

import numpy as np
from msgspec import Struct

from agentdyno.metrics.cost.columns import NEVER, Columns, Flags, Floats, Ints

MAX_STRETCH = 1.25
"""How far a size from text length may fall short of the truth before the rest counts as unseen."""


class Split(Struct, frozen=True):
    """Tokens by turn and part; for each turn the pieces sum to the turn's total."""

    context: Floats
    """Per turn: tokens in context before decoding starts."""
    decode: Floats
    """Per turn: tokens generated."""
    tokens: Floats
    """Per part: its size where it was made or first stood."""
    scale: Floats
    """Per turn: the factor on the sizes of the parts in its context."""
    unseen: Floats
    """Per turn: context tokens that no part of the trace accounts for."""
    unseen_decode: Floats
    """Per turn: generated tokens that no part of the trace accounts for."""


def split_tokens(columns: Columns) -> Split:
    """Sizes for every part such that each turn's total comes out exactly."""
    decode, tokens, unseen_decode = _split_decode(columns)
    visible = _visible(columns, tokens)
    scale, unseen, context = _split_context(columns, visible)
    return Split(context, decode, tokens, scale, unseen, unseen_decode)


def _split_decode(columns: Columns) -> tuple[Floats, Floats, Floats]:
    """Reported decode over the parts made: those of known size first, the others by length."""
    made = columns.made
    own = made != NEVER
    fixed = own & ~np.isnan(columns.known)
    turns = columns.turns
    tokens = columns.size.copy()
    tokens[fixed] = columns.known[fixed]
    fixed_sum = np.bincount(made[fixed], tokens[fixed], turns)
    loose = own & ~fixed
    loose_sum = np.bincount(made[loose], tokens[loose], turns)
    total = np.where(np.isnan(columns.decode), np.round(fixed_sum + loose_sum), columns.decode)
    # More reasoning reported than tokens decoded: the provider contradicts itself; scale it down.
    squeeze = np.where(fixed_sum > total, total / np.maximum(fixed_sum, 1e-9), 1.0)
    tokens[fixed] *= squeeze[made[fixed]]
    rest = np.maximum(total - fixed_sum * squeeze, 0.0)
    exact = _all_counted(columns, loose, made)
    stretch = np.where(exact & ~np.isnan(columns.decode), 1.0, MAX_STRETCH)
    factor = np.minimum(rest / np.maximum(loose_sum, 1e-9), stretch)
    tokens[loose] *= factor[made[loose]]
    unseen = np.maximum(rest - factor * loose_sum, 0.0)
    unseen[unseen < 1e-9] = 0.0
    return total, tokens, unseen


def _all_counted(columns: Columns, mask: Flags, turn: Ints) -> Flags:
    """Per turn: whether every part concerned was counted, so that nothing may be stretched."""
    guessed = mask & ~columns.counted
    sure: Flags = np.bincount(turn[guessed], minlength=columns.turns) == 0
    return sure


def _visible(columns: Columns, tokens: Floats) -> Floats:
    """Per turn: the summed sizes of the parts in its context."""
    inside = columns.enters != NEVER
    change = np.bincount(columns.enters[inside], tokens[inside], columns.turns + 1)
    change -= np.bincount(columns.leaves[inside], tokens[inside], columns.turns + 1)
    return np.maximum(np.cumsum(change)[:-1], 0.0)


def _split_context(columns: Columns, visible: Floats) -> tuple[Floats, Floats, Floats]:
    reported = columns.prefill
    known = ~np.isnan(reported)
    counted = _counted_by_turn(columns)
    hidden = _intercepts(columns, visible, known & ~counted)[columns.turn_trajectory]
    room = np.where(np.isnan(hidden), reported, np.maximum(reported - hidden, 0.0))
    most = np.where(counted, 1.0, np.where(np.isnan(hidden), MAX_STRETCH, np.inf))
    scale = np.minimum(room / np.maximum(visible, 1e-9), most)
    scale = np.where(known, scale, _typical(columns, scale, known, 1.0))
    unseen = np.maximum(reported - scale * visible, 0.0)
    unseen[visible == 0] = reported[visible == 0]
    unseen = np.where(known, unseen, _typical(columns, unseen, known, 0.0))
    unseen[unseen < 1e-6] = 0.0
    context = np.where(known, reported, np.round(scale * visible + unseen))
    unseen = np.where(known, unseen, np.maximum(context - scale * visible, 0.0))
    # Where the total was rounded, the scale takes the fraction, so that the pieces still sum.
    scale = np.where(visible > 0, (context - unseen) / np.maximum(visible, 1e-9), 0.0)
    return scale, unseen, context


def _counted_by_turn(columns: Columns) -> Flags:
    guessed = np.bincount(columns.part_trajectory[~columns.counted], minlength=_many(columns))
    sure: Flags = (guessed == 0)[columns.turn_trajectory]
    return sure


def _intercepts(columns: Columns, visible: Floats, usable: Flags) -> Floats:
    """Per trajectory: the line's value at no visible text; NaN where no line can be drawn."""
    where, x, y = columns.turn_trajectory[usable], visible[usable], columns.prefill[usable]
    many = _many(columns)

    def total(values: Floats) -> Floats:
        return np.bincount(where, values, many).astype(np.float64)

    n = np.maximum(total(np.ones_like(x)), 1e-9)
    mean_x, mean_y = total(x) / n, total(y) / n
    spread = total((x - mean_x[where]) ** 2)
    slope = total((x - mean_x[where]) * (y - mean_y[where])) / np.maximum(spread, 1e-9)
    steep = np.clip(slope, 1 / MAX_STRETCH**2, MAX_STRETCH**2)
    enough = (n > 2.5) & (spread > (0.05 * np.maximum(mean_x, 1.0)) ** 2 * n)
    return np.where(enough, np.maximum(mean_y - steep * mean_x, 0.0), np.nan)


def _typical(columns: Columns, values: Floats, known: Flags, otherwise: float) -> Floats:
    """For turns without a report: the mean of the trajectory's turns that have one."""
    where = columns.turn_trajectory[known]
    n = np.bincount(where, minlength=_many(columns))
    mean = np.bincount(where, values[known], _many(columns)) / np.maximum(n, 1)
    return np.where(n > 0, mean, otherwise)[columns.turn_trajectory]


def _many(columns: Columns) -> int:
    return len(columns.first_turn) - 1
