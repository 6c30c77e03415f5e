"""The options with which a ledger is looked at; the same words for every verb that reads one."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

from msgspec import Meta, Struct

if TYPE_CHECKING:
    from agentdyno.records.cost_unit import CostUnit
    from agentdyno.studies.selection import Selection
    from agentdyno.studies.views import View


class Cache(StrEnum):
    """Assumptions about the provider's cache."""

    observed = "observed"
    evicted = "evicted"
    reported = "reported"
    kept = "kept"
    served = "served"


CACHE_HELP = (
    "Which context tokens a turn prefills: all (evicted, the paper's and the default of PTE); "
    "those not reported as cached, and all where nothing is reported (observed); the same, "
    "unknown where nothing is reported (reported); those new since the turn before (kept); or "
    "those that a server of your own would no longer have in memory (served, the default for "
    "GPU-seconds)."
)


class Gamma(StrEnum):
    """Forms of gamma."""

    paper = "paper"
    width = "width"


GammaView = Annotated[
    Gamma | None,
    Meta(
        description="Gamma by the paper's formula (paper, the default) or from the real width of "
        "the cache and layers with a window (width)."
    ),
]
CacheView = Annotated[Cache | None, Meta(description=CACHE_HELP)]
PricesView = Annotated[
    Path | None, Meta(description="Your own prices, a TOML file; what it lacks is taken from ours.")
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


class SelectionOptions(Struct, frozen=True, kw_only=True):
    """Which stretch of a ledger is looked at; the same words for every verb that reads one."""

    since: str | None = None
    """From this day or time on: 2026-11-12, 2026-11-12T09:30, today, yesterday."""
    until: str | None = None
    """Up to the end of this day, or up to this time."""
    last: str | None = None
    """The last hours, days or weeks, today included: 12h, 7d, 4w."""
    where: list[str] | None = None
    """Only project=, agent=, model= or branch= and a name or a glob: --where 'project=*shop*'.
    Repeatable: any of one field, all of several."""


class ViewOptions(SelectionOptions, frozen=True, kw_only=True):
    """How a ledger is looked at."""

    cache: CacheView = None
    hardware: str | None = None
    """Hardware behind gamma: a name, or a TOML file."""
    arch: str | None = None
    """Architecture: auto, a name, or a Hugging Face config.json."""
    gamma: GammaView = None
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


def choose_selection(options: SelectionOptions) -> "Selection | None":
    """The stretch that the user chose; None for all."""
    from agentdyno.studies.selection import read_selection

    return read_selection(options.since, options.until, options.last, options.where or ())


def describe_selection(view: "View | None") -> str:
    """` (since 2026-11-12 00:00)`, for a sentence; nothing where all is looked at."""
    selection = view.selection if view else None
    return f" ({selection.describe()})" if selection else ""


def choose_view(options: ViewOptions, stretch: SelectionOptions | None = None) -> "View | None":
    """What the user chose, of the `stretch` that other options choose where it is not in the same
    ones; None where that is nothing."""
    from agentdyno.studies.views import View

    costs = options if isinstance(options, CostViewOptions) else CostViewOptions()
    unit = costs.unit
    view = View(
        None if options.cache is None else options.cache.value,
        options.hardware,
        options.arch,
        None if options.prices is None else str(options.prices),
        None if unit is None else cast("CostUnit", unit.name),
        costs.concurrency,
        costs.gpus,
        costs.speculative,
        choose_selection(stretch or options),
        None if options.gamma is None else options.gamma.value,
    )
    return None if view == View() else view
