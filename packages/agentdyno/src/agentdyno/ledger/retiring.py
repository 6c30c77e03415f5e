"""Publishes a manifest and lets go of files that no generation needs any more.

Takes an open ledger's manifest and the files that it names no longer. They leave the tables'
folders at once, and the store when nobody reads a generation that names them.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

from agentdyno.ledger.file_names import refuse_link, table_file
from agentdyno.ledger.generations import DAYS, drop_unneeded, release
from agentdyno.ledger.manifest import Manifest, Retired, save
from agentdyno.ledger.volume_sums import drop_sums

ID = 16
"""Characters that name a volume, or a file of a derived table."""


def publish_without(
    folder: Path,
    manifest: Manifest,
    old: Iterable[Path] = (),
    born: Mapping[str, int] | None = None,
) -> None:
    """Publishes the manifest, which must name none of the `old` files. `born`: by volume, the first
    generation that names it, where that is known."""
    gone, first, died = list(old), born or {}, manifest.generation + 1
    new = [
        Retired(f"{path.parent.name}/{path.name}", first.get(path.name[:ID], 0), died)
        for path in gone
    ]
    manifest.retired = [*manifest.retired, *new]
    save(folder, manifest)
    for path in gone:
        refuse_link(folder / path.parent.name / path.name).unlink(missing_ok=True)
    collect(folder, manifest)


def forget(folder: Path, manifest: Manifest) -> None:
    """Removes earlier generations, those included that this process was reading."""
    release()
    collect(folder, manifest, days=1)


def collect(folder: Path, manifest: Manifest, days: int = DAYS) -> None:
    """Removes generations, but for those of so many days, and files that nobody needs."""
    alive = drop_unneeded(folder, manifest.generation, days)
    needed = [r for r in manifest.retired if any(r.born <= number < r.died for number in alive)]
    for retired in manifest.retired:
        if retired not in needed:
            table, _, name = retired.file.partition("/")
            table_file(folder, table, name).unlink(missing_ok=True)
            drop_sums(folder, [name[:ID]])
    manifest.retired = needed
