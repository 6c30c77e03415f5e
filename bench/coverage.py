"""How often 95 % intervals of a mean cost hold the truth: `python bench/coverage.py`.

Costs of tasks are drawn from distributions of known mean; the mean's interval is that of
`agentdyno.estimates.means.clustered_mean`. Prints, by number of tasks, coverage in percent and in
brackets the median width as a share of the mean; `--before` leaves the widening for few tasks out.
"""

import argparse
import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from agentdyno.estimates import few_skewed, means

Draw = Callable[[np.random.Generator, int], npt.NDArray[np.float64]]


def lognormal(sigma: float) -> tuple[Draw, float]:
    """Log-normal costs."""
    return (lambda rng, n: rng.lognormal(0.0, sigma, n)), math.exp(sigma**2 / 2)


COSTS: dict[str, tuple[Draw, float]] = {
    **{f"log-normal {sigma}": lognormal(sigma) for sigma in (0.5, 0.8, 1.0, 1.25, 1.5)},
    "gamma 1": ((lambda rng, n: rng.gamma(1.0, 1.0, n)), 1.0),
    "gamma 0.5": ((lambda rng, n: rng.gamma(0.5, 1.0, n)), 0.5),
    "Pareto 3": ((lambda rng, n: rng.pareto(3.0, n) + 1), 1.5),
}
TASKS = (10, 15, 20, 30, 60)


def coverage(name: str, tasks: int, repeats: int) -> tuple[float, float]:
    """Share of intervals that hold the truth, and their median width over the mean."""
    draw, truth = COSTS[name]
    rng = np.random.default_rng([tasks, list(COSTS).index(name)])
    names, ones = [f"{n:03}" for n in range(tasks)], np.ones(tasks)
    held, widths = 0, []
    for _ in range(repeats):
        found = means.clustered_mean(means.TaskSums(names, draw(rng, tasks), ones), resamples=799)
        assert found.low is not None
        assert found.high is not None
        assert found.value is not None
        held += found.low <= truth <= found.high
        widths.append((found.high - found.low) / found.value)
    return held / repeats, float(np.median(widths))


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=1500)
    parser.add_argument("--before", action="store_true")
    given = parser.parse_args()
    if given.before:
        few_skewed.ENOUGH = 0
    print(f"{'costs':16}" + "".join(f"{n:>14}" for n in TASKS))
    for name in COSTS:
        cells = [coverage(name, n, given.repeats) for n in TASKS]
        print(f"{name:16}" + "".join(f"{100 * c:7.1f} ({w:.2f})" for c, w in cells), flush=True)


if __name__ == "__main__":
    main()
