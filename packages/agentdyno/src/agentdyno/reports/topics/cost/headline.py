"""The first words about a ledger: how much it cost, what of that is estimated, what has no price.

A headline is money, or the unit that somebody asked for: PTE and GPU-seconds are on no bill.
"""

from agentdyno.records import plural
from agentdyno.reports.numbers import NO_PRICE, UNITS, amount, cost, dollars, label
from agentdyno.reports.topics.cost.seconds import seconds_range
from agentdyno.studies.cost.summary_results import Summary

ESTIMATED = 0.01
"""The share of a total from which on its estimates are named."""
NAMED = 3
"""Models without a price that are named."""


def is_unasked(s: Summary) -> bool:
    """Whether costs are in a unit that nobody pays and nobody asked for: no model has a price."""
    return s.unit != "usd" and not s.unit_chosen


def describe_total(s: Summary) -> str:
    """The cost of everything, with its unit."""
    if s.cost is None:
        return "an unknown cost"
    if s.unit == "pte":
        return f"{amount(s.cost, s.unit)} {s.pte_name}"
    return f"{seconds_range(s)} GPU-seconds" if s.unit == "gpu_seconds" else cost(s.cost, s.unit)


def describe_headline(s: Summary) -> str:
    """The same for a headline: `$34.51 ($3.32 of it estimated)`."""
    if is_unasked(s):
        return NO_PRICE
    return describe_total(s) + describe_estimated(s) + describe_gateways(s)


def describe_estimated(s: Summary) -> str:
    """How much of the money rests on estimated counts, where that is more than 1 %."""
    if s.unit != "usd" or not s.cost or (s.estimated_usd or 0.0) <= ESTIMATED * s.cost:
        return ""
    return f" ({dollars(s.estimated_usd)} of it estimated)"


def describe_gateways(s: Summary) -> str:
    """How much rests on counts that a gateway made itself."""
    if not s.gateway_turns:
        return ""
    turns = f"{s.gateway_turns:,} of {plural(s.turns, 'turn')}"
    usd = f"{dollars(s.gateway_usd)} of it" if s.unit == "usd" and s.gateway_usd else turns
    return f" ({usd} by a gateway's own counts, not the provider's)"


def describe_unpriced(s: Summary) -> str:
    """What is not in the headline because it has no price."""
    if not s.unpriced or (s.unit != "usd" and s.unit_chosen):
        return ""
    known = [label(model, limit=30) for model in s.unpriced_models if model]
    more = f" and {len(known) - NAMED} more" if len(known) > NAMED else ""
    models = ", ".join(known[:NAMED]) + more or "a trace that names no model"
    if s.unit != "usd":
        return (
            f"No price is known for {models}; --prices FILE gives one. Costs are in "
            f"{s.pte_name if s.unit == 'pte' else UNITS[s.unit]} instead."
        )
    return f"No price, so not in it: {s.unpriced_turns:,} of {plural(s.turns, 'turn')} ({models})."
