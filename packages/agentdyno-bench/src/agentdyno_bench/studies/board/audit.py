"""What publications state of their runs, against the rows that they publish.

Takes statements (a file, a row, a figure, and the outcomes and costs that it is a sum of) and
returns those that no usual way of counting bears out. Knows no publication.

Worked: 52.8 % stated over 500 rows of which 51 are solved: 10.2 % over all rows, 10.2 % over those
with an outcome. Neither rounds to 52.8, so it is a contradiction. Of 500 tasks no number solved is
39.58 %: 198 are 39.60 and 197 are 39.40. Nor is any of 495 to 499, so it is impossible; 190 of 480
would give it.
"""

from collections.abc import Iterator, Sequence
from math import ceil, floor

import polars as pl
from msgspec import Struct

from agentdyno_bench.studies.board.build import FEWEST_RUNS

ROOM = 0.51
"""Half a unit of the last digit that is stated, and a little."""
MOST_NAMED = 4
"""Ways of counting that are printed."""
LEFT_OUT = 0.01
"""A share of the rows that may have been left out as broken."""
MONEY_SHARE = 0.005
"""Costs may differ by this share besides: sums are rounded on their way."""


class Outcome(Struct, frozen=True):
    """One published run, as far as statements rest on it."""

    task: str
    solved: bool | None
    usd: float | None
    calls: float | None = None
    tokens: float | None = None


class Statement(Struct, frozen=True, kw_only=True):
    """A figure that a publication states of some of its rows."""

    file: str
    row: str
    what: str
    """`score`, `cost a run`, `total cost`, `runs`, `solved runs`, …"""
    stated: float
    digits: int = 1
    """Digits behind the point that the publication writes."""
    outcomes: Sequence[Outcome] = ()
    """Its rows; of a score without any it is checked whether some number solved gives it."""
    tasks: Sequence[int] = ()
    """How many tasks there may be: as the publication says, or as several of its rows have."""


class Contradiction(Struct, frozen=True):
    """What is stated and not borne out."""

    file: str
    row: str
    what: str
    stated: str
    recomputed: str
    tried: str
    """Other ways of counting, and what they give."""


def audit(statements: Sequence[Statement]) -> list[Contradiction]:
    """Statements that no way of counting bears out."""
    return [found for each in statements for found in _check(each)]


def _check(statement: Statement) -> Iterator[Contradiction]:
    if not statement.outcomes:
        yield from _check_possible(statement)
        return
    ways = dict(_ways(statement))
    if not ways:
        return
    room = ROOM * 10**-statement.digits
    money = statement.what in ("cost a run", "total cost")
    for value in ways.values():
        if abs(value - statement.stated) <= room + (MONEY_SHARE * abs(value) if money else 0.0):
            return
    (_, first), *others = ways.items()
    digits = max(statement.digits, 2 if money else 1)
    yield Contradiction(
        statement.file,
        statement.row,
        statement.what,
        f"{statement.stated:.{digits}f}",
        f"{first:.{digits}f}",
        "; ".join(f"{name} {value:.{digits}f}" for name, value in others[:MOST_NAMED]),
    )


def _check_possible(statement: Statement) -> Iterator[Contradiction]:
    """A share of tasks that no number of them is, whichever number of tasks was counted."""
    counted = sorted({n for tasks in statement.tasks for n in _nearly_all(tasks)}, reverse=True)
    if not counted or any(_solved(statement, n) is not None for n in counted):
        return
    nearest = [100 * round_down(statement.stated * counted[0] / 100) / counted[0]
               for round_down in (floor, ceil)]  # fmt: skip
    fewer = next((n for n in range(counted[-1], 0, -1) if _solved(statement, n) is not None), 0)
    yield Contradiction(
        statement.file,
        statement.row,
        "impossible mean",
        f"{statement.stated:.{statement.digits}f}",
        " or ".join(f"{share:.{statement.digits}f}" for share in nearest)
        + f" of {counted[0]} tasks",
        f"{counted[-1]} to {counted[0]} tasks; {_solved(statement, fewer)} of {fewer} would give it"
        if fewer
        else f"{counted[-1]} to {counted[0]} tasks",
    )


def _nearly_all(tasks: int) -> range:
    """All of the tasks, or all but a few that may have been left out as broken."""
    return range(ceil(tasks * (1 - LEFT_OUT)), tasks + 1)


def _solved(statement: Statement, tasks: int) -> int | None:
    """How many of so many tasks are the stated share, to its last digit; None where none are."""
    many = round(statement.stated * tasks / 100)
    is_near = abs(100 * many / tasks - statement.stated) <= ROOM * 10**-statement.digits
    return many if is_near else None


