"""Why another tool says something else: every difference between two totals, by cause and response.

Takes a ledger's turns and somebody else's totals by day and model, returns differences with their
cause. A cause is a way of counting that tools are known to have (copies count again, sub-agents
are left out, output is what stood there when streaming began); it is held to be at work where the
totals agree better with it than without, over all days at once, and each names its responses. What
then remains is one file's, a price's, or unexplained. Knows no format.

Worked: ours 100 in and 50 out, theirs 100 and 30, and 20 of ours are estimates where the trace says
1: with "estimates as written" theirs would be 31, and of the difference of 20 one is left, 0.7 %.
"""

import re
from collections.abc import Iterator

import numpy as np
import polars as pl
from msgspec import Struct
from numpy.typing import NDArray

from agentdyno.cost.price_lookup import price_of
from agentdyno.cost.price_table import cut_end, tokenize_name
from agentdyno.cost.prices import BASE_TIERS, TOKENS_PER_PRICE, money
from agentdyno.studies.tables import Tables

Floats = NDArray[np.float64]
KINDS = ("input", "cache_read", "cache_write", "output", "usd")
USD = KINDS.index("usd")
ENOUGH = 0.005
"""The share of a total below which a difference is none."""
A_CENT = 0.01
CONVINCING, SINGLE = 0.5, 0.9
"""How much of its own size a cause has to take away from the difference, and how much a single file
or response has to: there are many of these to choose from."""
ALL, INPUT = slice(None), slice(0, 3)
"""Kinds that decide: what was sent is counted everywhere, what was generated may be an estimate."""
EXAMPLES = 3
MOST = 500
DAY, NEAR = 86_400, 3600
"""Seconds of a day, and how far from midnight a response may be counted on the other day."""
MORE_THAN_ESTIMATED = 50.0
"""Tokens by which a trace's own count of a response may exceed our estimate of it."""


class Difference(Struct, frozen=True):
    """What one cause explains."""

    cause: str
    change: dict[str, float]
    """By how much theirs is more for it: tokens by kind, and USD."""
    days: tuple[str, ...]
    responses: int | None
    """How many responses it is of; None where that cannot be told."""
    examples: tuple[str, ...]
    """Some of them: id, file and line."""


class Reconciled(Struct, frozen=True):
    """Two totals of the same days."""

    days: tuple[str, str]
    """The first and the last."""
    hours: int
    """Hours that their days are ahead of UTC's."""
    ours: dict[str, float]
    """Tokens by kind and USD."""
    theirs: dict[str, float | None]
    """The same; None where they do not say."""
    explained: tuple[Difference, ...]
    """The largest first."""
    unexplained: tuple[Difference, ...]
    """What remains, by day and model."""
    undated: int
    """Our responses without a time, which are on no day and in none of these sums."""


class Total(Struct, frozen=True):
    """What somebody says of a day, or of a model on a day."""

    day: str
    model: str | None
    """The model; None for all together."""
    amounts: tuple[float | None, ...]
    """In the order of `KINDS`."""


def reconcile(ledger: Tables, theirs: list[Total]) -> Reconciled:
    """Every difference on the days that they have."""
    turns, copies = _read_turns(ledger), _read_copies(ledger)
    by_model = all(row.model is not None for row in theirs)
    if len(named := {model_key(row.model) for row in theirs} - set(turns["key"])) == 1:
        # Where a trace names no model, ccusage and agentsview take one for the agent's.
        unnamed = pl.col("key").replace("", named.pop())
        turns, copies = turns.with_columns(key=unnamed), copies.with_columns(key=unnamed)
    hours = _choose_hours(turns, theirs, by_model)
    cells = _Cells(theirs, by_model, hours, turns)
    explained = [
        *_explain(cells, _causes(turns, copies)),
        *_explain_midnight(cells, turns),
        *_explain_by_file(cells, turns, copies),
        *_explain_estimates(cells, turns),
        *_explain_by_response(cells, turns),
        *_explain_by_price(cells),
    ]
    unexplained = [
        Difference(f"unexplained, {model or 'all models'}", _named(row), (day,), None, ())
        for (day, model), row, total in zip(cells.keys, cells.rest, cells.ours, strict=True)
        if not _is_small(row, total)
    ]
    undated = pl.coalesce("started_at", "ended_at").is_null().sum()
    is_stated = ~np.isnan(cells.theirs).all(axis=0)
    own, other = cells.ours.sum(axis=0), np.nansum(cells.theirs, axis=0)
    return Reconciled(
        days=(min(row.day for row in theirs), max(row.day for row in theirs)),
        hours=hours,
        ours=dict(zip(KINDS, own.tolist(), strict=True)),
        theirs={
            k: float(v) if s else None for k, v, s in zip(KINDS, other, is_stated, strict=True)
        },
        explained=tuple(sorted(explained, key=lambda one: -abs(one.change.get("usd", 0.0)))),
        unexplained=tuple(unexplained),
        undated=ledger.scan("turns").select(undated).collect().item(),
    )


