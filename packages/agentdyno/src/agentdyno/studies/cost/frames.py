"""The ledger's tables as the analyses need them: each trajectory with its setting and its task.

Takes a ledger, gives `Frames`. Adds the GPU-seconds of turns, and to every table the `cost` of
its rows in the unit that adds up over the ledger; computes nothing else.
"""

from functools import cached_property

import polars as pl

from agentdyno.records.cost_unit import CostUnit
from agentdyno.records.settings import SettingName
from agentdyno.studies.cost.part_seconds import read_calls, with_part_seconds
from agentdyno.studies.cost.seconds import COLUMNS, time_turns
from agentdyno.studies.cost.unit import Costs, add_known_money, choose_unit, costs_among
from agentdyno.studies.tables import Tables
from agentdyno.studies.working_copies import in_main_copy

SETTING = ("model", "benchmark", "variant")
PARTS = (
    "trajectory_id", "kind", "name", "turn", "call", "tokens", "enters", "leaves", "pte", "usd"
)  # fmt: skip
"""Columns of `parts` that studies of costs ask for: there are twenty parts and more for each
trajectory, so the others would take most of a report's memory."""
NOT_OF_TURNS = (
    "identity", "response_id", "request_id", "stands_for", "line", "cache_write_hour_tokens",
    "service_tier", "web_searches", "usd_source", "reasoning_tokens", "prefill_source",
    "decode_source", "decode_factor", "decode_spread", "decode_bias", "answered", "first_scale",
    "later_scale", "unseen_tokens", "unseen_decode_tokens", "pte_growth_evicted",
    "pte_growth_reported", "pte_growth_kept", "reported_usd",
)  # fmt: skip
"""Columns of `turns` that they do not ask for."""
NOT_OF_TRAJECTORIES = (
    "continues_id", "begins_midway", "line", "retries", "reported_usd", "pte_evicted",
    "pte_reported", "pte_kept", "pte_growth_evicted", "pte_growth_reported", "pte_growth_kept",
    "score", "graded_by", "wait_seconds", "token_source", "cached_tokens", "ended_at",
)  # fmt: skip
"""…and of `trajectories`."""


class Frames:
    """Tables of one ledger. `setting` is a place in `settings`, `task` what attempts share. Each
    table is read when somebody asks for it: the first screen needs few of them whole."""

    def __init__(
        self,
        ledger: Tables,
        unread: frozenset[str] = frozenset(),
        unproven: bool = False,
        costs: Costs | None = None,
    ) -> None:
        self._ledger, self._shows_unproven = ledger, unproven
        # In one piece: every query of a table in pieces copies the columns that it looks at.
        raw = ledger.scan("trajectories").drop(NOT_OF_TRAJECTORIES).collect().rechunk()
        raw = raw.with_columns(in_main_copy(pl.col("project")))
        raw = _with_seconds(ledger, add_known_money(ledger, _shrink_empty(raw)))
        self.costs: Costs = costs or costs_among(raw, ledger.options)
        """What `cost` is counted in, and how the PTE of other rows become it."""
        self.unread = unread
        """Sources in which nobody could look for patterns."""
        raw = self.costs.on(raw)
        totals = _rank_settings(raw)
        self.settings = [SettingName(*row) for row in totals.select(SETTING).iter_rows()]
        """The setting with the largest total cost first."""
        places = raw.select(SETTING).join(
            totals, on=SETTING, how="left", nulls_equal=True, maintain_order="left"
        )
        setting = places["setting"].cast(pl.Int64)
        self.trajectories = raw.hstack([setting, raw.select(task=_task())["task"]])
        """With `setting`, `task`, `gpu_seconds` and `cost`; without a task it is one of its own."""

    @cached_property
    def turns(self) -> pl.DataFrame:
        """With `setting`, `task`, `cost` and GPU-seconds by cause; without `NOT_OF_TURNS`."""
        turns = self._ledger.scan("turns").drop(NOT_OF_TURNS).collect()
        if self.costs.unit == "usd":
            turns = turns.with_columns(_UNKNOWN.alias(name) for name in COLUMNS)
        else:
            timed, turn_keys = time_turns(self._ledger).turns, ["trajectory_id", "turn"]
            turns = turns.join(timed, on=turn_keys, how="left", maintain_order="left")
        return self._add_keys(turns, "setting", "task", are_turns=True)

    @cached_property
    def calls(self) -> pl.DataFrame:
        """With `setting`, `task` and `cost`."""
        return self._add_keys(read_calls(self._ledger, self.costs.unit), "setting", "task")

    @cached_property
    def parts(self) -> pl.DataFrame:
        """`PARTS`, the `setting` and the `cost`."""
        return self._add_keys(self._read_parts(), "setting")

    def find_parts(self, where: pl.Expr) -> pl.DataFrame:
        """Some of the parts, with their `cost`: all would take most of a report's memory."""
        if "parts" in self.__dict__:  # Somebody needed all of them.
            return self.parts.filter(where)
        return self.costs.on(self._read_parts(where))

    @cached_property
    def patterns(self) -> pl.DataFrame | None:
        """Detections with their `cost`. None when nobody looked for any."""
        detections = self._detections
        return None if detections is None else detections.filter(~self._is_hidden)

    @cached_property
    def unproven(self) -> dict[str, int]:
        """Detections of patterns that are left out because nobody measured how often they are
        right."""
        detections = self._detections
        return {} if detections is None else _counts(detections.filter(self._is_hidden))

    def by_setting(self, table: pl.DataFrame) -> dict[int, pl.DataFrame]:
        """The rows of each setting that has any, in the order of `settings`."""
        rows_of = table.partition_by("setting", as_dict=True)
        return {
            index: rows_of[(index,)] for index in range(len(self.settings)) if (index,) in rows_of
        }

    @cached_property
    def _detections(self) -> pl.DataFrame | None:
        if not self._ledger.has("patterns"):
            return None
        rows = _with_own_cost(self._ledger, self.calls, self.trajectories, self.costs.unit)
        return self._add_keys(rows, "setting", "task")

    @property
    def _is_hidden(self) -> pl.Expr:
        hidden = [] if self._shows_unproven else _hidden_patterns(self._detections)
        return pl.col("pattern").is_in(hidden)

    def _read_parts(self, where: pl.Expr | bool = True) -> pl.DataFrame:
        """Places in half the room: there are no two billion turns in a trajectory."""
        places = pl.col("turn", "call", "enters", "leaves").cast(pl.Int32)
        rows = self._ledger.scan("parts").filter(where).select(*PARTS, "part")
        if self.costs.unit == "gpu_seconds":
            rows = with_part_seconds(self._ledger, rows)
        return rows.drop("part").with_columns(places).collect()

    def _add_keys(
        self, frame: pl.DataFrame, *expected: str, are_turns: bool = False
    ) -> pl.DataFrame:
        keys = self.trajectories.select("trajectory_id", *expected)
        joined = frame.join(keys, on="trajectory_id", how="left", maintain_order="left")
        return self.costs.on(joined, are_turns=are_turns)


