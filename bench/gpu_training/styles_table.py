"""The tables of the styles experiment, from its raw rows.

python bench/gpu_training/styles_table.py [FOLDER | both] [--pack RESULTS]

FOLDER has what a run of `styles.py` left, packed: one CSV of attempts and one of steps; `both`
pools two runs, each with a warm-up and trainings of its own, for what needs no warm-up. Every
change is paired by task. Its interval of 95 % is over tasks and seeds, both drawn with replacement,
one fewer than there are, so that the spread of three seeds is not too small (Rao and Wu 1988); an
arm with one seed knows of tasks only. Both sides of a change have the same tasks drawn, but each
its own seeds: trainings of the same seed share tasks and, where limits are the same, the attempts
of the first round, which three pairs are too few to count on.

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
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import chain, groupby
from pathlib import Path

import numpy as np

from agentdyno.cost.replay import Turn, load_of, replay_load
from agentdyno.cost.servings import Servings
from agentdyno.findings.scheduling.graph import critical_seconds
from agentdyno_bench.tps.tasks.dataset import load_bundled
from agentdyno_bench.tps.tasks.placing import graph_of

RUNS = [Path(__file__).parent / "styles" / day for day in ("2026-11-17", "2026-11-18")]
HERE = RUNS[-1]
AT_ONCE = 16
MEASURES = ("completion", "solved", "turns", "waited", "over_path", "pte", "gpu_seconds", "harms",
            "calls", "failed", "generated", "depth", "cut_off")  # fmt: skip
DERIVED = ("over_path", "gpu_seconds", "cut_off")
AGENT = ("arm", "seed", "level")
BATCH = (*AGENT, "kind", "sample")
"""Attempts that an agent made side by side."""
FIELDS = (*BATCH, "task", *(name for name in MEASURES if name not in DERIVED), "parallelism",
          "stopped", "tokens")  # fmt: skip
ARMS = ("0.0-loose", "0.0-tight", "0.5-loose", "0.5-tight")
"""Weight on parallelism, limits of turns and tokens."""
PAIRS = (
    ("0.0-loose", "0.5-loose"),
    ("0.0-tight", "0.5-tight"),
    ("0.0-loose", "0.0-tight"),
    ("0.5-loose", "0.5-tight"),
)
"""What the weight adds under either limit, and what the limit does under either weight."""
CREDITS = (
    ("faults-shipped", "faults-attempt"),
    ("faults-shipped", "faults-goal"),
    ("faults-attempt", "faults-goal"),
)
KINDS = {"Easy, greedy": ("easy", "greedy"), "Easy, sampled": ("easy", "sampled"),
         "Hard, greedy": ("hard", "greedy")}  # fmt: skip
STEP_FIELDS = {
    "step": "step", "reward": "reward", "world/completion": "completion", "world/turns": "turns",
    "world/parallelism": "parallelism", "world/answered": "answered", "entropy": "entropy",
    "grad_norm": "gradient",
}  # fmt: skip
DRAWS = 2000

Row = dict[str, str]
Cells = dict[str, dict[str, list[float]]]
"""By seed and task: the values of its attempts."""
Estimate = tuple[float, float, float]
"""With the ends of its interval."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=HERE)
    parser.add_argument("--pack", type=Path, help="results of styles.py to put into the folder")
    given = parser.parse_args()
    if given.pack:
        pack(given.pack, given.folder)
    if str(given.folder) == "both":
        print_both()
    else:
        print_all(given.folder)


def print_both() -> None:
    rows = pool_runs()
    for title in KINDS:
        print(f"\n{title}, both runs:")
        own = of_kind(rows, title)
        print_table(own, ("shipped",), [*PAIRS, *(("shipped", arm) for arm in ARMS)])
    for title in list(KINDS)[:2]:
        print(f"\n{title}, where services fail, both runs:")
        print_table(of_kind(rows, title), ("faults-shipped",), CREDITS)


def pool_runs() -> list[Row]:
    """Attempts of both runs. Trainings of the second are other trainings than those of the same
    seed in the first: they begin elsewhere and draw otherwise, so they get other numbers."""
    found: list[Row] = []
    for number, folder in enumerate(RUNS):
        rows = read_attempts(folder)
        found += [row | {"seed": str(int(row["seed"]) + 3 * number)} for row in rows]
    return found


def print_all(folder: Path) -> None:
    rows = read_attempts(folder)
    for title in KINDS:
        own = of_kind(rows, title)
        print(f"\n{title}, against the warm-up:")
        print_table(own, ("shipped", "warm"), [("warm", arm) for arm in ARMS])
        if title != "Hard, greedy":
            print(f"\n{title}, weight and limits:")
            print_table(own, (), PAIRS)
        print(f"\n{title}, against the shipped adapter:")
        print_table(own, (), [("shipped", arm) for arm in ARMS])
    for title in KINDS:
        if any(row["arm"] == "faults-attempt" for row in of_kind(rows, title)):
            print(f"\n{title}, where services fail:")
            print_table(of_kind(rows, title), ("faults-shipped",), CREDITS)
    print("\nEasy, greedy, every training alone against the shipped adapter in the same world:\n")
    print_trainings(of_kind(rows, "Easy, greedy"))
    print("\nAttempts of training that were cut off, and steps that changed the weights:\n")
    print_cut_off(read_rows(folder / "steps.csv.gz"))


def of_kind(rows: list[Row], title: str) -> list[Row]:
    return [row for row in rows if (row["level"], row["kind"]) == KINDS[title]]


