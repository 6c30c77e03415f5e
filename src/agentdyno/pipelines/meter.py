"""Puts a meter together from what the user chose: engines, prices and token counters."""

from functools import lru_cache
from pathlib import Path

from msgspec import Struct

from agentdyno.intake.counting import Counter
from agentdyno.intake.vocabularies import Vocabulary, load_tokenizer, vocabulary_of
from agentdyno.metrics.cost.architectures import resolve_architecture
from agentdyno.metrics.cost.calibration import calibration_of
from agentdyno.metrics.cost.gamma import gamma
from agentdyno.metrics.cost.hardware import Hardware, resolve_hardware
from agentdyno.metrics.cost.metering import Engine, Meter
from agentdyno.metrics.cost.prices import price_of
from agentdyno.metrics.cost.pte import CacheAssumption
from agentdyno.records import InputError


class MeterOptions(Struct, frozen=True):
    """What decides how tokens become cost; small enough to be sent to another process."""

    hardware: str = "h100-pcie"
    """Name of a known hardware, or a TOML file."""
    arch: str = "auto"
    """`auto`, the name of an architecture, or a config.json."""
    cache: CacheAssumption = "evicted"
    """The cache assumption behind `pte`."""
    count: str = "fast"
    """`exact` counts texts also where the provider reported totals."""
    tokenizer: str | None = None
    """A tokenizer.json for every model; None takes each family's own vocabulary."""
    prices: str | None = None
    """A TOML price table that goes before the bundled one."""


@lru_cache(maxsize=4)
def build_meter(options: MeterOptions) -> Meter:
    """The meter; raises an `InputError` when a name or a file is wrong."""
    hardware = resolve_hardware(options.hardware)
    prices = Path(options.prices) if options.prices else None
    if prices is not None and not prices.is_file():
        raise InputError(f"{prices}: expected a TOML file with prices, found none.")
    counters = _Counters(options.tokenizer)
    engines = _Engines(options.arch, hardware, prices)
    engines.of(None)
    if prices is not None:
        price_of("any", prices)  # A damaged table is said here, not in the middle of the work.
    return Meter(
        engine=engines.of,
        count=counters.count,
        count_source=lambda model: counters.vocabulary(model).source,
        cache=options.cache,
        exact=options.count == "exact",
        # A user's own vocabulary is the model's: there is nothing to correct.
        calibrate=calibration_of if options.tokenizer is None else lambda model: None,
    )


class _Engines:
    """Engines by model, each worked out once."""

    def __init__(self, arch: str, hardware: Hardware, prices: Path | None) -> None:
        self._arch, self._hardware, self._prices = arch, hardware, prices
        self._known: dict[str | None, Engine] = {}

    def of(self, model: str | None) -> Engine:
        if model not in self._known:
            resolved = resolve_architecture(model, self._arch)
            self._known[model] = Engine(
                architecture=resolved.architecture.name,
                gamma=gamma(resolved.architecture, self._hardware, resolved.source),
                price=price_of(model, self._prices) if model else None,
            )
        return self._known[model]


class _Counters:
    """Counters by vocabulary; a vocabulary is loaded when the first text needs it."""

    def __init__(self, tokenizer: str | None) -> None:
        self._forced = _from_file(tokenizer) if tokenizer else None
        self._known: dict[str, Counter] = {}

    def vocabulary(self, model: str | None) -> Vocabulary:
        return self._forced or vocabulary_of(model)

    def count(self, model: str | None, text: str) -> int:
        vocabulary = self.vocabulary(model)
        counter = self._known.get(vocabulary.name)
        if counter is None:
            counter = self._known[vocabulary.name] = Counter(vocabulary)
        return counter.count(text)


def _from_file(tokenizer: str) -> Vocabulary:
    """A user's vocabulary, loaded at once so that a wrong file is said before the work starts."""
    if not tokenizer.endswith(".json") or not Path(tokenizer).is_file():
        raise InputError(f"{tokenizer}: expected a file tokenizer.json, found none.")
    load_tokenizer(tokenizer)
    return Vocabulary(tokenizer, "counted")
