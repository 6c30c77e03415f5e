"""Schedules of a ledger's trajectories: parallelism, dependencies, missed parallelism.

    scheduling    one row per trajectory and source of edges
    dependencies  one row per dependency between calls
    joins         one row per turn that could have been part of an earlier one
    planning      attempts at our own tasks against the best schedule known, where there are any
    placements    their calls on the tasks' graphs

Edges are inferred from the values in the texts, which the ledger does not keep: they are inferred
while traces are measured. The logs of our own tasks hold the graph of work as well.
"""

from collections.abc import Sequence
from pathlib import Path

import polars as pl
from msgspec import Struct

from agentdyno.intake.opening import located
from agentdyno.ledger.reader import Ledger
from agentdyno.metrics.scheduling.missed import TurnCost
from agentdyno.metrics.scheduling.table import VERSIONS, Costs, measure_scheduling
from agentdyno.pipelines.derivation import Derivation, Frames, Ground, Make
from agentdyno.pipelines.scored_samples import read_scored_samples
from agentdyno.pipelines.second_look import look_again
from agentdyno.records import Trajectory
from agentdyno.studies.scheduling.planned_rows import known_schedules, placement_rows, planning_rows
from agentdyno.studies.scheduling.scored import ScoredSample

TABLE = "scheduling"
LOGS = "inspect_ai"
"""The format of our own tasks' logs."""


class SchedulesFound(Struct, frozen=True):
    """What was done."""

    trajectories: int
    """Trajectories whose schedules are in the table now."""
    known: int
    """Trajectories of these whose dependencies are known, and not only inferred."""
    missing: dict[str, str]
    """Inputs that could not be read again, with the reason; their schedules are unknown."""


def ensure_schedules(folder: Path) -> SchedulesFound:
    """Brings the tables of schedules up to date with the ledger."""
    look_again(folder, [SCHEDULES])
    ledger = Ledger(folder)
    sources = ledger.read(TABLE)["edge_source"]
    inferred, known = (int((sources == source).sum()) for source in ("inferred", "known"))
    return SchedulesFound(inferred, known, ledger.missing(TABLE))


def _begin(ground: Ground) -> Make:
    marked, evicted = _marked(ground), ground.cache == "evicted"

    def make(trajectories: Sequence[Trajectory], tables: Frames) -> Frames:
        known = known_schedules(trajectories, marked)
        costs = _costs(tables["turns"], evicted)
        rows, edges, joins = measure_scheduling(trajectories, costs, known)
        return {
            "scheduling": rows,
            "dependencies": edges,
            "joins": joins,
            "planning": planning_rows(trajectories, marked),
            "placements": placement_rows(trajectories, marked),
        }

    return make


SCHEDULES = Derivation(
    ("dependencies", "joins", TABLE), lambda: VERSIONS, _begin, ("planning", "placements")
)
"""For a look at the traces that several tables share."""


def _costs(turns: pl.DataFrame, evicted: bool) -> Costs:
    columns = "prefill_tokens", "context_tokens", "decode_tokens", "gamma", "pte_kept"
    rows = turns.select("trajectory_id", "turn", *columns).drop_nulls()
    costs: dict[str, dict[int, TurnCost]] = {}
    for name, turn, prefill, context, decode, gamma, kept in rows.iter_rows():
        # With a cache, what a turn brings in is prefilled by the next one when it is gone.
        moved = 0.0 if evicted else kept - gamma * context * decode
        cost = TurnCost(max(prefill - moved, 0.0), float(context), float(decode), gamma)
        costs.setdefault(name, {})[turn] = cost
    return costs


def _marked(ground: Ground) -> dict[str, ScoredSample]:
    """The marks of our own tasks among logs, by trajectory."""
    found: dict[str, ScoredSample] = {}
    for name, (place, format) in sorted(ground.inputs.items()):
        path = _file(place) if format == LOGS else None
        if path is not None:
            found |= {sample.trajectory_id: sample for sample in read_scored_samples(path, name)}
    return found


def _file(place: str) -> Path | None:
    try:
        path = located(place)
    except OSError:
        return None
    return path if path.is_file() else None
