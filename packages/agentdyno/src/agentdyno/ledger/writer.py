"""Writes a ledger so that it can be killed, or its power cut, at any moment.

A volume's files are first written aside and synced, then moved into the store (`moving`), whose
folders are synced, and count only from the moment a published manifest names them (`generations`).
Volumes that replace older ones wait until everything they replace is there; only then do the older
ones go, in the same step; their files go when nobody reads an older generation (`retiring`).
"""

import shutil
from collections.abc import (
    Callable,
    Collection,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
    Set,
)
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any
from uuid import uuid4

import polars as pl
from msgspec import Struct, structs

from agentdyno.ledger.checks import (
    Damage,
    all_files,
    find_damaged,
    find_derived_path,
    of_volume,
    sources_of,
)
from agentdyno.ledger.derived import carry_over
from agentdyno.ledger.disk import make_folder, plainly, sync_folder
from agentdyno.ledger.drafts import Draft, start_draft
from agentdyno.ledger.file_names import NAME, STORE, UNFINISHED
from agentdyno.ledger.generations import find_newest, list_generations
from agentdyno.ledger.locking import lock
from agentdyno.ledger.manifest import (
    DerivedFile,
    Fingerprint,
    InputEntry,
    Manifest,
    Piece,
    Provenance,
    Volume,
    exists,
    keeps_secrets,
    load,
    new_manifest,
)
from agentdyno.ledger.moving import (
    homes_of,
    link_files,
    make_tables,
    move_in,
    move_in_derived,
    rows_without,
)
from agentdyno.ledger.ownership import refuse_foreign_folder
from agentdyno.ledger.reader import Ledger
from agentdyno.ledger.replacing import Replacement
from agentdyno.ledger.retiring import publish_without
from agentdyno.records.ledger import REBUILT, SCHEMA_VERSION, TABLES
from agentdyno.records.secrets import clean_name
from agentdyno.records.secrets.batch import find_changed_names
from agentdyno.records.stages import Versions, older_stages, stages_of
from agentdyno.version import __version__

CHANGED = "other responses of it count since"
_CHANGED = Path()
"""Among the files that a step lets go: the manifest changed."""
Count = Callable[[], dict[str, pl.DataFrame]]
"""Works out what counts of a volume, by table."""
SIDE_BY_SIDE = 4
"""Volumes that are worked out again at a time."""


class Expected(Struct, frozen=True):
    """An input as it is now."""

    entry: InputEntry
    """Where it is and what it looks like."""
    pieces: list[Piece]
    """The pieces it is cut into."""


