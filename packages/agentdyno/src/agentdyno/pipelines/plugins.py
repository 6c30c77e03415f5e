"""Everything that came in by an entry point, door by door, and everything that was refused.

Takes nothing, returns the names by group. Loads every part, so it is slower than any one door.
"""

from collections.abc import Mapping
from types import MappingProxyType

from msgspec import Struct

from agentdyno.cost.architectures import GROUP as ARCHITECTURES
from agentdyno.cost.shape import Architecture
from agentdyno.findings.patterns.detector import GROUP as DETECTORS
from agentdyno.findings.patterns.detector import Detector
from agentdyno.intake.format import GROUP as FORMATS
from agentdyno.intake.format import Format
from agentdyno.judges.clients import GROUP as CLIENTS
from agentdyno.judges.clients import JudgeClient
from agentdyno.pipelines.judge.estimators import GROUP as ESTIMATORS
from agentdyno.pipelines.judge.estimators import Estimator
from agentdyno.pipelines.judge.kinds.choosing import GROUP as KINDS
from agentdyno.pipelines.judge.kinds.choosing import JudgeKind
from agentdyno.pipelines.known_tasks import GROUP as TASKS
from agentdyno.pipelines.known_tasks import KnownTasks
from agentdyno.plugins import Named, Refused, enter
from agentdyno.reports.section import GROUP as TOPICS
from agentdyno.reports.section import Section
from agentdyno.studies.levers.finder import GROUP as LEVERS
from agentdyno.studies.levers.finder import LeverFinder

GROUPS: dict[str, type[Named]] = {
    FORMATS: Format,
    DETECTORS: Detector,
    ARCHITECTURES: Architecture,
    LEVERS: LeverFinder,
    TOPICS: Section,
    KINDS: JudgeKind,
    CLIENTS: JudgeClient,
    ESTIMATORS: Estimator,
    TASKS: KnownTasks,
}
"""The type that each group's entry points name, or name several of."""


class Plugins(Struct, frozen=True):
    """What is there."""

    groups: dict[str, list[str]]
    """The names of the parts that can be used, by group; ours come first."""
    refused: list[Refused]
    """Entry points that gave nothing, with what went wrong."""


def list_plugins(more: Mapping[str, type[Named]] = MappingProxyType({})) -> Plugins:
    """Loads every group, and `more` that this floor does not know."""
    entered = {group: enter(group, kind) for group, kind in (GROUPS | dict(more)).items()}
    return Plugins(
        groups={group: list(parts) for group, (parts, _) in entered.items()},
        refused=[one for _, refused in entered.values() for one in refused],
    )
