"""Engines by model, from what a user chose: architecture, hardware and prices. No tokens here."""

from pathlib import Path

from msgspec import Struct

from agentdyno.cost.architectures import resolve_architecture
from agentdyno.cost.gamma import gamma
from agentdyno.cost.hardware import resolve_hardware
from agentdyno.cost.metering import Engine
from agentdyno.cost.price_lookup import price_of, tariff_of
from agentdyno.cost.pte import DEFAULT_CACHE, CacheAssumption
from agentdyno.measures.gamma import Form
from agentdyno.records import InputError


class MeterOptions(Struct, frozen=True):
    """The options that decide how tokens become cost; small enough to send to another process."""

    hardware: str = "h100-pcie"
    """Name of a known hardware, or a TOML file."""
    arch: str = "auto"
    """`auto`, the name of an architecture, or a config.json."""
    gamma: Form = "paper"
    """The paper's formula, or the real width of the cache."""
    cache: CacheAssumption = DEFAULT_CACHE
    """The cache assumption behind `pte`."""
    count: str = "fast"
    """`exact` counts texts also where the provider reported totals."""
    tokenizer: str | None = None
    """A tokenizer.json for every model; None takes each family's own vocabulary."""
    prices: str | None = None
    """A TOML price table that goes before the bundled one."""


class Engines:
    """Engines by model, each worked out once; raises an `InputError` for a wrong name or file."""

    def __init__(self, options: MeterOptions) -> None:
        self._arch, self._hardware = options.arch, resolve_hardware(options.hardware)
        self._form = options.gamma
        self._prices = _price_file(options.prices)
        self._known: dict[str | None, Engine] = {}
        self.of(None)

    def of(self, model: str | None) -> Engine:
        if model not in self._known:
            resolved = resolve_architecture(model, self._arch)
            self._known[model] = Engine(
                architecture=resolved.architecture.name,
                gamma=gamma(resolved.architecture, self._hardware, resolved.source, self._form),
                tariff=tariff_of(model, self._prices) if model else None,
            )
        return self._known[model]


def _price_file(prices: str | None) -> Path | None:
    if prices is None:
        return None
    path = Path(prices)
    if not path.is_file():
        raise InputError(f"{path}: expected a TOML file with prices, found none.")
    price_of("any", path)  # A damaged table is said here, not in the middle of the work.
    return path