class _Cells:
    """Days and models, what both say of them, and what is not explained yet."""

    def __init__(
        self, theirs: list[Total], by_model: bool, hours: int, turns: pl.DataFrame
    ) -> None:
        self.by_model, self.hours = by_model, hours
        days = [row.day for row in theirs]
        self.first, self.last = min(days), max(days)
        other: dict[tuple[str, str], Floats] = {}
        for row in theirs:
            amounts = np.array([np.nan if a is None else a for a in row.amounts])
            key = (row.day, model_key(row.model) if by_model else "")
            other[key] = other[key] + amounts if key in other else amounts
        own = self._sum_up(turns)
        self.keys = sorted(other.keys() | own.keys())
        self.place = {key: place for place, key in enumerate(self.keys)}
        is_stated = ~np.isnan(np.array(list(other.values()))).all(axis=0)
        nothing = np.where(is_stated, 0.0, np.nan)
        self.theirs = np.array([other.get(key, nothing) for key in self.keys])
        self.ours = self.lay_out(own)
        self.rest = np.where(np.isnan(self.theirs), 0.0, self.theirs - self.ours)
        self.scale = np.maximum(np.maximum(self.ours, np.nan_to_num(self.theirs)).sum(axis=0), 1e-9)
        self.counts = ~np.isnan(self.theirs)

    def _place(self, rows: pl.DataFrame) -> pl.DataFrame:
        at = (pl.col("at") + self.hours * 3600).cast(pl.Int64)
        return rows.with_columns(
            day=pl.from_epoch(at).dt.strftime("%Y-%m-%d"),
            group=pl.col("key") if self.by_model else pl.lit(""),
        ).filter(pl.col("day").is_between(pl.lit(self.first), pl.lit(self.last)))

    def _sum_up(self, rows: pl.DataFrame) -> dict[tuple[str, str], Floats]:
        sums = self._place(rows).group_by("day", "group").agg(pl.col(KINDS).sum())
        return {(day, group): np.array(rest) for day, group, *rest in sums.iter_rows()}

    def lay_out(self, sums: dict[tuple[str, str], Floats]) -> Floats:
        """Sums by cell."""
        found = np.zeros((len(self.keys), len(KINDS)))
        for key, amounts in sums.items():
            if key in self.place:
                found[self.place[key]] = amounts
        return found

    def lack(self, rows: pl.DataFrame) -> bool:
        """Whether these are of days that they report, and on which neither has anything."""
        placed = self._place(rows).select("day", "group")
        return any(key not in self.place for key in placed.iter_rows())

    def inside_open(self, rows: pl.DataFrame) -> pl.DataFrame:
        """Those of days and models whose totals still differ."""
        pairs = zip(self.keys, self.rest, self.ours, strict=True)
        open_keys = [key for key, row, total in pairs if not _is_small(row, total)]
        named = pl.DataFrame(open_keys, ["day", "group"], orient="row") if open_keys else None
        placed = self._place(rows)
        return placed.head(0) if named is None else placed.join(named, ["day", "group"], "semi")

    def change(self, rows: pl.DataFrame) -> Floats:
        """What a cause would add to each cell."""
        return np.where(self.counts, self.lay_out(self._sum_up(rows)), 0.0)

    def distance(self, rest: Floats, kinds: slice = ALL) -> float:
        """How far two totals are apart, all kinds alike."""
        return float((np.abs(rest) / self.scale)[:, kinds].sum())

    def touched(self, change: Floats) -> tuple[str, ...]:
        """Days on which a cause changes something."""
        hit = np.abs(change).sum(axis=1) > 0
        return tuple(dict.fromkeys(key[0] for key, one in zip(self.keys, hit, strict=True) if one))


def _explain(
    cells: _Cells, causes: dict[str, pl.DataFrame], least: float = CONVINCING, kinds: slice = ALL
) -> Iterator[Difference]:
    """Takes the cause that explains most, as long as one does."""
    changes = {cause: cells.change(rows) for cause, rows in causes.items()}
    while changes:
        before = cells.distance(cells.rest, kinds)
        won = {
            cause: before - cells.distance(cells.rest - change, kinds)
            for cause, change in changes.items()
        }
        best = max(won, key=lambda cause: won[cause])
        change = changes.pop(best)
        if won[best] <= 1e-9:
            return
        if won[best] >= least * cells.distance(change, kinds):
            cells.rest = cells.rest - change
            yield _describe(best, change, causes[best], cells)


