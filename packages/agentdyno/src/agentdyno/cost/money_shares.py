"""Where the money went: every turn's bill, split exactly over the parts that caused it.

A context is billed in three stretches: first what was read from the cache, then what was written to
it, then the rest. What the trace does not show stands first. A part pays in every turn that has it
in context, at the price of the stretch that it stands in there, and once for being generated.
Shares are not savings: what leaving a part out would save is answered by computing without it.

Worked: 100 tokens in context, 60 of them read for $6 and 40 written for $50; 10 generated for $20.
The last 50 of the context pay 10 * $0.10 + 40 * $1.25 = $51, the generated text $20.
"""

import numpy as np
from msgspec import Struct, structs

from agentdyno.cost.attribution import decoded_tokens, tokens_behind, tokens_in_context
from agentdyno.cost.columns import Columns, Floats
from agentdyno.cost.split import Split


class Bill(Struct, frozen=True):
    """Per turn: what was charged, by what for; NaN where unpriced."""

    cached: Floats
    """Tokens read from the cache; 0 where none are reported."""
    written: Floats
    """Tokens written to it; 0 where none are reported."""
    usd_input: Floats
    """For tokens that were neither."""
    usd_read: Floats
    """For those read from the cache."""
    usd_write: Floats
    """For those written to it."""
    usd_output: Floats
    """For generated tokens."""

    @property
    def total(self) -> Floats:
        return self.usd_input + self.usd_read + self.usd_write + self.usd_output


class MoneyShares(Struct, frozen=True):
    """Money paid by each part. For each trajectory, parts and unseen sum to its money."""

    usd: Floats
    """Per part."""
    unseen: Floats
    """Per turn: for context that the trace does not show."""
    unseen_decode: Floats
    """Per turn: for generated tokens that the trace does not show."""


def attribute_money(
    columns: Columns, split: Split, bill: Bill, counts: Floats | None = None
) -> MoneyShares:
    """Every part's share; NaN in a trajectory of which some turn has no price.

    `counts` is 1 for the turns whose money is to be shared and 0 for those that count elsewhere.
    """
    counts = np.ones(columns.turns) if counts is None else counts
    read, write, fresh = (counts * price for price in _per_token(bill, split.context))
    out = counts * _over(bill.usd_output, split.decode)
    ends = bill.cached, bill.cached + bill.written
    # All tokens pay for reading; those behind a stretch, what the next one costs more.
    steps = write - read, fresh - write
    usd = tokens_in_context(columns, split, _known(read)) + decoded_tokens(columns, split, out)
    unseen = split.unseen * read
    for end, step in zip(ends, steps, strict=True):
        usd = usd + _behind(columns, split, end, _known(step))
        unseen = unseen + np.maximum(split.unseen - end, 0.0) * step
    unpriced = np.isnan(bill.total) & (counts > 0)
    silent = np.bincount(columns.turn_trajectory, unpriced, len(columns.first_turn)) > 0
    return MoneyShares(
        usd=np.where(silent[columns.part_trajectory], np.nan, usd),
        unseen=unseen + np.where(split.context > 0, 0.0, counts * (bill.total - bill.usd_output)),
        unseen_decode=split.unseen_decode * out,
    )


def _per_token(bill: Bill, context: Floats) -> tuple[Floats, Floats, Floats]:
    """Per turn: USD of a token of each stretch. A provider may count more tokens read or written
    than there are in context; what then has no stretch is paid by all tokens alike."""
    read = np.minimum(bill.cached, context)
    write = np.minimum(bill.cached + bill.written, context) - read
    stretches = (
        (read, bill.usd_read),
        (write, bill.usd_write),
        (context - read - write, bill.usd_input),
    )
    nowhere = np.sum([np.where(tokens > 0, 0.0, usd) for tokens, usd in stretches], axis=0)
    everywhere = _over(nowhere, context)
    first, second, third = (_over(usd, tokens) + everywhere for tokens, usd in stretches)
    return first, second, third


def _behind(columns: Columns, split: Split, end: Floats, weight: Floats) -> Floats:
    if not end.any():
        return tokens_in_context(columns, split, weight)
    return tokens_behind(structs.replace(columns, cached=end), split, weight)


def _over(usd: Floats, tokens: Floats) -> Floats:
    return np.where(tokens > 0, usd / np.where(tokens > 0, tokens, 1.0), 0.0)


def _known(weight: Floats) -> Floats:
    """Sums run over all trajectories, so one without a price must not reach the others."""
    return np.nan_to_num(weight)
