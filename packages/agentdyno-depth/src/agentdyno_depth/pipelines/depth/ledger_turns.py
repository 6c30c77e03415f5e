"""Adds the depth of a ledger's turns to it: tables `depth` and `layer_distances`.

Goes volume by volume and writes as it goes, so it can be killed at any moment and goes on: a
trajectory's rows are written together, and a trajectory that has rows of the same model and
thresholds is not read again. Texts come from the files that were measured.

One turn of each setting is stored layer by layer, for a report's heat map: the first turn that
makes a call (else the first with text), at most 120 tokens of it, from shortly before the call on.
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
from agentdyno.pipelines.sources import find_missing_inputs, volume_trajectories
from agentdyno.records import Trajectory
from agentdyno.studies.cost.frames import SETTING
from agentdyno_depth.pipelines.depth.turns import label_turns
from agentdyno_depth.probes.windows import TurnText, read_turns
from agentdyno_depth.records.depth import Thresholds
from agentdyno_depth.studies.depth.ledger_depth import DepthAdded, TurnDepth

if TYPE_CHECKING:
    from agentdyno_depth.probes.loading import OpenModel

TABLE = "depth"
WRITE_SECONDS = 20.0
"""What a kill may cost."""

Progress = Callable[[int, int], None]
Pairs = tuple[Thresholds, ...]
LAYER_DISTANCES = "layer_distances"
MOST_TOKENS = 120
BEFORE_CALL = 15
"""Tokens before a call that are shown: enough to see what it follows from…"""
FULL_WIDTH = 50
"""…and more where a page has room left after the call."""

Setting = tuple[str | None, ...]


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
    table_lock = lock(folder / TABLE)  # Two at once would write every row twice.
    try:
        return _add_rows(ledger, opened, tuple(pairs), limit, progress)
    finally:
        table_lock.close()


def _add_rows(
    ledger: Ledger,
    opened: "OpenModel",
    pairs: Pairs,
    limit: int | None,
    progress: Progress | None,
) -> DepthAdded:
    missing = find_missing_inputs(ledger)
    is_readable = (pl.col("turns") > 0) & ~pl.col("source").is_in(list(missing))
    readable = ledger.read("trajectories").filter(is_readable)
    selected = spread(readable, limit)
    todo = _todo(ledger, opened.name, pairs, selected)
    pictures = Pictures(ledger, opened)
    finished = 0
    for volume in ledger.manifest.volumes if todo else ():
        with _Writer(ledger, volume, missing) as writer:
            for trajectory in _trajectories(ledger, volume, missing, todo):
                name, texts = trajectory.trajectory_id, read_turns(trajectory, opened)
                turn = pictures.choose_turn(name, texts)
                picture = None if turn is None else pictures.rows(name, turn)
                writer.add(label_turns(name, texts, opened, todo[name]), picture)
                finished += 1
                if progress:
                    progress(finished, len(todo))
    recorded = len(selected) - len(todo)
    return DepthAdded(finished, recorded, len(readable) - len(selected), missing)


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


def _todo(ledger: Ledger, model: str, pairs: Pairs, selected: Sequence[str]) -> dict[str, Pairs]:
    """The thresholds that are missing of each trajectory, where any are."""
    rows = ledger.read(TABLE).filter(pl.col("depth_model") == model)
    recorded = {
        pair: set(rows.filter(g=pair.g, rho=pair.rho)["trajectory_id"].unique()) for pair in pairs
    }
    missing = {name: tuple(p for p in pairs if name not in recorded[p]) for name in selected}
    return {name: numbers for name, numbers in missing.items() if numbers}


def _trajectories(
    ledger: Ledger, volume: str, missing: dict[str, str], todo: dict[str, Pairs]
) -> Iterator[Trajectory]:
    """Those of a volume that are still to be read; the rest of its files then stays closed."""
    rows = ledger.scan_volume("trajectories", volume).select("trajectory_id").collect()
    names = rows["trajectory_id"]
    unread = {name for name in names if name in todo}
    if not unread:
        return
    for trajectory in volume_trajectories(ledger, volume, missing, only_counted=True):
        if trajectory.trajectory_id in unread:
            yield trajectory
            unread.remove(trajectory.trajectory_id)
            if not unread:
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
        self.write()  # Also after an interrupt: what is done is not lost.

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


class Pictures:
    """Knows which settings have no picture by this model yet."""

    def __init__(self, ledger: Ledger, opened: "OpenModel") -> None:
        rows = ledger.read("trajectories").select("trajectory_id", "calls", *SETTING)
        self._opened = opened
        self._setting: dict[str, Setting] = {row[0]: row[2:] for row in rows.iter_rows()}
        calling = rows.filter(pl.col("calls") > 0)["trajectory_id"]
        self._calling = {self._setting[name] for name in calling}
        recorded = ledger.read(LAYER_DISTANCES).filter(pl.col("depth_model") == opened.name)
        self._done = {self._setting.get(name) for name in recorded["trajectory_id"].unique()}

    def choose_turn(self, trajectory_id: str, texts: Sequence[TurnText]) -> TurnText | None:
        """The turn of the trajectory that its setting's picture is to show; None for none."""
        setting = self._setting[trajectory_id]
        if setting in self._done:
            return None
        return next((text for text in texts if _shows(text, setting in self._calling)), None)

    def rows(self, trajectory_id: str, text: TurnText) -> pl.DataFrame:
        """The turn's rows; its setting then has its picture."""
        self._done.add(self._setting[trajectory_id])
        return layer_rows(trajectory_id, text, self._opened)


def _shows(text: TurnText, calling: bool) -> bool:
    if calling:
        return any(call is not None for call in text.calls)
    return bool(text.calls)


def layer_rows(trajectory_id: str, text: TurnText, opened: "OpenModel") -> pl.DataFrame:
    """Every layer's distance for the tokens that are shown."""
    from agentdyno_depth.probes.profiles import record_profiles

    start = first_drawn(text)
    (profile,) = record_profiles(opened, [text.sequence(start, MOST_TOKENS)])
    rows = [
        {
            "trajectory_id": trajectory_id,
            "turn": text.turn,
            "depth_model": opened.name,
            "token": start + offset,
            "text": token,
            "layer": layer,
            "distance": float(distance),
        }
        for offset, (token, distances) in enumerate(
            zip(profile.tokens, profile.distances["jsd"], strict=True)
        )
        for layer, distance in enumerate(distances, 1)
    ]
    return pl.DataFrame(rows, schema=empty_table(LAYER_DISTANCES).schema)


def first_drawn(text: TurnText) -> int:
    """The first token of the picture: shortly before the call."""
    call = next((index for index, call in enumerate(text.calls) if call is not None), 0)
    return max(0, min(call - BEFORE_CALL, len(text.calls) - FULL_WIDTH))
