"""The tables of a ledger under a chosen cache assumption, hardware, architecture or price table.

Takes any `Tables` and a `View`; returns `Tables` that a study cannot tell from those of a ledger
that was measured that way. What is not chosen stays as the ledger has it, and a view that chooses
nothing changes nothing.
"""

from collections.abc import Iterator
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec
import polars as pl
from msgspec import Struct, structs

from agentdyno.cost.engines import Engines, MeterOptions
from agentdyno.cost.pte import CacheAssumption
from agentdyno.cost.views import revalue
from agentdyno.records import Trajectory
from agentdyno.records.cost_unit import CostUnit
from agentdyno.records.ledger import COUNTED, HELD
from agentdyno.studies.cost.seconds import find_served_hits
from agentdyno.studies.selection import SelectedTables, SelectedTexts, Selection
from agentdyno.studies.tables import Tables, Texts, Volumes

_PLACE = ["trajectory_id", "turn", "call"]
_MAY_BE_FILES = ("hardware", "arch", "prices")


class View(Struct, frozen=True):
    """What is chosen when a ledger is read; None stays as the ledger has it."""

    cache: CacheAssumption | None = None
    """Which context tokens a turn has to prefill."""
    hardware: str | None = None
    """Hardware behind gamma: a name, or a TOML file."""
    arch: str | None = None
    """Architecture: `auto`, a name, or a config.json."""
    prices: str | None = None
    """A TOML price table that goes before the bundled one."""
    unit: CostUnit | None = None
    concurrency: int | None = None
    """Requests in progress at once, behind GPU-seconds."""
    gpus: int | None = None
    """Cards that a model is spread over, behind GPU-seconds."""
    speculative: str | None = None
    """Tokens drafted in a step and the share accepted, as `3:0.7`, behind GPU-seconds."""
    selection: Selection | None = None
    """From when to when, and of which projects, agents, models and branches; None: everything."""


def choose_options(options: dict[str, Any], view: View) -> dict[str, Any]:
    """A ledger's options with what the view chooses, the contents of its files included."""
    expected = {name: value for name, value in structs.asdict(view).items() if value is not None}
    expected.pop("selection", None)
    files = {k: v for k, v in options.get("files", {}).items() if k not in expected}
    given = {k: Path(expected[k]) for k in _MAY_BE_FILES if k in expected}
    given = {k: path for k, path in given.items() if path.is_file()}
    if view.cache is not None:
        expected["chosen_cache"] = view.cache
    digests = {k: blake2b(p.read_bytes(), digest_size=16).hexdigest() for k, p in given.items()}
    return options | expected | {"files": files | digests}


def apply_view(tables: Tables, view: View | None) -> Tables:
    """The tables under the view; the same ones where it chooses nothing else than they have."""
    if view is None:
        return tables
    if not _revalues(tables, view):
        chosen = SelectedTables(tables, view.selection) if view.selection else tables
        return chosen if _chooses_nothing(tables, view) else RecountedTables(chosen, view)
    if view.selection is None:
        return ViewedTables(tables, view)
    # What a turn costs may rest on the turns before it, so costs come first.
    whole = SelectedTables(tables, view.selection, cuts=False)
    return SelectedTables(ViewedTables(whole, view), view.selection)


def apply_view_with_texts(texts: Texts, view: View | None) -> Texts:
    """The same for studies that need the texts too."""
    if view is None:
        return texts
    if not _revalues(texts, view):
        chosen = SelectedTexts(texts, view.selection) if view.selection else texts
        return chosen if _chooses_nothing(texts, view) else RecountedTexts(chosen, view)
    if view.selection is None:
        return ViewedTexts(texts, view)
    whole = SelectedTexts(texts, view.selection, cuts=False)
    return SelectedTexts(ViewedTexts(whole, view), view.selection)


def _chooses_nothing(tables: Tables, view: View) -> bool:
    own = tables.options | {"files": tables.options.get("files", {})}
    return choose_options(tables.options, view) == own


