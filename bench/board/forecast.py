"""How well the cost of a run can be foretold, before it starts and while it runs.

    python bench/board/forecast.py LEDGER

Takes a ledger of runs with the tokens of every response and many attempts a task (DataAgentBench).
Intervals are split conformal on log dollars: fitted on a third of the tasks, calibrated on another,
tested on the last, which neither has seen. Or fitted and calibrated on two models and tested on the
third: once as if models could be exchanged for tasks, once with the widest interval that either of
the two needs when the other foretells it. Calibration is by task: each task lends one residual,
drawn at random, so that fifty attempts at one task do not pass for fifty tasks.
Printed: the share of left-out runs inside the 90 % interval, the interval's width as a factor, and
the median factor by which the middle is off.
"""

import sys
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from agentdyno.ledger.reader import Ledger

COVERAGE = 0.9
SPLITS = 40
EARLIER = 19
Vector = NDArray[np.float64]
FEATURES = {
    "the mean of all models": [],
    "the model's mean": ["model"],
    "first turn": ["model", "spent_1", "context_1"],
    "first two turns": ["model", "spent_2", "context_2"],
    "a quarter of its turns": ["model", "spent_q", "context_q", "turns_q"],
}
"""The last one knows how many turns there will be, which nobody does: a bound, no forecast."""


def read_runs(path: Path) -> pl.DataFrame:
    """A row for each run: its log dollars, and what is known after some turns."""
    ledger = Ledger(path)
    runs = ledger.scan("trajectories").filter(pl.col("token_source") == "reported").select(
        "trajectory_id", "model", "task_id", total="usd"
    )  # fmt: skip
    turns = ledger.scan("turns").select("trajectory_id", "turn", "usd", "context_tokens")
    turns = turns.sort("trajectory_id", "turn").with_columns(
        spent=pl.col("usd").cum_sum().over("trajectory_id"),
        count=pl.len().over("trajectory_id"),
    )
    quarter = (pl.col("count") / 4).ceil().cast(pl.Int64)
    places = {
        "1": pl.lit(1), "2": pl.min_horizontal(pl.lit(2), "count"), "q": quarter,
    }  # fmt: skip
    for name, place in places.items():
        at = turns.filter(pl.col("turn") == place - 1).select(
            "trajectory_id",
            pl.col("spent").log().alias(f"spent_{name}"),
            pl.col("context_tokens").log().alias(f"context_{name}"),
            place.log().alias(f"turns_{name}"),
        )
        runs = runs.join(at, on="trajectory_id")
    found = runs.filter(pl.col("total") > 0).with_columns(y=pl.col("total").log()).collect()
    # A run whose last answer names no version stands alone.
    kept = found.drop_nulls().filter(pl.len().over("model") >= 100)
    return kept.sort("trajectory_id")


def design(rows: pl.DataFrame, features: list[str], models: list[str]) -> Vector:
    """The columns of a linear model of log dollars."""
    columns = [np.ones(len(rows))]
    for name in features:
        if name == "model":
            columns += [(rows["model"] == each).to_numpy().astype(float) for each in models[1:]]
        else:
            columns.append(rows[name].to_numpy())
    return np.column_stack(columns)


class Fit:
    """A linear model of log dollars."""

    def __init__(self, rows: pl.DataFrame, features: list[str]) -> None:
        self.models, self.features = sorted(rows["model"].unique()), features
        known = design(rows, features, self.models)
        self.weights, *_ = np.linalg.lstsq(known, rows["y"].to_numpy(), rcond=None)

    def miss(self, rows: pl.DataFrame) -> Vector:
        """By how much it is off, in logs."""
        middle = design(rows, self.features, self.models) @ self.weights
        found: Vector = np.abs(rows["y"].to_numpy() - middle)
        return found

    def reach(self, rows: pl.DataFrame, rng: np.random.Generator) -> float:
        """How far the interval reaches from its middle, by runs that the fit has not seen."""
        sizes = self.miss(rows)
        groups = rows.select(pl.concat_str("model", "task_id"))["model"].to_numpy()
        drawn = [rng.choice(sizes[groups == each]) for each in np.unique(groups)]
        place = min(int(np.ceil((len(drawn) + 1) * COVERAGE)), len(drawn)) - 1
        return float(np.sort(drawn)[place])

    def judge(self, test: pl.DataFrame, reach: float) -> tuple[float, float, float]:
        """Coverage, width as a factor, and the median factor of the middle's error."""
        errors = self.miss(test)
        return (
            float((errors <= reach).mean()), float(np.exp(2 * reach)),
            float(np.exp(np.median(errors))),
        )  # fmt: skip


