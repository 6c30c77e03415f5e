"""Which trajectory started, or goes before, which one: known only when all files are read.

Takes the trajectories of a whole ledger, what of them is left out as repeats, and the calls that
have ids; returns for each trajectory that counts its parent, the call that started it, the one it
branched off or goes on from, and whether its sums are a lower bound.

- A sub-agent's parent holds the call that started it; else it is the longest talk of its session.
  The call may be named in another copy of the same sub-agent than the one that counts.
- A trajectory whose first turns count elsewhere is a fork of where they count.
- One that begins midway goes on from the talk of the same session that ended last before it.
- A sub-agent whose lines stand in one file and whose last answer in another is one agent: the
  shorter goes on from the longer. Where whoever started it counts more calls than all files hold,
  what is known of the agent is a lower bound.
"""

import polars as pl


def kinship(
    trajectories: pl.DataFrame, turns: pl.DataFrame, repeats: pl.DataFrame, calls: pl.DataFrame
) -> pl.DataFrame:
    """`parent_id`, `parent_call_id`, `relation`, `continues_id`, `coverage` of what counts."""
    counted = turns.join(repeats, on=["trajectory_id", "turn"], how="anti")
    alive = trajectories.join(counted.select("trajectory_id").unique(), on="trajectory_id")
    agents = _agents(alive, trajectories, repeats, calls)
    forks = _forks(alive, repeats)
    resumed = _find_resumed(alive, counted)
    joined = (
        alive.select("trajectory_id")
        .join(agents, on="trajectory_id", how="left")
        .join(forks, on="trajectory_id", how="left")
        .join(resumed, on="trajectory_id", how="left")
        .join(_agent_parts(alive, trajectories, counted), on="trajectory_id", how="left")
    )
    is_agent, is_fork = pl.col("parent_id").is_not_null(), pl.col("forked_from").is_not_null()
    relation = (
        pl.when(pl.col("main_part").is_not_null())
        .then(pl.lit("resumed"))
        .when(is_agent)
        .then(pl.lit("sub-agent"))
        .when(is_fork)
        .then(pl.lit("fork"))
        .when(pl.col("resumed_from").is_not_null())
        .then(pl.lit("resumed"))
    )
    return joined.select(
        "trajectory_id",
        "parent_id",
        "parent_call_id",
        relation=relation,
        continues_id=pl.coalesce("forked_from", "resumed_from", "main_part"),
        coverage="coverage",
    )


def _agents(
    alive: pl.DataFrame, everything: pl.DataFrame, repeats: pl.DataFrame, calls: pl.DataFrame
) -> pl.DataFrame:
    agents = alive.filter(pl.col("parent_id").is_not_null())
    if not len(agents):
        return agents.select("trajectory_id", "parent_id", "parent_call_id")
    whose = ["session_id", "agent_id"]
    named = everything.filter(pl.col("parent_call_id").is_not_null()).drop_nulls(whose)
    starts = named.group_by(whose).agg(other_call=pl.col("parent_call_id").min())
    # Some frameworks count calls from 1 in every file: such an id names nobody elsewhere.
    unambiguous = calls.filter(pl.col("trajectory_id").n_unique().over("call_id") == 1).unique(
        "call_id"
    )
    holders = unambiguous.select(parent_call_id="call_id", holder="trajectory_id")
    produced = calls.select(
        parent_id="trajectory_id", parent_call_id="call_id", caller="trajectory_id"
    ).unique()
    mains = alive.filter(pl.col("parent_id").is_null() & pl.col("session_id").is_not_null())
    longest = mains.sort("turns", "trajectory_id", descending=[True, False]).unique(
        "session_id", keep="first", maintain_order=True
    )
    moved = repeats.sort("turn").unique("trajectory_id", keep="first", maintain_order=True)
    joined = (
        agents.join(starts, on=whose, how="left")
        .with_columns(parent_call_id=pl.coalesce("parent_call_id", "other_call"))
        .join(holders, on="parent_call_id", how="left")
        .join(produced, on=["parent_id", "parent_call_id"], how="left")
        .join(_name(alive, "parent_id", here="trajectory_id"), on="parent_id", how="left")
        .join(_name(moved, "parent_id", moved="counted_id"), on="parent_id", how="left")
        .join(longest.select("session_id", longest="trajectory_id"), on="session_id", how="left")
    )
    # A call's id is the surest; else the name in the file, or where its rows count now.
    parent = pl.coalesce("caller", "holder", "here", "moved", "longest", "parent_id")
    return joined.select("trajectory_id", parent_id=parent, parent_call_id="parent_call_id")


def _name(frame: pl.DataFrame, key: str, **column: str) -> pl.DataFrame:
    return frame.select(pl.col("trajectory_id").alias(key), **column)


def _agent_parts(
    alive: pl.DataFrame, everything: pl.DataFrame, counted: pl.DataFrame
) -> pl.DataFrame:
    """Sub-agents of which a report is known: which trajectory holds most of each, and whether
    calls are missing."""
    whose = ["session_id", "agent_id"]
    report_line = everything.drop_nulls([*whose, "reported_calls"])
    reported = report_line.group_by(whose).agg(reported=pl.col("reported_calls").max())
    produced = counted.group_by("trajectory_id").agg(made=pl.col("calls").sum())
    rows = (
        alive.drop_nulls(whose)
        .join(reported, on=whose)
        .join(produced, on="trajectory_id", how="left")
        .sort("turns", "trajectory_id", descending=[True, False])
    )
    longest = pl.col("trajectory_id").first().over(whose)
    is_short = pl.col("made").sum().over(whose) < pl.col("reported")
    return rows.select(
        "trajectory_id",
        main_part=pl.when(pl.col("trajectory_id") != longest).then(longest),
        coverage=pl.when(is_short).then(pl.lit("lower_bound")),
    )


def _forks(alive: pl.DataFrame, repeats: pl.DataFrame) -> pl.DataFrame:
    first = repeats.filter(pl.col("turn") == 0, pl.col("counted_id") != pl.col("trajectory_id"))
    return first.join(alive.select("trajectory_id"), on="trajectory_id").select(
        "trajectory_id", forked_from="counted_id"
    )


def _find_resumed(alive: pl.DataFrame, counted: pl.DataFrame) -> pl.DataFrame:
    """Talks that begin midway, each with the talk of its session that ended last before it."""
    times = counted.group_by("trajectory_id").agg(
        begins=pl.coalesce("started_at", "ended_at").min(), ends=pl.col("ended_at").max()
    )
    mains = alive.filter(pl.col("parent_id").is_null()).join(times, on="trajectory_id")
    later = mains.filter(pl.col("begins_midway")).select("trajectory_id", "session_id", "begins")
    before = mains.select("session_id", "ends", resumed_from="trajectory_id")
    pairs = later.join(before, on="session_id").filter(pl.col("ends") <= pl.col("begins"))
    pairs = pairs.sort("ends", "resumed_from", descending=[True, False])
    return pairs.unique("trajectory_id", keep="first").select("trajectory_id", "resumed_from")