def _explain_midnight(cells: _Cells, turns: pl.DataFrame) -> Iterator[Difference]:
    """Responses just before or after midnight that they count on the other day: by when the answer
    ended, or by when somebody asked."""
    since = (pl.col("at") + cells.hours * 3600) % DAY
    causes = {}
    for other, seconds in (("before", since), ("after", DAY - since)):
        near = turns.filter(seconds < NEAR).sort(seconds).head(MOST)
        moved = DAY if other == "after" else -DAY
        for place, one in enumerate(near.iter_rows(named=True)):
            row = near[place]
            there = row.with_columns(pl.col("at") + moved)
            if cells.lack(there):
                continue  # They have nothing on that day, so it is not counted there.
            name = f"{one['response_id'] or 'a response without an id'}, turn {one['turn']}"
            cause = f"counted on the day {other}: {name} of {one['trajectory_id']}"
            causes[cause] = pl.concat([_times(row, -1.0), there])
    yield from _explain(cells, causes, SINGLE, INPUT)


def _explain_by_file(
    cells: _Cells, turns: pl.DataFrame, copies: pl.DataFrame
) -> Iterator[Difference]:
    """Files that they have not read, or read twice, where whole causes leave something."""
    open_turns = cells.inside_open(turns)
    largest = open_turns.group_by("source").agg(pl.col("context").sum()).sort("context")
    causes = {
        f"file not read: {source}": _times(turns.filter(source=source), -1.0)
        for source in largest["source"].reverse().head(MOST)
    }
    twice = cells.inside_open(copies)["source"].unique().sort().head(MOST)
    causes |= {f"copies in {s} count again": copies.filter(source=s) for s in twice}
    yield from _explain(cells, causes, SINGLE, INPUT)


def _explain_by_response(cells: _Cells, turns: pl.DataFrame) -> Iterator[Difference]:
    """Single responses that they do not have; one sentence for each file."""
    rows = cells.inside_open(turns).sort("context", descending=True).head(MOST)
    causes = {
        f"not counted: {one['response_id'] or 'a response without an id'}, turn {one['turn']} of "
        f"{one['trajectory_id']}": _times(rows[place], -1.0)
        for place, one in enumerate(rows.iter_rows(named=True))
    }
    yield from _explain(cells, causes, SINGLE, INPUT)


def _explain_estimates(cells: _Cells, turns: pl.DataFrame) -> Iterator[Difference]:
    """Where the trace's count of output cannot be, ours is an estimate. Theirs is then anything
    from nothing to ours, or a little more, so that only what goes beyond is a difference."""
    out = KINDS.index("output")
    for agent in turns["format"].unique().sort():
        rows = turns.filter(pl.col("decode_source") != "reported", format=agent)
        most = cells.change(_only(rows, output=-pl.col("output"), usd=-pl.col("usd_output")))
        if not most[:, out].any():
            continue
        more = cells.change(_only(rows, output=pl.lit(MORE_THAN_ESTIMATED)))[:, out]
        share = np.clip(cells.rest[:, out] / np.where(most[:, out], most[:, out], np.inf), 0.0, 1.0)
        change = most * share[:, None]
        change[:, out] += np.clip(cells.rest[:, out] - change[:, out], 0.0, more)
        if not cells.by_model:
            # Which model's output it is decides the dollars, and only we know that.
            change[:, USD] = np.clip(cells.rest[:, USD], most[:, USD], 0.0)
        cells.rest = cells.rest - change
        if cells.distance(change) > 0:
            cause = f"{agent}: output as the trace has it, which we estimate"
            estimated = rows.with_columns(usd=pl.col("usd_output")).filter(pl.col("output") > 0)
            yield _describe(cause, change, estimated, cells)


def _explain_by_price(cells: _Cells) -> Iterator[Difference]:
    """Where all tokens agree, only the price can differ."""
    for place, ((day, model), row) in enumerate(zip(cells.keys, cells.rest, strict=True)):
        own, theirs = cells.ours[place], cells.theirs[place]
        tokens = np.where(np.arange(len(KINDS)) == USD, 0.0, row)
        if _is_small(row, own) or not _is_small(tokens, own) or own[:USD].sum() == 0:
            continue
        rate = f"{theirs[USD] / own[USD]:.3g} times ours" if own[USD] else "we have none"
        change = np.zeros_like(cells.rest)
        change[place, USD] = row[USD]
        cells.rest = cells.rest - change
        cause = f"another price for {model or 'all models'}: {rate}, same tokens"
        yield Difference(cause, _named(change.sum(axis=0)), (day,), None, ())


