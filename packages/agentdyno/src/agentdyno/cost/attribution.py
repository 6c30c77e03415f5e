"""Where the fuel went: every trajectory's PTE, split exactly over the parts that caused it.

A token pays 1 for every turn that prefills it. Each pair of a context token and a token decoded
over it costs gamma, shared half and half between the two: the Shapley value of a bilinear cost, so
nothing is counted twice and nothing is left over. Pairs inside one turn's decoding (the growth
term) are shared evenly over what it decoded. Shares are not savings: what leaving a part out would
save is answered by computing without it.

Worked: one turn, 100 tokens in context, 10 decoded, gamma 0.01. PTE = 100 + 0.01 * 1,000 = 110.
The context costs 100 + 5 = 105, the decoded text 5.
"""

import numpy as np
from msgspec import Struct, structs

from agentdyno.cost.columns import NEVER, Columns, Floats, Ints
from agentdyno.cost.gamma import Gammas
from agentdyno.cost.pte import CacheAssumption, is_fresh, new_unseen, size_on_entry
from agentdyno.cost.split import Split, is_first
from agentdyno.cost.standing import Standing, first_beyond, stand


class Shares(Struct, frozen=True):
    """Costs of the parts. For each trajectory, parts and unseen sum to its cost."""

    pte: Floats
    """Per part: its share of `pte`."""
    pte_growth: Floats
    """Per part: its share of `pte_growth`."""
    unseen: Floats
    """Per turn: the share of context that the trace does not show, the same in both."""
    unseen_decode: Floats
    """Per turn: the share of decoded tokens that the trace does not show, without growth."""
    unseen_decode_growth: Floats
    """Per turn: the same with growth."""


def attribute(
    columns: Columns,
    split: Split,
    gammas: Gammas,
    assumption: CacheAssumption,
    counts: Floats | None = None,
) -> Shares:
    """Every part's share under one cache assumption; NaN where that cannot be applied.

    `counts` is 1 for the turns whose cost is to be shared and 0 for those that count elsewhere.
    """
    counts = np.ones(columns.turns) if counts is None else counts
    gamma = counts * gammas.effective(split.context)
    growth = counts * gammas.growth(split.context, split.decode)
    per_token = growth / np.maximum(split.decode, 1.0)
    prefill, unseen_prefill = _prefill_shares(columns, split, assumption, counts)
    context = prefill + tokens_in_context(columns, split, gamma / 2 * split.decode)
    decoding = decoded_tokens(columns, split, gamma / 2 * split.context)
    grown = decoded_tokens(columns, split, per_token)
    unseen = counts * unseen_prefill + split.unseen * gamma / 2 * split.decode
    hidden = split.unseen_decode * gamma / 2
    return Shares(
        pte=context + decoding,
        pte_growth=context + decoding + grown,
        unseen=unseen,
        unseen_decode=hidden * split.context,
        unseen_decode_growth=hidden * split.context + split.unseen_decode * per_token,
    )


def _prefill_shares(
    columns: Columns, split: Split, assumption: CacheAssumption, counts: Floats
) -> tuple[Floats, Floats]:
    """Prefill costs of each part, and of the unseen tokens of each turn."""
    if assumption == "evicted":
        return tokens_in_context(columns, split, counts), split.unseen
    if assumption == "kept":
        paid = np.where(is_fresh(columns), size_on_entry(columns, split), 0.0)
        return paid * _on_entry(columns, counts), new_unseen(columns, split)
    if assumption in ("observed", "served"):
        columns = structs.replace(columns, cached=np.nan_to_num(columns.cached))
    return _share_uncached(columns, split, counts)


def _on_entry(columns: Columns, per_turn: Floats) -> Floats:
    """Per part: a value of the turn that it enters with."""
    return per_turn[np.maximum(columns.enters, 0)] if columns.turns else per_turn


def decoded_tokens(columns: Columns, split: Split, per_token: Floats) -> Floats:
    """Cost of the parts that were decoded, at so much for each token of their turn."""
    produced = np.maximum(columns.made, 0)
    return np.where(columns.made == NEVER, 0.0, split.tokens * per_token[produced])


