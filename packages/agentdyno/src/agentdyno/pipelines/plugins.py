"""Everything that came in by an entry point, group by group, and everything that was refused.

Takes nothing, returns the names by group. Loads every part, so it is slower than any one group. A
package that reads a group of its own names it in `agentdyno.groups`.
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
from agentdyno.pipelines.papers import GROUP as PAPERS
from agentdyno.pipelines.papers import Paper
from agentdyno.pipelines.versions import VERSION_CHECKS, VersionCheck
from agentdyno.plugins import (
    GROUPS_OF_PACKAGES,
    Named,
    PluginError,
    PluginGroup,
    load_place,
    load_plugins,
)
from agentdyno.reports.section import GROUP as TOPICS
from agentdyno.reports.section import Section
from agentdyno.studies.derivation import TASK_SCHEDULES, TaskSchedules
from agentdyno.studies.levers.finder import GROUP as LEVERS
from agentdyno.studies.levers.finder import LeverFinder

GROUPS: dict[str, type[Named]] = {
    FORMATS: Format,
    DETECTORS: Detector,
    ARCHITECTURES: Architecture,
    LEVERS: LeverFinder,
    TOPICS: Section,
    TASK_SCHEDULES: TaskSchedules,
    VERSION_CHECKS: VersionCheck,
    PAPERS: Paper,
}
"""The type that each group's entry points name, or name several of."""


class Plugins(Struct, frozen=True):
    groups: dict[str, list[str]]
    """The names of the parts that can be used, by group; ours come first."""
    refused: list[PluginError]
    """Entry points that gave nothing, with what went wrong."""


def list_plugins(more: Mapping[str, type[Named]] = MappingProxyType({})) -> Plugins:
    """Loads every group, `more` that this layer does not know, and those of other packages."""
    others = {
        each.name: load_place(each.kind)
        for each in load_plugins(GROUPS_OF_PACKAGES, PluginGroup)[0].values()
    }
    groups = GROUPS | dict(more) | others
    entered = {group: load_plugins(group, kind) for group, kind in groups.items()}
    return Plugins(
        groups={group: list(parts) for group, (parts, _) in entered.items()},
        refused=[one for _, refused in entered.values() for one in refused],
    )
