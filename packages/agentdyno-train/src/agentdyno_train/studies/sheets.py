"""A dyno sheet: the same held-out tasks by several agents, each against the first, paired by task.

Takes the tables of one ledger for each agent, returns for every level and measure the mean of each
agent with its interval, and the paired change from the first agent. Measures that cannot be known
(a ratio without calls) leave the attempt out and `n` says how many tasks are left.

    money per solved task: GPU-seconds of all attempts over solved attempts, not a mean of ratios
"""

from collections.abc import Mapping

import polars as pl
from msgspec import Struct

from agentdyno.cost.servings import Servings
from agentdyno.estimates.estimate import Estimate
from agentdyno.estimates.means import clustered_mean
from agentdyno.estimates.paired import paired_difference
from agentdyno.estimates.shares import clustered_share
from agentdyno.studies.cost.seconds import read_turns, replay_turns
from agentdyno.studies.cost.unit import architectures_of
from agentdyno.studies.tables import Tables
from agentdyno_bench.studies.planning.attempts import attempts

MEASURES: dict[str, pl.Expr] = {
    "completion": pl.col("completion"),
    "score, harm paid for": pl.col("mark"),
    "solved": pl.col("correct").cast(pl.Float64),
    "with harm": (pl.col("mark") < pl.col("completion") - 1e-9).cast(pl.Float64),
    "selection recall": pl.col("selection_recall"),
    "calls": pl.col("calls").cast(pl.Float64),
    "failed calls": pl.col("failed_calls").cast(pl.Float64),
    "turns over best": pl.col("turns_over_best"),
    "time over critical path": pl.col("makespan_over_critical"),
    "PTE": pl.col("pte"),
    "GPU-seconds": pl.col("gpu_seconds"),
    "output tokens": pl.col("output_tokens").cast(pl.Float64),
    "answered": (pl.col("stopped") == "answered").cast(pl.Float64),
}
"""Each measure of an attempt, in the order in which a sheet lists them."""
OTHERS: dict[str, pl.Expr] = {
    "solved": pl.col("correct").cast(pl.Float64),
    "calls": pl.col("calls").cast(pl.Float64),
    "turns": pl.col("turns").cast(pl.Float64),
    "PTE": pl.col("pte"),
    "GPU-seconds": pl.col("gpu_seconds"),
    "output tokens": pl.col("decode_tokens").cast(pl.Float64),
}
"""Those of attempts at other benchmarks."""
LABELS: dict[str, tuple[str, str]] = {
    "right use of the tool": ("required", "correct"),
    "tool skipped": ("required", "tool_skip"),
    "result ignored": ("required", "result_ignore"),
    "output made up": ("required", "output_fabrication"),
    "tool where none is needed": ("control", "unnecessary_tool_use"),
    "wrong answer without need": ("control", "wrong_answer"),
}
"""Failure modes: the kind of question and the label, as shares of that kind."""
SHARES = frozenset({"completion", "score, harm paid for", "solved", "with harm", "answered",
                    "selection recall", *LABELS})  # fmt: skip
"""Those that lie between 0 and 1."""


class SheetCell(Struct, frozen=True):
    """One measure of one agent."""

    agent: str
    mean: Estimate
    """Mean over its attempts, with its interval."""
    change: Estimate | None
    """From the first agent, paired by task; None for the first itself, and for PTE of another
    architecture, which is another unit."""


class SheetRow(Struct, frozen=True):
    """One measure at one level."""

    level: str
    """Difficulty of the tasks, or the benchmark."""
    measure: str
    cells: list[SheetCell]
    """One cell for each agent, the first agent first."""


class SheetCost(Struct, frozen=True):
    """What a solved task costs."""

    level: str
    """Difficulty of the tasks, or the benchmark."""
    agent: str
    attempts: int
    """Attempts at tasks of this level."""
    solved: int
    """Attempts that met every goal without harm."""
    pte_per_solved: float | None
    """PTE of all attempts over solved ones; None when none is."""
    gpu_seconds_per_solved: float | None
    """GPU-seconds of all attempts over solved ones."""
    usd_per_solved: float | None
    """The same in money, by the hardware's price; None without one."""


class Sheet(Struct, frozen=True):
    """Several agents over the same tasks."""

    agents: list[str]
    """The agents, the one that others are compared with first."""
    hardware: str
    """The hardware that GPU-seconds are computed for."""
    architectures: dict[str, str]
    """The architecture that each agent's PTE is of; PTE is compared within one alone."""
    rows: list[SheetRow]
    """Every measure at every level."""
    costs: list[SheetCost]
    """Cost of a solved task, by level and agent."""


