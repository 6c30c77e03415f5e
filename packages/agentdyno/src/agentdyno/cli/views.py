"""The options with which a ledger is looked at; the same words for every verb that reads one."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from agentdyno.studies.views import View


class Cache(StrEnum):
    """Assumptions about the provider's cache."""

    evicted = "evicted"
    reported = "reported"
    kept = "kept"


CACHE_HELP = (
    "Which context tokens a turn prefills: all (evicted), those not reported as cached (reported), "
    "or those new since the turn before (kept: a trajectory's own tokens stay cached)."
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


def chosen_view(
    cache: Cache | None, hardware: str | None, arch: str | None, prices: Path | None
) -> "View | None":
    """What the user chose; None where that is nothing."""
    from agentdyno.cost.pte import CacheAssumption
    from agentdyno.studies.views import View

    if cache is None and hardware is None and arch is None and prices is None:
        return None
    chosen: CacheAssumption | None = None if cache is None else cache.value
    return View(chosen, hardware, arch, None if prices is None else str(prices))