def tokens_in_context(columns: Columns, split: Split, weight: Floats) -> Floats:
    """Per part: its tokens times a weight of the turn, over all turns that have it in context."""
    first = _over_interval(columns, split.first_scale * weight)
    later = _over_interval(columns, split.later_scale * weight)
    return split.tokens * np.where(is_first(columns), first, later)


def _over_interval(columns: Columns, per_turn: Floats) -> Floats:
    """Per part: the sum of a value over the turns that have the part in context."""
    running = np.concatenate([[0.0], np.cumsum(per_turn)])
    enters = np.maximum(columns.enters, 0)
    inside = columns.enters != NEVER
    return np.where(inside, running[np.maximum(columns.leaves, enters)] - running[enters], 0.0)


def _share_uncached(columns: Columns, split: Split, counts: Floats) -> tuple[Floats, Floats]:
    """A provider's cache covers the beginning of the context: what stands behind it is paid.

    The unseen stands first: hidden prompts and templates open the context.
    """
    unseen = np.clip(split.unseen - columns.cached, 0.0, split.unseen)
    paid = tokens_behind(columns, split, counts)
    silent = np.bincount(columns.turn_trajectory, np.isnan(columns.cached), len(columns.first_turn))
    return np.where(silent[columns.part_trajectory] > 0, np.nan, paid), unseen


def tokens_behind(columns: Columns, split: Split, weight: Floats) -> Floats:
    """Per part: its tokens behind the first `columns.cached` of each context, times a weight of the
    turn, over all turns that have it in context."""
    standing = stand(columns.enters, columns.leaves, columns.part_trajectory, columns.first_turn)
    paid = _behind_the_cache(columns, split, weight, standing)
    for turn in np.flatnonzero(standing.unordered):
        _pay_by_part(paid, columns, split, weight, int(turn))
    return paid


def _behind_the_cache(columns: Columns, split: Split, counts: Floats, standing: Standing) -> Floats:
    """Per part: what it pays over all turns whose parts have an order.

    Behind the part in which the cache ends every part pays for itself whole, so a turn adds its
    weight to all places from there on, and takes it away where its context ends.
    """
    first = is_first(columns)
    turns = np.flatnonzero(~standing.unordered)
    begins, ends, cached = standing.begins[turns], standing.ends[turns], columns.cached[turns]
    sized = [
        (np.where(mask, split.tokens, 0.0), scale[turns])
        for mask, scale in ((first, split.first_scale), (~first, split.later_scale))
    ]
    sums = [(standing.before(tokens), scale) for tokens, scale in sized]

    def reached(index: Ints) -> Floats:
        parts = [scale * (sum_[index] - sum_[begins]) for sum_, scale in sums]
        return split.unseen[turns] + parts[0] + parts[1]

    cut = first_beyond(reached, cached, begins, ends)
    some = cut < ends
    at, behind = cut[some], np.minimum(cut + 1, ends)
    uncached = np.minimum(reached(behind) - cached, reached(behind) - reached(cut))[some]
    weight, many = counts[turns][some], len(standing.parts)
    paid = np.bincount(standing.parts[at], weight * uncached, len(split.tokens)).astype(np.float64)
    for tokens, scale in sized:
        change = np.bincount(at + 1, weight * scale[some], many + 1)
        change -= np.bincount(ends[some], weight * scale[some], many + 1)
        running = np.cumsum(change)[:many] * tokens[standing.parts]
        paid += np.bincount(standing.parts, running, len(split.tokens))
    return paid


def _pay_by_part(paid: Floats, columns: Columns, split: Split, counts: Floats, turn: int) -> None:
    """The same for one turn, by looking at every part of its trajectory."""
    trajectory = columns.turn_trajectory[turn]
    span = slice(columns.first_part[trajectory], columns.first_part[trajectory + 1])
    enters, leaves = columns.enters[span], columns.leaves[span]
    in_context = (enters != NEVER) & (enters <= turn) & (turn < leaves)
    first = enters == columns.first_turn[trajectory]
    scale = np.where(first, split.first_scale[turn], split.later_scale[turn])
    sizes = np.where(in_context, split.tokens[span] * scale, 0.0)
    behind = split.unseen[turn] + np.cumsum(sizes) - columns.cached[turn]
    paid[span] += counts[turn] * np.clip(behind, 0.0, sizes)