def study_sheet(ledgers: Mapping[str, Tables], hardware: str = "h200") -> Sheet:
    """Compares the agents of several ledgers."""
    servings = Servings(hardware)
    shapes = {name: _architecture(ledger) for name, ledger in ledgers.items()}
    rows, costs = list[SheetRow](), list[SheetCost]()
    for read in (_attempts, _others):
        frames = {n: _in_one_unit(ledger, read(ledger, servings)) for n, ledger in ledgers.items()}
        levels = {str(x) for frame in frames.values() for x in frame["level"].drop_nulls()}
        for level in sorted(levels):
            here = {n: f.filter(pl.col("level") == level) for n, f in frames.items()}
            measures = MEASURES if read is _attempts else _measures(here)
            rows += [_row(level, name, how, here, shapes) for name, how in measures.items()]
            price = servings.usd_per_second
            costs += [_cost(level, name, frame, price) for name, frame in here.items()]
    return Sheet(list(ledgers), hardware, shapes, rows, costs)


def _in_one_unit(ledger: Tables, attempts: pl.DataFrame) -> pl.DataFrame:
    """PTE of an agent that ran on several architectures have no mean."""
    if architectures_of(ledger.read("trajectories")) < 2:
        return attempts
    return attempts.with_columns(pte=pl.lit(None, pl.Float64))


def _measures(frames: Mapping[str, pl.DataFrame]) -> dict[str, pl.Expr]:
    """The measures of another benchmark; failure modes where questions were labelled."""
    labelled = any(frame["label"].count() for frame in frames.values())
    modes = {
        name: pl.when(pl.col("kind") == kind).then((pl.col("label") == label).cast(pl.Float64))
        for name, (kind, label) in LABELS.items()
    }
    return {**OTHERS, **(modes if labelled else {})}


def _others(ledger: Tables, servings: Servings) -> pl.DataFrame:
    """Attempts at benchmarks that have no plan, with the label of the rule where there is one;
    the benchmark stands for the level."""
    labels = ledger.read("failures").filter(pl.col("rule").is_in(["submitted", "paper"]))
    planned = ledger.read("planning")["trajectory_id"].implode()
    rows = ledger.read("trajectories").filter(~pl.col("trajectory_id").is_in(planned))
    known = rows.with_columns(
        level=pl.col("benchmark"), task=pl.coalesce("task_id", "trajectory_id")
    ).join(
        labels.select("trajectory_id", "kind", "label").unique("trajectory_id", keep="last"),
        on="trajectory_id",
        how="left",
    )
    return known.join(_gpu_seconds(ledger, servings), on="trajectory_id", how="left")


def _architecture(ledger: Tables) -> str:
    known = ledger.read("trajectories")["architecture"].drop_nulls().unique().sort()
    return ", ".join(known)


def _attempts(ledger: Tables, servings: Servings) -> pl.DataFrame:
    marks = ledger.read("trajectories").select("trajectory_id", mark=pl.col("score"))
    found = attempts(ledger).join(marks, on="trajectory_id", how="left")
    return found.join(_gpu_seconds(ledger, servings), on="trajectory_id", how="left")


def _gpu_seconds(ledger: Tables, servings: Servings) -> pl.DataFrame:
    """By trajectory, replayed on a server; null where a turn's tokens are unknown."""
    timed = replay_turns(read_turns(ledger, "served"), servings, "served")
    return timed.by_trajectory().select("trajectory_id", "gpu_seconds")


def _row(
    level: str,
    measure: str,
    how: pl.Expr,
    frames: dict[str, pl.DataFrame],
    shapes: dict[str, str],
) -> SheetRow:
    values = {name: _by_task(frame, how) for name, frame in frames.items()}
    first, base = next(iter(values.values())), next(iter(shapes.values()))
    cells = [
        SheetCell(
            name,
            clustered_share(mine) if measure in SHARES else clustered_mean(mine),
            paired_difference(first, mine)
            if place and (measure != "PTE" or shapes[name] == base)
            else None,
        )
        for place, (name, mine) in enumerate(values.items())
    ]
    return SheetRow(level, measure, cells)


def _by_task(frame: pl.DataFrame, measure: pl.Expr) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for task, value in frame.select("task", value=measure).drop_nulls().iter_rows():
        found.setdefault(task, []).append(float(value))
    return found


def _cost(level: str, name: str, frame: pl.DataFrame, price: float | None) -> SheetCost:
    solved = int(frame["correct"].fill_null(False).sum())
    pte, seconds = frame["pte"].sum(), frame["gpu_seconds"].sum()
    known = bool(solved) and frame["pte"].null_count() == 0
    timed = bool(solved) and frame["gpu_seconds"].null_count() == 0
    each = float(seconds) / solved if timed else None
    return SheetCost(
        level, name, len(frame), solved,
        float(pte) / solved if known else None,
        each,
        each * price if each is not None and price is not None else None,
    )  # fmt: skip
