"""Fits what tells an answer that commits to a value (`tps/outcomes/committing.json`).

    python -m bench.fit_commitment [--check]

Reads the wordings of outside authors (`tests/data/cases/bench/tps/wordings`), those written for
training only (`training_wordings.jsonl`), and the cheats, helpful answers and rewordings of the
tests, each filled with training tasks. For each outside author the model is fitted on all the
others; the printed table is what can be expected of an author who is not among these. Then it is
fitted on everything and written; with `--check` only compared with what is stored.
"""

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix
from tests.bench.tps.outcomes.answers import CHEATS, HELPFUL, Form, each
from tests.bench.tps.outcomes.reference import run_of
from tests.bench.tps.outcomes.rewording import WORDINGS, Wording

import agentdyno_bench.tps.outcomes as outcomes
from agentdyno_bench.tps.outcomes.answering import Text
from agentdyno_bench.tps.outcomes.evidence import Seen
from agentdyno_bench.tps.outcomes.goals import goals_of
from agentdyno_bench.tps.outcomes.replaying import replay
from agentdyno_bench.tps.tasks.dataset import load_bundled
from agentdyno_bench.tps.tasks.execution import PlanRun
from agentdyno_bench.tps.tasks.stages import read_request
from agentdyno_bench.tps.tasks.values import CompoundTask
from agentdyno_bench.tps.world.directory import DEFAULT_SEED

FOLDER = Path("tests/data/cases/bench/tps")
STORED = Path(outcomes.__file__).parent / "committing.json"
STEP = 80
"""Every so many training tasks are answered."""
RIDGE = {"word": 0.2, "class": 0.2, "form": 0.1, "bias": 0.003}
ORDINARY = 3.0
"""Weight of an answer of the tests; a wording has 1."""
FEWEST = 3
"""Wordings that have a feature, below which it gets no weight."""
SMALLEST = 0.03
"""Weights below this are left out."""
NO, YES = -2.5, -0.72
"""Chosen on the printed table."""
NOT_OF_WORDS = ("wrong goals", "another unit", "below plan")
"""Answers of the tests that are about something else."""
Floats = np.ndarray[tuple[int, ...], np.dtype[np.float64]]


class Case(NamedTuple):
    """A wording."""

    author: str
    name: str
    commits: bool
    form: Form


class Row(NamedTuple):
    """A wording in the answer to a task, for one of its goals."""

    case: Case
    features: dict[str, float] | None
    """None where the value is not found, or stands for another goal."""
    before: bool
    """Whether it earns the slot by form alone."""


class Table(NamedTuple):
    """Rows as a matrix."""

    names: list[str]
    features: csr_matrix
    commits: Floats
    weights: Floats


def main(check: bool) -> None:
    """Prints the table of held-out authors, and writes or compares the weights."""
    cases = list(load_cases())
    rows = [row for task in training_tasks() for row in read(task, cases)]
    table = tabulate(rows)
    _print_held_out(rows, table)
    stored = _store(table, fit(table, table.weights > 0))
    if check:
        same = STORED.read_text("utf-8") == stored
        print("as stored" if same else "not as stored")
        sys.exit(not same)
    STORED.write_text(stored, "utf-8")


def load_cases() -> Iterator[Case]:
    """Every wording, in a fixed order."""
    for path in [
        *sorted((FOLDER / "wordings").glob("*.jsonl")),
        FOLDER / "training_wordings.jsonl",
    ]:
        for line in path.read_text("utf-8").splitlines():
            name, commits, words, head, tail = json.loads(line)
            form = each(words, head and head + "\n", tail and "\n" + tail)
            yield Case(path.stem, name, commits, form)
    for forms, commits in ((HELPFUL, True), (CHEATS, False)):
        for name, form in forms.items():
            if name not in NOT_OF_WORDS:
                yield Case("tests", name, commits, form)
    for name, wording in WORDINGS.items():
        yield Case("tests", name, True, _reword(wording))
    yield Case("tests", "reference", True, lambda task, run: run.answer)


def _reword(wording: Wording) -> Form:
    def form(task: CompoundTask, run: PlanRun) -> str:
        wishes = [(w.asks.partition(": say")[0], w.slot) for w in task.wishes if w.slot]
        return "\n".join(f"{goal}: {wording(slot)}" for goal, slot in wishes)

    return form


def training_tasks() -> list[CompoundTask]:
    """Tasks of some goals and one message."""
    tasks = load_bundled("train").tasks
    few = [t for t in tasks if 2 <= len(goals_of(t)) <= 4 and not t.follow_ups]
    return few[::STEP]


