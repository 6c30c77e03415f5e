"""Which trajectories of a ledger a change of some of them may concern.

Takes the volumes of a ledger, returns trajectories. Two are connected where they hold the same
response (by its own id or its request's), are of the same session, one is named as the other's
parent, or one holds the call that started the other. What counts of a trajectory, and whose it is,
depends on those that it is connected with and on no other, so nobody has to look at the rest of a
ledger when one file grows.

Names are compared by 64-bit hashes: two that happen to be equal cost a look, and change no result.
"""

from collections.abc import Collection, Sequence
from pathlib import Path

import msgspec
import numpy as np
import polars as pl
from msgspec import Struct
from numpy.typing import NDArray

from agentdyno.ledger.disk import digest
from agentdyno.ledger.facts import ID, FactsReader, read_volumes
from agentdyno.ledger.manifest import Manifest
from agentdyno.ledger.reader import Ledger
from agentdyno.ledger.volume_sums import Sums, VolumeSums
from agentdyno.records.ledger import HELD

Hashes = NDArray[np.uint64]

_CALL, _START = 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F
"""Mixed into the hashes of calls, and of the calls that started somebody, so that only the one is
found with the other: some agents number their calls, and all have a call 1."""
_COLUMNS = {
    "turns": {"identity": (0, 0), "request_id": (0, 0), "stands_for": (0, 0)},
    "trajectories": {
        ID: (0, 0), "session_id": (0, 0), "parent_id": (0, 0), "parent_call_id": (_START, _CALL),
    },
    "calls": {"call_id": (_CALL, _START)},
}  # fmt: skip
"""Names that connect, each with what is mixed into its own hash and into the one that it seeks."""


class _Names(Struct, frozen=True):
    ids: NDArray[np.object_]
    hashes: Hashes
    """Of all names, in order."""
    owners: NDArray[np.int64]
    """Per name: a place in `ids`."""
    sought: Hashes
    """Per name: the hash that others have which it connects with."""


class Connections:
    """The names in every volume of a ledger; volumes never change, so each is read once."""

    def __init__(self) -> None:
        self._volumes: dict[str, _Names] = {}
        self.facts = FactsReader()
        """What is decided from."""

    def update(self, folder: Path, manifest: Manifest) -> None:
        """Brings it in line with the manifest's volumes."""
        current = {v: names for v, names in self._volumes.items() if v in manifest.volumes}
        new = [volume for volume in manifest.volumes if volume not in current]
        self._volumes = current | _find(folder, manifest, new)
        self.facts.forget(manifest)

    def find(self, trajectories: Collection[str]) -> dict[str, set[str]]:
        """By volume: these trajectories, and all that are connected with them."""
        reached: dict[str, set[int]] = {volume: set() for volume in self._volumes}
        start_ids = np.array(sorted(trajectories), dtype=object)
        new = {v: set(_find_places(n.ids, start_ids).tolist()) for v, n in self._volumes.items()}
        while new := {v: places - reached[v] for v, places in new.items() if places - reached[v]}:
            for volume, places in new.items():
                reached[volume] |= places
            sought = np.unique(np.concatenate([self._seek(*item) for item in new.items()]))
            new = {v: _reach(n, sought) for v, n in self._volumes.items()}
        return {v: set(self._volumes[v].ids[sorted(p)]) for v, p in reached.items() if p}

    def _seek(self, volume: str, places: set[int]) -> Hashes:
        names = self._volumes[volume]
        return names.sought[np.isin(names.owners, list(places))]


def _find_places(ids: NDArray[np.object_], sought: NDArray[np.object_]) -> NDArray[np.int64]:
    places = np.searchsorted(ids, sought)
    is_present = places < len(ids)
    is_present[is_present] = ids[places[is_present]] == sought[is_present]
    return places[is_present]


def _reach(names: _Names, sought: Hashes) -> set[int]:
    """The owners of names that are sought; looked up in all names, which are in order."""
    starts, ends = (np.searchsorted(names.hashes, sought, side) for side in ("left", "right"))
    hit = np.flatnonzero(starts < ends)
    return {o for at in hit for o in names.owners[starts[at] : ends[at]].tolist()}


