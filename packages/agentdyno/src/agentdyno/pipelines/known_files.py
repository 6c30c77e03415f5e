"""Files that a ledger holds and that have not changed since, by path, size and times.

Takes a ledger's manifest, returns what is known of a path: its format, its fingerprint and whether
it was read in pieces. A file whose size and times are as they were is neither opened nor looked at.
"""

import os
from pathlib import Path

from agentdyno.intake.format import Format
from agentdyno.ledger.manifest import InputEntry, Manifest, exists, fingerprint, is_untouched, load
from agentdyno.records import InputError
from agentdyno.records.secrets import clean_name
from agentdyno.records.secrets.cleaning import is_marked


class KnownFiles:
    """What a ledger knows of the files on this disk."""

    def __init__(self, manifest: Manifest | None, formats: dict[str, Format]) -> None:
        self._entries: dict[str, tuple[InputEntry, bool]] = {}
        pieces = manifest.done() if manifest else {}
        for name, entry in (manifest.inputs if manifest else {}).items():
            if name in pieces and entry.format in formats:
                self._entries[entry.path] = entry, len(pieces[name]) > 1
        self._has_marks = any(is_marked(path) for path in self._entries)

    def recall(self, path: Path) -> tuple[str, bool, int] | None:
        """What `discover` asks for."""
        known = self._find(path)
        if known is None:
            return None
        entry, by_line = known
        return entry.format, by_line, entry.fingerprint.size

    def describe(self, path: Path, location: str, format: str) -> InputEntry:
        """The file as it is now; `place` is how the ledger writes its path."""
        changed = path.stat().st_ctime_ns  # Before it is read: what changes meanwhile is noticed.
        entry = self._find(path)
        looks = fingerprint(path) if entry is None else entry[0].fingerprint
        return InputEntry(location, format, looks, changed)

    def _find(self, path: Path) -> tuple[InputEntry, bool] | None:
        entry = self._entries.get(name := os.fspath(path))
        if entry is None and self._has_marks:  # The ledger has the path without its secrets.
            entry = self._entries.get(clean_name(name))
        return entry if entry is not None and is_untouched(path, entry[0]) else None


def find_known_files(ledger: Path, formats: dict[str, Format]) -> KnownFiles:
    """Of a ledger that may not be there yet."""
    try:
        return KnownFiles(load(ledger) if exists(ledger) else None, formats)
    except (InputError, OSError):
        return KnownFiles(None, formats)  # Whoever opens it to write says what is wrong.