def _is_small(rest: Floats, ours: Floats) -> bool:
    """Whether what remains of a day's total is nothing: tokens of each kind against all of that
    side of the model, dollars against dollars."""
    tokens_in, out = ours[:3].sum(), ours[3]
    room = np.array([tokens_in, tokens_in, tokens_in, out, ours[USD]]) * ENOUGH
    room = np.maximum(room, [10, 10, 10, 10, A_CENT])
    return bool((np.abs(rest) <= room).all())


def _describe(cause: str, change: Floats, rows: pl.DataFrame, cells: _Cells) -> Difference:
    rows = rows.sort(pl.col("usd").abs(), descending=True, nulls_last=True)
    some = rows.unique(["trajectory_id", "turn", "source"], keep="first", maintain_order=True)
    total = change.sum(axis=0)
    # What is only counted on another day adds nothing in all: then it is what moves there.
    return Difference(
        cause,
        _named(total) or _named(np.clip(change, 0.0, None).sum(axis=0)),
        cells.touched(change),
        len(some),
        tuple(
            f"{response or 'no id'} ({source}{f', line {line}' if line else ''})"
            for response, source, line in some.head(EXAMPLES)
            .select("response_id", "source", "line")
            .iter_rows()
        ),
    )


def _named(amounts: Floats) -> dict[str, float]:
    return {k: float(v) for k, v in zip(KINDS, amounts, strict=True) if abs(v) > 1e-9}


# What tools are known to do -----------------------------------------------------------------------


