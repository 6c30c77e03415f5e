"""The tables of a ledger under a chosen cache assumption, hardware, architecture or price table.

Takes any `Tables` and a `View`; returns `Tables` that a study cannot tell from those of a ledger
that was measured that way. What is not chosen stays as the ledger has it, and a view that chooses
nothing changes nothing.
"""

from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar, cast

import msgspec
import polars as pl
from msgspec import Struct, structs

from agentdyno.cost.engines import Engines, MeterOptions
from agentdyno.cost.pte import CacheAssumption
from agentdyno.cost.views import revalue
from agentdyno.measures.gamma import Form
from agentdyno.records.cost_unit import CostUnit
from agentdyno.records.ledger import COUNTED, HELD
from agentdyno.regular_files import read_regular
from agentdyno.studies.cost.seconds import find_served_hits
from agentdyno.studies.selection import SelectedTables, Selection
from agentdyno.studies.tables import Layer, Tables, Volumes

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
    gamma: Form | None = None
    """The paper's formula, or the real width of the cache."""


def choose_options(options: dict[str, Any], view: View) -> dict[str, Any]:
    """A ledger's options with what the view chooses, the contents of its files included."""
    expected = {name: value for name, value in structs.asdict(view).items() if value is not None}
    expected.pop("selection", None)
    files = {k: v for k, v in options.get("files", {}).items() if k not in expected}
    given = {k: Path(expected[k]) for k in _MAY_BE_FILES if k in expected}
    given = {k: path for k, path in given.items() if path.is_file()}
    if view.cache is not None:
        expected["chosen_cache"] = view.cache
    digests = {k: blake2b(read_regular(p), digest_size=16).hexdigest() for k, p in given.items()}
    return options | expected | {"files": files | digests}


Under = TypeVar("Under", bound=Tables)


def apply_view(tables: Under, view: View | None) -> Under:
    """The tables under the view; the same ones where it chooses nothing else than they have."""
    return tables if view is None else cast(Under, _lay_over(tables, view))


def _lay_over(tables: Tables, view: View) -> Tables:
    selection = view.selection
    if not _revalues(tables, view):
        selected = SelectedTables(tables, selection) if selection else tables
        return selected if _chooses_nothing(tables, view) else RecountedTables(selected, view)
    if selection is None:
        return ViewedTables(tables, view)
    # What a turn costs may rest on the turns before it, so costs come first.
    uncut = SelectedTables(tables, selection, cuts=False)
    return SelectedTables(ViewedTables(uncut, view), selection)


def _chooses_nothing(tables: Tables, view: View) -> bool:
    options = tables.options | {"files": tables.options.get("files", {})}
    return choose_options(tables.options, view) == options


def _revalues(tables: Tables, view: View) -> bool:
    """Whether any row changes. What GPU-seconds rest on changes none: they are worked out when they
    are asked for."""
    rows = View(view.cache, view.hardware, view.arch, view.prices, gamma=view.gamma)
    unchanged = tables.options | {"files": tables.options.get("files", {})}
    return choose_options(tables.options, rows) | {"chosen_cache": None} != unchanged | {
        "chosen_cache": None
    }


class RecountedTables(Layer):
    """Tables whose rows stay, counted in another unit or as served by other machines."""

    def __init__(self, tables: Tables, view: View) -> None:
        super().__init__(tables)
        self._view = view
        self.options = choose_options(tables.options, view)
        self.scan = tables.scan  # type: ignore[method-assign]
        if isinstance(tables, Volumes):
            self.volumes, self.stretches = tables.volumes, tables.stretches

    def uncut(self) -> "RecountedTables":
        """The same with whole sessions, where some are cut."""
        whole = self.below.uncut() if isinstance(self.below, SelectedTables) else self.below
        return self if whole is self.below else RecountedTables(whole, self._view)


class ViewedTables(Layer):
    """Tables whose costs are those of a view."""

    def __init__(self, tables: Tables, view: View) -> None:
        super().__init__(tables)
        self.options = choose_options(tables.options, view)
        stored = {f: self.options.get(f) for f in MeterOptions.__struct_fields__}
        meter = msgspec.convert({k: v for k, v in stored.items() if v is not None}, MeterOptions)
        self._cache, self._engines = meter.cache, Engines(meter)

    def read(self, table: str) -> pl.DataFrame:
        """A table, whole, with the costs of the view."""
        if table in COUNTED:
            return self._costs[table]
        rows = self.below.read(table)
        if table in ("failures", "patterns", "paper_patterns"):
            return self._with_own_cost(rows)
        # What joined turns would have saved was worked out for the ledger's own view.
        unknown = pl.lit(None, dtype=pl.Float64)
        return rows.with_columns(missed_pte=unknown) if table == "scheduling" else rows

    @cached_property
    def _costs(self) -> dict[str, pl.DataFrame]:
        frames = {table: self.below.read(table) for table in COUNTED}
        counted = {table: self.below.read(HELD + table) for table in COUNTED}
        repeats = self.below.read("repeats")
        hits = None
        if self._cache == "served":
            hits = find_served_hits(self.below, self.options)
        return revalue(frames, counted, repeats, self._engines.of, self._cache, hits)

    def _with_own_cost(self, rows: pl.DataFrame) -> pl.DataFrame:
        """A call's share beside a call, the trajectory's cost beside a trajectory."""
        calls = self._costs["calls"].select(*_PLACE, of_call="pte")
        costs = self._costs["trajectories"].select("trajectory_id", of_all="pte")
        joined = rows.join(calls, on=_PLACE, how="left", maintain_order="left")
        joined = joined.join(costs, on="trajectory_id", how="left", maintain_order="left")
        reported = pl.col("pte").is_not_null()
        is_call = pl.col("call").is_not_null()
        cost = pl.when(reported & is_call).then("of_call").when(reported).then("of_all")
        return joined.with_columns(pte=cost).select(rows.columns)
