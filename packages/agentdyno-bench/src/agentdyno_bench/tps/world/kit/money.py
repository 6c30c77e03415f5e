"""Exchange rates, the same for every server that needs one; those of spring 2024, less or more.

The krone of Denmark keeps to the euro and the dirham to the dollar, as they do.
"""

import math

from agentdyno_bench.tps.world.kit.chance import share
from agentdyno_bench.tps.world.kit.data import load
from agentdyno_bench.tps.world.kit.errors import not_found


def rate(seed: int, base: str, quote: str) -> float:
    """How much of `quote` one unit of `base` buys today, to five figures or places."""
    ratio = _per_euro(seed, quote) / _per_euro(seed, base)
    return round(ratio, max(5, 4 - math.floor(math.log10(ratio))))


def payable(amount: float, code: str) -> float:
    """An amount as it is paid: some currencies know no smaller coin than one."""
    return round(amount, 0 if code in _WHOLE else 2)


_WHOLE = frozenset({"JPY", "KRW", "ISK", "HUF"})
_DIRHAMS_A_DOLLAR = 3.6725


def _per_euro(seed: int, code: str) -> float:
    usual: dict[str, float] = load("kit/currencies")
    per_euro = usual.get(code.upper())
    if per_euro is None:
        raise not_found("currency", code, "Use an ISO 4217 code such as EUR.")
    if code.upper() == "AED":
        return _DIRHAMS_A_DOLLAR * _per_euro(seed, "USD")
    wobble = {"EUR": 0.0, "DKK": 0.002}.get(code.upper(), 0.04)
    return per_euro * (1 + wobble * (share(seed, "rate", code.upper()) - 0.5))
