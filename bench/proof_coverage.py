"""How often the interval of `agentdyno proof` holds a true effect, over scripted months.

    python bench/proof_coverage.py [--months 200] [--seed 1]

A month: sessions of three projects on 28 days, of one to twenty prompts, whose costs grow with the
prompts, differ by project and scatter by a factor; in the middle a change takes effect and work
shifts to longer sessions. Prints for each true effect the share of the months in which the 95 %
interval holds it, the mean width, and the share of verdicts. Nothing here goes through a reader.
"""

import argparse
import math
from collections import Counter

import numpy as np
import polars as pl

from agentdyno.estimates.proportions import wilson
from agentdyno.studies.proof import judge_ratio, stratified_ratio

PROJECTS = (0.5, 1.0, 3.0)
SCATTER = 0.6


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--months", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    random = np.random.default_rng(given.seed)
    print("sessions  true  covered  95 % of that  mean width  unmatched  verdicts")
    for many in (40, 150):
        for effect in (0.6, 0.8, 0.95, 1.0, 1.2):
            tally(random, many, effect, given.months)


def tally(random: np.random.Generator, many: int, effect: float, months: int) -> None:
    """One row."""
    held, widths, naive, verdicts = 0, [], [], Counter[str]()
    without = 0
    for _ in range(months):
        rows = draw_month(random, many, effect)
        both = rows.filter(pl.col("after").n_unique().over("task") == 2)
        found = stratified_ratio(both)
        verdicts[judge_ratio(found)] += 1
        means = [rows.filter(pl.col("after") == late)["cost"].mean() for late in (True, False)]
        naive.append(float(means[0]) / float(means[1]))  # type: ignore[arg-type]
        if found.low is None or found.high is None:
            without += 1
            continue
        held += found.low <= effect <= found.high
        widths.append(found.high / found.low)
    share = wilson(held, months - without)
    interval = f"[{share.low or 0:.2f}, {share.high or 0:.2f}]"
    width = math.exp(np.log(widths).mean())
    said = ", ".join(f"{name} {count}" for name, count in verdicts.most_common())
    print(
        f"{many:8} {effect:5}  {share.value or 0:7.3f}  {interval}  {width:9.2f}x"
        f" {np.mean(naive):10.2f}  {said}{f', {without} without one' if without else ''}"
    )


def draw_month(random: np.random.Generator, many: int, effect: float) -> pl.DataFrame:
    """Sessions with their cost, stratum and side."""
    day = random.uniform(0, 28, many)
    late = day >= 14
    project = random.integers(0, len(PROJECTS), many)
    longest = np.where(late, 20, 12)
    prompts = np.ceil(longest * random.uniform(0, 1, many) ** 2).astype(int)
    scatter = np.exp(random.normal(0, SCATTER, many))
    cost = np.array(PROJECTS)[project] * prompts**0.9 * scatter * np.where(late, effect, 1.0)
    size = np.floor(np.log2(prompts + 1)).astype(int)
    task = [f"{one} {other}" for one, other in zip(project, size, strict=True)]
    return pl.DataFrame({"cost": cost, "task": task, "after": late})


if __name__ == "__main__":
    main()
