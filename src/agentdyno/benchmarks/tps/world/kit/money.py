"""Exchange rates, the same for every server that needs one."""

from agentdyno.benchmarks.tps.world.kit.chance import share
from agentdyno.benchmarks.tps.world.kit.data import load
from agentdyno.benchmarks.tps.world.kit.errors import not_found


def rate(seed: int, base: str, quote: str) -> float:
    """How much of `quote` one unit of `base` buys today, to five places."""
    return round(_per_euro(seed, quote) / _per_euro(seed, base), 5)


def _per_euro(seed: int, code: str) -> float:
    usual: dict[str, float] = load("kit/currencies")
    found = usual.get(code.upper())
    if found is None:
        raise not_found("currency", code, "Use an ISO 4217 code such as EUR.")
    return found * (0.98 + 0.04 * share(seed, "rate", code.upper()))
