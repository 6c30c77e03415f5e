"""Adds the depth of a ledger's turns to it: tables `depth` and `layer_distances`.

Goes volume by volume and writes as it goes, so it can be killed at any moment and goes on: a
trajectory's rows are written together, and a trajectory that has rows of the same model and
thresholds is not read again. Texts come from the files that were measured.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl
from msgspec import structs

from agentdyno.ledger.derived import add_derived
from agentdyno.ledger.locking import lock
from agentdyno.ledger.reader import Ledger, empty_table
from agentdyno.pipelines.sources import missing_inputs, volume_trajectories
from agentdyno.records import Trajectory
from agentdyno.studies.cost.frames import SETTING
from agentdyno_depth.pipelines.depth.layer_rows import TABLE as LAYER_DISTANCES
from agentdyno_depth.pipelines.depth.layer_rows import Pictures
from agentdyno_depth.pipelines.depth.turns import label_turns
from agentdyno_depth.probes.windows import read_turns
from agentdyno_depth.records.depth import Thresholds
from agentdyno_depth.studies.depth.ledger_depth import DepthAdded, TurnDepth

if TYPE_CHECKING:
    from agentdyno_depth.probes.loading import OpenModel

TABLE = "depth"
WRITE_SECONDS = 20.0
"""What a kill may cost."""

Progress = Callable[[int, int], None]
Pairs = tuple[Thresholds, ...]


def add_depth(
    folder: Path,
    opened: "OpenModel",
    pairs: Sequence[Thresholds],
    limit: int | None = None,
    progress: Progress | None = None,
) -> DepthAdded:
    """Brings the tables up to date with the ledger, for this model and these thresholds."""
    ledger = Ledger(folder)
    (folder / TABLE).mkdir(exist_ok=True)
    held = lock(folder / TABLE)  # Two at once would write every row twice.
    try:
        return _added(ledger, opened, tuple(pairs), limit, progress)
    finally:
        held.close()


def _added(
    ledger: Ledger,
    opened: "OpenModel",
    pairs: Pairs,
    limit: int | None,
    progress: Progress | None,
) -> DepthAdded:
    missing = missing_inputs(ledger.manifest)
    there = (pl.col("turns") > 0) & ~pl.col("source").is_in(list(missing))
    readable = ledger.read("trajectories").filter(there)
    chosen = spread(readable, limit)
    todo = _todo(ledger, opened.name, pairs, chosen)
    pictures = Pictures(ledger, opened)
    done = 0
    for volume in ledger.manifest.volumes if todo else ():
        with _Writer(ledger, volume, missing) as writer:
            for trajectory in _trajectories(ledger, volume, missing, todo):
                name, texts = trajectory.trajectory_id, read_turns(trajectory, opened)
                turn = pictures.wanted(name, texts)
                picture = None if turn is None else pictures.rows(name, turn)
                writer.add(label_turns(name, texts, opened, todo[name]), picture)
                done += 1
                if progress:
                    progress(done, len(todo))
    known = len(chosen) - len(todo)
    return DepthAdded(done, known, len(readable) - len(chosen), missing)


def spread(trajectories: pl.DataFrame, limit: int | None) -> list[str]:
    """So many trajectories, settings in turn; a larger limit only adds to a smaller one."""
    names: list[str] = trajectories["trajectory_id"].to_list()
    if limit is None or limit >= len(names):
        return names
    drawn = pl.Series("drawn", [_number(name) for name in names], dtype=pl.UInt64)
    ranked = trajectories.with_columns(drawn).with_columns(
        rank=pl.col("drawn").rank("ordinal").over(SETTING)
    )
    return ranked.sort("rank", "drawn")["trajectory_id"].head(limit).to_list()


def _number(name: str) -> int:
    """As good as random, and the same on every machine."""
    return int.from_bytes(blake2b(name.encode(), digest_size=8).digest())


def _todo(ledger: Ledger, model: str, pairs: Pairs, chosen: Sequence[str]) -> dict[str, Pairs]:
    """The thresholds that each trajectory still lacks, where it lacks any."""
    rows = ledger.read(TABLE).filter(pl.col("depth_model") == model)
    known = {
        pair: set(rows.filter(g=pair.g, rho=pair.rho)["trajectory_id"].unique()) for pair in pairs
    }
    lacking = {name: tuple(p for p in pairs if name not in known[p]) for name in chosen}
    return {name: own for name, own in lacking.items() if own}


def _trajectories(
    ledger: Ledger, volume: str, missing: dict[str, str], todo: dict[str, Pairs]
) -> Iterator[Trajectory]:
    """Those of a volume that are still to be read; the rest of its files then stays closed."""
    rows = ledger.scan_volume("trajectories", volume).select("trajectory_id").collect()
    names = rows["trajectory_id"]
    wanted = {name for name in names if name in todo}
    if not wanted:
        return
    for trajectory in volume_trajectories(ledger, volume, missing, only_counted=True):
        if trajectory.trajectory_id in wanted:
            yield trajectory
            wanted.remove(trajectory.trajectory_id)
            if not wanted:
                return


class _Writer:
    """Collects the rows of a volume and writes them now and then."""

    def __init__(self, ledger: Ledger, volume: str, missing: dict[str, str]) -> None:
        inputs = {piece.name for piece in ledger.manifest.volumes[volume].pieces}
        self._folder, self._volume = ledger.folder, volume
        self._missing = {name: why for name, why in missing.items() if name in inputs}
        self._rows: list[TurnDepth] = []
        self._since = time.monotonic()

    def __enter__(self) -> "_Writer":
        return self

    def __exit__(self, *_: object) -> None:
        self.write()  # Also when somebody interrupts: what is done is kept.

    def add(self, rows: list[TurnDepth], picture: pl.DataFrame | None) -> None:
        # First: rows without their picture would never get one, their trajectory being known.
        if picture is not None:
            add_derived(self._folder, LAYER_DISTANCES, picture, self._volume)
        self._rows += rows
        if time.monotonic() - self._since >= WRITE_SECONDS:
            self.write()

    def write(self) -> None:
        if self._rows:
            rows = [structs.asdict(row) for row in self._rows]
            frame = pl.DataFrame(rows, schema=empty_table(TABLE).schema)
            add_derived(self._folder, TABLE, frame, self._volume, self._missing)
        self._rows = []
        self._since = time.monotonic()
