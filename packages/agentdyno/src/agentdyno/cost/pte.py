"""What the turns of trajectories cost in PTE under each cache assumption (`measures.pte`).

`pte_growth` is the cost with the tokens decoded so far in the same turn, each kind of layer up to
its window (`gamma.TurnGammas`). The cache, always named:
`evicted` (the paper's assumption: every turn prefills its whole context), `observed` (what
happened: turn by turn, `reported` where the provider reported its hits and `evicted` where nothing
is known), `reported` (what the provider did not read from its cache; unknown where it is silent),
`kept` (only what is new since the turn before, so each token once in its trajectory; a prefix that
trajectories share can still beat it), `served` (what a server of one's own would not find in its
memory: the replay's hits stand in for the provider's, see `views`). The context is the same in all
of them.
"""

from typing import Literal

import numpy as np
from msgspec import Struct

from agentdyno.cost.columns import NEVER, Columns, Flags, Floats
from agentdyno.cost.gamma import TurnGammas
from agentdyno.cost.split import Split, is_first
from agentdyno.measures.pte import Cache, turn

CacheAssumption = Cache | Literal["served"]
DEFAULT_CACHE: CacheAssumption = "evicted"
"""The paper's; what is physical comes from the replay, and money from what was charged."""
CACHE_ASSUMPTIONS: tuple[CacheAssumption, ...] = ("evicted", "reported", "kept")
"""Those with columns of their own in a ledger; `observed` is made of the first two."""


class TurnCosts(Struct, frozen=True):
    """Per turn, for one cache assumption; NaN where the assumption cannot be applied."""

    prefill: Floats
    """Tokens that had to be prefilled."""
    pte: Floats
    pte_growth: Floats
    """With the growth term."""


def cost_turns(
    columns: Columns, split: Split, gammas: TurnGammas, assumption: CacheAssumption
) -> TurnCosts:
    """The cost of every turn under one cache assumption."""
    prefill = sum_prefilled(columns, split, assumption)
    pte = turn(prefill, split.context, split.decode, gammas.effective(split.context))
    return TurnCosts(prefill, pte, pte + gammas.growth(split.context, split.decode))


def sum_prefilled(columns: Columns, split: Split, assumption: CacheAssumption) -> Floats:
    """Per turn: the context tokens that were computed anew."""
    if assumption == "evicted":
        return split.context
    if assumption in ("observed", "served"):
        return np.maximum(split.context - np.nan_to_num(columns.cached), 0.0)
    if assumption == "reported":
        return np.maximum(split.context - columns.cached, 0.0)
    return _new_tokens(columns, split)


def _new_tokens(columns: Columns, split: Split) -> Floats:
    """Parts that entered with this turn and were not decoded by the one before."""
    fresh = is_fresh(columns)
    sizes = size_on_entry(columns, split)
    visible = np.bincount(columns.enters[fresh], sizes[fresh], columns.turns)
    return np.minimum(visible + new_unseen(columns, split), split.context)


def size_on_entry(columns: Columns, split: Split) -> Floats:
    """Per part: its tokens as the first turn that had it in context counted them."""
    enters = np.maximum(columns.enters, 0)
    if not columns.turns:
        return split.tokens
    scale = np.where(is_first(columns), split.first_scale[enters], split.later_scale[enters])
    return split.tokens * np.where(columns.enters == NEVER, 1.0, scale)


def is_fresh(columns: Columns) -> Flags:
    """True for parts that are new to the cache when they enter: not decoded in the turn before."""
    inside = columns.enters != NEVER
    fresh: Flags = inside & (columns.made != columns.enters - 1)
    # A part given to the model has made == NEVER == -1, which is no turn before the first one.
    fresh |= inside & (columns.made == NEVER)
    return fresh


def new_unseen(columns: Columns, split: Split) -> Floats:
    """Per turn: how much more is unseen than in the turn before."""
    before = np.roll(split.unseen, 1)
    before[columns.first_turn[:-1][columns.first_turn[:-1] < columns.turns]] = 0.0
    return np.maximum(split.unseen - before, 0.0)
