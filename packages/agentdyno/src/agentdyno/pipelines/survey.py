"""Looks over the agents of this machine: their session folders in, files and bytes of each out.

Opens no session. A folder that cannot be listed is reported, not skipped in silence.
"""

import os
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from agentdyno.intake.discover import TRACE_SUFFIXES
from agentdyno.intake.packed import SUFFIXES
from agentdyno.intake.session_folders import Home

DATABASES = frozenset({".db", ".vscdb", ".sqlite"})


class Survey(Struct, frozen=True):
    """What a session folder holds."""

    home: Home
    files: int
    """Files that may be sessions, by their endings."""
    bytes: int
    newest: float | None
    """When the last of them was written, in seconds since 1970; None without any."""
    problem: str | None
    """The first folder that could not be listed, with the reason; None when all could."""


def survey_homes(homes: Sequence[Home]) -> list[Survey]:
    """One look for each folder."""
    return [_survey(home) for home in homes]


def _survey(home: Home) -> Survey:
    sizes: list[int] = []
    times: list[float] = []
    problems: list[OSError] = []
    for folder, _, names in os.walk(home.folder, onerror=problems.append):
        for name in names:
            if _may_be_session(name):
                try:
                    status = os.stat(os.path.join(folder, name))
                except OSError as error:
                    problems.append(error)
                    continue
                sizes.append(status.st_size)
                times.append(status.st_mtime)
    problem = f"{problems[0].filename}: {problems[0].strerror}" if problems else None
    return Survey(home, len(sizes), sum(sizes), max(times, default=None), problem)


def _may_be_session(name: str) -> bool:
    suffix = Path(name).suffix.lower()
    return suffix in (TRACE_SUFFIXES - {""}) | DATABASES or suffix in SUFFIXES
