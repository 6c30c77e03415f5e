"""The tables of the styles experiment, from its raw rows.

python bench/gpu_training/styles_table.py [FOLDER] [--pack RESULTS --run 2]

FOLDER has what `styles.py` left, packed: one CSV of attempts and one of steps. A run is one warm-up
and what was reinforced from it (`RUNS`); only what began from the same warm-up is compared. All is
paired by task. The interval of 95 % is over tasks and seeds, both drawn with replacement; where an
arm has one seed it knows of tasks only. Pooled, a run counts by the seeds of the second arm.

waited       seconds for the slowest call of each turn
over_path    the same over the task's critical path, which no schedule of all steps is faster than
gpu_seconds  the attempt's share of an H200 that serves `AT_ONCE` attempts at once, replayed from
             the tokens of its turns: an attempt's own prefix is kept, nothing is shared
depth        share of deep-thinking tokens among those that the model wrote
cut_off      attempts that ended at a limit instead of an answer
"""

import argparse
import csv
import gzip
import json
import statistics
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import groupby
from pathlib import Path

import numpy as np

from agentdyno.cost.replay import Turn, load_of, replay_load
from agentdyno.cost.servings import Servings
from agentdyno.findings.scheduling.graph import critical_seconds
from agentdyno_bench.tps.tasks.dataset import load_bundled
from agentdyno_bench.tps.tasks.placing import graph_of

HERE = Path(__file__).parent / "styles"
RUNS = {
    "1": "96 steps from a warm-up that is lost",
    "2": "48 steps from the warm-up in styles/warm.safetensors",
}
AT_ONCE = 16
MEASURES = ("completion", "solved", "turns", "waited", "over_path", "pte", "gpu_seconds", "harms",
            "failed", "generated", "depth", "cut_off")  # fmt: skip
DERIVED = ("over_path", "gpu_seconds", "cut_off")
AGENT = ("run", "arm", "seed", "level")
BATCH = (*AGENT, "kind", "sample")
"""Attempts that an agent made side by side."""
FIELDS = (*BATCH, "task", *(name for name in MEASURES if name not in DERIVED), "parallelism",
          "calls", "stopped", "tokens")  # fmt: skip
PAIRS = (
    ("0.0-loose", "0.5-loose"),
    ("0.0-tight", "0.5-tight"),
    ("0.0-loose", "0.0-tight"),
    ("0.5-loose", "0.5-tight"),
    ("shipped", "0.0-loose"),
    ("shipped", "0.5-loose"),
)
"""What the weight adds under either limit, what the limit does under either weight, and whether
the arms that lose nothing are better than the agent that is shipped."""
STEP_FIELDS = {
    "step": "step", "reward": "reward", "world/completion": "completion", "world/turns": "turns",
    "world/parallelism": "parallelism", "world/answered": "answered", "entropy": "entropy",
}  # fmt: skip
DRAWS = 2000

