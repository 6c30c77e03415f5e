"""What the cost was spent on, as people know it: files, instruction files, images, commands,
searches, pages, MCP servers, skills and sub-agents.

Takes a report's context, returns `Spending`. A call costs its request and its result for every turn
that had them in context; calls about the same thing are added up. A sub-agent costs what its call
costs and what its own turns do, those of agents that it started included. Instruction files and
images are those that a call read or wrote; no trace shows what a client adds to its hidden prompt.
"""

from collections.abc import Callable, Iterator

import polars as pl
from msgspec import Struct

from agentdyno.records.cost_unit import CostUnit
from agentdyno.studies.cost.frames import Frames
from agentdyno.studies.report_context import ReportContext
from agentdyno.studies.sessions import find_roots
from agentdyno.studies.tables import Sums, Tables
from agentdyno.studies.volumes import add_known, sum_known, sum_volumes, tally_known
from agentdyno.studies.working_copies import below_home, find_checkouts, in_main_copy

INSTRUCTIONS = (
    r"(?i)(^|[/\\])((CLAUDE|AGENTS|GEMINI|QWEN|MEMORY)(\.local|\.override)?\.md|\.cursorrules|"
    r"\.clinerules|\.windsurfrules|copilot-instructions\.md)$"
    r"|[/\\](\.cursor[/\\]rules|\.clinerules|\.claude[/\\]rules)[/\\]"
)
"""Paths of files that agents read as instructions or memory."""
FILES = ("file", "instruction file", "image")
IMAGES = r"(?i)\.(png|jpe?g|gif|webp|bmp|heic|tiff?)$"
MOST = 50
"""Rows of a kind, the most expensive first."""
ID = "trajectory_id"
CALL = (ID, "turn", "call")
NAME = ["kind", "name"]
SUMMED = ("result_tokens", "stay", "cost", "usd")


class Spent(Struct, frozen=True, kw_only=True):
    """All calls about one thing."""

    kind: str
    """file, instruction file, image, command, search, web page, web search, MCP server, skill or
    sub-agent."""
    name: str
    calls: int
    failed: int
    """How many of these ended in an error."""
    sessions: int
    """Sessions in which it was asked about."""
    result_tokens: float | None
    """Tokens that came back, all calls together."""
    turns_in_context: float | None
    """For how many turns a result stayed in context, on average."""
    cost: float | None
    """What requests and results cost while they were in context, in the unit of the ledger."""
    share: float | None
    """Of all costs of the ledger."""
    usd: float | None
    trajectory_id: str
    """Where the most expensive of these calls is."""
    turn: int
    below_cost: float | None = None
    """For sub-agents: what their own turns cost, those of agents they started included; None where
    none of them has a price."""
    unpriced_calls: int = 0
    """Calls whose cost is not known and not in `cost`."""
    unpriced_agents: int = 0
    """For sub-agents: those whose cost is not known and not in `below_cost`."""
    returned_share: float | None = None
    """For sub-agents: tokens they returned over tokens they generated and read anew."""


class Spending(Struct, frozen=True):
    """What was spent on what."""

    unit: CostUnit
    total: float
    """All costs of the ledger."""
    kinds: dict[str, list[Spent]]
    """By kind, the kind with the largest sum first; in each the most expensive first."""


def study_spending(context: ReportContext) -> Spending | None:
    """None where no call says what it is about."""
    sums = sum_volumes(context.tables, context.unit, "spending", _sum_calls)
    if not sums:
        return None
    sums = {**sums, "about": _join_clones(sums["about"])}
    total = float(context.frames.trajectories["cost"].sum() or 0.0)
    rows = _add_up(sums["about"], total, _sum_started(context))
    rows = rows.join(_count_sessions(sums, context), on=NAME, maintain_order="left")
    spent_rows = [Spent(**row) for row in rows.iter_rows(named=True)]
    kinds = dict.fromkeys(spent.kind for spent in sorted(spent_rows, key=_most_expensive))
    most = None if context.everything else MOST
    by_kind = {kind: [spent for spent in spent_rows if spent.kind == kind][:most] for kind in kinds}
    return Spending(context.unit, total, by_kind)


def _join_clones(about: pl.DataFrame) -> pl.DataFrame:
    """One file in clones of several homes, or in several checkouts, has the name that it has in the
    first of them."""
    is_file = pl.col("kind").is_in(FILES)
    clones = pl.col("name").first().over("kind", _find_one_file(about.filter(is_file))("name"))
    return about.with_columns(name=pl.when(is_file).then(clones).otherwise("name"))


