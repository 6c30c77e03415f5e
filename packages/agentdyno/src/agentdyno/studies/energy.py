"""Energy and carbon of models whose architecture is known, on the ledger's hardware.

Takes a report's context, returns `Energy`; None where costs are money, no architecture is known or
the hardware has no board power.

    Wh = GPU-seconds * watts / 3600        g CO2 = Wh / 1000 * grams per kWh of the grid

An upper bound for the accelerator alone: it is taken to draw its board power all the time. Hosts,
cooling and networks are not in it. Worked: 1,800 GPU-seconds at 700 W are 350 Wh; at 445 g per kWh
(the world's mean in 2024 by the IEA) 156 g.
"""

import polars as pl
from msgspec import Struct

from agentdyno.cost.hardware import resolve_hardware
from agentdyno.records import InputError
from agentdyno.studies.report_context import ReportContext

SECONDS_PER_HOUR = 3600


class Energy(Struct, frozen=True, kw_only=True):
    """What the accelerators drew."""

    hardware: str
    """The accelerator."""
    watts: float
    """Its board power."""
    trajectories: int
    """Those whose model's architecture and GPU-seconds are known."""
    left_out: int
    """The others."""
    gpu_seconds: float
    """Of the trajectories that are known."""
    watt_hours: float
    """All of them together."""
    solved: int
    """Known trajectories that solved their task."""
    grid_grams_per_kwh: float | None
    """Carbon intensity of the grid, as given; None where nobody gave one."""
    carbon_grams: float | None
    """CO2 at that intensity."""


def study_energy(context: ReportContext) -> Energy | None:
    """None where nothing is known of the hardware that ran the models."""
    if context.unit == "usd":
        return None
    try:
        hardware = resolve_hardware(context.summary.hardware)
    except InputError:
        return None
    rows = context.frames.trajectories
    known = rows.filter(pl.col("gpu_seconds").is_not_null() & (pl.col("gamma_source") != "proxy"))
    if hardware.watts is None or known.is_empty():
        return None
    seconds = float(known["gpu_seconds"].sum())
    hours = seconds * hardware.watts / SECONDS_PER_HOUR
    grid = context.grid_grams_per_kwh
    return Energy(
        hardware=hardware.name,
        watts=hardware.watts,
        trajectories=len(known),
        left_out=len(rows) - len(known),
        gpu_seconds=seconds,
        watt_hours=hours,
        solved=int(known["correct"].sum() or 0),
        grid_grams_per_kwh=grid,
        carbon_grams=None if grid is None else hours / 1000 * grid,
    )
