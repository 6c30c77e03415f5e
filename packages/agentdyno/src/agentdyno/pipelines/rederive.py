"""Tables that need the texts again: the traces are read once for all tables that are due.

Takes a ledger and what is to be made of it, brings the tables up to date, volume by volume. The
ledger keeps numbers, not texts, so the files it was measured from are read a second time; those
that are gone or have changed are named. Knows nothing of what the tables say.

A table is due where nobody has made it, where a rule that makes it has a newer version than the one
that did, and where a trace that was missing is back. What an older version said of traces that are
gone stays, and `outdated` names it. Verdicts, rollouts and depth are recorded evidence: they are
not derived, so they are never made again.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from contextlib import closing
from functools import cached_property
from itertools import accumulate, pairwise
from pathlib import Path

import polars as pl
from msgspec import Struct

from agentdyno.engines.anonymous_files import AnonymousFile
from agentdyno.engines.local import no_cycle_search, processors, run
from agentdyno.ledger.derived import Rows, replace_derived
from agentdyno.ledger.manifest import DerivedFile
from agentdyno.ledger.reader import Ledger, empty_table
from agentdyno.pipelines.kept_texts import KeptTexts, open_kept_volume
from agentdyno.pipelines.sources import (
    find_missing_inputs,
    find_repeated_inputs,
    open_access,
    volume_trajectories,
)
from agentdyno.studies.derivation import (
    NEEDED,
    Derivation,
    Frames,
    Ground,
    Make,
    Versions,
    derive_rows,
)
from agentdyno.studies.outdated import OldTable

ALONE_BYTES = 12 * 2**20
"""Traces up to this size are looked at in one process: to start others takes longer."""
SHARES = 4
"""All that is due is cut into about this many stretches for each process, so that all end about
together. Fewer take less time: each is cleaned at once and reads tables of its own."""

ELSEWHERE = "another file of the table speaks of it"
"""Why a file leaves out an input of its volume that can be read."""


def rederive_tables(
    folder: Path,
    derivations: Sequence[Derivation],
    workers: int | None = None,
    volumes: Collection[str] | None = None,
    texts: KeptTexts | None = None,
) -> None:
    """Brings the tables of these derivations up to date with the ledger, or with some `volumes`.

    The files of a volume are shared out over as many processes as there are processors. Those whose
    `texts` this run has kept are not read again.
    """
    look = _Look(Ledger(folder), texts or KeptTexts())
    now = [(derivation, dict(derivation.versions())) for derivation in derivations]
    plan: dict[str, _Due] = {}
    for volume in look.ledger.manifest.volumes if volumes is None else volumes:
        missing = [(derivation, look.find_outdated(volume, *derivation)) for derivation in now]
        makers = [derivation for derivation, inputs in missing if inputs]
        if makers:
            plan[volume] = _Due(makers, set[str]().union(*(inputs for _, inputs in missing)))
    look.derive(plan, processors() if workers is None else workers)


def find_outdated(ledger: Ledger, derivations: Sequence[Derivation]) -> list[OldTable]:
    """Tables of these derivations that hold rows of an older version."""
    outdated = []
    for derivation in derivations:
        now = derivation.versions()
        for table in derivation.tables:
            entries = ledger.manifest.derived.get(table, [])
            older = [e.versions for e in entries if _is_older(e, now)]
            behind = {n for n in now if any(created.get(n, 0) < now[n] for created in older)}
            if behind:
                produced = {
                    n: min(versions.get(n, 0) for versions in older) for n in sorted(behind)
                }
                outdated.append(OldTable(table, produced, {n: now[n] for n in sorted(behind)}))
    return outdated


def is_up_to_date(ledger: Ledger, derivation: Derivation) -> bool:
    """Whether its tables speak of all that is in the ledger, by the rules of today."""
    now, derived = derivation.versions(), ledger.manifest.derived
    return all(
        {entry.volume for entry in derived.get(table, [])} >= ledger.manifest.volumes.keys()
        and not any(_is_older(entry, now) for entry in derived.get(table, []))
        and not ledger.missing(table)
        for table in derivation.tables
    )


def _is_older(entry: DerivedFile, now: Versions) -> bool:
    """Whether something that makes such rows has changed since; what was taken away has not."""
    return any(entry.versions.get(name, 0) < version for name, version in now.items())


class _Due(Struct, frozen=True):
    """What is due for a volume."""

    makers: list[tuple[Derivation, dict[str, int]]]
    """What makes rows, each with the versions that make them now."""
    inputs: set[str]
    """Which of its inputs rows are lacking of; rows of the others stay."""


class Share(Struct, frozen=True):
    """Some of a volume's pieces, in order, of which rows are made in one process."""

    folder: Path
    volume: str
    start: int
    """The first of the pieces."""
    stop: int
    """One beyond the last."""
    unread: dict[str, str]
    """Inputs that are not read, with the reason."""
    makers: list[Callable[[Ground], Make]]
    kept: AnonymousFile | None
    """Where this run has kept the volume's trajectories."""