def _find_one_file(files: pl.DataFrame) -> Callable[[str], pl.Expr]:
    """By which paths of one file are known to be one, whatever column they stand in; `files` are
    all paths with the projects in which they were read."""
    project = in_main_copy(pl.col("project")).str.strip_suffix("/")
    rows = files.select("name", project=project).unique()
    is_inside = pl.col("name").str.starts_with(pl.col("project") + "/")
    inside = pl.col("name").str.strip_prefix(pl.col("project") + "/")
    rows = rows.filter(is_inside).with_columns(inside=inside)
    first = find_checkouts(rows.select("project", "inside").iter_rows())
    same = {
        name: f"{first[project]}/{path}" for name, project, path in rows.iter_rows()
        if project in first
    }  # fmt: skip
    return lambda column: below_home(pl.col(column).replace(same) if same else pl.col(column))


def find_calls_about(context: ReportContext, kind: str, name: str) -> pl.DataFrame:
    """The calls about one thing, as a row of `Spending` names it."""
    calls = context.frames.calls
    rows = calls.with_columns(subject=_subject()).with_columns(subject_kind=_refine_kind())
    of_kind = rows.filter(pl.col("subject_kind") == kind)
    if kind not in FILES:
        return of_kind.filter(pl.col("subject") == name)
    projects = context.frames.trajectories.select(ID, "project")
    files = rows.filter(pl.col("subject_kind").is_in(FILES)).join(projects, on=ID)
    same = _find_one_file(files.select("project", name="subject"))
    named = of_kind.with_columns(asked=pl.lit(name))
    return named.filter(same("subject") == same("asked")).drop("asked")


def _subject() -> pl.Expr:
    """What a call is about; a file in a worktree is the file of its repository."""
    is_file = pl.col("subject_kind") == "file"
    return pl.when(is_file).then(in_main_copy(pl.col("subject"))).otherwise("subject")


def _refine_kind() -> pl.Expr:
    """Files by what they are to the agent."""
    kind, name = pl.col("subject_kind"), pl.col("subject")
    is_file = kind == "file"
    return (
        pl.when(is_file & name.str.contains(INSTRUCTIONS))
        .then(pl.lit("instruction file"))
        .when(is_file & name.str.contains(IMAGES))
        .then(pl.lit("image"))
        .otherwise(kind)
    )


def _most_expensive(spent: Spent) -> float:
    return -((spent.cost or 0.0) + (spent.below_cost or 0.0))


def _with_stay(calls: pl.DataFrame, results: pl.DataFrame, about: pl.DataFrame) -> pl.DataFrame:
    """With the turns that a call's result was in context for."""
    ends = pl.coalesce("leaves", "turns")
    stays = (
        results.join(about.select("trajectory_id", "turns"), on="trajectory_id", how="left")
        .select(*CALL, stay=(ends - pl.col("enters")).clip(lower_bound=0))
        .with_columns(pl.col("turn", "call").cast(pl.Int64))
        .unique(CALL)
    )
    return calls.filter(pl.col("subject").is_not_null()).join(stays, on=list(CALL), how="left")


def _sum_calls(tables: Tables) -> Sums:
    """Calls of a stretch by what they are about, each with the places of its trajectories."""
    subjects = tables.scan("calls").select("subject").drop_nulls().head(1)
    if subjects.collect().is_empty():
        return {}
    frames = Frames(tables)
    results = frames.find_parts(pl.col("kind") == "result")
    places = frames.trajectories.select(ID).with_row_index("place")
    rows = _with_stay(frames.calls, results, frames.trajectories).join(places, on=ID)
    rows = rows.sort("cost", ID, "turn", descending=[True, False, False], nulls_last=True)
    rows = rows.join(frames.trajectories.select(ID, "project"), on=ID, maintain_order="left")
    named = {"kind": _refine_kind(), "name": _subject(), "project": pl.col("project")}
    about = rows.group_by(**named, maintain_order=True).agg(
        pl.col(ID, "turn").first(),
        top_cost=pl.col("cost").first(),
        calls=pl.len(),
        failed=pl.col("error").is_not_null().sum(),
        places=pl.col("place").unique(),
        **{k: v for name in SUMMED for k, v in tally_known(name, pl.col(name)).items()},
    )
    return {"about": about, "places": places}


