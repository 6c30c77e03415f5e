"""Loads plugins, built-in and third-party, from Python's entry points.

Takes the name of a group and the type that is expected, returns the parts that could be loaded, and
what went wrong with the others. A group is one sort of part:

    agentdyno.formats         intake.format.Format                how a trace is recognised and read
    agentdyno.detectors       findings.patterns.detector.Detector a wasteful habit
    agentdyno.architectures   cost.shape.Architecture             the shape of a model
    agentdyno.config_walkers  cost.config_walk.ConfigWalker       counts a model by building it
    agentdyno.levers          studies.levers.finder.LeverFinder   what could be changed
    agentdyno.topics          reports.section.Section             a study and what it tells
    agentdyno.derivations     studies.derivation.Derivation       tables made of trajectories
    agentdyno.homes           intake.session_folders.SessionFolders  where sessions lie
    agentdyno.task_schedules  studies.derivation.TaskSchedules    what depends on what in a task
    agentdyno.call_shares     studies.comparison.call_shares.CallShare  a share that gates may limit
    agentdyno.version_checks  pipelines.versions.VersionCheck     which recorded rows are old
    agentdyno.verbs           cli.verb.Verb                       a verb of the command line
    agentdyno.papers          pipelines.papers.Paper          a paper whose experiment can be run

`quick_entries` reads three more: `agentdyno.quick_verbs`, `likely_formats` and `companions`.

An entry point names one such value, or a tuple or list of them. A plug-in that fails to load never
takes the others with it; a name belongs to whoever had it first, and ours come first. Knows nothing
of what the parts do.
"""

import os
import sys
import warnings
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from msgspec import Struct

from agentdyno.records.problems import printable

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint, EntryPoints

OURS = ("agentdyno", "agentdyno_daily", "agentdyno_bench", "agentdyno_depth", "agentdyno_train")
"""The packages of this project, in the order in which their parts come."""


class Named(Protocol):
    """Anything that comes in by a door."""

    @property
    def name(self) -> str:
        """Unique in its group."""
        ...


T = TypeVar("T", bound=Named)


class PluginError(Struct, frozen=True):
    """An entry point that could not be loaded."""

    group: str
    """The group it is registered in."""
    name: str
    """What it is registered as."""
    value: str
    """Where it points, `module:attribute`."""
    distribution: str | None
    """The package that registers it; None when nobody says."""
    error: str
    """What was expected and what was found, printable."""

    def __str__(self) -> str:
        whose = f" of {self.distribution}" if self.distribution else ""
        return f"{self.name}{whose} ({self.value}): {self.error}"


def load_plugins(group: str, kind: type[T]) -> tuple[dict[str, T], list[PluginError]]:
    """Load a group: its parts by name, ours first, and every entry point that failed."""
    parts: dict[str, T] = {}
    refused: list[PluginError] = []
    for entry in _entries(group):
        try:
            found = _values(entry.load(), kind)
        except (Exception, SystemExit) as error:
            refused.append(_refuse(group, entry, f"{type(error).__name__}: {error}"))
            continue
        for part in found:
            if parts.setdefault(part.name, part) is not part:
                problem = f"the name {part.name!r} is taken; expected another one"
                refused.append(_refuse(group, entry, problem))
    return parts, refused


def find_errors() -> list[PluginError]:
    """Entry points of every group that cannot be loaded, whoever reads the group."""
    errors: list[PluginError] = []
    groups = dict.fromkeys(group for group, *_ in list_entry_points())
    entries = [(group, entry) for group in groups for entry in _entries(group)]
    for group, entry in entries:
        try:
            entry.load()
        except (Exception, SystemExit) as error:
            errors.append(_refuse(group, entry, f"{type(error).__name__}: {error}"))
    return errors


def load_place(place: str) -> Any:
    """What stands at `module:attribute`, imported now: a part names such a place where importing it
    with the others would be too slow."""
    module, _, attribute = place.partition(":")
    return getattr(import_module(module), attribute)


