"""Splits every turn's tokens over the parts in its context and the parts it decoded.

The provider reports totals; the trace shows texts, sized by length or counted. What the first turn
reports beyond the texts it was given is what the trace does not show: hidden prompts, schemas, the
chat template. It stays in the context, so it is the part `unseen`, the same in every later turn,
and is not spread over the others. What later turns report beyond that belongs to the texts added
since, which are scaled to it; only what no stretching explains is unseen too. Texts counted with
the model's own vocabulary are not stretched; a stand-in sizes what Claude 4.6 reads from files at
.85 of its bill. A total smaller than its texts scales them down.

Worked: 100 tokens visible and 150 reported in the first turn: 50 unseen. 40 more by length in the
second, 200 reported: 200 - 50 - 100 = 50, so the added texts are scaled by 1.25.
"""

import numpy as np
from msgspec import Struct

from agentdyno.cost.columns import NEVER, Columns, Flags, Floats, Ints

MAX_STRETCH = 1.25
"""How far a size from length, or by a stand-in, may fall short before the rest is unseen."""


class Split(Struct, frozen=True):
    """Tokens by turn and part; for each turn the pieces sum to the turn's total."""

    context: Floats
    """Per turn: tokens in context before decoding starts."""
    decode: Floats
    """Per turn: tokens generated."""
    tokens: Floats
    """Per part: its size where it was made or first stood."""
    first_scale: Floats
    """Per turn: the factor on the sizes of the parts that stood in the first turn's context."""
    later_scale: Floats
    """Per turn: the factor on the sizes of the parts that were added since."""
    unseen: Floats
    """Per turn: context tokens that no part of the trace accounts for."""
    unseen_decode: Floats
    """Per turn: generated tokens that no part of the trace accounts for."""


def split_tokens(columns: Columns) -> Split:
    """Sizes for every part such that each turn's total comes out exactly."""
    decode, tokens, unseen_decode = _split_decode(columns)
    first = is_first(columns)
    initial = _visible(columns, tokens, first)
    added = _visible(columns, tokens, ~first)
    context = _contexts(columns, initial, added)
    first_scale, later_scale, unseen = _split_context(columns, context, initial, added)
    return Split(context, decode, tokens, first_scale, later_scale, unseen, unseen_decode)


def is_first(columns: Columns) -> Flags:
    """Per part: whether it stood in its trajectory's first turn."""
    first: Flags = columns.enters == columns.first_turn[:-1][columns.part_trajectory]
    return first


def _split_decode(columns: Columns) -> tuple[Floats, Floats, Floats]:
    """Reported decode over the parts made: those of known size first, the others by length."""
    produced = columns.made
    is_decoded = produced != NEVER
    fixed = is_decoded & ~np.isnan(columns.known)
    turns = columns.turns
    tokens = columns.size.copy()
    # Given parts of known size are those whose text is not recorded: an agent's count of schemas.
    has_size = ~np.isnan(columns.known)
    tokens[has_size] = columns.known[has_size]
    fixed_sum = np.bincount(produced[fixed], tokens[fixed], turns)
    loose = is_decoded & ~fixed
    loose_sum = np.bincount(produced[loose], tokens[loose], turns)
    estimated = np.round(fixed_sum + loose_sum + columns.overhead)
    total = np.where(np.isnan(columns.decode), estimated, columns.decode)
    # More reasoning reported than tokens decoded: the provider contradicts itself; scale it down.
    squeeze = np.where(fixed_sum > total, total / np.maximum(fixed_sum, 1e-9), 1.0)
    tokens[fixed] *= squeeze[produced[fixed]]
    remaining = np.maximum(total - fixed_sum * squeeze, 0.0)
    exact = _all_counted(columns, loose, produced)
    stretch = np.where(exact & ~np.isnan(columns.decode), 1.0, MAX_STRETCH)
    factor = np.minimum(remaining / np.maximum(loose_sum, 1e-9), stretch)
    # An estimate is made of its parts; what it has beyond them comes with any response.
    factor = np.where(np.isnan(columns.decode) & (columns.overhead > 0), 1.0, factor)
    tokens[loose] *= factor[produced[loose]]
    unseen = np.maximum(remaining - factor * loose_sum, 0.0)
    unseen[unseen < 1e-9] = 0.0
    return total, tokens, unseen