def forecast(
    fit: pl.DataFrame, calibrate: pl.DataFrame, test: pl.DataFrame, features: list[str],
    rng: np.random.Generator,
) -> tuple[float, float, float]:  # fmt: skip
    """Fitted on some runs, calibrated on others, tested on the last."""
    found = Fit(fit, features)
    return found.judge(test, found.reach(calibrate, rng))


def forecast_across(
    known: pl.DataFrame, test: pl.DataFrame, features: list[str], rng: np.random.Generator
) -> tuple[float, float, float]:
    """Calibrated on models that the fit has not seen either, each left out in turn; the widest."""
    reaches = [
        Fit(known.filter(pl.col("model") != model), features).reach(known.filter(model=model), rng)
        for model in known["model"].unique().sort()
    ]
    return Fit(known, features).judge(test, max(reaches))


def repeat_tasks(rows: pl.DataFrame, rng: np.random.Generator) -> list[tuple[float, float, float]]:
    """From nineteen attempts at the very task by the very model, their smallest to their largest:
    of twenty that could be exchanged, two lie at the ends."""
    found = []
    for _, part in rows.group_by("model", "task_id", maintain_order=True):
        y = rng.permutation(part["y"].to_numpy())
        if len(y) < 2 * EARLIER:
            continue
        low, high, middle = y[:EARLIER].min(), y[:EARLIER].max(), np.median(y[:EARLIER])
        later = y[EARLIER:]
        inside = float(((later >= low) & (later <= high)).mean())
        off = float(np.exp(np.median(np.abs(later - middle))))
        found.append((inside, float(np.exp(high - low)), off))
    return found


def main() -> None:
    rows, rng = read_runs(Path(sys.argv[1])), np.random.default_rng(7)
    tasks, models = np.array(sorted(rows["task_id"].unique())), sorted(rows["model"].unique())
    print(f"{len(rows):,} runs, {len(tasks)} tasks, {len(models)} models")
    print("| known | left out | coverage | width | middle off by |\n|---|---|---:|---:|---:|")
    for name, features in FEATURES.items():
        found = []
        for _ in range(SPLITS):
            parts = np.array_split(rng.permutation(tasks), 3)
            split = [rows.filter(pl.col("task_id").is_in(part)) for part in parts]
            found.append(forecast(*split, features, rng))
        report(name, "tasks", found)
    report("nineteen attempts at the task", "attempts", repeat_tasks(rows, rng))
    for name, features in FEATURES.items():
        own = [each for each in features if each != "model"]
        if features and not own:
            continue
        found, across = [], []
        for model in models:
            others, test = rows.filter(pl.col("model") != model), rows.filter(model=model)
            halves = np.array_split(rng.permutation(tasks), 2)
            split = [others.filter(pl.col("task_id").is_in(half)) for half in halves]
            found.append(forecast(*split, test, own, rng))
            across.append(forecast_across(others, test, own, rng))
        report(name, "models", found)
        report(name, "models, widest of the models", across)


def report(name: str, left_out: str, found: list[tuple[float, float, float]]) -> None:
    coverage, width, off = np.array(found).T
    print(
        f"| {name} | {left_out} | {coverage.mean():.3f} ({coverage.min():.2f} to "
        f"{coverage.max():.2f}) | {np.median(width):.1f} x | {np.median(off):.2f} x |"
    )


if __name__ == "__main__":
    main()