def _count_sessions(sums: Sums, context: ReportContext) -> pl.DataFrame:
    """In how many sessions a thing was asked about: numbers for names, there may be millions."""
    about, session = sums["about"], pl.col("session").rank("dense")
    roots = sums["places"].join(find_roots(context), on=ID, how="left")
    places = roots.select("volume", places="place", session=session)
    things = about.select(NAME).unique().with_row_index("thing")
    pairs = about.join(things, on=NAME).select("thing", "volume", "places").explode("places")
    counts = pairs.join(places, on=["volume", "places"]).group_by("thing")
    sessions = counts.agg(sessions=pl.col("session").n_unique())
    return things.join(sessions, on="thing").drop("thing")


def _sum_started(context: ReportContext) -> pl.DataFrame:
    """What the sub-agents cost that calls about a thing started, and the tokens they took."""
    trajectories = context.frames.trajectories
    started = trajectories.filter(pl.col("parent_call_id").is_not_null())
    below = dict(_children(trajectories)) if len(started) else {}
    tokens = pl.col("prefill_tokens") + pl.col("decode_tokens")
    costs = (
        trajectories.select(ID, "cost", tokens=tokens)
        if len(started)
        else trajectories.select(ID).clear()
    )
    spent = {name: (cost, tokens) for name, cost, tokens in costs.iter_rows()}
    trees = [
        (parent, call, *_sum_tree(name, below, spent))
        for name, parent, call in started.select(ID, "parent_id", "parent_call_id").iter_rows()
    ]
    schema = {ID: pl.String, "call_id": pl.String, "below_cost": pl.Float64,
              "below_tokens": pl.Float64, "unpriced_agents": pl.Int64}  # fmt: skip
    found = pl.DataFrame(trees, schema=schema, orient="row")
    sums = found.group_by(ID, "call_id").agg(
        sum_known("below_cost"), sum_known("below_tokens"), pl.col("unpriced_agents").sum()
    )
    is_start = pl.col("call_id").is_in(sums["call_id"].implode()) & pl.col("subject").is_not_null()
    calls = context.tables.scan("calls").filter(is_start)
    named = calls.select(ID, "call_id", kind=_refine_kind(), name=_subject()).collect()
    rows = named.join(sums, on=[ID, "call_id"]).group_by(NAME)
    return rows.agg(
        sum_known("below_cost"), sum_known("below_tokens"), pl.col("unpriced_agents").sum()
    )


def _children(trajectories: pl.DataFrame) -> Iterator[tuple[str, list[str]]]:
    rows = trajectories.filter(pl.col("parent_id").is_not_null())
    grouped = rows.group_by("parent_id").agg("trajectory_id")
    yield from grouped.iter_rows()


def _sum_tree(
    name: str, below: dict[str, list[str]], spent: dict[str, tuple[float | None, float | None]]
) -> tuple[float | None, float | None, int]:
    """What is known of the cost and the tokens of a trajectory and all that it started, and how
    many of these have no cost; a loop in hostile data ends it."""
    seen: set[str] = set()
    pending = [name]
    while pending:
        current = pending.pop()
        if current in seen:
            continue
        seen.add(current)
        pending.extend(below.get(current, []))
    rows = [spent.get(trajectory, (None, None)) for trajectory in sorted(seen)]
    costs = [cost for cost, _ in rows if cost is not None]
    tokens = [count for _, count in rows if count is not None]
    return sum(costs) if costs else None, sum(tokens) if tokens else None, len(rows) - len(costs)


def _add_up(about: pl.DataFrame, total: float, started: pl.DataFrame) -> pl.DataFrame:
    order = ["top_cost", ID, "turn"]
    ordered = about.sort(order, descending=[True, False, False], nulls_last=True)
    sums = ordered.group_by(NAME, maintain_order=True).agg(
        pl.col(ID, "turn").first(),
        pl.col("calls", "failed").sum(),
        add_known("result_tokens"),
        add_known("cost"),
        add_known("usd"),
        unpriced_calls=pl.col("calls").sum() - pl.col("cost_known").sum(),
        turns_in_context=add_known("stay") / pl.col("stay_known").sum(),
    )
    returned = pl.when(pl.col("below_tokens") > 0).then(
        pl.col("result_tokens") / pl.col("below_tokens")
    )
    share = pl.col("cost") / total if total > 0 else pl.lit(None, pl.Float64)
    everything = pl.col("cost").fill_null(0.0) + pl.col("below_cost").fill_null(0.0)
    return (
        sums.join(started, on=NAME, how="left")
        .with_columns(pl.col("unpriced_agents").fill_null(0), returned_share=returned, share=share)
        .drop("below_tokens")
        .sort(everything, pl.col("name"), descending=[True, False])
    )