def _revalues(tables: Tables, view: View) -> bool:
    """Whether any row changes. What GPU-seconds rest on changes none: they are worked out when they
    are asked for."""
    rows = View(view.cache, view.hardware, view.arch, view.prices)
    unchanged = tables.options | {"files": tables.options.get("files", {})}
    return choose_options(tables.options, rows) | {"chosen_cache": None} != unchanged | {
        "chosen_cache": None
    }


class RecountedTables:
    """Tables whose rows stay, counted in another unit or as served by other machines."""

    def __init__(self, tables: Tables, view: View) -> None:
        self.options: dict[str, Any] = choose_options(tables.options, view)
        self.name, self.has, self.missing = tables.name, tables.has, tables.missing
        self.read, self.scan = tables.read, tables.scan
        if isinstance(tables, Volumes):
            self.volumes, self.stretches = tables.volumes, tables.stretches


class RecountedTexts(RecountedTables):
    """The same, with the trajectories behind them."""

    def __init__(self, texts: Texts, view: View) -> None:
        super().__init__(texts, view)
        self.unreadable, self.trajectories = texts.unreadable, texts.trajectories


class ViewedTables:
    """Tables whose costs are those of a view."""

    def __init__(self, tables: Tables, view: View) -> None:
        self._tables = tables
        self.options: dict[str, Any] = choose_options(tables.options, view)
        known = {f: self.options.get(f) for f in MeterOptions.__struct_fields__}
        meter = msgspec.convert({k: v for k, v in known.items() if v is not None}, MeterOptions)
        self._cache, self._engines = meter.cache, Engines(meter)

    @property
    def name(self) -> str:
        """Where the ledger is."""
        return self._tables.name

    def read(self, table: str) -> pl.DataFrame:
        """A table, whole, with the costs of the view."""
        if table in COUNTED:
            return self._costs[table]
        rows = self._tables.read(table)
        if table in ("failures", "patterns"):
            return self._with_own_cost(rows)
        # What joined turns would have saved was worked out for the ledger's own view.
        unknown = pl.lit(None, dtype=pl.Float64)
        return rows.with_columns(missed_pte=unknown) if table == "scheduling" else rows

    def scan(self, table: str) -> pl.LazyFrame:
        """The same, lazily."""
        return self.read(table).lazy()

    def has(self, table: str) -> bool:
        """Whether somebody made the table."""
        return self._tables.has(table)

    def missing(self, table: str) -> dict[str, str]:
        """Inputs that a derived table could not speak of."""
        return self._tables.missing(table)

    @cached_property
    def _costs(self) -> dict[str, pl.DataFrame]:
        frames = {table: self._tables.read(table) for table in COUNTED}
        held = {table: self._tables.read(HELD + table) for table in COUNTED}
        repeats = self._tables.read("repeats")
        hits = None
        if self._cache == "served":
            hits = find_served_hits(self._tables, self.options)
        return revalue(frames, held, repeats, self._engines.of, self._cache, hits)

    def _with_own_cost(self, rows: pl.DataFrame) -> pl.DataFrame:
        """A call's share beside a call, the trajectory's cost beside a trajectory."""
        calls = self._costs["calls"].select(*_PLACE, of_call="pte")
        whole = self._costs["trajectories"].select("trajectory_id", of_all="pte")
        joined = rows.join(calls, on=_PLACE, how="left", maintain_order="left")
        joined = joined.join(whole, on="trajectory_id", how="left", maintain_order="left")
        reported = pl.col("pte").is_not_null()
        is_call = pl.col("call").is_not_null()
        cost = pl.when(reported & is_call).then("of_call").when(reported).then("of_all")
        return joined.with_columns(pte=cost).select(rows.columns)


class ViewedTexts(ViewedTables):
    """The same, with the trajectories behind them."""

    def __init__(self, texts: Texts, view: View) -> None:
        super().__init__(texts, view)
        self._texts = texts

    def unreadable(self) -> dict[str, str]:
        """Inputs that cannot be read again, with the reason."""
        return self._texts.unreadable()

    def trajectories(self) -> Iterator[Trajectory]:
        """Every trajectory whose input still stands."""
        return self._texts.trajectories()