class LedgerWriter:
    """The only process that changes a ledger; use as a context manager."""

    def __init__(
        self,
        folder: Path,
        options: dict[str, Any],
        reading: dict[str, Any] | None = None,
        versions: Versions | None = None,
    ) -> None:
        """`options` are kept from when the ledger was begun; `reading` is what decides its rows,
        and `versions` are of the stages that make them."""
        self.folder = folder
        self.making = Provenance(__version__, SCHEMA_VERSION, reading or {}, dict(versions or {}))
        refuse_foreign_folder(folder)
        with plainly(folder):
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = lock(folder)
        try:
            with plainly(folder):
                self._open(folder, options)
        except BaseException:
            self.pause()
            raise

    def _open(self, folder: Path, options: dict[str, Any]) -> None:
        self._options = options
        self.manifest: Manifest = load(folder) if exists(folder) else new_manifest(options)
        self.counted = dict(self.manifest.volumes) if self.manifest.settled else None
        """The volumes when every response last counted once; None where that is not known."""
        self._born: dict[str, int] = {}
        self._step: list[Path] | None = None
        self._begin()
        make_tables(folder, self.unfinished)
        versions = (self.manifest.software, self.manifest.schema_version)
        if versions != (__version__, SCHEMA_VERSION) or not self._has_copies():
            self.manifest.software, self.manifest.schema_version = __version__, SCHEMA_VERSION
            self._publish()
        link_files(folder, self.manifest)

    def _begin(self) -> None:
        shutil.rmtree(self.folder / UNFINISHED, ignore_errors=True)
        self.unfinished = self.folder / UNFINISHED / uuid4().hex[:8]
        make_folder(self.unfinished)
        self._replacement = Replacement()
        self._expected: dict[str, InputEntry] = {}

    def pause(self) -> None:
        """Lets others write until `resume`."""
        try:
            shutil.rmtree(self.folder / UNFINISHED, ignore_errors=True)
        finally:
            self._lock.close()

    def resume(self) -> bool:
        """Go on after `pause`; True when the ledger is as it was then. Raises while another process
        is writing it."""
        self._lock = lock(self.folder)
        try:
            with plainly(self.folder):
                newest = list_generations(self.folder)[-1:]
                if [generation.number for generation in newest] == [self.manifest.generation]:
                    self._begin()
                    return True
                self._open(self.folder, self._options)
                return False
        except BaseException:
            self.pause()
            raise

    def _has_copies(self) -> bool:
        """True when the newest manifest exists twice, so that damage to one costs nothing."""
        path, newest = self.folder / NAME, find_newest(self.folder)
        return newest is not None and path.is_file() and path.read_bytes() == newest.read_bytes()

    def _publish(self, old: Iterable[Path] = ()) -> None:
        """The manifest as it is now, which names the `old` files no longer."""
        if self._step is None:
            publish_without(self.folder, self.manifest, old, self._born)
        else:
            self._step = [*self._step, *old, _CHANGED]

    @contextmanager
    def in_one_step(self) -> Iterator[None]:
        """Publishes all changes together at the end: readers see none before, and a kill leaves
        the ledger as it was."""
        self._step = []
        try:
            yield
            step, self._step = self._step, None
            if step:
                self._publish(path for path in step if path is not _CHANGED)
        finally:
            self._step = None

    def _move_in(self, draft: Draft) -> None:
        self._born[draft.volume] = self.manifest.generation + 1
        move_in(self.folder, draft)

    def __enter__(self) -> "LedgerWriter":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.pause()

    # What is to be read -------------------------------------------------------------------------

    def damage(self) -> list[Damage]:
        """Files of the ledger that are not what was written."""
        return find_damaged(all_files(self.folder, self.manifest))

    def clean_input_names(self) -> bool:
        """Names and paths of inputs without secrets, where an older version or other options wrote
        them as they are; says whether there were any."""
        inputs = self.manifest.inputs
        clean = find_changed_names(t for name in inputs for t in (name, inputs[name].path))
        names = {n: free for n in inputs if (free := clean.get(n, n)) == n or free not in inputs}
        if not clean:
            return False
        self.manifest.inputs = {
            names.get(name, name): structs.replace(e, path=clean.get(e.path, e.path))
            for name, e in inputs.items()
        }
        for volume, entry in self.manifest.volumes.items():
            pieces = [structs.replace(p, name=names.get(p.name, p.name)) for p in entry.pieces]
            self.manifest.volumes[volume] = structs.replace(entry, pieces=pieces)
        for table, entries in self.manifest.derived.items():
            self.manifest.derived[table] = [
                structs.replace(e, missing={names.get(n, n): why for n, why in e.missing.items()})
                for e in entries
            ]
        self._publish()
        return True

    def expect(self, inputs: dict[str, Expected], together: Sequence[set[str]] = ()) -> set[Piece]:
        """Notes inputs that are to be in the ledger; returns the pieces it lacks.

        An input that changed, that was cut into other pieces or read by another version or with
        other options is lacking as a whole, and so are those named in `together`, which can only
        be replaced all at once. Their rows stay until the new ones can take their place.
        """
        pieces_done, provenances = (
            self.manifest.done(inputs.keys()),
            self._provenances(inputs.keys()),
        )
        expected = self._replacement.wanted
        self._expected |= {name: now.entry for name, now in inputs.items()}
        for name, now in inputs.items():
            present = pieces_done.get(name, set())
            if present and self._is_stale(name, now, present, provenances):
                expected[name] = set(now.pieces)
        for group in together:
            pieces = {piece for name in group for piece in inputs[name].pieces}
            expected |= {name: expected.get(name, set()) | pieces for name in group}
        self._note_places(inputs)
        requested = {piece for now in inputs.values() for piece in now.pieces}
        return {
            p for p in requested if p.name in expected or p not in pieces_done.get(p.name, set())
        }

    def _note_places(self, inputs: dict[str, Expected]) -> None:
        """A file that is in the ledger and has moved is known by its new place from here on."""
        present = {name for name in inputs if name in self.manifest.inputs}
        moved = {n: inputs[n].entry for n in present - self.replaced}
        if any(self.manifest.inputs[name] != entry for name, entry in moved.items()):
            self.manifest.inputs |= moved
            self._publish()

    def _provenances(self, names: Set[str] | None = None) -> dict[str, list[Provenance]]:
        """The provenances of the rows of every input, or of some."""
        provenances: dict[str, list[Provenance]] = {}
        volumes = self.manifest.volumes
        for volume in volumes if names is None else self.manifest.find_volumes(names):
            for name in sources_of(self.manifest, volume):
                provenances.setdefault(name, []).append(volumes[volume].making)
        return provenances

    def _is_stale(
        self,
        name: str,
        now: Expected,
        present: set[Piece],
        provenances: dict[str, list[Provenance]],
    ) -> bool:
        entry = self.manifest.inputs.get(name)
        same = entry is not None and entry.is_same(now.entry)
        produced = all(
            self._is_alike(provenance, now.entry.format) for provenance in provenances[name]
        )
        return not (same and produced and present.issubset(now.pieces))

    def _is_alike(self, provenance: Provenance, format: str) -> bool:
        """True when rows of a format would come out the same now, or a newer version made them."""
        now = stages_of(self.making.versions, [format])
        return provenance.reading == self.making.reading and not older_stages(
            provenance.versions, now
        )

    @property
    def replaced(self) -> set[str]:
        """Inputs that were in the ledger and are read again."""
        return set(self._replacement.wanted)

    def of_other_making(self) -> set[str]:
        """Inputs whose rows another version or other options made."""
        formats = {name: entry.format for name, entry in self.manifest.inputs.items()}
        return {
            name
            for name, created in self._provenances().items()
            if not all(self._is_alike(provenance, formats.get(name, "")) for provenance in created)
        }

    # What was read ------------------------------------------------------------------------------

    def commit(self, *drafts: Draft) -> None:
        """Makes drafts part of the ledger in one step, or holds each until what it replaces is
        whole."""
        # Of some, nothing could be read.
        read = [draft for draft in drafts if draft.pieces or not draft.unread]
        with plainly(self.folder):
            ready = [complete for draft in read for complete in self._replacement.take(draft)]
            if ready:
                self._swap_in(ready, self._replacement.names(ready))

    def _swap_in(self, drafts: list[Draft], replaced: set[str]) -> None:
        """New volumes in, what they replace out, in one step of the manifest."""
        touched = self.manifest.find_volumes(replaced)
        old = self._paths(touched)
        for draft in drafts:
            self._move_in(draft)
            move_in_derived(self.folder, draft)
        swapped = [self._without(volume, replaced, drafts) for volume in touched]
        self._sync_store()
        for volume, remaining, carried in swapped:
            del self.manifest.volumes[volume]
            self.manifest.volumes |= remaining
            self._carry(volume, carried)
        self.manifest.volumes |= {d.volume: d.as_volume(self._find_provenance(d)) for d in drafts}
        for table, entry in ((t, e) for draft in drafts for t, e in draft.derived.items()):
            self.manifest.derived.setdefault(table, []).append(entry)
        read = {piece.name for draft in drafts for piece in draft.pieces}
        for name in sorted(read & self._expected.keys()):
            # What was read last stands last: what stands before it is encoded already.
            self.manifest.inputs.pop(name, None)
            self.manifest.inputs[name] = self._expected[name]
        self.manifest.settled = False
        # Published once: a kill in between must leave the old rows or the new ones.
        self._publish(old)

    def _sync_store(self) -> None:
        for table in TABLES:
            sync_folder(self.folder / STORE / table)

    def _find_provenance(self, draft: Draft) -> Provenance:
        """With the versions of those readers alone that read something of it."""
        formats = {e.format for p in draft.pieces if (e := self._expected.get(p.name))}
        return structs.replace(self.making, versions=stages_of(self.making.versions, formats))

    def _paths(self, volumes: list[str]) -> list[Path]:
        derived = [
            find_derived_path(self.folder, table, entry.file)
            for table, entries in self.manifest.derived.items()
            for entry in entries
            if entry.volume in volumes
        ]
        return self._own_paths(volumes) + derived

    def _own_paths(self, volumes: list[str]) -> list[Path]:
        return [
            file.path
            for volume in volumes
            for table in TABLES
            for file in of_volume(self.folder, self.manifest, table, volume)
        ]

    def _without(
        self, volume: str, names: set[str], drafts: list[Draft]
    ) -> tuple[str, dict[str, Volume], dict[str, list[DerivedFile]]]:
        """The rest of a volume as one of its own, and what was said of its trajectories."""
        entry, ledger = self.manifest.volumes[volume], Ledger(self.folder, self.manifest)
        pieces = [piece for piece in entry.pieces if piece.name not in names]
        same = {name for name in names if self._is_unchanged(name)}
        drafted: list[tuple[Draft, set[str] | None]] = [(draft, same) for draft in drafts]
        remaining: dict[str, Volume] = {}
        if pieces:
            draft = start_draft(self.unfinished, pieces, keeps_secrets(entry.making))
            draft.add(rows_without(ledger, volume, names))
            self._move_in(draft)
            drafted.append((draft, None))
            remaining[draft.volume] = draft.as_volume(entry.making)
        find_homes = partial(homes_of, self.folder, drafted)
        carried = carry_over(ledger, volume, find_homes, next(iter(remaining), None))
        return volume, remaining, carried

    def _is_unchanged(self, name: str) -> bool:
        before, now = self.manifest.inputs.get(name), self._expected.get(name)
        return before is not None and now is not None and before.is_same(now)

    def _carry(self, volume: str, carried: dict[str, list[DerivedFile]]) -> None:
        for table in {*self.manifest.derived, *carried}:
            entries = [e for e in self.manifest.derived.get(table, []) if e.volume != volume]
            self.manifest.derived[table] = entries + carried.get(table, [])
            if table in carried:
                sync_folder(self.folder / STORE / table)

    def take_in(
        self, draft: Draft, making: Provenance, derived: Mapping[str, list[DerivedFile]]
    ) -> None:
        """Adds a volume of another ledger, with what was derived of it."""
        self._move_in(draft)
        self._sync_store()
        self.manifest.volumes[draft.volume] = draft.as_volume(making)
        for table, files in derived.items():
            sync_folder(self.folder / STORE / table)
            self.manifest.derived[table] = self.manifest.derived.get(table, []) + files
        self.manifest.settled = False
        self._publish()

    # What is taken out --------------------------------------------------------------------------

    def drop(self, volumes: set[str]) -> None:
        """Takes volumes out because somebody asked for it, and what was said of them."""
        old = self._paths(sorted(volumes))
        gone = {name for volume in volumes for name in sources_of(self.manifest, volume)}
        for volume in volumes:
            del self.manifest.volumes[volume]
            self._carry(volume, {})
        for name in gone - self.manifest.done().keys():
            self.manifest.inputs.pop(name, None)
        self.manifest.settled = False
        self._publish(old)

    def exchange(
        self,
        volumes: list[str],
        draft: Draft,
        derived: dict[str, list[DerivedFile]],
        making: Provenance | None = None,
    ) -> None:
        """Puts one volume in the place of several of the same making, or of that of the first."""
        old, provenance = self._paths(volumes), making or self.manifest.volumes[volumes[0]].making
        self._move_in(draft)
        self._sync_store()
        for volume in volumes:
            del self.manifest.volumes[volume]
            self._carry(volume, {})
        self.manifest.volumes[draft.volume] = draft.as_volume(provenance)
        for table, files in derived.items():
            self.manifest.derived[table] = self.manifest.derived.get(table, []) + files
        self._publish(old)

    def deduplicate(
        self, stale: Mapping[str, Count] | None = None, changed: Collection[str] = ()
    ) -> None:
        """Puts what counts of stale volumes in their place, all in one step; from then on every
        response counts once. `changed` are inputs of which something else counts than before: what
        was derived from them is to be derived again."""
        if stale or not self.manifest.settled:
            with plainly(self.folder):
                self.manifest.settled = True
                self._exchange_equal(self._draft_again(stale or {}), changed)
                self.counted = dict(self.manifest.volumes)

    def _draft_again(self, stale: Mapping[str, Count]) -> dict[str, Draft]:
        """Several at a time: each is a chain of small queries, which leave processors idle."""

        def draft_one(volume: str) -> Draft:
            # Rows of a ledger were cleaned when they were read.
            pieces = self.manifest.volumes[volume].pieces
            draft = start_draft(self.unfinished, pieces, keep_secrets=True)
            draft.add(stale[volume]())
            return draft

        with ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
            return dict(zip(stale, pool.map(draft_one, stale), strict=True))

    def _exchange_equal(self, drafts: dict[str, Draft], changed: Collection[str]) -> None:
        """Puts drafts in the place of volumes with the same trajectories."""
        old = self._own_paths(list(drafts))
        for draft in drafts.values():
            self._move_in(draft)
        if drafts:
            self._sync_store()
        for volume, draft in drafts.items():
            entry = self.manifest.volumes.pop(volume)
            self.manifest.volumes[draft.volume] = draft.as_volume(entry.making)
            sources = sources_of(self.manifest, draft.volume)
            stale = [
                source for source in sources if source in changed or clean_name(source) in changed
            ]
            self._rename_in_derived(volume, draft.volume, stale)
        self._publish(old)

    def _rename_in_derived(self, volume: str, name: str, changed: list[str]) -> None:
        """Assign derived files of one volume to the other: they hold the same trajectories, but for
        what is derived from those that changed.
        """
        for table, files in self.manifest.derived.items():
            stale = dict.fromkeys(changed, CHANGED) if table in REBUILT else {}
            self.manifest.derived[table] = [
                structs.replace(f, volume=name, missing=f.missing | stale)
                if f.volume == volume
                else f
                for f in files
            ]

    def drop_derived(self, files: Iterable[tuple[str, str]]) -> None:
        """Takes files of derived tables out, each given by its table and its name."""
        listed = set(files)
        if not listed:
            return
        old = [find_derived_path(self.folder, table, name) for table, name in listed]
        for table, entries in self.manifest.derived.items():
            self.manifest.derived[table] = [e for e in entries if (table, e.file) not in listed]
        self._publish(old)


__all__ = ["Draft", "Expected", "Fingerprint", "InputEntry", "LedgerWriter", "Piece", "start_draft"]
