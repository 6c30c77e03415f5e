"""Folders in which agents of this machine keep sessions, as packages that know the agents say.

They register under the entry point group `agentdyno.homes`, each with a `SessionFolders`. Without
any, no folder is known, and an agent is called by the title of its format.
"""

from collections.abc import Callable
from itertools import chain
from pathlib import Path

from msgspec import Struct

from agentdyno.plugins import load_plugins

GROUP = "agentdyno.homes"


class Agent(Struct, frozen=True):
    """An agent and where it keeps its sessions."""

    name: str
    format: str
    """The format that reads its files."""
    folders: tuple[str, ...]
    """Its usual folders: below the home folder, or below `{data}` or `{config}` of the platform."""
    below: tuple[str, ...] = ("",)
    """Where its sessions are below such a folder."""
    variables: tuple[str, ...] = ()
    """Variables that name other folders, one or several with commas between; the first that is set
    counts."""


class Home(Struct, frozen=True):
    """A folder with an agent's sessions."""

    agent: Agent
    folder: Path
    variable: str | None = None
    """The variable that named the folder; None for the usual place."""


class SessionFolders(Struct, frozen=True):
    """What a package knows of agents and their folders."""

    name: str
    """Unique in the group."""
    agents: tuple[Agent, ...]
    """Those whose sessions can be read."""
    find_homes: Callable[[], list[Home]]
    """The session folders that exist on this machine."""
    find_unread: Callable[[], list[str]]
    """Agents on this machine whose sessions nothing reads, by name."""
    find_homes_in: Callable[[Path], list[Home]] = lambda folder: []
    """The session folders in a copy of somebody's home."""


def list_agents() -> list[Agent]:
    """Every agent that an installed package knows."""
    return list(chain.from_iterable(each.agents for each in _load()))


def find_homes() -> list[Home]:
    """The session folders of every known agent that exist on this machine."""
    return list(chain.from_iterable(each.find_homes() for each in _load()))


def find_homes_in(folder: Path) -> list[Home]:
    """The session folders of known agents in a folder that holds a home."""
    return list(chain.from_iterable(each.find_homes_in(folder) for each in _load()))


def find_unread_agents() -> list[str]:
    """Agents on this machine whose sessions nothing reads."""
    return list(chain.from_iterable(each.find_unread() for each in _load()))


def name_agent(format: str) -> str:
    """An agent as people call it, by the format of its traces."""
    if agents := list_agents():
        return next((each.name for each in agents if each.format == format), format)
    from agentdyno.intake.format import load_formats

    found = load_formats().get(format)
    return format if found is None else found.title.partition(":")[0].partition(" (")[0]


def _load() -> list[SessionFolders]:
    return list(load_plugins(GROUP, SessionFolders)[0].values())
