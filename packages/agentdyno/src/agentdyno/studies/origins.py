"""Where the money went, by where the tokens come from.

Takes a report's context, returns `Origins`; None where the ledger has no rows of `origins`.
Conversation that a file does not show is looked up in the file of the same session that ended
before it began, and counts as what that file's last turn was made of; without one it is
unexplained.
"""

import polars as pl
from msgspec import Struct

from agentdyno.records.origins import HOW_KNOWN, OTHER_FILE, RECENT, TASK, UNEXPLAINED
from agentdyno.studies.report_context import ReportContext

ID = "trajectory_id"
SOURCE = ("origin", "name")


class Origin(Struct, frozen=True, kw_only=True):
    """One origin, and what it cost."""

    origin: str
    """Where the tokens come from."""
    name: str | None
    """Which skill, MCP server or file; None for the other origins."""
    known_by: str
    """`logged`, `file`, `estimated`, `difference` or `unexplained`."""
    tokens: float
    """Tokens over all turns that had it in context."""
    usd: float
    """What was charged for them."""
    share: float


class Origins(Struct, frozen=True):
    """The bill by origin."""

    usd: float
    """All money that is shared out."""
    unexplained_share: float
    """Of it, what nothing explains."""
    rows: list[Origin]
    """The most expensive first."""


def study_origins(context: ReportContext) -> Origins | None:
    """Every origin with its money; "where it went" of a first screen is `sum_by_origin` of it."""
    if not context.tables.has("origins"):
        return None
    rows = _bill_again(context.tables.scan("origins"), context.tables.scan("turns"))
    sums = rows.group_by(ID, *SOURCE).agg(pl.col("tokens", "usd").sum()).collect()
    if sums.is_empty() or not sums["usd"].sum():
        return None
    columns = ID, "parent_id", "session_id", "started_at", "ended_at"
    trajectories = context.tables.scan("trajectories").select(columns).collect()
    stitched = _stitch(sums, rows, trajectories)
    usd = float(stitched["usd"].sum())
    origins = [
        Origin(
            **row, known_by=HOW_KNOWN.get(row["origin"], "logged"), share=row["usd"] / usd
        )
        for row in stitched.sort("usd", descending=True).iter_rows(named=True)
    ]  # fmt: skip
    unknown = sum(origin.usd for origin in origins if origin.origin == UNEXPLAINED)
    return Origins(usd, unknown / usd, origins)


def ask_origins(context: ReportContext) -> Origins | None:
    """The same, asked once: a first screen and a report show it."""
    return context.once("origins", lambda: study_origins(context))


def origins_by_trajectory(context: ReportContext, origin: str) -> pl.DataFrame | None:
    """What one origin cost in each trajectory, by name, and the rows of it; None where the ledger
    has no rows of origins."""
    if not context.tables.has("origins"):
        return None
    billed = _bill_again(context.tables.scan("origins"), context.tables.scan("turns"))
    by_name = billed.filter(pl.col("origin") == origin).group_by(ID, "name")
    return by_name.agg(pl.col("usd").sum(), rows=pl.len()).sort(ID, "name").collect()


def sum_by_origin(origins: Origins) -> list[Origin]:
    """One row for each origin, all skills, MCP servers or files of it together, the most expensive
    first."""
    sums: dict[str, Origin] = {}
    for row in origins.rows:
        earlier = sums.get(row.origin)
        sums[row.origin] = Origin(
            origin=row.origin, name=None, known_by=row.known_by,
            tokens=row.tokens + (earlier.tokens if earlier else 0.0),
            usd=row.usd + (earlier.usd if earlier else 0.0),
            share=row.share + (earlier.share if earlier else 0.0),
        )  # fmt: skip
    return sorted(sums.values(), key=lambda each: -each.usd)


def _bill_again(rows: pl.LazyFrame, turns: pl.LazyFrame) -> pl.LazyFrame:
    """Rows of the turns that are looked at, at the prices that they are looked at with."""
    prices = turns.select(ID, "turn", billed="usd").with_columns(pl.col("turn").cast(pl.Int64))
    joined = rows.with_columns(pl.col("turn").cast(pl.Int64)).join(prices, on=[ID, "turn"])
    turn_usd = pl.col("usd").sum().over(ID, "turn")
    usd = pl.when(turn_usd > 0).then(pl.col("usd") * pl.col("billed") / turn_usd)
    return joined.with_columns(usd=usd).drop("billed")


def _stitch(sums: pl.DataFrame, rows: pl.LazyFrame, trajectories: pl.DataFrame) -> pl.DataFrame:
    """Sums by origin, with what stands in another file under the origins that it has there."""
    is_other = pl.col("origin") == OTHER_FILE
    missing = sums.filter(is_other).select(ID, tokens="tokens", usd="usd")
    explained = sums.filter(~is_other).select(*SOURCE, "tokens", "usd")
    before = _find_before(trajectories, missing[ID].to_list())
    last = rows.filter(pl.col(ID).is_in([*before.values()]), pl.col("turn") == pl.col("turn").max()
                       .over(ID)).collect()  # fmt: skip
    in_context = last.filter(~pl.col("origin").is_in(["output", OTHER_FILE, "rewritten cache"]))
    composition = in_context.with_columns(
        weight=pl.col("tokens") / pl.col("tokens").sum().over(ID),
        origin=pl.when(pl.col("origin") == TASK).then(pl.lit(RECENT)).otherwise("origin"),
    ).select(before=ID, origin="origin", name="name", weight="weight")
    links = pl.DataFrame(
        {ID: [*before], "before": [*before.values()]}, {ID: pl.String, "before": pl.String}
    )
    shared = missing.join(links, on=ID, how="left").join(composition, on="before", how="left")
    weight = pl.col("weight").fill_null(1.0)
    placed = shared.select(
        origin=pl.col("origin").fill_null(UNEXPLAINED),
        name="name",
        tokens=pl.col("tokens") * weight,
        usd=pl.col("usd") * weight,
    )
    return pl.concat([explained, placed]).group_by(SOURCE).agg(pl.col("tokens", "usd").sum())


def _find_before(trajectories: pl.DataFrame, names: list[str]) -> dict[str, str]:
    """For each, the other main agent of its session that ended last before it began."""
    mains = trajectories.filter(pl.col("parent_id").is_null(), pl.col("session_id").is_not_null())
    sessions = mains.select(ID, "session_id", "started_at", "ended_at").drop_nulls()
    pairs = sessions.filter(pl.col(ID).is_in(names)).join(
        sessions.rename({ID: "before", "started_at": "began", "ended_at": "over"}), on="session_id"
    )
    earlier = pairs.filter(pl.col("over") <= pl.col("started_at"), pl.col("before") != pl.col(ID))
    latest = earlier.sort("over").group_by(ID).last()
    return dict(latest.select(ID, "before").iter_rows())
