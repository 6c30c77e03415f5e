"""Fields that the user states for a trace that lacks them.

Takes the values of `--set` (`model=gpt-5.1`, or `path=` and a pattern with named groups that is
searched in the name of the file) and a trajectory; returns the trajectory with the fields that it
lacked. What a trace says itself is never replaced, and the trajectory lists what was stated.
"""

import re
from collections.abc import Iterable
from typing import Any

from msgspec import structs

from agentdyno.records import InputError, Trajectory, printable

FIELDS = {
    "model": "model",
    "harness": "harness",
    "benchmark": "benchmark",
    "variant": "variant",
    "task": "task_id",
    "attempt": "attempt",
    "level": "level",
}
"""Names that may be stated, with the field of the trajectory."""
PATH = "path"
LONGEST_NAME = 1000
"""Characters of a file's name that a pattern is searched in."""


def parse_stated(settings: Iterable[str]) -> dict[str, str]:
    """The values of `--set`, by name."""
    fields: dict[str, str] = {}
    for setting in settings:
        name, mark, value = setting.partition("=")
        if not mark or not value or name not in (*FIELDS, PATH):
            raise InputError(
                f"--set {printable(setting, 80)}: expected NAME=VALUE with a name of "
                f"{', '.join(FIELDS)}, or path=PATTERN with such names as groups, as in "
                "path='results-(?P<model>[^/]+)/(?P<task>[^/]+)'."
            )
        if name == PATH:
            _check_pattern(value)
        fields[name] = value
    return fields


def state_fields(trajectory: Trajectory, settings: Iterable[tuple[str, str]]) -> Trajectory:
    """The trajectory with the stated fields that it lacks."""
    if not settings:
        return trajectory
    values = dict(settings)
    if pattern := values.pop(PATH, None):
        match = re.compile(pattern).search(trajectory.source[:LONGEST_NAME])
        values = {**(match.groupdict() if match else {}), **values}
    added: dict[str, Any] = {}
    for name, value in values.items():
        field = FIELDS.get(name)
        if field is None or not value or getattr(trajectory, field) is not None:
            continue
        if field != "attempt":
            added[field] = value
        elif value.isdecimal() and len(value) < 10:
            added[field] = int(value)
    if not added:
        return trajectory
    return structs.replace(trajectory, **added, stated=" ".join(sorted(added)))


def _check_pattern(pattern: str) -> None:
    try:
        groups = re.compile(pattern).groupindex
    except re.error as error:
        raise InputError(f"--set path: expected a pattern, found an error: {error}.") from None
    if not groups or not groups.keys() <= FIELDS.keys():
        raise InputError(
            f"--set path: expected named groups among {', '.join(FIELDS)}, found "
            f"{printable(', '.join(groups) or 'none', 80)}."
        )
