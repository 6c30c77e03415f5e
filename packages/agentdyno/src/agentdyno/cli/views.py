"""The options with which a ledger is looked at; the same words for every verb that reads one."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

from msgspec import Meta, Struct

if TYPE_CHECKING:
    from agentdyno.records.cost_unit import CostUnit
    from agentdyno.studies.views import View


class Cache(StrEnum):
    """Assumptions about the provider's cache."""

    observed = "observed"
    evicted = "evicted"
    reported = "reported"
    kept = "kept"
    served = "served"


CACHE_HELP = (
    "Which context tokens a turn prefills: those not reported as cached, and all where nothing is "
    "reported (observed, the default); all (evicted); those not reported as cached, unknown where "
    "nothing is reported (reported); those new since the turn before (kept); or those that a "
    "server of your own would no longer have in memory (served, the default for GPU-seconds)."
)
CacheView = Annotated[Cache | None, Meta(description=CACHE_HELP)]
PricesView = Annotated[
    Path | None, Meta(description="A TOML price table that goes before the bundled one.")
]


class Unit(StrEnum):
    """What costs are counted in."""

    usd = "usd"
    gpu_seconds = "gpu-seconds"
    pte = "pte"


UnitView = Annotated[
    Unit | None,
    Meta(
        description="What costs are counted in. By default money where any trajectory has a "
        "price, else PTE (one architecture) or GPU-seconds (several)."
    ),
]
AtLeastOne = Annotated[int, Meta(ge=1)]


class ViewOptions(Struct, frozen=True, kw_only=True):
    """How a ledger is looked at."""

    cache: CacheView = None
    hardware: str | None = None
    """Hardware behind gamma: a name, or a TOML file."""
    arch: str | None = None
    """Architecture: auto, a name, or a Hugging Face config.json."""
    prices: PricesView = None


class CostViewOptions(ViewOptions, frozen=True, kw_only=True):
    """The same, and what its costs are counted in."""

    unit: UnitView = None
    concurrency: AtLeastOne | None = None
    """Requests in progress at once, for GPU-seconds; by default as the traces' times say, or 64."""
    gpus: AtLeastOne | None = None
    """Cards that a model is spread over, for GPU-seconds; by default the fewest that hold it."""
    speculative: str | None = None
    """Speculative decoding, for GPU-seconds: tokens drafted a step, share accepted (3:0.7)."""


def choose_view(given: ViewOptions) -> "View | None":
    """What the user chose; None where that is nothing."""
    from agentdyno.studies.views import View

    costs = given if isinstance(given, CostViewOptions) else CostViewOptions()
    unit = costs.unit
    chosen = View(
        None if given.cache is None else given.cache.value,
        given.hardware,
        given.arch,
        None if given.prices is None else str(given.prices),
        None if unit is None else cast("CostUnit", unit.name),
        costs.concurrency,
        costs.gpus,
        costs.speculative,
    )
    return None if chosen == View() else chosen