def _all_counted(columns: Columns, mask: Flags, turn: Ints) -> Flags:
    """Per turn: whether every part concerned was counted exactly: nothing may be stretched."""
    guessed = mask & ~columns.own_counted
    sure: Flags = np.bincount(turn[guessed], minlength=columns.turns) == 0
    return sure


def _visible(columns: Columns, tokens: Floats, which: Flags) -> Floats:
    """Per turn: the summed sizes of these parts in its context."""
    inside = which & (columns.enters != NEVER)
    change = np.bincount(columns.enters[inside], tokens[inside], columns.turns + 1)
    change -= np.bincount(columns.leaves[inside], tokens[inside], columns.turns + 1)
    summed = np.maximum(np.cumsum(change)[:-1], 0.0)
    summed[summed < 1e-6] = 0.0  # What cancellation leaves behind.
    return summed


def _contexts(columns: Columns, initial: Floats, added: Floats) -> Floats:
    """Per turn: the reported total; without one, the texts and what other turns did not show."""
    is_reported = ~np.isnan(columns.prefill)
    beyond = np.where(is_reported, np.maximum(columns.prefill - initial - added, 0.0), 0.0)
    where, many = columns.turn_trajectory, len(columns.first_turn) - 1
    reports = np.bincount(where[is_reported], minlength=many)
    hidden = np.bincount(where, beyond, many) / np.maximum(reports, 1)
    return np.where(is_reported, columns.prefill, np.round(initial + added + hidden[where]))


def _split_context(
    columns: Columns, context: Floats, initial: Floats, added: Floats
) -> tuple[Floats, Floats, Floats]:
    start = columns.first_turn[:-1][columns.turn_trajectory]
    first_scale = np.minimum(_ratio(context, initial, 1.0), 1.0)
    # A later turn keeps the factor of the first, unless its total is too small even for that.
    first_scale = np.minimum(first_scale, first_scale[start])
    hidden = np.maximum(context - first_scale * initial, 0.0)[start]
    stretch = np.where(_count_by_turn(columns), 1.0, MAX_STRETCH)
    room = np.maximum(context - first_scale * initial - hidden, 0.0)
    later_scale = np.minimum(_ratio(room, added, 0.0), stretch)
    # Less room than the texts need: the hidden part gave way (a compaction, a shorter prompt).
    tight = np.minimum(context - first_scale * initial, added)
    later_scale = np.maximum(later_scale, np.minimum(_ratio(tight, added, 0.0), 1.0) * _MOSTLY)
    unseen = np.maximum(context - first_scale * initial - later_scale * added, 0.0)
    return _exact(context, initial, added, first_scale, later_scale, unseen)


_MOSTLY = 0.6
"""Texts are not scaled below this to make room for what only the first turn needed."""


def _ratio(total: Floats, size: Floats, otherwise: float) -> Floats:
    return np.where(size > 0, total / np.maximum(size, 1e-9), otherwise)


def _exact(
    context: Floats, initial: Floats, added: Floats, first: Floats, later: Floats, unseen: Floats
) -> tuple[Floats, Floats, Floats]:
    """Takes rounding into the unseen, or into the scale where there is none."""
    unseen = np.where(unseen < 1e-6, 0.0, unseen)
    visible = context - unseen - first * initial
    later = np.where(added > 0, np.maximum(visible, 0.0) / np.maximum(added, 1e-9), 0.0)
    first = np.where(
        initial > 0, (context - unseen - later * added) / np.maximum(initial, 1e-9), 0.0
    )
    return first, later, context - first * initial - later * added


def _count_by_turn(columns: Columns) -> Flags:
    many = len(columns.first_turn) - 1
    guessed = np.bincount(columns.part_trajectory[~columns.own_counted], minlength=many)
    sure: Flags = (guessed == 0)[columns.turn_trajectory]
    return sure
