"""Where the money went, by where the tokens come from.

Takes a report's context, returns `Origins`; None where the ledger has no rows of `origins`.
Conversation that a file does not show is looked up in the file of the same session that ended
before it began, and counts as what that file's last turn was made of; without one it is
unexplained.
"""

import polars as pl
from msgspec import Struct

from agentdyno.records.origins import (
    AGENTS,
    EARLIER_NAMES,
    HOW_KNOWN,
    NOT_ITEMISED,
    OTHER_FILE,
    OUTPUT,
    RECENT,
    REWRITTEN,
    TASK,
    UNEXPLAINED,
)
from agentdyno.studies.report_context import ReportContext
from agentdyno.studies.turn_costs import study_turn_costs

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
    rows = _bill_as_charged(context)
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
    billed = _bill_as_charged(context)
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


def fold_origins(rows: list[Origin], many: int) -> list[Origin]:
    """The first rows, and one of all others, so that every dollar is in them."""
    if len(rows) <= many + 1:
        return rows
    rest = rows[many:]
    other = Origin(
        origin=f"{len(rest)} other origins", name=None, known_by="logged",
        tokens=sum(row.tokens for row in rest), usd=sum(row.usd for row in rest),
        share=sum(row.share for row in rest),
    )  # fmt: skip
    return [*rows[:many], other]


def _bill_as_charged(context: ReportContext) -> pl.LazyFrame:
    """A turn's origins at the prices that it is looked at with. Output and lost cache are what the
    bill has of them, and what is left of the turn's money is its context's, shared out as the
    ledger's rows share it."""
    bills = _read_bills(context)
    origin = pl.col("origin").replace(EARLIER_NAMES)
    rows = context.tables.scan("origins").select(
        ID, pl.col("turn").cast(pl.Int64), origin, "name", "tokens", "usd"
    )
    context_rows = rows.filter(~pl.col("origin").is_in([OUTPUT, REWRITTEN]))
    joined = context_rows.join(bills, on=[ID, "turn"])
    # Of a sub-agent, earlier versions have a row of its output too, which is with all output.
    is_output = (pl.col("origin") == AGENTS) & (pl.col("tokens") == pl.col("decode_tokens"))
    joined = joined.filter(~is_output.fill_null(value=False))
    usd, tokens = (pl.col(name).sum().over(ID, "turn") for name in ("usd", "tokens"))
    weight = pl.when(usd > 0).then(pl.col("usd") / usd).otherwise(pl.col("tokens") / tokens)
    shared = joined.with_columns(usd=pl.col("context") * weight)
    left = bills.join(context_rows.select(ID, "turn").unique(), on=[ID, "turn"], how="anti")
    named = ID, "turn", "origin", "name", "tokens", "usd"
    parts = [
        _name_part(bills, OUTPUT, "output", pl.col("decode_tokens")),
        _name_part(bills, REWRITTEN, "bill_lost"),
        _name_part(bills, NOT_ITEMISED, "other"),
        _name_part(left, NOT_ITEMISED, "context"),
    ]
    return pl.concat([shared.select(named), *(part.select(named) for part in parts)])


def _name_part(
    bills: pl.LazyFrame, origin: str, column: str, tokens: pl.Expr | None = None
) -> pl.LazyFrame:
    """A part of every turn's bill as an origin of its own."""
    counted = pl.lit(0.0) if tokens is None else tokens.fill_null(0).cast(pl.Float64)
    return bills.filter(pl.col(column) > 0).select(
        ID, "turn", origin=pl.lit(origin), name=pl.lit(None, pl.String), tokens=counted,
        usd=pl.col(column),
    )  # fmt: skip


def _read_bills(context: ReportContext) -> pl.LazyFrame:
    """Per turn with a price: its output, its lost cache, what its context cost beyond that, and
    what no part of its price says."""
    again = study_turn_costs(context).get("again")
    schema = {ID: pl.String, "turn": pl.Int64, "bill_lost": pl.Float64}
    found = pl.DataFrame(schema=schema) if again is None else again.select([*schema])
    lost = found.lazy().with_columns(pl.col("turn").cast(pl.Int64))
    names = [f"usd_{part}" for part in ("read", "write", "input", "output")]
    turns = context.tables.scan("turns").filter(pl.col("usd").is_not_null())
    bills = turns.select(ID, pl.col("turn").cast(pl.Int64), "usd", "decode_tokens", *names)
    money = [pl.col(name).fill_null(0.0) for name in names]
    other = (pl.col("usd") - pl.sum_horizontal(money)).clip(lower_bound=0.0)
    joined = bills.join(lost, on=[ID, "turn"], how="left")
    joined = joined.with_columns(pl.col("bill_lost").fill_null(0.0), other=other, output=money[-1])
    rest = pl.col("usd") - pl.sum_horizontal("bill_lost", "other", "output")
    return joined.with_columns(context=rest.clip(lower_bound=0.0))


def _stitch(sums: pl.DataFrame, rows: pl.LazyFrame, trajectories: pl.DataFrame) -> pl.DataFrame:
    """Sums by origin, with what stands in another file under the origins that it has there."""
    is_other = pl.col("origin") == OTHER_FILE
    missing = sums.filter(is_other).select(ID, tokens="tokens", usd="usd")
    explained = sums.filter(~is_other).select(*SOURCE, "tokens", "usd")
    before = _find_before(trajectories, missing[ID].to_list())
    last = rows.filter(pl.col(ID).is_in([*before.values()]), pl.col("turn") == pl.col("turn").max()
                       .over(ID)).collect()  # fmt: skip
    in_context = last.filter(~pl.col("origin").is_in([OUTPUT, OTHER_FILE, REWRITTEN, NOT_ITEMISED]))
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