def pack(results: Path, folder: Path) -> None:
    """Rows of every agent as two small files; what is there of other agents is kept."""
    read = (json.loads(path.read_text()) for path in sorted(results.glob("rows-*.json")))
    found = [one for one in read if one]
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
        old = read_rows(path) if path.exists() else []
        kept = [row for row in old if tuple(_agent(row).values()) not in new]
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


@cache
def read_attempts(folder: Path) -> list[Row]:
    """The rows with what follows from them and the tasks."""
    rows = read_rows(folder / "attempts.csv.gz")
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
    found: Cells = defaultdict(lambda: defaultdict(list))
    for row in rows:
        if row["arm"] == arm and row[measure]:
            found[row["seed"]][row["task"]].append(float(row[measure]))
    return found


def estimate(after: Cells, before: Cells | None = None, relative: bool = False) -> Estimate:
    """Mean or mean change, in shares of what it was before if relative, with its interval."""
    found = _draw_means(after, 1)
    if before is not None:
        tasks = {frozenset(by) for side in (after, before) for by in side.values()}
        if len(tasks) != 1:
            raise ValueError("expected attempts at the same tasks on both sides")
        start = _draw_means(before, 2)
        found = found / start - 1 if relative else found - start
    low, high = np.quantile(found[1:], (0.025, 0.975))
    mean, low, high = (round(float(value), 12) + 0.0 for value in (found[0], low, high))
    return mean, low, high


def _draw_means(found: Cells, side: int) -> np.ndarray:
    """The mean over seeds and tasks, as found and then as drawn."""
    seeds = [found[seed] for seed in sorted(found)]
    values = np.array([[statistics.fmean(by[task]) for task in sorted(by)] for by in seeds])
    return (draw(len(seeds), side) @ values * draw(values.shape[1], 0)).sum(axis=1)


@cache
def draw(n: int, what: int) -> np.ndarray:
    """What each of n counts: first all alike, then as drawn. Tasks (0) are the same for all."""
    drawn = np.random.default_rng([n, what]).multinomial(max(n - 1, 1), [1 / n] * n, size=DRAWS)
    return np.vstack([np.ones(n) / n, drawn / max(n - 1, 1)])


def print_table(rows: list[Row], means: Sequence[str], pairs: Sequence[tuple[str, str]]) -> None:
    """A line for every measure: of some agents the mean, of pairs the change from the first."""
    heads = [f"{after} minus {before}, {_seeds(rows, after)}" for before, after in pairs]
    print("\nmeasure |", " | ".join([*means, *heads]))
    print("---|", "|".join("---:" for _ in (*means, *pairs)), sep="")
    for measure in MEASURES:
        of = partial(cells, rows, measure=measure)
        if not all(of(arm) for arm in (*means, *chain.from_iterable(pairs))):
            continue  # Depth is of greedy attempts alone.
        line = [f"{estimate(of(arm))[0]:,.4g}" for arm in means]
        changes = (estimate(of(after), of(before)) for before, after in pairs)
        print(" | ".join([measure, *line, *map(_show_change, changes)]))


def print_trainings(rows: list[Row]) -> None:
    """What decides whether one of them is shipped."""
    measures = ("completion", "solved", "waited", "over_path", "harms")
    print("training |", " | ".join(measures))
    print("---|", "|".join("---:" for _ in measures), sep="")
    for arm in ("reinforced", *ARMS, *(after for _, after in CREDITS[:2])):
        shipped = "faults-shipped" if arm.startswith("faults") else "shipped"
        for seed in sorted({row["seed"] for row in rows if row["arm"] == arm}):
            both = [row for row in rows if row["arm"] == shipped or row["seed"] == seed]
            changes = (estimate(*(cells(both, one, m) for one in (arm, shipped))) for m in measures)
            print(" | ".join([f"{arm}-{seed}", *map(_show_change, changes)]))


def _show_change(found: Estimate) -> str:
    return "{:+,.3g} [{:+,.3g}, {:+,.3g}]".format(*found)


def _seeds(rows: list[Row], arm: str) -> str:
    return "seeds: " + ", ".join(sorted({row["seed"] for row in rows if row["arm"] == arm}))


def compare_arms(rows: list[Row], title: str) -> dict[str, list[Estimate]]:
    """What the planning paper says of its training, for every arm: completion in points, waiting
    and turns in percent."""
    own, found = of_kind(rows, title), {}
    for arm in ARMS:
        changes = (
            estimate(cells(own, arm, measure), cells(own, "warm", measure), measure != "completion")
            for measure in ("completion", "waited", "turns")
        )
        found[arm] = [tuple(100 * value for value in change) for change in changes]
    return found


def print_cut_off(steps: list[Row]) -> None:
    by_agent: dict[tuple[str, ...], list[Row]] = defaultdict(list)
    for row in steps:
        by_agent[row["arm"], row["seed"]].append(row)
    print("arm | seed | first | last | all | steps")
    print("---|---:|---:|---:|---:|---:")
    for agent, own in sorted(by_agent.items()):
        shares = [1 - float(row["answered"]) for row in own if row["answered"]]
        cut = (shares[0], shares[-1], statistics.fmean(shares))
        changed = sum(bool(row["gradient"]) for row in own)
        print(" | ".join([*agent, *(f"{share:.3f}" for share in cut), str(changed)]))


if __name__ == "__main__":
    main()
