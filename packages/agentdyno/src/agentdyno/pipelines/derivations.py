"""The derivations of the core: patterns and schedules.

    patterns      findings of every detector
    paper_patterns  the four of the PTE paper as it defines them, in attempts at tasks
    scheduling    one row per trajectory and source of edges
    dependencies  one row per dependency between calls
    joins         one row per turn that could have been part of an earlier one, by a known graph

Both read texts, which the ledger does not keep: they run while traces are measured, and again over
the files when a rule is newer than the rows. What depends on what is known where a package brings
its own tasks (`agentdyno.task_schedules`), which may add tables about them, and inferred elsewhere.
"""

from collections.abc import Sequence
from functools import partial

from agentdyno.findings.patterns.detector import Detector, load_detectors
from agentdyno.findings.patterns.published import PUBLISHED
from agentdyno.findings.patterns.table import measure_patterns
from agentdyno.findings.scheduling.table import VERSIONS, measure_scheduling
from agentdyno.findings.scheduling.turn_costs import turn_costs
from agentdyno.records import Trajectory
from agentdyno.studies.derivation import Derivation, Frames, Ground, Make, load_task_schedules


def _detect(ground: Ground) -> Make:
    return partial(_findings, tuple(load_detectors().values()))


def _findings(
    detectors: tuple[Detector, ...], trajectories: Sequence[Trajectory], tables: Frames
) -> Frames:
    return {"patterns": measure_patterns(trajectories, tables["calls"], detectors=detectors)}


def _versions() -> dict[str, int]:
    return {detector.name: detector.version for detector in load_detectors().values()}


def _detect_published(ground: Ground) -> Make:
    return _find_published


def _find_published(trajectories: Sequence[Trajectory], tables: Frames) -> Frames:
    attempts = [t for t in trajectories if t.correct is not None or t.benchmark is not None]
    return {"paper_patterns": measure_patterns(attempts, tables["calls"], detectors=PUBLISHED)}


def _published_versions() -> dict[str, int]:
    return {f"paper {detector.name}": detector.version for detector in PUBLISHED}


def _schedule(ground: Ground) -> Make:
    look_up = [source.begin(ground) for source in load_task_schedules()]
    evicted = ground.cache == "evicted"

    def make(trajectories: Sequence[Trajectory], tables: Frames) -> Frames:
        answers = [ask(trajectories) for ask in look_up]
        schedules_of = {
            name: schedule for schedules, _ in answers for name, schedule in schedules.items()
        }
        costs = turn_costs(tables["turns"], evicted)
        rows, edges, joins = measure_scheduling(trajectories, costs, schedules_of)
        about_tasks = {name: frame for _, frames in answers for name, frame in frames.items()}
        return {"scheduling": rows, "dependencies": edges, "joins": joins, **about_tasks}

    return make


def _task_tables() -> tuple[str, ...]:
    return tuple(table for source in load_task_schedules() for table in source.tables)


PATTERNS = Derivation(("patterns",), _versions, _detect)
PAPER_PATTERNS = Derivation(("paper_patterns",), _published_versions, _detect_published)
SCHEDULES = Derivation(
    ("dependencies", "joins", "scheduling"), lambda: VERSIONS, _schedule, _task_tables
)
DERIVATIONS: tuple[Derivation, ...] = (PATTERNS, PAPER_PATTERNS, SCHEDULES)
