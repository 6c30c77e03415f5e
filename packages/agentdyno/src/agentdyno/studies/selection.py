"""A stretch of a ledger: from one moment to another, and of some projects, agents or models.

Takes tables and a `Selection`, returns tables that a study cannot tell from those of a ledger that
holds nothing else. Turns are chosen one by one: of a session that began before, the rest counts,
and a text that was read before costs what it costs in the turns that are left. A volume without a
turn in it is not opened; what was summed up of a volume that lies wholly in it is used again.

Worked: turns of $1, $2 and $3 on Monday, Tuesday and Wednesday; `--since` Tuesday leaves $5, and a
file that was read on Monday keeps its share of these.
"""

import re
import time
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from fnmatch import fnmatch
from functools import cached_property
from typing import Any

import polars as pl
from msgspec import Struct

from agentdyno.cost.counted import without_turns
from agentdyno.records import InputError, Trajectory, printable
from agentdyno.records.ledger import COUNTED, DERIVED
from agentdyno.studies.roots import roots_of
from agentdyno.studies.tables import Layer, Sums, Tables, Texts, Volumes

ID = "trajectory_id"
FIELDS = ("project", "agent", "model", "branch")
"""What `--where` knows."""
_AT = pl.coalesce("started_at", "ended_at")
"""When a turn was, as its day is decided too."""
_SPAN = re.compile(r"(\d{1,5})([hdw])")


class Selection(Struct, frozen=True):
    """What is looked at."""

    since: float | None = None
    """The first moment, in seconds since 1970."""
    until: float | None = None
    """The first moment beyond it."""
    where: tuple[tuple[str, str], ...] = ()
    """Fields of `FIELDS` and globs. Of one field any may match, of several fields each must."""
    back: float | None = None
    """Seconds back from the last turn of each agent: which sessions are looked at, whole."""

    def describe(self) -> str:
        """`since 2026-11-12 00:00, project *shop*`."""
        times = (("since", self.since), ("until", self.until))
        limits = [f"{word} {_write(at)}" for word, at in times if at is not None]
        return ", ".join([*limits, *(f"{name} {printable(glob, 60)}" for name, glob in self.where)])


def read_selection(
    since: str | None = None,
    until: str | None = None,
    last: str | None = None,
    where: Sequence[str] = (),
) -> Selection | None:
    """What was typed; None where that is nothing."""
    if last is not None and (since is not None or until is not None):
        raise InputError("--last: expected no --since and no --until beside it, found one.")
    start = read_moment("--since", since) if since else read_span("--last", last) if last else None
    end = read_moment("--until", until, is_end=True) if until else None
    globs = tuple(_read_glob(pair) for words in where for pair in words.split(","))
    selection = Selection(start, end, globs)
    return None if selection == Selection() else selection


def read_moment(option: str, text: str, is_end: bool = False) -> float:
    """`2026-11-12`, `2026-11-12T09:30`, `today`, `yesterday` or a span as `7d`, on the user's
    clock. A day that ends a stretch belongs to it."""
    if _SPAN.fullmatch(text):
        return read_span(option, text)
    names = {"today": date.today(), "yesterday": date.today() - timedelta(days=1)}
    try:
        day = names.get(text) or date.fromisoformat(text)
        return datetime.combine(day + timedelta(days=is_end), datetime.min.time()).timestamp()
    except (ValueError, OverflowError, OSError):
        pass
    try:
        return datetime.fromisoformat(text).timestamp()
    except (ValueError, OverflowError, OSError):
        raise InputError(
            f"{option}: expected a day (2026-11-12), a time (2026-11-12T09:30), today, yesterday "
            f"or a span (12h, 7d, 4w), found {printable(text, 40)!r}."
        ) from None


def read_span(option: str, text: str) -> float:
    """When a span up to now begins: hours ago, or so many days of the calendar, today included."""
    match = _SPAN.fullmatch(text)
    if match is None or not int(match[1]):
        raise InputError(
            f"{option}: expected hours, days or weeks (12h, 7d, 4w), found {printable(text, 40)!r}."
        )
    many = int(match[1])
    if match[2] == "h":
        return time.time() - 3600 * many
    try:
        first = date.today() - timedelta(days=many * (7 if match[2] == "w" else 1) - 1)
        return datetime.combine(first, datetime.min.time()).timestamp()
    except (ValueError, OverflowError, OSError):
        return 0.0


def _read_glob(pair: str) -> tuple[str, str]:
    name, equals, glob = pair.partition("=")
    if name not in FIELDS or not equals or not glob:
        raise InputError(
            f"--where: expected project=, agent=, model= or branch= and a name or a glob, found "
            f"{printable(pair, 60)!r}."
        )
    return name, glob


def _write(moment: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(moment))


# Tables -------------------------------------------------------------------------------------------


