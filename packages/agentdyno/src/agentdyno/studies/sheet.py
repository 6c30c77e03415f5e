"""The dyno sheet: the measures of five papers beside each other, a column for each setting.

The core has the rows that every graded run has: solved, PTE, dollars, tokens, turns, calls at once,
patterns. Other packages add theirs by the entry point group `agentdyno.sheet`. What nothing in the
ledger answers is listed with the command that supplies it.
"""

from collections.abc import Sequence
from typing import Literal

import polars as pl
from msgspec import Struct

from agentdyno.estimates.estimate import Estimate
from agentdyno.plugins import load_place, load_plugins
from agentdyno.records.settings import SettingName
from agentdyno.studies.cost.unit import name_pte
from agentdyno.studies.readings import mean_of, missing, share_of
from agentdyno.studies.report_context import ReportContext
from agentdyno.studies.tables import Tables, Texts

GROUP = "agentdyno.sheet"
MOST_SETTINGS = 6
"""Columns; of more settings the most expensive."""
Kind = Literal["share", "amount", "money", "mean", "ratio", "count"]


class SheetRow(Struct, frozen=True):
    """One measure of every setting."""

    measure: str
    kind: Kind
    values: list[Estimate]
    """In the order of the sheet's settings; without a value where it is not known."""


class SheetPart(Struct, frozen=True):
    """Rows that a package adds."""

    name: str
    """Unique; the measure of `SUPPLIED_BY` that they answer, where `answers` names none."""
    rows: str
    """`module:function` that takes a `ReportContext` and the settings and returns rows."""
    table: str
    """The ledger's table that they are made of."""
    answers: str | None = None


class Missing(Struct, frozen=True):
    """A measure that the ledger cannot answer, and what supplies it."""

    measure: str
    command: str


class UsedGamma(Struct, frozen=True):
    """A gamma, and the architecture that it is of."""

    architecture: str
    gamma: float
    source: str
    """`proxy` where the model's own is not known."""


class Sheet(Struct, frozen=True):
    """All measures of the ledger's settings."""

    settings: list[SettingName]
    attempts: list[int]
    """Of each setting, sub-agents not counted."""
    left_out: int
    """Settings beyond the first ones."""
    rows: list[SheetRow]
    missing: list[Missing]
    pte_name: str
    """What its PTE are called."""
    gammas: list[UsedGamma]
    """What they were counted with."""


SUPPLIED_BY = {
    "patterns": ("four inefficiency patterns", "agentdyno report LEDGER, with the traces in place"),
    "eta": ("eta, marginal tool utility", "agentdyno judge LEDGER --model M"),
    "planning": ("completion, cost-of-pass", "agentdyno judge LEDGER --kind completion --model M"),
    "failures": ("CTUR, TSR, RIR, OFR, UTR", "agentdyno judge LEDGER --kind failure --model M"),
    "depth": ("DTR", "agentdyno depth --ledger LEDGER"),
}
"""By the name of the part: its measures, and the command that records what they are made of."""


PATTERNS = ("confirmatory", "tool_mixing", "lack_of_tool_priors", "format_collapse")
"""Of the PTE paper, in its order."""
IS_ATTEMPT = pl.col("correct").is_not_null() | pl.col("benchmark").is_not_null()
"""Graded, or of a benchmark."""


def has_attempts(tables: Tables) -> bool:
    """True when at least half of the trajectories are attempts: a few graded runs among many
    sessions are no experiment."""
    share = tables.scan("trajectories").select(IS_ATTEMPT.mean()).collect().item()
    return share is not None and share >= 0.5


def study_sheet(context: ReportContext) -> Sheet:
    """The core's rows, then those of the installed packages."""
    attempts = _read_attempts(context)
    places = sorted(set(attempts["setting"]))[:MOST_SETTINGS]
    settings = [context.frames.settings[index] for index in places]
    groups = [attempts.filter(pl.col("setting") == index) for index in places]
    name = name_pte(context.tables.options, "evicted")
    rows = _measure_attempts(groups, name)
    answered = {"patterns"} if context.tables.has("paper_patterns") else set()
    for part in load_plugins(GROUP, SheetPart)[0].values():
        if context.tables.has(part.table) and (added := load_place(part.rows)(context, settings)):
            rows += added
            answered.add(part.answers or part.name)
    return Sheet(
        settings,
        [len(group) for group in groups],
        len(set(attempts["setting"])) - len(places),
        rows,
        [Missing(*text) for part, text in SUPPLIED_BY.items() if part not in answered],
        name,
        _list_gammas(groups),
    )


