"""The board from the rows of trajectories.

Takes one frame with the ledgers' `trajectories` and the name of each ledger, returns `Board`.
Main runs only: what a sub-agent cost is in no published row. A cost is what the publication states;
where it states none, the list price of the day.

Two rows are told apart when the paired difference over the tasks that both tried is significant
after Holm's correction over all pairs of the benchmark. Variants that share tasks are compared;
variants that share none are parts of one benchmark.

Worked: rows at 70, 68 and 40 of 100, where only the last differs from the others, rank 1 to 2,
1 to 2 and 3.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from statistics import median

import numpy as np
import polars as pl

from agentdyno.cost.model_names import name_variants
from agentdyno.estimates.estimate import Estimate, as_share, undefined_estimate
from agentdyno.estimates.means import TaskSums, clustered_mean
from agentdyno.estimates.multiplicity import holm
from agentdyno.estimates.paired import average_shared_tasks, paired_difference, paired_ratio
from agentdyno.estimates.quantiles import student_p
from agentdyno.studies.comparison.measures import pass_power
from agentdyno.studies.readings import mean_of, share_of, sums_by_task, within_ratio
from agentdyno_bench.studies.board.results import Board, BoardBenchmark, BoardRow, HarnessPair

ALPHA = 0.05
FEWEST_RUNS = 5
"""Rows of fewer runs are no setting that anybody published."""
WIDEST = 20.0
"""An interval that reaches to so many times its mean says nothing."""
MANY = 0.2
"""From this share of a model's tasks on that several variants tried, these are compared."""
KEYS = ("benchmark", "model", "harness", "variant")


def build_board(runs: pl.DataFrame, priced_on: str, listed: Sequence[str]) -> Board:
    """The board of prepared runs, and of which days the list prices are."""
    found = [
        _benchmark(str(name[0]), part)
        for name, part in runs.group_by("benchmark", maintain_order=True)
    ]
    kept = sorted(
        (b for b in found if b.rows), key=lambda b: (-sum(r.runs for r in b.rows), b.name)
    )
    ends = [min(listed), max(listed)] if listed else []
    return Board(kept, len(runs), runs["ledger"].n_unique(), priced_on, ends)


def prepare_runs(rows: pl.DataFrame) -> pl.DataFrame:
    """Main runs with what they are counted by; column `ledger` names where each is from."""
    unnamed = pl.lit("unnamed")
    stated = pl.col("reported_usd").is_not_null()
    runs = rows.filter(pl.col("parent_id").is_null()).with_columns(
        benchmark=pl.coalesce("benchmark", unnamed),
        model=pl.coalesce("model", pl.lit("unknown")),
        harness=pl.coalesce("harness", "format"),
        task=pl.coalesce("task_id", "trajectory_id"),
        # An answer costs something: a stated $0 is a cost that nobody noted.
        money=pl.when(pl.coalesce("reported_usd", "usd") > 0).then(
            pl.coalesce("reported_usd", "usd")
        ),
        is_stated=stated,
        tokens=pl.col("context_tokens") + pl.col("decode_tokens"),
        solved=pl.col("correct").cast(pl.Float64),
    )
    # A variant whose tasks are nobody else's is a part of the benchmark.
    compared = (
        runs.group_by("benchmark", "harness", "model", "task")
        .agg(variants=pl.col("variant").n_unique())
        .group_by("benchmark", "harness")
        .agg(is_compared=(pl.col("variants") > 1).mean() > MANY)
    )
    variant = pl.when("is_compared").then(pl.coalesce("variant", pl.lit(""))).otherwise(pl.lit(""))
    return (
        runs.join(compared, on=["benchmark", "harness"], how="left")
        .with_columns(variant=variant)
        .with_columns(**_without_guesses())
        .sort("ledger", *KEYS, "task", "trajectory_id")
    )


def _without_guesses() -> dict[str, pl.Expr]:
    """Where other runs of a row report their tokens, those sized from texts are unknown: they know
    of no cache, and would cost several times as much as the others."""
    is_reported = pl.col("token_source") == "reported"
    keeps = is_reported.fill_null(False) | ~is_reported.any().over(KEYS)
    rested = "tokens", "list_day", "list_today", "lost_usd"
    found: dict[str, pl.Expr] = {name: pl.when(keeps).then(name) for name in rested}
    return found | {"money": pl.when(keeps | pl.col("is_stated")).then("money")}