class SelectedTables(Layer):
    """The tables of what is looked at. `cuts`: False has the sessions whole of which any turn is in
    it."""

    def __init__(self, tables: Tables, selection: Selection, cuts: bool = True) -> None:
        super().__init__(tables)
        self._selection = selection
        self._opened: list[Tables] = (
            [*tables.volumes] if isinstance(tables, Volumes) and tables.volumes else [tables]
        )
        about = [_describe(volume) for volume in self._opened]
        chosen, _cut = choose_trajectories(pl.concat(about), selection)
        self._cuts = cuts
        self._cut = _cut if cuts else set[str]()
        self.chosen = chosen if cuts else _complete_sessions(pl.concat(about), chosen)
        self.volumes: list[Any] = [
            part
            for volume, rows in zip(self._opened, about, strict=True)
            if (part := self._choose(volume, rows)) is not None
        ]

    def stretches(self) -> Sequence[Tables]:
        """A volume at a time."""
        return self.volumes

    def read(self, table: str) -> pl.DataFrame:
        """A table, whole."""
        if table in DERIVED:
            return self._read_derived(table)
        if not self.volumes:
            return self.below.scan(table).head(0).collect()
        rows: list[pl.DataFrame] = [volume.read(table) for volume in self.volumes]
        return pl.concat(rows, how="vertical_relaxed")

    def trajectories(self) -> Iterator[Trajectory]:
        """Those of which every turn is in it and whose input still stands."""
        complete = self.chosen - self._cut
        return (
            trajectory
            for trajectory in super().trajectories()
            if trajectory.trajectory_id in complete
        )

    def uncut(self) -> "SelectedTables":
        """The same with whole sessions."""
        return SelectedTables(self.below, self._selection, cuts=False) if self._cuts else self

    def _choose(self, volume: Tables, rows: pl.DataFrame) -> "Tables | None":
        """The part of a volume that is looked at; itself where that is all of it."""
        ids = self.chosen.intersection(rows[ID])
        cut = self._cut & ids
        if not ids:
            return None
        if len(ids) == len(rows) and not cut and isinstance(self.below, Volumes):
            return volume
        return _Part(volume, sorted(ids), sorted(cut), self._selection)

    def _read_derived(self, table: str) -> pl.DataFrame:
        """Rows about what is looked at. What speaks of a whole trajectory that is cut is left out:
        it may rest on turns that are gone."""
        rows = self.below.read(table)
        if ID not in rows.columns:
            return rows
        rows = rows.filter(pl.col(ID).is_in(sorted(self.chosen)))
        if not self._cut:
            return rows
        is_cut = pl.col(ID).is_in(sorted(self._cut))
        if "turn" not in rows.columns or "into" in rows.columns:
            return rows.filter(~is_cut)
        parts = [volume for volume in self.volumes if isinstance(volume, _Part)]
        places = pl.concat([part.places for part in parts])
        moved = rows.filter(is_cut).join(places, on=[ID, "turn"], maintain_order="left")
        moved = moved.with_columns(turn="now").select(rows.columns)
        return pl.concat([rows.filter(~is_cut), moved], how="vertical_relaxed")


def take_whole_sessions(tables: Texts) -> Texts:
    """The tables with all turns of every session of which any is in them."""
    whole: Texts = tables.uncut() if hasattr(tables, "uncut") else tables
    return whole


class _Part(Layer):
    """Some trajectories of a volume, some of these without turns."""

    def __init__(
        self, volume: Tables, ids: list[str], cut: list[str], selection: Selection
    ) -> None:
        super().__init__(volume)
        self._ids, self._cut_ids, self._selection = ids, cut, selection

    def keep(
        self, name: str, sum_volume: Any, rests_on: object = None, derived: object = ()
    ) -> Sums:
        """What `sum_volume` makes of it, which nobody asks for again."""
        sums: Sums = sum_volume(self)
        return sums

    def read(self, table: str) -> pl.DataFrame:
        """A table, whole."""
        return self.scan(table).collect()

    def scan(self, table: str) -> pl.LazyFrame:
        """A table, lazily; turns of what is cut are numbered from 0 again."""
        rows = self.below.scan(table)
        if ID not in rows.collect_schema():
            return rows
        selected = rows.filter(pl.col(ID).is_in(self._ids))
        if table not in COUNTED or not self._cut_ids:
            return selected
        uncut = selected.filter(~pl.col(ID).is_in(self._cut_ids))
        return pl.concat([uncut, self._counted[table].lazy()], how="vertical_relaxed")

    @cached_property
    def _whole(self) -> dict[str, pl.DataFrame]:
        is_cut = pl.col(ID).is_in(self._cut_ids)
        return {table: self.below.scan(table).filter(is_cut).collect() for table in COUNTED}

    @cached_property
    def _gone(self) -> pl.DataFrame:
        return self._whole["turns"].filter(~match_turns(self._selection)).select(ID, "turn")

    @cached_property
    def _counted(self) -> dict[str, pl.DataFrame]:
        return without_turns(self._whole, self._gone, self.options.get("cache", "evicted"))

    @cached_property
    def places(self) -> pl.DataFrame:
        """The turns that are left of what is cut, each with its new place."""
        turns = self._whole["turns"].select(ID, "turn").sort(ID, "turn") if self._cut_ids else None
        if turns is None:
            return pl.DataFrame(schema={ID: pl.String, "turn": pl.Int64, "now": pl.Int64})
        remaining = turns.join(self._gone, on=[ID, "turn"], how="anti").sort(ID, "turn")
        return remaining.with_columns(now=pl.int_range(pl.len()).over(ID).cast(pl.Int64))


