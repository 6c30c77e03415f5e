"""The options with which a ledger is looked at; the same words for every verb that reads one."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from agentdyno.records.cost_unit import CostUnit
    from agentdyno.studies.views import View


class Cache(StrEnum):
    """Assumptions about the provider's cache."""

    observed = "observed"
    evicted = "evicted"
    reported = "reported"
    kept = "kept"


CACHE_HELP = (
    "Which context tokens a turn prefills: those not reported as cached, and all where nothing is "
    "reported (observed, the default); all (evicted); those not reported as cached, unknown where "
    "nothing is reported (reported); or those new since the turn before (kept)."
)
CacheView = Annotated[Cache | None, typer.Option("--cache", help=CACHE_HELP)]
HardwareView = Annotated[
    str | None, typer.Option("--hardware", help="Hardware behind gamma: a name, or a TOML file.")
]
ArchView = Annotated[
    str | None,
    typer.Option("--arch", help="Architecture: auto, a name, or a Hugging Face config.json."),
]
PricesView = Annotated[
    Path | None,
    typer.Option("--prices", help="A TOML price table that goes before the bundled one."),
]


class Unit(StrEnum):
    """What costs are counted in."""

    usd = "usd"
    gpu_seconds = "gpu-seconds"
    pte = "pte"


UnitView = Annotated[
    Unit | None,
    typer.Option(
        "--unit",
        help="What costs are counted in. By default money where most trajectories have a price, "
        "else PTE (one architecture) or GPU-seconds (several).",
    ),
]


def choose_view(
    cache: Cache | None,
    hardware: str | None,
    arch: str | None,
    prices: Path | None,
    unit: Unit | None = None,
) -> "View | None":
    """What the user chose; None where that is nothing."""
    from agentdyno.cost.pte import CacheAssumption
    from agentdyno.records.cost_unit import CostUnit
    from agentdyno.studies.views import View

    if all(each is None for each in (cache, hardware, arch, prices, unit)):
        return None
    chosen: CacheAssumption | None = None if cache is None else cache.value
    counted: CostUnit | None = None if unit is None else _UNITS[unit]
    return View(chosen, hardware, arch, None if prices is None else str(prices), counted)


_UNITS: "dict[Unit, CostUnit]" = {
    Unit.usd: "usd",
    Unit.gpu_seconds: "gpu_seconds",
    Unit.pte: "pte",
}