def _benchmark(name: str, runs: pl.DataFrame) -> BoardBenchmark:
    parts = [
        part
        for _, part in runs.group_by(*KEYS[1:], maintain_order=True)
        if len(part) >= FEWEST_RUNS
    ]
    solved = [_sums(part, "solved") for part in parts]
    better = _compare(solved)
    rows = [
        _describe(part, 1 + sum(better[b][a] for b in range(len(parts))),
                  len(parts) - sum(better[a]))
        for a, part in enumerate(parts)
    ]  # fmt: skip
    order = sorted(range(len(rows)), key=lambda at: _order(rows[at]))
    together = _gather(order, parts, better)
    places = {at: place for place, at in enumerate(order)}
    return BoardBenchmark(
        name,
        [rows[at] for at in order],
        [[places[at] for at in group] for group in together],
        list(_pairs(name, parts)),
    )


def _order(row: BoardRow) -> tuple[float, str]:
    return (-(row.solved.value if row.solved.value is not None else -1.0), row.model)


def _sums(rows: pl.DataFrame, column: str) -> TaskSums:
    return sums_by_task(rows.filter(pl.col(column).is_not_null()), column)


# One row -----------------------------------------------------------------------------------------


def _describe(rows: pl.DataFrame, rank_low: int, rank_high: int) -> BoardRow:
    first = rows.row(0, named=True)
    graded = rows.filter(pl.col("correct").is_not_null())
    attempts = rows.group_by("task").len()["len"]
    k = _common_attempts(graded)
    stated = int((rows["is_stated"] & rows["money"].is_not_null()).sum())
    return BoardRow(
        source=first["ledger"],
        **{name: first[name] for name in KEYS},
        runs=len(rows),
        tasks=rows["task"].n_unique(),
        graded=len(graded),
        solved=_share_solved(graded),
        usd=_mean(rows, "money"),
        unpriced=rows["money"].null_count(),
        zero_usd=int((rows["reported_usd"] == 0).sum()),
        usd_source="stated" if stated == len(rows) - rows["money"].null_count() and stated else
        "list" if not stated else "stated and list",
        usd_per_solved=_per_solved(graded, "money"),
        failed_share=_failed_share(graded),
        tokens=_mean(rows, "tokens"),
        tokens_per_solved=_per_solved(graded, "tokens"),
        list_day=_mean(rows, "list_day"),
        list_today=_mean(rows, "list_today"),
        cache_read=_cache_read(rows),
        lost_usd=_mean(rows, "lost_usd"),
        missed_turns=_missed_share(rows),
        turns=_mean(rows, "turns"),
        attempts=int(attempts.max() or 0),  # type: ignore[arg-type]
        pass_all=_pass_all(graded, k),
        pass_k=k,
        dispersion=_dispersion(rows),
        rank_low=rank_low,
        rank_high=rank_high,
    )  # fmt: skip


def _cache_read(rows: pl.DataFrame) -> float | None:
    sent = float(rows["sent"].sum())
    return float(rows["read"].sum()) / sent if sent else None


def _share_solved(graded: pl.DataFrame) -> Estimate:
    if len(graded) < FEWEST_RUNS:
        return undefined_estimate("too few graded", n=len(graded), method="")
    return share_of(graded, "solved")


def _mean(rows: pl.DataFrame, column: str) -> Estimate:
    known = rows.filter(pl.col(column).is_not_null())
    if known.is_empty():
        return undefined_estimate("unknown", n=0, method="")
    return _unless_too_wide(mean_of(known, column))


def _per_solved(graded: pl.DataFrame, column: str) -> Estimate:
    known = graded.filter(pl.col(column).is_not_null())
    if known.is_empty():
        return undefined_estimate("unknown", n=0, method="")
    if not known["correct"].any():
        return undefined_estimate("none solved", n=len(known), method="")
    return _unless_too_wide(within_ratio(known, "solved", column))


def _unless_too_wide(found: Estimate) -> Estimate:
    if found.value and found.high is not None and found.high > WIDEST * found.value:
        return Estimate(found.value, n=found.n, reason="too few and too uneven for an interval")
    return found


def _failed_share(graded: pl.DataFrame) -> Estimate:
    known = graded.filter(pl.col("money").is_not_null())
    if known.is_empty() or not float(known["money"].sum() or 0):
        return undefined_estimate("unknown", n=0, method="")
    failed = known.with_columns(failed=pl.col("money") * (1 - pl.col("solved")))
    if not float(failed["failed"].sum()):
        return Estimate(0.0, n=len(known), reason="nothing failed")
    return as_share(within_ratio(failed, "money", "failed"))


def _missed_share(rows: pl.DataFrame) -> Estimate:
    """Of the turns that made calls."""
    known = rows.filter(pl.col("call_turns") > 0)
    if known.is_empty():
        return undefined_estimate("unknown", n=0, method="")
    if not float(known["missed_turns"].sum()):
        return Estimate(0.0, n=len(known), reason="none missed")
    return as_share(within_ratio(known, "call_turns", "missed_turns"))