def _ways(statement: Statement) -> Iterator[tuple[str, float]]:
    """Every usual way of counting, the plainest first."""
    rows = statement.outcomes
    solved = sum(row.solved is True for row in rows)
    graded = [row for row in rows if row.solved is not None]
    costs = [row.usd for row in rows if row.usd is not None]
    above = [usd for usd in costs if usd > 0]
    if statement.what == "score" and rows:
        yield "over all rows", 100 * solved / len(rows)
        if graded and len(graded) < len(rows):
            yield "over rows with an outcome", 100 * solved / len(graded)
        priced = [row for row in rows if row.usd]
        if priced and len(priced) < len(rows):
            yield "over rows with a cost", 100 * sum(r.solved is True for r in priced) / len(priced)
        for tasks in statement.tasks:
            if tasks != len(rows):
                yield f"over {tasks} tasks", 100 * solved / tasks
        for fewer in reversed(_nearly_all(len(rows))[:-1]):
            yield f"over {fewer}", 100 * solved / fewer
    elif statement.what == "cost a run" and costs:
        yield "over all rows", sum(costs) / len(rows)
        yield "over rows with a cost", sum(costs) / len(costs)
        if above:
            yield "over costs above $0", sum(costs) / len(above)
        if graded:
            yield "over rows with an outcome", sum(r.usd or 0.0 for r in graded) / len(graded)
        for tasks in statement.tasks:
            yield f"over {tasks} tasks", sum(costs) / tasks
    elif statement.what == "total cost" and costs:
        yield "all rows", sum(costs)
    elif statement.what == "solved runs":
        yield "all rows", float(solved)
    elif statement.what == "runs":
        yield "all rows", float(len(rows))
        yield "rows with an outcome", float(len(graded))
    elif statement.what == "calls a run":
        known = [row.calls for row in rows if row.calls is not None]
        if known:
            yield "over rows with calls", sum(known) / len(known)
    elif statement.what == "tokens":
        known = [row.tokens for row in rows if row.tokens is not None]
        if known:
            yield "all rows", sum(known)


# Rows themselves ---------------------------------------------------------------------------------

MOST_EQUAL = 0.5
"""Two rows whose costs agree to the last digit at more of their tasks than this are copies."""
FEWEST_EQUAL = 20
"""Costs that must agree for that."""


def audit_rows(rows: pl.DataFrame) -> list[Contradiction]:
    """Runs at $0, tasks that a row has and others lack, rows that repeat each other, and costs that
    are another model's."""
    runs = rows.filter(pl.col("task_id").is_not_null()).with_columns(
        row=pl.concat_str("model", "harness", separator=", ", ignore_nulls=True),
        benchmark=pl.coalesce("benchmark", pl.lit("unnamed")),
    )
    return [*_zero_costs(runs), *_missing_tasks(runs), *_copies(runs), *_other_prices(runs)]


def _zero_costs(runs: pl.DataFrame) -> Iterator[Contradiction]:
    free = runs.filter(pl.col("reported_usd") == 0).group_by("benchmark", "row")
    for benchmark, row, many, solved in (
        free.agg(pl.len(), pl.col("correct").sum()).sort("benchmark", "row").iter_rows()
    ):
        yield Contradiction(
            f"{benchmark}", row, "runs at $0", "$0.00", f"{many:,} runs",
            f"{solved or 0:,} of them are solved, which takes at least one answer",
        )  # fmt: skip


def _missing_tasks(runs: pl.DataFrame) -> Iterator[Contradiction]:
    runs = runs.filter(pl.len().over("benchmark", "row") >= FEWEST_RUNS)
    for (benchmark, source), part in runs.group_by("benchmark", "format", maintain_order=True):
        known = part.group_by("task_id").agg(n=pl.col("row").n_unique())
        rows = part["row"].n_unique()
        usual = known.filter(pl.col("n") > rows / 2)
        if rows < 3 or usual.is_empty():
            continue
        whole = usual["task_id"].implode()
        have = part.group_by("row").agg(
            has=pl.col("task_id").filter(pl.col("task_id").is_in(whole)).n_unique()
        )
        for row, has in have.filter(pl.col("has") < len(usual)).sort("row").iter_rows():
            yield Contradiction(
                f"{benchmark} ({source})", row, "tasks differ", f"{len(usual)} tasks of most rows",
                f"{has} of them", "",
            )  # fmt: skip


def _copies(runs: pl.DataFrame) -> Iterator[Contradiction]:
    paid = runs.filter(pl.col("reported_usd") > 0).select(
        "benchmark", "row", "task_id", "reported_usd"
    )
    same = paid.join(paid, on=["benchmark", "task_id", "reported_usd"]).filter(
        pl.col("row") < pl.col("row_right")
    )
    sizes = {(b, r): n for b, r, n in paid.group_by("benchmark", "row").len().iter_rows()}
    counts = same.group_by("benchmark", "row", "row_right").len().sort("benchmark", "row")
    for benchmark, row, other, many in counts.iter_rows():
        smaller = min(sizes[benchmark, row], sizes[benchmark, other])
        if many >= FEWEST_EQUAL and many > MOST_EQUAL * smaller:
            yield Contradiction(
                f"{benchmark}", f"{row} / {other}", "same rows", "two rows",
                f"{many} of {smaller} costs are equal to the last digit", "",
            )  # fmt: skip


FARTHEST = 10.0
"""Stated costs so many times the list price of the same tokens, or that part of it, are not of that
model: prices of one fall by less, and a cache saves less."""


def _other_prices(runs: pl.DataFrame) -> Iterator[Contradiction]:
    both = runs.filter((pl.col("reported_usd") > 0) & (pl.col("list_today") > 0))
    sums = both.group_by("benchmark", "row").agg(
        pl.len(), stated=pl.col("reported_usd").mean(), listed=pl.col("list_today").mean()
    )
    for benchmark, row, many, stated, listed in sums.sort("benchmark", "row").iter_rows():
        if not 1 / FARTHEST < stated / listed < FARTHEST:
            yield Contradiction(
                f"{benchmark}", row, "cost against tokens", f"{stated:.2f}", f"{listed:.2f}",
                f"{many:,} runs; their tokens at the model's list price of today, each fresh",
            )  # fmt: skip