# Which --------------------------------------------------------------------------------------------


def _describe(volume: Tables) -> pl.DataFrame:
    """What decides of each trajectory of a volume whether it is looked at."""

    def sum_volume(tables: Tables) -> Sums:
        columns = ("parent_id", "project", "branch", "format")
        rows = tables.scan("trajectories").select(ID, *columns).collect()
        times = _AT.min().alias("first"), _AT.max().alias("last"), _AT.has_nulls().alias("untimed")
        turns = tables.scan("turns").group_by(ID)
        by_id = turns.agg(*times, models=pl.col("model").unique()).collect()
        return {"about": rows.join(by_id, on=ID, how="left", maintain_order="left")}

    hint = getattr(volume, "hint", None)
    sums: Sums = sum_volume(volume) if hint is None else hint("selection", sum_volume)
    about: pl.DataFrame = sums["about"]
    return about


def choose_trajectories(rows: pl.DataFrame, selection: Selection) -> tuple[set[str], set[str]]:
    """Those with a turn that may be in it, and those of these of which a turn may not be."""
    matching = rows.filter(_match_fields(rows, selection.where))
    within, touching = pl.lit(value=True), pl.lit(value=True)
    if (since := selection.since) is not None:
        within = within & (pl.col("first") >= since) & ~pl.col("untimed")
        touching = pl.col("last") >= since
    if selection.back is not None:
        newest = pl.col("last").max().over("format")
        touching = (pl.col("last") >= newest - selection.back) | pl.col("last").is_null()
    if (until := selection.until) is not None:
        within = within & (pl.col("last") < until) & ~pl.col("untimed")
        touching = touching & (pl.col("first") < until)
    if globs := [glob for name, glob in selection.where if name == "model"]:
        names = matching["models"].explode().unique().to_list()
        good = [name for name in names if matches(name, globs)]
        match = pl.col("models").list.eval(pl.element().is_in(good).fill_null(value=False))
        within, touching = within & match.list.all(), touching & match.list.any()
    touched = matching.filter(touching.fill_null(value=False))
    cut = touched.filter(~within.fill_null(value=False))
    return set(touched[ID]), set(cut[ID])


def _complete_sessions(rows: pl.DataFrame, chosen: set[str]) -> set[str]:
    """With every main agent and sub-agent of their sessions."""
    roots = roots_of(rows)
    own = roots.filter(pl.col(ID).is_in(sorted(chosen)))["session"].unique()
    return set(roots.filter(pl.col("session").is_in(own.implode()))[ID])


def match_turns(selection: Selection) -> pl.Expr:
    """Whether a turn is in it."""
    condition = pl.lit(value=True)
    if selection.since is not None:
        condition = condition & (selection.since <= _AT)
    if selection.until is not None:
        condition = condition & (selection.until > _AT)
    if globs := [glob for name, glob in selection.where if name == "model"]:
        condition = condition & pl.col("model").map_elements(
            lambda name: matches(name, globs), return_dtype=pl.Boolean, skip_nulls=False
        )
    return condition.fill_null(value=False)


def _match_fields(rows: pl.DataFrame, where: Sequence[tuple[str, str]]) -> pl.Series:
    """By project, branch and agent; a sub-agent that names none has those of its session."""
    matching = pl.Series([True] * len(rows), dtype=pl.Boolean)
    parents = dict(rows.select(ID, "parent_id").drop_nulls().iter_rows())
    for field, column in (("project", "project"), ("branch", "branch"), ("agent", "format")):
        globs = [glob for name, glob in where if name == field]
        if not globs:
            continue
        values = dict(rows.select(ID, column).iter_rows())
        names = [_inherit(id, values, parents) for id in rows[ID]]
        is_match = {name: matches(name, globs) for name in set(names)}
        matching = matching & pl.Series([is_match[name] for name in names], dtype=pl.Boolean)
    return matching


def _inherit(id: str, values: dict[str, str | None], parents: dict[str, str]) -> str | None:
    seen = set[str]()
    while values.get(id) is None and id in parents and id not in seen:
        seen.add(id)
        id = parents[id]
    return values.get(id)


def matches(name: str | None, globs: Sequence[str]) -> bool:
    """Whether a name, or the end of a path, is one of the globs; upper and lower case are alike."""
    if name is None:
        return False
    folded = name.replace("\\", "/").rstrip("/").casefold().replace("_", " ")
    tails = {folded, folded.rsplit("/", 1)[-1], "/".join(folded.rsplit("/", 2)[-2:])}
    patterns = [glob.casefold().replace("_", " ") for glob in globs]
    return any(fnmatch(tail, glob) for tail in tails for glob in patterns)