def derive_share(share: Share) -> tuple[Share, Frames]:
    """The rows of these trajectories. Runs in any process."""
    ledger = Ledger(share.folder)
    ground = _build_ground(ledger, share.volume)
    makers = [begin(ground) for begin in share.makers]
    tables = {name: ledger.scan_volume(name, share.volume).collect() for name in NEEDED}
    frames: dict[str, list[pl.DataFrame]] = {}
    pieces = slice(share.start, share.stop)
    stored = open_kept_volume(share.kept)
    readable = volume_trajectories(ledger, share.volume, share.unread, pieces=pieces, kept=stored)
    with no_cycle_search():
        for table, rows in derive_rows(makers, readable, tables):
            frames.setdefault(table, []).append(rows)
    return share, {table: pl.concat(rows) for table, rows in frames.items()}


def _build_ground(ledger: Ledger, volume: str) -> Ground:
    manifest = ledger.manifest
    names = {piece.name for piece in manifest.volumes[volume].pieces}
    access = open_access(ledger)
    entries = {name: entry for name, entry in manifest.inputs.items() if name in names}
    places = {name: access.find_place(entry) for name, entry in entries.items()}
    inputs = {n: (path, entries[n].format) for n, path in places.items() if path is not None}
    return Ground(manifest.options.get("cache", "evicted"), inputs)


