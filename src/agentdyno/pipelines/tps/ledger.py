"""Schedules of any ledger's trajectories: parallelism, inferred dependencies, missed parallelism.

The ledger keeps no texts, so the traces it was measured from are read again, as for patterns; what
turns cost comes from the ledger.
"""

from pathlib import Path

import polars as pl
from msgspec import Struct

from agentdyno.ledger.reader import Ledger
from agentdyno.metrics.scheduling.missed import TurnCost
from agentdyno.metrics.scheduling.table import measure_scheduling
from agentdyno.pipelines.sources import missing_inputs, volume_trajectories


class Schedules(Struct, frozen=True):
    """What was found."""

    rows: pl.DataFrame
    """One row for each trajectory: the table `scheduling`."""
    edges: pl.DataFrame
    """One row for each inferred dependency: the table `dependencies`."""
    missing: dict[str, str]
    """Inputs that could not be read again, with the reason."""


def schedules_of(folder: Path) -> Schedules:
    """Reads the traces of a ledger again and measures their schedules."""
    ledger = Ledger(folder)
    missing = missing_inputs(ledger.manifest)
    costs = _costs(ledger)
    found = [
        measure_scheduling(volume_trajectories(ledger.manifest, volume, missing), costs)
        for volume in ledger.manifest.volumes
    ]
    empty = measure_scheduling([])
    rows, edges = zip(empty, *found, strict=True)
    return Schedules(pl.concat(rows), pl.concat(edges), missing)


def _costs(ledger: Ledger) -> dict[str, dict[int, TurnCost]]:
    columns = (
        "trajectory_id",
        "turn",
        "prefill_tokens",
        "context_tokens",
        "decode_tokens",
        "gamma",
    )
    costs: dict[str, dict[int, TurnCost]] = {}
    for name, turn, *values in ledger.read("turns").select(columns).iter_rows():
        if all(value is not None for value in values):
            costs.setdefault(name, {})[turn] = TurnCost(*map(float, values))
    return costs