def read(task: CompoundTask, cases: Sequence[Case]) -> Iterator[Row]:
    """Every wording in an answer to a task; its goals take turns."""
    run, goals = run_of(task), goals_of(task)
    seen = Seen(replay(run.calls, DEFAULT_SEED, 0.0).answered)
    for number, case in enumerate(cases):
        if answer := case.form(task, run):
            text = Text(answer, goals, read_request(task), seen)
            goal = goals[number % len(goals)]
            features = text.describe(goal)
            before = features is not None and "form states" in features
            yield Row(case, features and {"bias": 1.0, **features}, before)


def tabulate(rows: Sequence[Row]) -> Table:
    users: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for row in rows:
        for name in row.features or ():
            users[name].add(row.case[:2])
    names = sorted(name for name, cases in users.items() if len(cases) >= FEWEST)
    place = {name: number for number, name in enumerate(names)}
    cells = [
        (value, number, place[name])
        for number, row in enumerate(rows)
        for name, value in (row.features or {}).items()
        if name in place
    ]
    values, lines, columns = zip(*cells, strict=True)
    read = Counter(row.case[:2] for row in rows if row.features)
    return Table(
        names,
        csr_matrix((values, (lines, columns)), shape=(len(rows), len(names))),
        np.array([row.case.commits for row in rows], float),
        np.array([_weight(row.case) / read[row.case[:2]] if row.features else 0 for row in rows]),
    )


def _weight(case: Case) -> float:
    return ORDINARY if case.author == "tests" else 1.0


def fit(table: Table, chosen: Floats) -> Floats:
    """A logistic regression with a ridge."""
    features, aims, weights = table.features[chosen], table.commits[chosen], table.weights[chosen]
    across = features.T.tocsr()
    ridge = np.array([RIDGE[_kind(name)] for name in table.names])

    def loss(point: Floats) -> tuple[float, Floats]:
        sums = features @ point
        missed = (weights * (np.logaddexp(0, sums) - aims * sums)).sum()
        slope = across @ (weights * (1 / (1 + np.exp(-sums)) - aims)) + ridge * point
        return missed + 0.5 * (ridge * point**2).sum(), slope

    start = np.zeros(len(table.names))
    return minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 150}).x


def _kind(name: str) -> str:
    if name == "bias":
        return name
    plain = name.startswith(("form ", "shape ", "if ", "others"))
    return "form" if plain else "class" if "@" in name else "word"


def hold_out(rows: Sequence[Row], table: Table) -> tuple[Floats, Floats]:
    """The authors of the rows, and the sums of each outside author by a fit without them; those of
    the tests by the fit with everything."""
    authors = np.array([row.case.author for row in rows])
    sums, read = np.full(len(rows), -np.inf), table.weights > 0
    for name in {name for name in authors if len(name) == 1}:
        mine = (authors == name) & read
        sums[mine] = table.features[mine] @ fit(table, (authors != name) & read)
    own = read & (authors == "tests")
    sums[own] = table.features[own] @ fit(table, read)
    return authors, sums


def price(sums: Floats, commits: Floats, share: float) -> tuple[float, float]:
    """The sum above which a share of what commits lies, and the share of what does not."""
    at = np.quantile(sums[commits], 1 - share)
    return at, (sums[~commits] > at).mean()


def _print_held_out(rows: Sequence[Row], table: Table) -> None:
    """What either kind earns, before and after, and is unclear, by author who was left out."""
    authors, sums = hold_out(rows, table)
    print("author  do not commit: before, earn, unclear  commit: before, earn, unclear")
    outside = sorted({name for name in authors if len(name) == 1})
    for name in outside:
        _print_line(name, rows, sums, authors == name)
    every = np.isin(authors, outside)
    _print_line("all", rows, sums, every)
    for share in (0.97, 0.95, 0.93, 0.9, 0.85):
        at, others = price(sums[every], table.commits[every] > 0, share)
        print(f"{share:.0%} of what commits earn at {at:.2f}, and {others:.3f} of what does not")
    _print_line("tests", rows, sums, authors == "tests")


def _print_line(name: str, rows: Sequence[Row], sums: Floats, chosen: Floats) -> None:
    shares = []
    for commits in (False, True):
        mine = chosen & np.array([row.case.commits is commits for row in rows])
        before = np.array([row.before for row in rows])[mine].mean()
        unclear = (sums[mine] >= NO) & (sums[mine] < YES)
        shares.append(f"{before:.3f} {(sums[mine] >= YES).mean():.3f} {unclear.mean():.3f}")
    print(f"{name:6}", *shares, sep="   ", flush=True)


def _store(table: Table, weights: Floats) -> str:
    kept = {
        name: round(float(weight), 2)
        for name, weight in zip(table.names, weights, strict=True)
        if abs(weight) >= SMALLEST
    }
    lines = ",\n".join(f"{json.dumps(k, ensure_ascii=False)}: {v}" for k, v in kept.items())
    return f'{{"no": {NO}, "yes": {YES}, "weights": {{\n{lines}}}}}\n'


if __name__ == "__main__":
    main("--check" in sys.argv[1:])