class _Look:
    """One look at a ledger's traces."""

    def __init__(self, ledger: Ledger, texts: KeptTexts) -> None:
        self.ledger, self._texts = ledger, texts

    @cached_property
    def unreadable(self) -> dict[str, str]:
        """Looked up only when something may be due: every input's file is opened for it."""
        return find_missing_inputs(self.ledger)

    def find_outdated(self, volume: str, derivation: Derivation, now: Versions) -> set[str]:
        """The inputs of a volume of which a derivation has no rows, or none of today."""
        return set[str]().union(*(self._find_missing(volume, t, now) for t in derivation.tables))

    def _find_missing(self, volume: str, table: str, now: Versions) -> set[str]:
        entries = self._entries(volume, table)
        if not entries:
            return self._inputs(volume)
        current = [entry for entry in entries if not _is_older(entry, now)]
        if not current:
            readable = self._inputs(volume) - self.unreadable.keys()
            return self._inputs(volume) if readable else set()
        missing = set.intersection(*(set(entry.missing) for entry in current))
        return missing - self.unreadable.keys() if missing else set()

    def _entries(self, volume: str, table: str) -> list[DerivedFile]:
        entries = self.ledger.manifest.derived.get(table, [])
        return [entry for entry in entries if entry.volume == volume]

    def _inputs(self, volume: str) -> set[str]:
        return {piece.name for piece in self.ledger.manifest.volumes[volume].pieces}

    def derive(self, plan: "dict[str, _Due]", workers: int) -> None:
        """Makes the rows of volumes, and puts them in the place of those that were there."""
        size = sum(self._bytes(volume, due.inputs) for volume, due in plan.items())
        workers = workers if size > ALONE_BYTES else 1
        most = size / (SHARES * workers) if workers > 1 else size
        # The largest first: all processes end about together.
        order = sorted(plan, key=lambda volume: -self._bytes(volume, plan[volume].inputs))
        shares = [share for volume in order for share in self._shares(volume, plan, most)]
        waiting = Counter(share.volume for share in shares)
        produced: dict[str, dict[int, Frames]] = {}
        with closing(run(derive_share, shares, workers, join_in=True)) as finished:
            for share, frames in finished:
                produced.setdefault(share.volume, {})[share.start] = frames
                waiting[share.volume] -= 1
                if not waiting[share.volume]:
                    found = _in_order(produced.pop(share.volume))
                    self._write(share.volume, plan[share.volume].makers, found, share.unread)

    def _bytes(self, volume: str, inputs: set[str]) -> int:
        pieces = self.ledger.manifest.volumes[volume].pieces
        return sum(p.stop - p.start for p in pieces if p.name in inputs)

    def _shares(self, volume: str, plan: "dict[str, _Due]", most: float) -> list[Share]:
        """The volume's pieces in stretches of about as many bytes, of which none has far more than
        `most`."""
        due, inputs = plan[volume], self._inputs(volume)
        unread = dict.fromkeys(inputs - due.inputs, ELSEWHERE)
        unread |= {name: why for name, why in self.unreadable.items() if name in inputs}
        many = max(1, round(self._bytes(volume, due.inputs) / max(most, 1)))
        skipped = {*unread, *find_repeated_inputs(self.ledger, volume)} if many > 1 else set(unread)
        pieces = self.ledger.manifest.volumes[volume].pieces
        ends = [*accumulate(0 if p.name in skipped else p.stop - p.start for p in pieces)]
        total = ends[-1] if ends else 0
        cuts = sorted({bisect_left(ends, total * index / many) for index in range(1, many)})
        makers = [derivation.begin for derivation, _ in due.makers]
        stored = self._texts.find(pieces)
        return [
            Share(self.ledger.folder, volume, start, stop, unread, makers, stored)
            for start, stop in pairwise([0, *(c for c in cuts if 0 < c < len(pieces)), len(pieces)])
        ]

    def _write(
        self,
        volume: str,
        makers: "list[tuple[Derivation, dict[str, int]]]",
        frames: Frames,
        unread: dict[str, str],
    ) -> None:
        """All tables in one step, so that an interruption costs only itself."""
        new: dict[str, list[Rows]] = {}
        for derivation, versions in makers:
            written = derivation.written(frames)
            for table in (*derivation.where_any(), *derivation.tables):
                rows = frames.get(table, empty_table(table))
                produced = [Rows(rows, volume, unread, versions)] if table in written else []
                unchanged = self._keep(volume, table, unread)
                if produced or unchanged or self._entries(volume, table):
                    new[table] = [*unchanged, *produced]
        replace_derived(self.ledger.folder, volume, new)

    def _keep(self, volume: str, table: str, unread: dict[str, str]) -> list[Rows]:
        """What was said before of traces that were not read again."""
        entries = self._entries(volume, table) if unread else []
        if not entries:
            return []
        columns = self.ledger.scan_volume("trajectories", volume)
        unread_ids = columns.filter(pl.col("source").is_in(list(unread))).select("trajectory_id")
        ids = unread_ids.collect()["trajectory_id"].implode()
        read = dict.fromkeys(self._inputs(volume) - unread.keys(), ELSEWHERE)
        unchanged = []
        for entry in entries:
            if any(name not in entry.missing for name in unread):
                rows = self.ledger.scan_file(table, entry)
                rows = rows.filter(pl.col("trajectory_id").is_in(ids))
                unchanged.append(Rows(rows.collect(), volume, entry.missing | read, entry.versions))
        return unchanged


def _in_order(shares: dict[int, Frames]) -> Frames:
    """The rows of a volume's stretches, one behind the other."""
    frames: dict[str, list[pl.DataFrame]] = {}
    for start in sorted(shares):
        for table, rows in shares[start].items():
            frames.setdefault(table, []).append(rows)
    return {table: pl.concat(rows) for table, rows in frames.items()}
