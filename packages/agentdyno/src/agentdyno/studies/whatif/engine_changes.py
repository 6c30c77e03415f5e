"""Changes of what answers: another model or accelerator; sub-agents on a smaller model."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec import structs

from agentdyno.cost.architectures import AUTO, match_architecture
from agentdyno.cost.engines import Engines, MeterOptions
from agentdyno.cost.hardware import resolve_hardware
from agentdyno.cost.metering import Engine
from agentdyno.cost.physical import Serving
from agentdyno.cost.price_lookup import tariff_of
from agentdyno.cost.servings import Servings
from agentdyno.records import InputError, printable
from agentdyno.studies.whatif.edit import Change
from agentdyno.studies.whatif.options import WhatIfOptions
from agentdyno.studies.whatif.recorded import Recorded


def change_engine(r: Recorded, options: WhatIfOptions) -> Change:
    engine, serving = _other_engine(r, options), _other_serving(r, options)
    hardware = resolve_hardware(str(r.options.get("hardware"))).name
    parts, assumed = [], []
    if options.model or options.arch:
        parts.append(f"as {printable(options.model or options.arch or '', 60)}")
        assumed.append(
            "The other model reads and decodes the same tokens, though its vocabulary and habits "
            "differ."
        )
    if options.hardware:
        parts.append(f"on {printable(resolve_hardware(options.hardware).name, 60)}")
        assumed.append(
            "PTE counts in prefilled tokens of its own hardware, so it says how much decoding "
            f"weighs there, not how much either takes (was {hardware}): compare GPU-seconds."
        )
    return Change(
        title=" ".join(parts),
        touched=f"{r.turns:,} turns",
        assumption=" ".join(assumed),
        money_assumption=_price_note(options, engine),
        apply=lambda edit: structs.replace(edit, engine=engine, serving=serving),
    )


def _other_engine(r: Recorded, options: WhatIfOptions) -> Callable[[str | None], Engine]:
    base = meter_options(r)
    if options.model and not options.arch:
        _refuse_unknown(options.model, base.prices)
    arch = options.arch or (AUTO if options.model else base.arch)
    engine_options = structs.replace(base, arch=arch, hardware=options.hardware or base.hardware)
    engine = Engines(engine_options).of
    model = options.model
    return engine if model is None else (lambda _: engine(model))


def _other_serving(r: Recorded, options: WhatIfOptions) -> Callable[[str | None], Serving]:
    base = meter_options(r)
    arch = options.arch or (AUTO if options.model else base.arch)
    serving = stated_servings(r.options, options, options.hardware or base.hardware, arch)
    model = options.model
    return serving.of if model is None else (lambda _: serving.of(model))


def stated_servings(
    recorded: dict[str, Any], options: WhatIfOptions, hardware: str, arch: str
) -> Servings:
    """Servers set up as the ledger is looked at, or as the options state."""
    at_once = options.concurrency or recorded.get("concurrency")
    return Servings(hardware, arch, at_once, recorded.get("gpus"), recorded.get("speculative"))


def _refuse_unknown(model: str, prices: str | None) -> None:
    file = Path(prices) if prices else None
    if match_architecture(model) is None and tariff_of(model, file) is None:
        raise InputError(
            f"--model {printable(model, 60)!r}: neither its architecture nor its price is known. "
            "See `agentdyno about architectures`, or pass --arch with a name or a config.json."
        )


def _price_note(options: WhatIfOptions, engine: Callable[[str | None], Engine]) -> str:
    if options.model is None:
        return "Prices as recorded: no provider's price depends on gamma."
    tariff = engine(options.model).tariff
    if tariff is None:
        return f"{printable(options.model, 60)} has no known price."
    return f"{tariff.model} as listed on {tariff.as_of}; cache hits as reported."


def meter_options(r: Recorded) -> MeterOptions:
    """What the ledger was measured with."""
    stored = {f: r.options[f] for f in MeterOptions.__struct_fields__ if f in r.options}
    return MeterOptions(**stored)


def move_subagents(r: Recorded, model: str) -> Change:
    _refuse_unknown(model, meter_options(r).prices)
    sub = r.trajectories["parent_id"].is_not_null().to_numpy()[r.turn_trajectory]
    engines = Engines(meter_options(r))
    names = {recorded: _take_cheaper(engines, recorded, model) for recorded in set(r.models)}
    models = [
        names[recorded] if other else recorded
        for recorded, other in zip(r.models, sub.tolist(), strict=True)
    ]
    return Change(
        title=f"sub-agents on {printable(model, 60)}",
        touched=f"{sum(a != b for a, b in zip(models, r.models, strict=True)):,} turns of "
        "sub-agents on a more expensive model",
        assumption="The other model reads and writes as many tokens, and does the task as well.",
        money_assumption=f"{printable(model, 60)} at list price; cache hits as reported.",
        apply=lambda edit: structs.replace(edit, models=models),
    )


def _take_cheaper(engines: Engines, own: str | None, other: str) -> str | None:
    """The other model where its output costs less, or else the own one."""
    tariff, other_tariff = engines.of(own).tariff, engines.of(other).tariff
    prices = [None if seller is None else seller.price() for seller in (tariff, other_tariff)]
    listed = [price for price in prices if price is not None]
    return other if len(listed) == 2 and listed[1].output < listed[0].output else own
