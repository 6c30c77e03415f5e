"""The derivations that come with the package: patterns, and schedules.

    patterns      findings of every detector
    scheduling    one row per trajectory and source of edges
    dependencies  one row per dependency between calls
    joins         one row per turn that could have been part of an earlier one
    planning      attempts at our own tasks against the best schedule known, where there are any
    placements    their calls on the tasks' graphs
    quotes        how far into long results the agent later quotes

Both read texts, which the ledger does not keep: they run while traces are measured, and again over
the files when a rule is newer than the rows. The logs of our own tasks hold the graph of work too.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from agentdyno.findings.patterns.detector import Detector, load_detectors
from agentdyno.findings.patterns.table import measure_patterns
from agentdyno.findings.quotes import VERSIONS as VERSIONS_OF_QUOTES
from agentdyno.findings.quotes import measure_quotes
from agentdyno.findings.scheduling.table import VERSIONS, measure_scheduling
from agentdyno.findings.scheduling.turn_costs import turn_costs
from agentdyno.intake.opening import locate
from agentdyno.pipelines.scored_samples import read_scored_samples
from agentdyno.records import Trajectory
from agentdyno.studies.derivation import Derivation, Frames, Ground, Make
from agentdyno.studies.scheduling.planned_rows import (
    build_planning_rows,
    find_known_schedules,
    placement_rows,
)
from agentdyno.studies.scheduling.scored import ScoredSample

LOGS = "inspect_ai"
"""The format of our own tasks' logs."""


def _detect(ground: Ground) -> Make:
    return partial(_findings, tuple(load_detectors().values()))


def _findings(
    detectors: tuple[Detector, ...], found: Sequence[Trajectory], tables: Frames
) -> Frames:
    return {"patterns": measure_patterns(found, tables["calls"], detectors=detectors)}


def _versions() -> dict[str, int]:
    return {detector.name: detector.version for detector in load_detectors().values()}


def _schedule(ground: Ground) -> Make:
    marked, evicted = _read_marks(ground), ground.cache == "evicted"

    def make(trajectories: Sequence[Trajectory], tables: Frames) -> Frames:
        known = find_known_schedules(trajectories, marked)
        costs = turn_costs(tables["turns"], evicted)
        rows, edges, joins = measure_scheduling(trajectories, costs, known)
        return {
            "scheduling": rows,
            "dependencies": edges,
            "joins": joins,
            "planning": build_planning_rows(trajectories, marked),
            "placements": placement_rows(trajectories, marked),
        }

    return make


def _read_marks(ground: Ground) -> dict[str, ScoredSample]:
    """The marks of our own tasks among logs, by trajectory."""
    found: dict[str, ScoredSample] = {}
    for name, (place, format) in sorted(ground.inputs.items()):
        path = _file(place) if format == LOGS else None
        if path is not None:
            found |= {sample.trajectory_id: sample for sample in read_scored_samples(path, name)}
    return found


def _file(place: str) -> Path | None:
    try:
        path = locate(place)
    except OSError:
        return None
    return path if path.is_file() else None


PATTERNS = Derivation(("patterns",), _versions, _detect)
SCHEDULES = Derivation(
    ("dependencies", "joins", "scheduling"),
    lambda: VERSIONS,
    _schedule,
    ("planning", "placements"),
)
QUOTES = Derivation(
    ("quotes",),
    lambda: VERSIONS_OF_QUOTES,
    lambda ground: lambda found, tables: {"quotes": measure_quotes(found)},
)
DERIVATIONS: tuple[Derivation, ...] = (PATTERNS, SCHEDULES, QUOTES)
"""What `measure` works out besides costs, and what a report brings up to date."""
