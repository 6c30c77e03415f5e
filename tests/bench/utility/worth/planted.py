"""Planted tools whose worth is known: outcomes and bills are drawn, the true differences computed.

A task is solved alone or not, by the flip of a coin; the tool turns it round on a share of all
tasks. Afterwards every outcome is turned round with a chance of its own on either side, as models
do. Each part of the bill is drawn around its mean, tasks of their own size.

    python -m tests.bench.utility.worth.planted --repeats 100
"""

import argparse
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np
from msgspec import Struct

from agentdyno.pipelines.sources import ReadableLedger
from agentdyno_bench.utility.worth.results import Worth
from agentdyno_bench.utility.worth.study import WorthOptions, study_worth
from tests.pipelines.ledger_builder import LedgerRows

FLIPS = 0.02
"""Chance that an outcome is turned round by chance."""
ALONE = 3000.0
"""PTE of an attempt without the tool."""
SPREAD = 0.3


class Planted(Struct, frozen=True):
    """A tool by what it does."""

    name: str
    right: tuple[str, ...]
    """The verdicts that are no error, `undecided` apart."""
    turned: float
    """Share of tasks that it solves (above zero) or spoils (below)."""
    called: float
    """Share of tasks on which it is called."""
    menu: float
    """PTE of its schemas."""
    returned: float
    """PTE of the results of a task that calls it."""
    followed: float
    """What follows, as a multiple of an attempt without it."""

    @property
    def truth(self) -> dict[str, float]:
        """What changes without it: solved as a share, the bill in PTE."""
        bill = {
            "menu": -self.menu,
            "calls": -0.1 * self.called * self.returned,
            "returns": -self.called * self.returned,
            "what followed": ALONE * (1 - self.followed),
        }
        solved = -self.turned * (1 - 2 * FLIPS)
        return {"solved": solved, **bill, "pte": sum(bill.values())}


TOOLS = (
    Planted("worthless", ("drop",), 0.0, 0.3, 800.0, 600.0, 1.0),
    Planted("harmful", ("drop",), -0.15, 0.6, 800.0, 600.0, 1.1),
    Planted("useful", ("keep",), 0.15, 0.9, 200.0, 900.0, 1.0),
    Planted("useful, rarely called", ("defer",), 0.15, 0.2, 800.0, 600.0, 1.0),
    Planted("shortens the work", ("keep",), 0.0, 0.9, 100.0, 400.0, 0.6),
    Planted("no difference", (), 0.0, 0.0, 0.0, 0.0, 1.0),
)


def plant(tool: Planted, tasks: int, seed: int, folder: Path) -> Worth:
    """One experiment, written as a ledger of two variants and read as any other."""
    random = np.random.default_rng([seed, tasks, TOOLS.index(tool)])
    rows = LedgerRows()
    for task in range(tasks):
        alone = bool(random.random() < 0.5)
        # Of half of the tasks it can turn, twice the share is turned.
        turns = random.random() < 2 * abs(tool.turned) and alone == (tool.turned < 0)
        size = _around(1.0, random)
        extra = (tool.called - abs(tool.turned)) / (1 - abs(tool.turned))
        called = turns or random.random() < extra
        for variant, solved in (("with", alone ^ turns), ("without", alone)):
            flipped = bool(solved ^ (random.random() < FLIPS))
            bill = _draw_bill(tool, called, random) if variant == "with" else [ALONE]
            name, fields = f"{variant}{task}", {"variant": variant, "correct": flipped}
            total = size * (_around(bill[0], random) + sum(bill[1:]))
            rows.trajectory(name, total, benchmark="planted", task_id=str(task), **fields)
            rows.turn(name, 0, total)
            for kind, pte in zip(("schema", "request", "result"), bill[1:], strict=False):
                rows.part(name, kind, size * pte, name="tool")
            rows.part(name, "schema", 0.0, name="other")
    ledger = ReadableLedger(rows.write(folder))
    return study_worth(ledger, ledger, WorthOptions(), ("with", "without"))


def _around(mean: float, random: np.random.Generator) -> float:
    return mean * float(random.lognormal(-(SPREAD**2) / 2, SPREAD))


def _draw_bill(tool: Planted, called: bool, random: np.random.Generator) -> list[float]:
    """What follows, and schemas, requests and results of the tool, on a task of size 1."""
    returned = _around(tool.returned, random) if called else 0.0
    return [tool.followed * ALONE, tool.menu, 0.1 * returned, returned]


def covers(worth: Worth, truth: dict[str, float]) -> dict[str, bool]:
    """Of every difference that has an interval, whether the truth lies within."""
    bill = {part.metric.removesuffix(" pte"): part for part in worth.bill}
    ends = {name: (part.low, part.high) for name, part in bill.items()}
    solved = worth.metrics[0]
    ends["solved"] = (solved.low, solved.high)
    return {
        name: low <= truth[name] <= high
        for name, (low, high) in ends.items()
        if low is not None and high is not None
    }


def is_sign_right(worth: Worth, truth: dict[str, float]) -> bool:
    """Whether solved changed in the direction of the truth, where that has one."""
    return truth["solved"] == 0 or (worth.metrics[0].effect or 0.0) * truth["solved"] > 0


def repeat(tool: Planted, tasks: int, repeats: int) -> str:
    """One row of the table."""
    verdicts: Counter[str] = Counter()
    covered: dict[str, list[bool]] = {}
    signs = 0
    for seed in range(repeats):
        with tempfile.TemporaryDirectory() as folder:
            worth = plant(tool, tasks, seed, Path(folder) / "ledger")
        verdicts[worth.decision.verdict] += 1
        signs += is_sign_right(worth, tool.truth)
        for name, within in covers(worth, tool.truth).items():
            covered.setdefault(name, []).append(within)
    false = sum(verdicts.values()) - verdicts["undecided"] - sum(verdicts[v] for v in tool.right)
    shares = [
        f"{100 * np.mean(covered[name]):.0f}" if name in covered else ""
        for name in ("solved", "menu", "returns", "what followed", "pte")
    ]
    counts = ", ".join(f"{many} {verdict}" for verdict, many in verdicts.most_common())
    sign = f"{signs}" if tool.truth["solved"] else ""
    cells = (
        tool.name,
        tasks,
        f"{100 * tool.truth['solved'] + 0.0:+.1f} pt",
        sign,
        *shares,
        counts,
        false,
    )
    return f"| {' | '.join(map(str, cells))} |"


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--repeats", type=int, default=100)
    parser.add_argument("--tasks", type=int, nargs="+", default=[60, 400])
    chosen = parser.parse_args()
    for many in chosen.tasks:
        for planted in TOOLS:
            print(repeat(planted, many, chosen.repeats), flush=True)
