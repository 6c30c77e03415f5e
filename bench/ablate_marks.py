"""Leaves out each rule by which planning answers are read, fits again, and says what it costs.

    python -m bench.ablate_marks [NAME …]

A rule is a method of the readers of an answer that may find nothing (a bool, a list, None), or all
cues of a stance. Without it the wordings are read again and each author is left out of a new fit
(`fit_commitment`). Printed are the shares of what does not commit that earns its slot where .95
and .96 of what commits do, and of the answers of the tests the lowest sum of one that commits and
the highest of one that does not. A rule whose removal changes none of it may go if
the slow tests of the marks pass without it.
"""

import sys
from collections.abc import Iterator
from typing import Any

from bench.ablate_rules import can_say_no, forget, silence
from bench.fit_commitment import hold_out, load_cases, price, read, tabulate, training_tasks

from agentdyno.matching.commitments import stance
from agentdyno_bench.tps.outcomes.answering import Text
from agentdyno_bench.tps.outcomes.choosing import Choice
from agentdyno_bench.tps.outcomes.parallels import Parallels
from agentdyno_bench.tps.outcomes.subjects import Placing

KEPT = {"Text._find", "Text._doubt", "Text.describe", "Placing.places_of", "Placing._contexts",
        "Placing._find_contexts"}  # fmt: skip
"""Without these nothing is read."""


def main(names: list[str]) -> None:
    """Prints a line for each rule, after one with all of them."""
    rules = {f"{owner.__name__}.{key}": (owner, key, value) for owner, key, value in _rules()}
    _measure("all rules")
    for name, (owner, key, without) in rules.items():
        if name not in KEPT and (not names or name in names):
            whole = getattr(owner, key)
            setattr(owner, key, without)
            _measure(f"without {name.rpartition('commitments.')[2]}")
            setattr(owner, key, whole)


def _rules() -> Iterator[tuple[Any, str, Any]]:
    for owner in (Text, Choice, Placing, Parallels):
        for key, value in vars(owner).items():
            if not key.startswith("__") and can_say_no(value):
                yield owner, key, silence(value)
    yield stance, "CUES", ()


def _measure(label: str) -> None:
    forget()
    cases = list(load_cases())
    rows = [row for task in training_tasks() for row in read(task, cases)]
    table = tabulate(rows)
    authors, sums = hold_out(rows, table)
    commits, tests = table.commits > 0, authors == "tests"
    outside = [len(name) == 1 for name in authors]
    prices = [price(sums[outside], commits[outside], share)[1] for share in (0.95, 0.96)]
    ends = sums[tests & commits].min(), sums[tests & ~commits].max()
    print(f"{label:34} {prices[0]:.3f} {prices[1]:.3f} {ends[0]:6.2f} {ends[1]:6.2f}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