def list_entry_points() -> list[tuple[str, str, str, str]]:
    """Every entry point of a group of ours: group, name, value, and the version of its package."""
    installed = _list_installed(_path())
    groups = sorted(group for group in installed.groups if group.startswith("agentdyno."))
    return [
        (group, entry.name, entry.value, entry.dist.version if entry.dist else "")
        for group in groups
        for entry in _entries(group)
    ]


def report_failure(part: Named, doing: str, error: Exception) -> None:
    """Says that a part failed at its work; what it would have said is left out."""
    stated = printable(f"{type(error).__name__}: {error}", 240)
    warnings.warn(f"{printable(part.name)} failed {doing}: {stated}", RuntimeWarning, stacklevel=3)


def _entries(group: str) -> "list[EntryPoint]":
    """Each entry point once: a package may be found twice on the path."""
    installed: EntryPoints = _list_installed(_path()).select(group=group)
    theirs = [entry for entry in installed if not _is_ours(entry)]
    ours = _of_checkout(group) or [entry for entry in installed if _is_ours(entry)]
    theirs.sort(key=lambda entry: entry.name)
    ours = sorted(ours, key=lambda entry: OURS.index(_package(entry)))
    return list({(entry.name, entry.value): entry for entry in (*ours, *theirs)}.values())


def _path() -> tuple[tuple[str, float | None], ...]:
    """Where packages are, with the time of each folder, which changes when one is installed."""
    return tuple((folder, _read_modified_time(folder)) for folder in sys.path)


def _read_modified_time(folder: str) -> float | None:
    try:
        return os.stat(folder or ".").st_mtime
    except OSError:
        return None


@lru_cache(maxsize=1)
def _list_installed(path: tuple[tuple[str, float | None], ...]) -> Any:
    """Of all groups: to look at every installed package takes as long as to read some megabytes.
    What has `select` here has another type in Python 3.12."""
    from importlib import metadata

    return metadata.entry_points()


def is_ours(part: object) -> bool:
    """Whether a function or a type is of this project: its mistakes are not caught."""
    return getattr(part, "__module__", "").partition(".")[0] in OURS


def _is_ours(entry: "EntryPoint") -> bool:
    return _package(entry) in OURS


def _package(entry: "EntryPoint") -> str:
    return entry.value.partition(":")[0].partition(".")[0]


def _of_checkout(group: str) -> "list[EntryPoint]":
    """In a checkout, each pyproject.toml goes before what the last install wrote down."""
    from importlib.metadata import EntryPoint

    listed = _checkout().get(group, {})
    return [EntryPoint(name, value, group) for name, value in listed.items()]


@cache
def _checkout() -> dict[str, dict[str, str]]:
    """Names and places by group, of those packages of this repository that can be imported; none
    where this is no checkout."""
    import tomllib

    source = Path(__file__).resolve().parents[1]
    packages = source.parents[1]
    found: dict[str, dict[str, str]] = {}
    for name in OURS:
        project = packages / name.replace("_", "-") / "pyproject.toml"
        if source.name == "src" and project.is_file() and _can_import(name):
            stated = tomllib.loads(project.read_text(encoding="utf-8"))["project"]
            for group, listed in stated.get("entry-points", {}).items():
                found.setdefault(group, {}).update(listed)
    return found


def _can_import(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ImportError:
        return False


def _values(found: object, kind: type[T]) -> Iterator[T]:
    values = found if isinstance(found, tuple | list) else (found,)
    for value in values:
        if not isinstance(value, kind):
            expected = f"{kind.__module__}.{kind.__qualname__}"
            raise TypeError(f"expected a {expected} or several, found a {type(value).__qualname__}")
    return iter(values)


def _refuse(group: str, entry: "EntryPoint", error: str) -> PluginError:
    # Only entry points that were read from a package know it.
    package = getattr(entry, "dist", None)
    whose = None if package is None else str(package.name)
    return PluginError(
        group, printable(entry.name), printable(entry.value), whose, printable(error, 240)
    )