_UNKNOWN = pl.lit(None, pl.Float64)


def _shrink_empty(rows: pl.DataFrame) -> pl.DataFrame:
    """A column without a value takes no room as a literal; traces leave many of them empty."""
    empty = [series for series in rows if series.null_count() == len(rows)]
    return rows.with_columns(pl.lit(None, column.dtype).alias(column.name) for column in empty)


def _with_seconds(ledger: Tables, trajectories: pl.DataFrame) -> pl.DataFrame:
    """With `gpu_seconds`; where costs are money nobody asks what a provider's machines took."""
    if choose_unit(trajectories, ledger.options) == "usd":
        return trajectories.with_columns(gpu_seconds=_UNKNOWN)
    seconds = time_turns(ledger).by_trajectory().select("trajectory_id", "gpu_seconds")
    ids = trajectories.select("trajectory_id")
    timed = ids.join(seconds, on="trajectory_id", how="left", maintain_order="left")
    return trajectories.hstack([timed["gpu_seconds"]])


def _rank_settings(trajectories: pl.DataFrame) -> pl.DataFrame:
    totals = trajectories.group_by(SETTING, maintain_order=True).agg(total=pl.col("cost").sum())
    order = totals.sort("total", *SETTING, descending=[True, False, False, False], nulls_last=True)
    return order.drop("total").with_row_index("setting")


def _hidden_patterns(rows: pl.DataFrame | None) -> list[str]:
    """Those that are shown only when asked for; without detections nobody needs to know them, and
    to load the detectors takes longer than the first screen."""
    if rows is None or rows.is_empty():
        return []
    from agentdyno.findings.patterns import unshown_patterns

    return unshown_patterns()


def _with_own_cost(
    ledger: Tables, calls: pl.DataFrame, trajectories: pl.DataFrame, unit: CostUnit
) -> pl.DataFrame:
    """Detections with the money, and the cost in another unit, of the call that they are about, or
    of the trajectory."""
    call, rows = ["trajectory_id", "turn", "call"], ledger.read("patterns")
    for name in {"usd", unit} - {"pte"}:
        of_call = calls.select(*call, of_call=name)
        rows = rows.join(of_call, on=call, how="left", maintain_order="left")
        of_all = trajectories.select("trajectory_id", of_all=name)
        rows = rows.join(of_all, on="trajectory_id", how="left", maintain_order="left")
        share = pl.when(pl.col("call").is_not_null()).then("of_call").otherwise("of_all")
        cost = pl.when(pl.col("pte").is_not_null()).then(share).alias(name)
        rows = rows.with_columns(cost).drop("of_call", "of_all")
    return rows


def _counts(patterns: pl.DataFrame) -> dict[str, int]:
    return dict(patterns["pattern"].value_counts().sort("pattern").iter_rows())


def _task() -> pl.Expr:
    """Task 7 of one benchmark is not task 7 of another."""
    named = pl.concat_str(pl.col("benchmark").fill_null(""), pl.col("task_id"), separator="\0")
    return pl.coalesce(named, "trajectory_id")