def _list_gammas(groups: Sequence[pl.DataFrame]) -> list[UsedGamma]:
    """The architectures that stand behind PTE, each with its gamma."""
    columns = "architecture", "gamma", "gamma_source"
    rows = pl.concat([group.select(columns) for group in groups]) if groups else None
    unique = [] if rows is None else rows.drop_nulls().unique(maintain_order=True).rows()
    return [UsedGamma(*row) for row in unique]


def _read_attempts(context: ReportContext) -> pl.DataFrame:
    """Root trajectories that are attempts, of settings with any (what else there is are sessions
    beside them), with PTE by the paper's cache, calls at once, and the patterns found."""
    rows = context.frames.trajectories
    settings = rows.filter(IS_ATTEMPT)["setting"].unique().implode()
    rows = rows.filter(pl.col("parent_id").is_null(), pl.col("setting").is_in(settings))
    evicted = context.tables.scan("trajectories").select("trajectory_id", "pte_evicted").collect()
    rows = rows.join(evicted, on="trajectory_id", how="left")
    if context.tables.has("scheduling"):
        schedules = context.tables.read("scheduling").filter(pl.col("call_turns") > 0)
        schedules = schedules.select("trajectory_id", "calls_per_turn").unique("trajectory_id")
        rows = rows.join(schedules, "trajectory_id", "left")
    return _with_patterns(rows, context.tables) if context.tables.has("paper_patterns") else rows


def _with_patterns(rows: pl.DataFrame, tables: Texts) -> pl.DataFrame:
    """Whether each attempt shows a pattern; null where nobody could read its trace, and of
    trajectories that were not looked at."""
    findings = tables.read("paper_patterns").select("trajectory_id", "pattern").unique()
    for name in PATTERNS:
        having = findings.filter(pl.col("pattern") == name)["trajectory_id"].implode()
        shows = pl.when(was_looked_at(tables)).then(pl.col("trajectory_id").is_in(having))
        rows = rows.with_columns(shows.alias(f"pattern {name}"))
    return rows


def was_looked_at(tables: Tables) -> pl.Expr:
    """Of rows of trajectories: attempts whose traces could be read for the paper's patterns."""
    return IS_ATTEMPT & ~pl.col("source").is_in([*tables.missing("paper_patterns")])


def _measure_attempts(groups: Sequence[pl.DataFrame], name: str) -> list[SheetRow]:
    """Solved, PTE, dollars, tokens, turns, calls at once and patterns of each setting."""
    rows = [
        SheetRow("solved", "share", [share_of(group, "correct") for group in groups]),
        SheetRow(f"{name} an attempt", "amount", [mean_of(g, "pte_evicted") for g in groups]),
        SheetRow(f"{name} a solved task", "amount", [_of_solved(g, "pte_evicted") for g in groups]),
        SheetRow("dollars an attempt", "money", [mean_of(group, "usd") for group in groups]),
        SheetRow("dollars a solved task", "money", [_of_solved(g, "usd") for g in groups]),
        SheetRow("tokens read", "amount", [mean_of(group, "prefill_tokens") for group in groups]),
        SheetRow("tokens written", "amount", [mean_of(group, "decode_tokens") for group in groups]),
        SheetRow("turns", "mean", [mean_of(group, "turns") for group in groups]),
        SheetRow("calls", "mean", [mean_of(group, "calls") for group in groups]),
    ]
    columns = groups[0].columns if groups else []
    if "calls_per_turn" in columns:
        values = [mean_of(group, "calls_per_turn") for group in groups]
        rows.append(SheetRow("calls at once", "ratio", values))
    for column in columns:
        if column.startswith("pattern "):
            values = [share_of(group, column) for group in groups]
            rows.append(SheetRow(column.replace("_", " "), "share", values))
    return [row for row in rows if any(value.value is not None for value in row.values)]


def _of_solved(group: pl.DataFrame, column: str) -> Estimate:
    """What all attempts cost over the solved ones; no number without one, or without a cost."""
    graded = group.filter(pl.col("correct").is_not_null())
    solved = int(graded["correct"].sum() or 0)
    if not solved:
        return missing("none was solved")
    if graded[column].null_count():
        return missing("not every attempt has a cost")
    return Estimate(float(graded[column].sum()) / solved, None, None, solved)