def _causes(turns: pl.DataFrame, copies: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """By the sentence that says it: the responses that it is of, with what it changes."""
    found: dict[str, pl.DataFrame] = {}
    for agent in turns["format"].unique().sort():
        own = turns.filter(format=agent)
        nobody = own.filter(pl.col("prefill_source") != "reported")
        summed = own.filter(pl.col("response_id").is_null(), is_sub_agent=True)
        cached = own.filter(pl.col("cache_read") > 0)
        found |= {
            f"{agent}: not read": _times(own, -1.0),
            f"{agent}: copies of a response count again": copies.filter(format=agent),
            f"{agent}: sub-agents are left out": _times(own.filter(is_sub_agent=True), -1.0),
            f"{agent}: sub-agents of which only the sum is written are left out": _times(
                summed, -1.0
            ),
            f"{agent}: responses that nobody counted are left out": _times(nobody, -1.0),
            f"{agent}: reasoning is left out of output": _only(own, output=-pl.col("reasoning")),
            f"{agent}: cached tokens count as input": _only(
                cached, input=pl.col("cache_read"), usd=pl.col("usd_as_input")
            ),
            f"{agent}: cached tokens count as input, at their own price": _only(
                cached, input=pl.col("cache_read")
            ),
            f"{agent}: one-hour cache writes at the price of five minutes": _only(
                own.filter(pl.col("usd_hour") > 0), usd=-pl.col("usd_hour")
            ),
            f"{agent}: fast mode, region or tier at the usual price": _only(
                own.filter(pl.col("usd_terms") != 0), usd=-pl.col("usd_terms")
            ),
            f"{agent}: web searches at no price": _only(
                own.filter(pl.col("usd_search") > 0), usd=-pl.col("usd_search")
            ),
            f"{agent}: amounts that only the trace states are left out": _only(
                own.filter(usd_source="reported"), usd=-pl.col("usd")
            ),
            f"{agent}: the trace's own amounts instead of list prices": _only(
                own.filter(pl.col("reported_usd").is_not_null()),
                usd=pl.col("reported_usd") - pl.col("usd"),
            ),
        }
    return {cause: rows for cause, rows in found.items() if len(rows)}


def _times(rows: pl.DataFrame, factor: float) -> pl.DataFrame:
    return rows.with_columns(pl.col(KINDS) * factor)


def _only(rows: pl.DataFrame, **changes: pl.Expr) -> pl.DataFrame:
    nothing = {kind: pl.lit(0.0) for kind in KINDS}
    return rows.with_columns(**(nothing | changes)).filter(
        pl.sum_horizontal(pl.col(KINDS).abs()) > 0
    )


# Our side -----------------------------------------------------------------------------------------


def _read_turns(ledger: Tables) -> pl.DataFrame:
    """Every response that counts, with what other ways of counting would change."""
    known = ledger.scan("trajectories").select("trajectory_id", "format", "source", "parent_id")
    turns = ledger.scan("turns").join(known, on="trajectory_id", how="left").collect()
    read = pl.col("cached_tokens").fill_null(0).cast(pl.Float64)
    written = pl.col("cache_write_tokens").fill_null(0).cast(pl.Float64)
    frame = turns.select(
        "trajectory_id", "turn", "response_id", "line", "format", "source", "model",
        "decode_source", "prefill_source", "reported_usd", "usd_source", "service_tier",
        "cache_write_hour_tokens", "web_searches",
        at=pl.coalesce("started_at", "ended_at"),
        key=pl.col("model").fill_null("").map_elements(model_key, return_dtype=pl.String),
        is_sub_agent=pl.col("parent_id").is_not_null(),
        context=pl.col("context_tokens").fill_null(0).cast(pl.Float64),
        input=pl.col("context_tokens").fill_null(0) - read - written,
        cache_read=read,
        cache_write=written,
        output=pl.col("decode_tokens").fill_null(0).cast(pl.Float64),
        usd=pl.col("usd").fill_null(0.0),
        usd_output=pl.col("usd_output").fill_null(0.0),
        reasoning=pl.col("reasoning_tokens").fill_null(0).cast(pl.Float64),
    )  # fmt: skip
    return _with_other_prices(frame.filter(pl.col("at").is_not_null()))


def _with_other_prices(turns: pl.DataFrame) -> pl.DataFrame:
    """What the hour, the terms and the searches of each response cost more than nothing special,
    and what its cached tokens would cost as input."""
    names = ("usd_hour", "usd_terms", "usd_search", "usd_as_input")
    asked = turns.select(
        "model", "at", "service_tier", "input", "cache_read", "cache_write", "output",
        "cache_write_hour_tokens", "web_searches",
    )  # fmt: skip
    found = [_price_apart(*row) for row in asked.iter_rows()]
    return turns.with_columns(
        pl.Series(name, column, dtype=pl.Float64)
        for name, column in zip(names, zip(*found, strict=True) if found else [[]] * 4, strict=True)
    )


def _price_apart(
    model: str | None,
    at: float,
    tier: str | None,
    *counts: float | None,
) -> tuple[float, float, float, float]:
    fresh, read, write, out, hour, searches = (int(count or 0) for count in counts)
    special = hour or searches or (tier or "standard") not in BASE_TIERS
    usual = price_of(model, None, at) if model and (special or read) else None
    if usual is None:
        return 0.0, 0.0, 0.0, 0.0
    rates = usual.in_tier(tier) or usual

    def cost(price: object, hours: int, found: int) -> float:
        return money(price, fresh, read, write, out, hours, found) or 0.0  # type: ignore[arg-type]

    full = cost(rates, hour, searches)
    per_token = rates.at_length(fresh + read + write)
    as_input = read * (per_token.input - (per_token.cached_input or 0)) / TOKENS_PER_PRICE
    return (
        full - cost(rates, 0, searches),
        full - cost(usual, hour, searches),
        full - cost(rates, hour, 0),
        as_input,
    )


def _read_copies(ledger: Tables) -> pl.DataFrame:
    """Responses that stand again elsewhere, at what they cost where they count."""
    turns = _read_turns(ledger)
    repeats = ledger.scan("repeats").select("trajectory_id", "identity", "source", "line").collect()
    counted = ledger.scan("turns").select("trajectory_id", "turn", "identity").collect()
    whole = turns.drop("source", "line").join(counted, on=["trajectory_id", "turn"], how="inner")
    return (
        repeats.drop("trajectory_id").join(whole, on="identity", how="inner").select(turns.columns)
    )


def _choose_hours(turns: pl.DataFrame, theirs: list[Total], by_model: bool) -> int:
    """Whose midnight their days end at: UTC's, unless another one agrees clearly better."""
    if len({row.day for row in theirs}) < 2:
        return 0
    off = {
        hours: (cells := _Cells(theirs, by_model, hours, turns)).distance(cells.rest)
        for hours in range(-12, 15)
    }
    best = min(off, key=lambda hours: (off[hours], abs(hours)))
    return best if off[best] < 0.8 * off[0] and off[0] > ENOUGH else 0


_AGENT = re.compile(r"^\[[a-z0-9_ -]+\] ")
"""ccusage writes `[pi] claude-sonnet-5`."""


def model_key(model: str | None) -> str:
    """What two tools' names of one model have in common: no seller, no day, no speed."""
    name = _AGENT.sub("", model or "").rpartition("/")[2]
    return "-".join(cut_end(tokenize_name(name), frozenset({"fast", "latest"})))
