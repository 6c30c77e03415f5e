"""Entry points that a status hook can wait for: those of packages whose name begins with ours.

Takes the name of a group, returns `module:attribute` by name, as pip wrote them down beside the
package. To import `importlib.metadata` takes longer than such an answer, so this reads the files
itself, and `plugins` reads everybody's.
"""

import os
import sys
from functools import lru_cache

OUR_DISTRIBUTION, INSTALLED = "agentdyno", ".dist-info"


def list_quick_entries(group: str) -> dict[str, str]:
    """The entry points of a group, in the order of their names."""
    return _read_groups(tuple(sys.path)).get(group, {})


@lru_cache(maxsize=1)
def _read_groups(path: tuple[str, ...]) -> dict[str, dict[str, str]]:
    groups: dict[str, dict[str, str]] = {}
    for file in _find_files(path):
        for group, name, value in _parse(_read(file)):
            groups.setdefault(group, {}).setdefault(name, value)
    return {group: dict(sorted(entries.items())) for group, entries in groups.items()}


def _find_files(path: tuple[str, ...]) -> list[str]:
    """One file for each package: what comes first on the path is what would be imported."""
    files: dict[str, str] = {}
    for folder in path:
        try:
            names = os.listdir(folder or ".")
        except OSError:
            continue
        for name in names:
            if name.startswith(OUR_DISTRIBUTION) and name.endswith(INSTALLED):
                files.setdefault(
                    name.partition("-")[0], os.path.join(folder, name, "entry_points.txt")
                )
    return list(files.values())


def _read(file: str) -> str:
    try:
        with open(file, encoding="utf-8") as stream:
            return stream.read()
    except OSError:
        return ""  # A package that offers nothing has no such file.


def _parse(text: str) -> list[tuple[str, str, str]]:
    """Group, name and value of every line `name = value` below a `[group]`."""
    group, found = "", []
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            group = line.strip("[]")
        elif line and not line.startswith("#"):
            name, _, value = line.partition("=")
            found.append((group, name.strip(), value.strip()))
    return found