Row = dict[str, str]
Cells = dict[str, dict[str, dict[str, list[float]]]]
"""By run, seed and task: the values of its attempts."""
Estimate = tuple[float, float, float]
"""With the ends of its interval."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=HERE)
    parser.add_argument("--pack", type=Path, help="results of styles.py to put into the folder")
    parser.add_argument("--run", choices=RUNS, default="2", help="the run that they belong to")
    given = parser.parse_args()
    if given.pack:
        pack(given.pack, given.folder, given.run)
    print_all(given.folder)


def print_all(folder: Path) -> None:
    rows = add_measures(read_rows(folder / "attempts.csv.gz"))
    easy, hard = ([row for row in rows if row["level"] == level] for level in ("easy", "hard"))
    for kind in ("greedy", "sampled"):
        attempts = [row for row in easy if row["kind"] == kind]
        for run, what in RUNS.items():
            own = [row for row in attempts if row["run"] == run]
            print(f"\nEasy, {kind}, run {run} ({what}):\n")
            print_changes(own)
            print()
            print_pairs(own)
        print(f"\nEasy, {kind}, both runs:\n")
        print_pairs(attempts, least_runs=2)
    print("\nHard, greedy:\n")
    print_means(hard)
    print("\nAttempts of training that were cut off, first and last round:\n")
    print_cut_off(read_rows(folder / "steps.csv.gz"))


def pack(results: Path, folder: Path, run: str) -> None:
    """Rows of every agent as two small files; what is there of other agents is kept."""
    read = (json.loads(path.read_text()) for path in sorted(results.glob("rows-*.json")))
    found = [{"run": run} | one for one in read if one]
    rows = [_agent(one) | row | {"tokens": _join(row["tokens"])}
            for one in found for row in one["rows"]]  # fmt: skip
    steps = [
        _agent(one) | {name: step[key] for key, name in STEP_FIELDS.items() if key in step}
        for one in found
        for step in one["steps"]
        if "entropy" in step
    ]
    new = {tuple(map(str, _agent(one).values())) for one in found}
    for name, given, fields in (
        ("attempts", rows, FIELDS),
        ("steps", steps, (*AGENT, *STEP_FIELDS.values())),
    ):
        path = folder / f"{name}.csv.gz"
        kept = [row for row in read_rows(path) if tuple(_agent(row).values()) not in new]
        _write(path, [*kept, *given], fields)


def _agent(row: dict) -> dict:
    return {name: row[name] for name in AGENT}


def _join(tokens: list[list[int]]) -> str:
    """Tokens of the context and generated ones, turn by turn."""
    return " ".join(f"{context}+{generated}" for context, generated in tokens)


def _write(path: Path, rows: Iterable[dict], fields: Iterable[str]) -> None:
    text = [",".join(fields)]
    text += [",".join(_cell(row.get(field)) for field in fields) for row in rows]
    path.write_bytes(gzip.compress("\n".join(text).encode() + b"\n", mtime=0))


def _cell(value: object) -> str:
    return "" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)


def read_rows(path: Path) -> list[Row]:
    with gzip.open(path, "rt") as file:
        return list(csv.DictReader(file))


def add_measures(rows: list[Row]) -> list[Row]:
    """The rows with what follows from them and the tasks."""
    tasks = [task for level in ("easy", "hard") for task in load_bundled(level).tasks]
    paths = {task.task_id: critical_seconds(graph_of(task)) for task in tasks}
    for row in rows:
        row["over_path"] = str(float(row["waited"]) / paths[row["task"]])
        row["cut_off"] = str(int(row["stopped"] != "answered"))
        row["gpu_seconds"] = ""
    for _, batch in groupby(rows, lambda row: [row[name] for name in BATCH]):
        known = [row for row in batch if row["tokens"]]
        for row, seconds in zip(known, replay_attempts(known), strict=True):
            row["gpu_seconds"] = str(seconds)
    return rows


def replay_attempts(rows: list[Row]) -> Iterator[float]:
    """GPU-seconds of each attempt when so many are served at once."""
    load = load_of(list(_turns(row["tokens"])) for row in rows)
    serving = Servings("h200", concurrency=AT_ONCE).of("smollm2-135m")
    found = replay_load(load, AT_ONCE, serving.architecture, serving.steps, serving.limits)
    seconds = found.prefill + found.step + found.cache + found.waiting
    return map(float, np.add.reduceat(seconds, load.first[:-1]) if rows else [])


def _turns(tokens: str) -> Iterator[Turn]:
    """All but the tool results of a turn is in the cache since the turn before."""
    cached = 0
    for turn in tokens.split():
        context, generated = map(int, turn.split("+"))
        yield Turn(context, generated, cached)
        cached = context + generated


def cells(rows: list[Row], arm: str, measure: str) -> Cells:
    found: Cells = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    for row in rows:
        if row["arm"] == arm and row[measure]:
            found[row["run"]][row["seed"]][row["task"]].append(float(row[measure]))
    return found


def estimate(after: Cells, before: Cells | None = None, relative: bool = False) -> Estimate:
    """Mean or mean change, in shares of what it was before if relative, with its interval."""
    runs = sorted(after if before is None else after.keys() & before.keys())
    weights = {run: len(after[run]) for run in runs}
    found = _draw_means(after, weights, 1)
    if before is not None:
        start = _draw_means(before, weights, 2)
        found = found / start - 1 if relative else found - start
    low, high = np.quantile(found[1:], (0.025, 0.975))
    mean, low, high = (round(float(value), 12) + 0.0 for value in (found[0], low, high))
    return mean, low, high


def _draw_means(found: Cells, weights: dict[str, int], side: int) -> np.ndarray:
    """The mean, then means of drawn tasks and seeds."""
    total = np.zeros(DRAWS + 1)
    for place, (run, weight) in enumerate(weights.items()):
        seeds = [found[run][seed] for seed in sorted(found[run])]
        values = np.array([[statistics.fmean(by[task]) for task in sorted(by)] for by in seeds])
        by_seed, by_task = draw(len(seeds), side + 2 * place), draw(values.shape[1], 0)
        total += weight / sum(weights.values()) * (by_seed @ values * by_task).sum(axis=1)
    return total


@cache
def draw(n: int, what: int) -> np.ndarray:
    """What each of n counts: first all alike, then as drawn. Tasks (0) are the same for all."""
    drawn = np.random.default_rng([n, what]).multinomial(n, [1 / n] * n, size=DRAWS)
    return np.vstack([np.ones(n), drawn]) / n


def print_changes(rows: list[Row]) -> None:
    """Arms of one run against its warm-up."""
    arms = sorted({row["arm"] for row in rows} - {"warm", "shipped"})
    seeds = {arm: len({row["seed"] for row in rows if row["arm"] == arm}) for arm in arms}
    _print_head("shipped", "warm-up", *(f"{arm}, seeds: {seeds[arm]}" for arm in arms))
    for measure in MEASURES:
        warm = cells(rows, "warm", measure)
        if warm:
            means = (estimate(cells(rows, arm, measure))[0] for arm in ("shipped", "warm"))
            changes = (estimate(cells(rows, arm, measure), warm) for arm in arms)
            line = [*(f"{mean:,.4g}" for mean in means), *map(_show_change, changes)]
            print(" | ".join([measure, *line]))


def print_pairs(rows: list[Row], least_runs: int = 1) -> None:
    """Arms against each other, in the runs that have both."""
    runs = defaultdict(set)
    for row in rows:
        runs[row["arm"]].add(row["run"])
    pairs = [pair for pair in PAIRS if len(runs[pair[0]] & runs[pair[1]]) >= least_runs]
    _print_head(*(f"{after} minus {before}" for before, after in pairs))
    for measure in MEASURES:
        found = [[cells(rows, arm, measure) for arm in pair] for pair in pairs]
        if all(len(before.keys() & after.keys()) >= least_runs for before, after in found):
            changes = (_show_change(estimate(after, before)) for before, after in found)
            print(" | ".join([measure, *changes]))


def compare_arms(rows: list[Row], kind: str) -> dict[str, list[Estimate]]:
    """What the planning paper says of its training, for every arm over all runs: completion in
    points, waiting and turns in percent."""
    own = [row for row in rows if row["kind"] == kind and row["level"] == "easy"]
    found = {}
    for arm in sorted({arm for pair in PAIRS for arm in pair} - {"shipped"}):
        changes = (
            estimate(cells(own, arm, measure), cells(own, "warm", measure), measure != "completion")
            for measure in ("completion", "waited", "turns")
        )
        found[arm] = [tuple(100 * value for value in change) for change in changes]
    return found


def print_means(rows: list[Row]) -> None:
    arms = sorted({row["arm"] for row in rows})
    _print_head(*arms)
    for measure in MEASURES:
        found = (estimate(cells(rows, arm, measure)) for arm in arms)
        print(" | ".join([measure, *("{:,.4g} [{:,.3g}, {:,.3g}]".format(*one) for one in found)]))


def _print_head(*columns: str) -> None:
    print("measure |", " | ".join(columns))
    print("---|", "|".join("---:" for _ in columns), sep="")


def _show_change(found: Estimate) -> str:
    return "{:+,.3g} [{:+,.3g}, {:+,.3g}]".format(*found)


def print_cut_off(steps: list[Row]) -> None:
    by_agent: dict[tuple[str, ...], list[float]] = defaultdict(list)
    for row in steps:
        if row["answered"]:
            by_agent[row["run"], row["arm"], row["seed"]].append(1 - float(row["answered"]))
    print("run | arm | seed | first | last")
    print("---|---|---:|---:|---:")
    for agent, shares in sorted(by_agent.items()):
        print(" | ".join(agent), f"| {shares[0]:.3f} | {shares[-1]:.3f}")


if __name__ == "__main__":
    main()
