"""Energy and carbon of models whose architecture is known, on the ledger's hardware.

Takes a report's context, returns `Energy`; None where costs are money, no architecture is known or
nothing is known of the hardware's power.

    Wh = sum over prefilling, decoding and waiting of GPU-seconds * watts / 3600
    g CO2 = Wh / 1000 * grams per kWh of the grid

The replay says how long a card does which, and how long it stands idle between the turns as they
were recorded. Both ends of the range of watts are carried through, for the batch that decoded on
average, and widened by the error of such GPU-seconds where they were measured. Hosts, cooling and
networks are not in it. Worked: 1,800 GPU-seconds of decoding at 280 to 665 W are 140 to 333 Wh; at
445 g per kWh 62 to 148 g.
"""

import polars as pl
from msgspec import Struct

from agentdyno.cost.hardware import resolve_hardware
from agentdyno.cost.power import Power, Watts, power_of, widen
from agentdyno.cost.serving_evidence import doubt_of
from agentdyno.records import InputError
from agentdyno.studies.cost.seconds import ServedModel, time_turns
from agentdyno.studies.report_context import ReportContext

SECONDS_PER_HOUR = 3600


class Range(Struct, frozen=True):
    """An amount, from and to."""

    low: float
    high: float

    def times(self, factor: float) -> "Range":
        """Both ends times a number."""
        return Range(self.low * factor, self.high * factor)


class Energy(Struct, frozen=True, kw_only=True):
    """What the accelerators drew."""

    hardware: str
    power: Power
    """What it draws, by what it does, and who says so."""
    trajectories: int
    """Those whose model's architecture and GPU-seconds are known."""
    left_out: int
    gpu_seconds: float
    """Of the trajectories that are known."""
    watt_hours: Range
    idle_watt_hours: Range | None
    """What the servers draw besides while they wait between turns; None where that is not known."""
    solved: int
    """Known trajectories that solved their task."""
    grid_grams_per_kwh: float | None
    """Carbon intensity of the grid, as given; None where nobody gave one."""
    carbon_grams: Range | None
    """CO2 of `watt_hours` at that intensity."""


def study_energy(context: ReportContext) -> Energy | None:
    """None where nothing is known of the hardware that ran the models."""
    if context.unit == "usd":
        return None
    try:
        hardware = resolve_hardware(context.summary.hardware)
    except InputError:
        return None
    power = power_of(hardware)
    rows = context.frames.trajectories
    known = rows.filter(pl.col("gpu_seconds").is_not_null() & (pl.col("gamma_source") != "proxy"))
    if power is None or known.is_empty():
        return None
    timed = time_turns(context.tables).models
    power = power.at(_mean_batch(timed))
    hours = _watt_hours(context.frames.turns, known["trajectory_id"], power)
    evidence = context.summary.served.evidence if context.summary.served else None
    hours = Range(*widen((hours.low, hours.high), doubt_of(evidence)))
    grid = context.grid_grams_per_kwh
    return Energy(
        hardware=hardware.name,
        power=power,
        trajectories=len(known),
        left_out=len(rows) - len(known),
        gpu_seconds=float(known["gpu_seconds"].sum()),
        watt_hours=hours,
        idle_watt_hours=_idle_watt_hours(context, power),
        solved=int(known["correct"].sum() or 0),
        grid_grams_per_kwh=grid,
        carbon_grams=None if grid is None else hours.times(grid / 1000),
    )


def _mean_batch(models: list[ServedModel]) -> float:
    """Requests in progress on average while servers worked; 1 where that is not known."""
    known = [(s.mean_at_once, s.busy_seconds) for s in models if s.mean_at_once is not None]
    busy = sum(seconds for _, seconds in known)
    return sum(mean * seconds for mean, seconds in known) / busy if busy else 1.0


def _watt_hours(turns: pl.DataFrame, known: pl.Series, power: Power) -> Range:
    own = turns.filter(pl.col("trajectory_id").is_in(known.implode()))

    def spent(*causes: str) -> float:
        return sum(float(own[f"gpu_seconds_{cause}"].sum()) for cause in causes)

    return _draw(
        (power.prefill, spent("prefill")),
        (power.decode, spent("step", "cache")),
        (power.idle, spent("waiting")),
    )


def _idle_watt_hours(context: ReportContext, power: Power) -> Range | None:
    """Between the first and the last turn of each model, on all of its cards."""
    recorded = [s for s in time_turns(context.tables).models if s.load == "recorded"]
    if not recorded:
        return None
    return _draw((power.idle, sum(s.idle_seconds * s.serving.gpus for s in recorded)))


def _draw(*parts: tuple[Watts, float]) -> Range:
    low = sum(watts.low * seconds for watts, seconds in parts)
    high = sum(watts.high * seconds for watts, seconds in parts)
    return Range(low / SECONDS_PER_HOUR, high / SECONDS_PER_HOUR)