def _find(folder: Path, manifest: Manifest, volumes: list[str]) -> dict[str, _Names]:
    """Names that an earlier run kept beside their volume; the others are read, and kept."""
    stores = {volume: VolumeSums(folder, volume) for volume in volumes}
    keys = {volume: _rest_on(manifest, volume) for volume in volumes}
    sums = {volume: stores[volume].find(KEPT, keys[volume]) for volume in volumes}
    names_of_volumes = {volume: _unpack(stored) for volume, stored in sums.items() if stored}
    missing = [volume for volume in volumes if volume not in names_of_volumes]
    read = _read(folder, manifest, missing) if missing else {}
    for volume, names in read.items():
        stores[volume].add(KEPT, keys[volume], _pack(names))
        stores[volume].save()
    return names_of_volumes | read


KEPT = "names"


def _rest_on(manifest: Manifest, volume: str) -> str:
    """A version of polars may hash otherwise than another."""
    inputs = (pl.__version__, _COLUMNS, manifest.volumes[volume].seals)
    return digest(msgspec.json.encode(inputs))


def _pack(names: _Names) -> Sums:
    columns = {"hash": names.hashes, "owner": names.owners, "sought": names.sought}
    return {
        "ids": pl.DataFrame({ID: names.ids.tolist()}, {ID: pl.String}),
        "names": pl.DataFrame(columns),
    }


def _unpack(sums: Sums) -> _Names:
    ids = np.array(sums["ids"][ID].to_list(), dtype=object)
    hashes, owners, sought = (sums["names"][c].to_numpy() for c in ("hash", "owner", "sought"))
    return _Names(ids, hashes, owners, sought)


def _read(folder: Path, manifest: Manifest, volumes: list[str]) -> dict[str, _Names]:
    """Each table is read once for all volumes, and all names are hashed at once: to open files, or
    to ask for columns, one by one takes longer."""
    ledger = Ledger(folder, manifest)
    none = pl.Series(dtype=pl.String)
    columns_of_names, salts = [(none, none, none)], [(0, 0)]
    for table, columns in _COLUMNS.items():
        for name_of_table in (table, HELD + table):
            rows = read_volumes(ledger, name_of_table, volumes, list(dict.fromkeys([ID, *columns])))
            if len(rows):
                columns_of_names += [(rows["volume"], rows[ID], rows[column]) for column in columns]
                salts += columns.values()
    hashes = {name: pl.col("name").hash() ^ pl.col(name) for name in ("hash", "sought")}
    name_rows = _name(columns_of_names, salts).lazy().filter(pl.col("name").is_not_null())
    named = name_rows.select("volume", ID, **hashes).unique().sort("volume", "hash").collect()
    ids, owners = np.unique(np.array(named[ID].to_list(), dtype=object), return_inverse=True)
    hashes_of_names, sought = (named[name].to_numpy() for name in ("hash", "sought"))
    starts, ends = _find_bounds(named["volume"], volumes)
    read = {}
    for volume, start, end in zip(volumes, starts, ends, strict=True):
        present, places = np.unique(owners[start:end], return_inverse=True)
        read[volume] = _Names(ids[present], hashes_of_names[start:end], places, sought[start:end])
    return read


def _find_bounds(column: pl.Series, volumes: list[str]) -> tuple[Sequence[int], Sequence[int]]:
    """Where the rows of each volume begin and end, in order of volumes."""
    if len(volumes) == 1:
        return [0], [len(column)]
    names = pl.Series(volumes, dtype=pl.String)
    starts, ends = (column.search_sorted(names, side).to_list() for side in ("left", "right"))
    return starts, ends


_Found = tuple[pl.Series, pl.Series, pl.Series]
"""Volumes, trajectories, names."""


def _name(parts: list[_Found], salts: list[tuple[int, int]]) -> pl.DataFrame:
    """Every name with its volume, its trajectory and what is mixed into its hashes."""
    volumes, ids, names = map(pl.concat, zip(*parts, strict=True))
    many = [len(part[0]) for part in parts]
    hash_salts, sought_salts = (
        np.repeat(np.array(salt, np.uint64), many) for salt in zip(*salts, strict=True)
    )
    return pl.DataFrame(
        {"volume": volumes, ID: ids, "name": names, "hash": hash_salts, "sought": sought_salts}
    )