def _common_attempts(graded: pl.DataFrame) -> int:
    """How many attempts nine tasks in ten have."""
    if graded.is_empty():
        return 1
    return max(1, int(graded.group_by("task").len()["len"].quantile(0.1, "lower") or 1))


def _pass_all(graded: pl.DataFrame, k: int) -> Estimate:
    if k < 2:
        return undefined_estimate("one attempt a task", n=0, method="")
    tasks = graded.group_by("task").agg(n=pl.len(), c=pl.col("correct").sum()).sort("task")
    enough = tasks.filter(pl.col("n") >= k)
    shares = [pass_power(n, c, k) for _, n, c in enough.iter_rows()]
    found = clustered_mean(
        TaskSums(enough["task"].to_list(), np.array(shares), np.ones(len(shares)))
    )
    return as_share(found)


def _dispersion(rows: pl.DataFrame) -> float | None:
    ends = (
        rows.filter(pl.col("money") > 0)
        .group_by("task")
        .agg(n=pl.len(), low=pl.col("money").min(), high=pl.col("money").max())
        .filter(pl.col("n") > 1)
    )
    return median(high / low for _, _, low, high in ends.iter_rows()) if len(ends) else None


# Rows with each other ----------------------------------------------------------------------------


def _compare(solved: list[TaskSums]) -> list[list[bool]]:
    """Whether the row solves surely more than the other, for each pair."""
    better = [[False] * len(solved) for _ in solved]
    places = list(combinations(range(len(solved)), 2))
    found = [_difference(solved[a], solved[b]) for a, b in places]
    corrected = holm([p for _, p in found])
    for (a, b), (difference, _), p in zip(places, found, corrected, strict=True):
        if p is not None and p < ALPHA:
            better[b][a], better[a][b] = difference > 0, difference < 0
    return better


def _difference(first: TaskSums, second: TaskSums) -> tuple[float, float | None]:
    """Of the shares solved at the tasks of both, second less first, with p of a paired t-test: the
    draws of a bootstrap are too few for hundreds of pairs."""
    a, b = average_shared_tasks(first, second)
    if len(a) < FEWEST_RUNS:
        return 0.0, None
    change = b - a
    mean, error = float(change.mean()), float(change.std(ddof=1) / np.sqrt(len(change)))
    if not error:
        return mean, None if mean else 1.0
    return mean, student_p(mean / error, len(change) - 1)


def _gather(
    order: list[int], parts: list[pl.DataFrame], better: list[list[bool]]
) -> list[list[int]]:
    """Rows in groups within which none can be told from another, in success or in cost."""
    money = [_sums(part, "money") for part in parts]
    groups: list[list[int]] = []
    for at in order:
        for group in groups:
            apart = any(
                better[at][b] or better[b][at] or _costs_differ(money[at], money[b]) for b in group
            )
            if not apart:
                group.append(at)
                break
        else:
            groups.append([at])
    return groups


def _costs_differ(first: TaskSums, second: TaskSums) -> bool:
    shared = set(first.tasks) & set(second.tasks)
    if len(shared) < 2:
        return True
    try:
        found = paired_ratio(first, second)
    except (OverflowError, ValueError):
        return True
    return found.p < ALPHA if found.p is not None else found.value != 1.0


def _pairs(benchmark: str, parts: list[pl.DataFrame]) -> Iterator[HarnessPair]:
    """The same model twice: in two harnesses, or with two tool suites."""
    for first, second in combinations(parts, 2):
        a, b = first.row(0, named=True), second.row(0, named=True)
        if _spelling(a["model"]) != _spelling(b["model"]):
            continue
        names = ("harness",) if a["harness"] != b["harness"] else ("variant",)
        one, other = (" ".join(str(each[name]) for name in names) for each in (a, b))
        solved = _sums(first, "solved"), _sums(second, "solved")
        money = (
            _sums(first.filter(pl.col("money") > 0), "money"),
            _sums(second.filter(pl.col("money") > 0), "money"),
        )
        shared = set(solved[0].tasks) & set(solved[1].tasks)
        if len(shared) < 2:
            continue
        cost = undefined_estimate("no cost known of both", n=0, method="")
        if len(set(money[0].tasks) & set(money[1].tasks)) > 1:
            cost = paired_ratio(*money)
        yield HarnessPair(
            benchmark=benchmark,
            model=a["model"],
            first=one,
            second=other,
            tasks=len(shared),
            solved=as_share(paired_difference(*solved), least=-1.0),
            cost=cost,
        )


def _spelling(model: str) -> tuple[str, ...]:
    """`claude-4-sonnet` and `anthropic/claude-sonnet-4-20250514` are one model."""
    *_, plain = list(name_variants(model, frozenset()))[:2]
    return tuple(sorted(plain))
