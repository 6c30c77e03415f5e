"""The table of the styles experiment, from its raw rows.

python bench/gpu_training/styles_table.py [FOLDER]

FOLDER has what `styles.py` left, packed by `--pack`: one CSV of attempts and one of steps. Every
reinforced arm is compared with the warm-up that it began from, and arms with each other, paired by
task: a task's value is the mean over seeds, and the interval is over tasks and seeds (both drawn
with replacement).

waited      seconds for the slowest call of each turn
over_path   the same over the task's critical path, which no schedule can be faster than
cut_off     attempts that ended at a limit instead of an answer
"""

import argparse
import csv
import gzip
import json
import statistics
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from agentdyno.findings.scheduling.graph import critical_seconds
from agentdyno_bench.tps.tasks.dataset import load_bundled
from agentdyno_bench.tps.tasks.placing import graph_of

HERE = Path(__file__).parent / "styles"
STORED = ("completion", "solved", "turns", "waited", "pte", "harms", "failed", "generated")
MEASURES = (*STORED[:4], "over_path", *STORED[4:], "cut_off")
FIELDS = ("arm", "seed", "kind", "sample", "task", *STORED, "parallelism", "calls", "stopped")
PAIRS = (
    ("0.0-loose", "0.5-loose"),
    ("0.0-tight", "0.5-tight"),
    ("0.0-loose", "0.0-tight"),
    ("0.5-loose", "0.5-tight"),
)
"""What the weight adds under either limit, and what the limit does under either weight."""
STEP_FIELDS = {
    "step": "step", "reward": "reward", "world/completion": "completion", "world/turns": "turns",
    "world/parallelism": "parallelism", "world/answered": "answered", "entropy": "entropy",
}  # fmt: skip
DRAWS = 2000

Cells = dict[str, dict[int, list[float]]]
"""For every task and seed, the values of its attempts."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=HERE)
    parser.add_argument("--pack", type=Path, help="results of styles.py to write into the folder")
    given = parser.parse_args()
    if given.pack:
        pack(given.pack, given.folder)
    attempts = add_measures(read_rows(given.folder / "attempts.csv.gz"))
    for kind in ("greedy", "sampled"):
        print(f"\n{kind}, {len({row['task'] for row in attempts})} held-out easy tasks\n")
        print_table(attempts, kind)
        print_pairs(attempts, kind)
    print("\nattempts of training that were cut off, first and last round\n")
    print_cut_off(read_rows(given.folder / "steps.csv.gz"))


def pack(results: Path, folder: Path) -> None:
    """Rows of every arm and seed as two small files."""
    folder.mkdir(parents=True, exist_ok=True)
    found = [json.loads(path.read_text()) for path in sorted(results.glob("rows-*.json"))]
    rows = [{"arm": one["arm"], "seed": one["seed"], **row} for one in found for row in one["rows"]]
    steps = [
        {"arm": one["arm"], "seed": one["seed"]}
        | {name: step[key] for key, name in STEP_FIELDS.items() if key in step}
        for one in found
        for step in one["steps"]
        if "entropy" in step
    ]
    _write(folder / "attempts.csv.gz", rows, FIELDS)
    _write(folder / "steps.csv.gz", steps, ("arm", "seed", *STEP_FIELDS.values()))


def _write(path: Path, rows: Iterable[dict], fields: Iterable[str]) -> None:
    text = [",".join(fields)]
    text += [",".join(_cell(row.get(field)) for field in fields) for row in rows]
    path.write_bytes(gzip.compress("\n".join(text).encode() + b"\n", mtime=0))


def _cell(value: object) -> str:
    return "" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)


def read_rows(path: Path) -> list[dict[str, str]]:
    with gzip.open(path, "rt") as file:
        return list(csv.DictReader(file))


def add_measures(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    """The rows with what follows from them and the tasks."""
    paths = {task.task_id: critical_seconds(graph_of(task)) for task in load_bundled("easy").tasks}
    for row in rows:
        row["over_path"] = str(float(row["waited"]) / paths[row["task"]])
        row["cut_off"] = str(int(row["stopped"] != "answered"))
    return rows


def cells(rows: list[dict[str, str]], arm: str, kind: str, measure: str) -> Cells:
    found: Cells = defaultdict(lambda: defaultdict(list))
    for row in rows:
        if row["arm"] == arm and row["kind"] == kind and row[measure]:
            found[row["task"]][int(row["seed"])].append(float(row[measure]))
    return found


def mean_of(found: Cells) -> float:
    return statistics.fmean(
        statistics.fmean(map(statistics.fmean, by_seed.values())) for by_seed in found.values()
    )


def difference(before: Cells, after: Cells) -> tuple[float, float, float]:
    """Mean change with an interval of 95 % over tasks and seeds."""
    tasks = sorted(set(before) & set(after))
    seeds = sorted({seed for task in tasks for seed in after[task]})
    start = {task: statistics.fmean(map(statistics.fmean, before[task].values())) for task in tasks}
    change = np.array(
        [
            [statistics.fmean(after[task].get(seed, [np.nan])) - start[task] for seed in seeds]
            for task in tasks
        ]
    )
    rng = np.random.default_rng(1)
    by_task, by_seed = (rng.multinomial(n, [1 / n] * n, size=DRAWS) for n in change.shape)
    sums = (by_task @ np.nan_to_num(change) * by_seed).sum(axis=1)
    drawn = sums / (by_task @ np.isfinite(change) * by_seed).sum(axis=1)
    low, high = np.quantile(drawn, (0.025, 0.975))
    return float(np.mean(np.nanmean(change, axis=1))), float(low), float(high)


def print_table(rows: list[dict[str, str]], kind: str) -> None:
    arms = sorted({row["arm"] for row in rows} - {"warm", "shipped"})
    print("measure | shipped | warm-up |", " | ".join(arms))
    print("---|---:|---:|", "|".join("---:" for _ in arms), sep="")
    for measure in MEASURES:
        warm = cells(rows, "warm", kind, measure)
        line = [measure, f"{mean_of(cells(rows, 'shipped', kind, measure)):,.4g}"]
        line.append(f"{mean_of(warm):,.4g}")
        for arm in arms:
            value, low, high = difference(warm, cells(rows, arm, kind, measure))
            line.append(f"{value:+,.3g} [{low:+,.3g}, {high:+,.3g}]")
        print(" | ".join(line))


def print_pairs(rows: list[dict[str, str]], kind: str) -> None:
    """Arms against each other, where both have run."""
    arms = {row["arm"] for row in rows}
    pairs = [pair for pair in PAIRS if arms.issuperset(pair)]
    if not pairs:
        return
    print("\nmeasure |", " | ".join(f"{after} minus {before}" for before, after in pairs))
    print("---|", "|".join("---:" for _ in pairs), sep="")
    for measure in MEASURES:
        line = [measure]
        for before, after in pairs:
            found = difference(
                cells(rows, before, kind, measure), cells(rows, after, kind, measure)
            )
            line.append("{:+,.3g} [{:+,.3g}, {:+,.3g}]".format(*found))
        print(" | ".join(line))


def print_cut_off(steps: list[dict[str, str]]) -> None:
    by_run: dict[tuple[str, str], list[float]] = defaultdict(list)
    for row in steps:
        if row["answered"]:
            by_run[row["arm"], row["seed"]].append(1 - float(row["answered"]))
    print("arm | seed | first | last")
    print("---|---:|---:|---:")
    for (arm, seed), shares in sorted(by_run.items()):
        print(f"{arm} | {seed} | {shares[0]:.3f} | {shares[-1]:.3f}")


if __name__ == "__main__":
    main()
