"""The board as topics: one for each benchmark, with its front, its rows and what is paired.

Takes a `Board` and what the audit found, returns topics for every form of report.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

import polars as pl
from msgspec.structs import replace

from agentdyno.estimates.estimate import Estimate
from agentdyno.records import plural
from agentdyno.reports.topic import (
    Cell,
    ChartRow,
    PlaneChart,
    PlanePoint,
    RowsBehind,
    RowsChart,
    Topic,
    TopicTable,
    columns,
    table_of,
)
from agentdyno_bench.studies.board.audit import Contradiction
from agentdyno_bench.studies.board.build import KEYS
from agentdyno_bench.studies.board.results import Board, BoardBenchmark, BoardRow

MOST_LABELS = 8
"""Of more points than these, only those of the front have names."""
STATED = {
    "score", "cost a run", "total cost", "calls a run", "runs", "solved runs", "tokens",
    "impossible mean",
}  # fmt: skip
"""What publications state; everything else is about their rows."""
NAMED = 3
"""Rows of a group whose names stand beside its point."""
METHOD = (
    "Intervals are 95 %. Rows share a rank where the paired difference over the tasks that both "
    "tried is not significant after Holm's correction over all pairs. A cost is what the "
    "publication states; where it states none, the list price with every token fresh where no "
    "cache reads are reported. A model's name opens the runs that its row is computed from."
)
PRICES = (
    "List prices are known where runs report tokens: those of the day of the run where it has one, "
    "and those of today, {today}, as the provider listed them on {listed}."
)
RUN_COLUMNS = {
    "task": "task", "attempt:count": "attempt", "outcome": "outcome", "dollars:money": "money",
    "list, its day:money": "list_day", "list, today:money": "list_today", "tokens:count": "tokens",
    "read from cache:count": "read", "lost to the cache:money": "lost_usd",
    "turns:count": "turns", "missed:count": "missed_turns", "file": "source",
}  # fmt: skip
"""What a page shows of a run, and where it is from."""


def render_board(board: Board, runs: pl.DataFrame) -> list[Topic]:
    """A topic for each benchmark; `runs` are those that the board was built from."""
    outcome = pl.col("correct").replace_strict({True: "solved", False: "failed"}, default=None)
    parts = runs.with_columns(outcome=outcome).partition_by(*KEYS, as_dict=True)
    notes = [METHOD]
    if board.listed_on:
        days = " to ".join(dict.fromkeys(board.listed_on))
        notes.append(PRICES.format(today=board.priced_on, listed=days))
    return [
        _topic(f"benchmark-{place}", each, [] if place else notes, parts)
        for place, each in enumerate(board.benchmarks)
    ]


Parts = Mapping[tuple[object, ...], pl.DataFrame]
"""The runs of every row, by `KEYS`."""


def _topic(anchor: str, benchmark: BoardBenchmark, notes: list[str], parts: Parts) -> Topic:
    rows = benchmark.rows
    runs = [parts[tuple(getattr(row, key) for key in KEYS)] for row in rows]
    tables = [_main_table(rows, _behind(anchor, runs)), _price_table(rows), _more_table(rows)]
    if benchmark.pairs:
        tables.append(_pair_table(benchmark))
    return Topic(
        anchor,
        benchmark.name,
        _lead(benchmark),
        notes,
        _charts(anchor, benchmark),
        tables,
    )


def _lead(benchmark: BoardBenchmark) -> str:
    rows = benchmark.rows
    runs = sum(row.runs for row in rows)
    lead = f"{runs:,} runs in {plural(len(rows), 'row')}."
    graded = [row for row in rows if row.solved.value is not None]
    if len(graded) > 1 and len(benchmark.together) < len(rows):
        lead += f" {plural(len(benchmark.together), 'group')} can be told apart in success or cost."
    elif len(graded) > 1:
        lead += " Every row can be told from every other in success or cost."
    priced = [row for row in graded if row.usd_per_solved.value is not None]
    if len(priced) > 1:
        best = min(priced, key=lambda row: row.usd_per_solved.value or 0.0)
        worst = max(priced, key=lambda row: row.usd_per_solved.value or 0.0)
        lead += (
            f" A solved task costs from ${best.usd_per_solved.value:.2f} ({_name(best)}) to "
            f"${worst.usd_per_solved.value:.2f} ({_name(worst)})."
        )
    return lead


def _name(row: BoardRow) -> str:
    return ", ".join(part for part in (row.model, row.harness, row.variant) if part)


# Charts ------------------------------------------------------------------------------------------


def _charts(anchor: str, benchmark: BoardBenchmark) -> list[PlaneChart | RowsChart]:
    groups = [_group(benchmark, places) for places in benchmark.together]
    points = [point for point in groups if point is not None]
    if len(points) > 1:
        front = PlaneChart(
            f"{anchor}-front",
            "Success against cost; what cannot be told apart is one point, the front has names",
            "dollars a run",
            "solved",
            _mark_front(points),
            across_kind="money",
            front=True,
        )
        return [front]
    priced = [row for row in benchmark.rows if row.usd.value]
    if not priced:
        return []
    rows = [ChartRow(_name(row), row.usd) for row in priced]
    return [RowsChart(f"{anchor}-cost", "Dollars a run", "dollars", rows, kind="money")]


def _group(benchmark: BoardBenchmark, places: Sequence[int]) -> PlanePoint | None:
    rows = [benchmark.rows[place] for place in places]
    rows = [row for row in rows if row.usd.value and row.solved.value is not None]
    if not rows:
        return None
    same_harness = len({row.harness for row in benchmark.rows}) == 1
    names = [row.model if same_harness and not row.variant else _name(row) for row in rows]
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return PlanePoint(
        "; ".join(names[:NAMED]) + more,
        _span([row.usd for row in rows]),
        _span([row.solved for row in rows]),
    )


def _span(found: Sequence[Estimate]) -> Estimate:
    """The mean of rows that cannot be told apart, over all that their intervals cover."""
    values = [each.value for each in found if each.value is not None]
    lows = [each.low if each.low is not None else each.value for each in found]
    highs = [each.high if each.high is not None else each.value for each in found]
    return Estimate(
        sum(values) / len(values),
        min(low for low in lows if low is not None),
        max(high for high in highs if high is not None),
        len(found),
    )


def _mark_front(points: list[PlanePoint]) -> list[PlanePoint]:
    """Points of which no other solves as much for less."""

    def is_best(point: PlanePoint) -> bool:
        return not any(
            (other.x.value or 0) <= (point.x.value or 0)
            and (other.y.value or 0) >= (point.y.value or 0)
            and other is not point
            for other in points
        )

    ordered = sorted(points, key=lambda point: point.x.value or 0.0)
    best = [is_best(point) for point in ordered]
    # Many names would stand on each other; the table has them all.
    are_named = len(ordered) <= MOST_LABELS
    return [
        PlanePoint(point.name if strong or are_named else "", point.x, point.y, "", strong)
        for point, strong in zip(ordered, best, strict=True)
    ]


# Tables ------------------------------------------------------------------------------------------


def _behind(anchor: str, runs: Sequence[pl.DataFrame]) -> RowsBehind:
    known = {
        head: name
        for head, name in RUN_COLUMNS.items()
        if any(part[name].null_count() < len(part) for part in runs)
    }
    values = [[part[name].to_list() for name in known.values()] for part in runs]
    return RowsBehind(anchor, "runs", columns(*known), values)


def _main_table(rows: Sequence[BoardRow], behind: RowsBehind) -> TopicTable:
    cells: dict[str, Cell] = {
        "model": "model",
        "harness": _harness,
        "rank": _rank,
        "solved:share": "solved",
        "dollars a run:money": "usd",
        "dollars a solved task:money": "usd_per_solved",
        "spent on failures:share": "failed_share",
        "runs:count": "runs",
    }
    return table_of("Rows", rows, cells, folded=False, behind=behind)


def _harness(row: BoardRow) -> str:
    return " ".join(part for part in (row.harness, row.variant) if part)


def _rank(row: BoardRow) -> str:
    if row.solved.value is None:
        return "–"
    return f"{row.rank_low}" if row.rank_low == row.rank_high else f"{row.rank_low}–{row.rank_high}"


def _price_table(rows: Sequence[BoardRow]) -> TopicTable:
    cells: dict[str, Cell] = {
        "model": "model",
        "harness": _harness,
        "cost": lambda row: row.usd_source if row.usd.value is not None else None,
        "dollars a run:money": "usd",
        "list, day of the run:money": "list_day",
        "list, today:money": "list_today",
        "unknown cost:count": "unpriced",
        "costs of $0:count": "zero_usd",
        "read from cache:share": "cache_read",
        "lost to the cache:money": "lost_usd",
        "turns to spare:share": "missed_turns",
    }
    note = (
        "Lost to the cache: what a run paid for tokens that it had held, more than reading them. "
        "Turns to spare: those whose calls an earlier one could have made, where runs have texts."
    )
    return _known(table_of("Prices, cache and missed parallelism", rows, cells, note=note))


def _known(table: TopicTable) -> TopicTable:
    """The columns of which any cell is known."""
    kept = [
        place
        for place in range(len(table.columns))
        if any(
            cell.value is not None if isinstance(cell, Estimate) else cell not in (None, 0)
            for cell in (row[place] for row in table.rows)
        )
    ]
    return replace(
        table,
        columns=[table.columns[place] for place in kept],
        rows=[[row[place] for place in kept] for row in table.rows],
    )


def _more_table(rows: Sequence[BoardRow]) -> TopicTable:
    cells: dict[str, Cell] = {
        "model": "model",
        "harness": _harness,
        "tasks:count": "tasks",
        "graded:count": "graded",
        "tokens a run:amount": "tokens",
        "tokens a solved task:amount": "tokens_per_solved",
        "turns:mean": "turns",
        "attempts a task:count": "attempts",
        "all of k solved:share": lambda row: row.pass_all if row.pass_k > 1 else None,
        "k:count": lambda row: row.pass_k if row.pass_k > 1 else None,
        "highest over lowest cost:ratio": "dispersion",
    }
    return _known(table_of("Counts, tokens, turns and repeated attempts", rows, cells))


def _pair_table(benchmark: BoardBenchmark) -> TopicTable:
    cells: dict[str, Cell] = {
        "model": "model",
        "first": "first",
        "second": "second",
        "tasks:count": "tasks",
        "more solved by the second:share": "solved",
        "dollars a run, second to first:ratio": "cost",
    }
    note = "Over the tasks that both tried; costs over those whose cost is known and not $0."
    return table_of("The same model twice", benchmark.pairs, cells, folded=False, note=note)


def render_audit(found: Sequence[Contradiction], checked: int) -> Topic:
    """What publications state and their rows contradict."""
    stated = [each for each in found if each.what in STATED]
    rows = [each for each in found if each.what not in STATED]
    lead = (
        f"{checked:,} statements were compared with the rows behind them: {_count(stated)}. "
        f"Of the rows themselves: {_count(rows)}."
    )
    notes = [
        "Stated figures are rounded before they are compared. A denominator is tried over all "
        "rows, over those with an outcome, over those with a cost, over the numbers of tasks that "
        "the publication names or several of its rows have, and over up to one row in a hundred "
        "less; only what none of them gives is listed. A score without rows is impossible where no "
        "number solved of as many tasks as its list has, or one in a hundred less, gives it."
    ]
    tables = [
        _contradictions("Statements that the rows contradict", stated),
        _contradictions("Rows that contradict each other", rows),
    ]
    return Topic("audit", "What is stated and not borne out", lead, notes, [], tables)


def _count(found: Sequence[Contradiction]) -> str:
    kinds = Counter(each.what for each in found)
    return ", ".join(f"{kind} {many} times" for kind, many in kinds.most_common()) or "nothing"


def _contradictions(title: str, found: Sequence[Contradiction]) -> TopicTable:
    names = ("file", "row", "what", "stated", "recomputed")
    cells: dict[str, Cell] = {**{name: name for name in names}, "tried besides": "tried"}
    return table_of(title, found, cells, folded=False)
