"""Joins small volumes into large ones: fewer files, the same rows.

Takes an open writer. Volumes are joined only with others of the same making, up to a size, and what
was said of them goes along. Each joining is one step of the manifest, so it may be killed.
"""

from collections.abc import Iterator

import polars as pl

from agentdyno.ledger.derived import Rows, write_derived
from agentdyno.ledger.disk import plainly, sync_folder
from agentdyno.ledger.drafts import start_draft
from agentdyno.ledger.file_names import STORE
from agentdyno.ledger.manifest import DerivedFile
from agentdyno.ledger.reader import Ledger, missing_in
from agentdyno.ledger.writer import LedgerWriter
from agentdyno.records.ledger import REBUILT, TABLES

JOINED_BYTES = 64 * 2**20
"""Volumes are joined until their files are this large together."""


def join_volumes(writer: LedgerWriter) -> None:
    """Joins what can be joined."""
    for group in list(_groups(writer)):
        with plainly(writer.folder):
            _join(writer, group)


def _groups(writer: LedgerWriter) -> Iterator[list[str]]:
    """Volumes to be joined; one that is a single file and has no other to join stays."""
    open_groups: list[tuple[int, list[str]]] = []
    volumes = writer.manifest.volumes
    for name, entry in volumes.items():
        size = sum(seal.bytes for seals in entry.seals.values() for seal in seals)
        for index, (held, group) in enumerate(open_groups):
            if volumes[group[0]].making == entry.making and held + size <= JOINED_BYTES:
                open_groups[index] = (held + size, [*group, name])
                break
        else:
            open_groups.append((size, [name]))
    for _, group in open_groups:
        if len(group) > 1 or volumes[group[0]].files > 1:
            yield group


def _join(writer: LedgerWriter, group: list[str]) -> None:
    ledger, volumes = Ledger(writer.folder, writer.manifest), writer.manifest.volumes
    pieces = [p for name in group for p in volumes[name].pieces]
    draft = start_draft(writer.unfinished, pieces, keep_secrets=True)
    draft.add({t: pl.concat([_rows(ledger, t, name) for name in group]) for t in TABLES})
    stated = {
        table: _join_files(ledger, table, group, draft.volume) for table in ledger.manifest.derived
    }
    writer.exchange(group, draft, {table: files for table, files in stated.items() if files})


def _rows(ledger: Ledger, table: str, volume: str) -> pl.DataFrame:
    return ledger.scan_volume(table, volume).collect()


def _join_files(ledger: Ledger, table: str, group: list[str], home: str) -> list[DerivedFile]:
    """What a derived table says of the volumes, in one file.

    A table that is made again on demand is left out where it does not speak of all of them: it
    would seem to have looked at the others too.
    """
    entries = [e for e in ledger.manifest.derived[table] if e.volume in group]
    partial = {e.volume for e in entries} != set(group)
    if not entries or (partial and table in REBUILT):
        return []
    rows = pl.concat([ledger.scan_derived(table, volume).collect() for volume in group])
    missing = missing_in(entries)
    versions = {created: version for e in entries for created, version in e.versions.items()}
    written = write_derived(ledger.folder, table, Rows(rows, home, missing, versions))
    sync_folder(ledger.folder / STORE / table)
    return [written]
