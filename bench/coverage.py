"""How often 95 % intervals of costs hold the truth, and gates are decided as promised.

    python bench/coverage.py means     a mean, `agentdyno.estimates.means.clustered_mean`
    python bench/coverage.py pairs     differences and ratios, `agentdyno.estimates.paired`
    python bench/coverage.py gates     following the advice of `agentdyno.estimates.limits`

Costs of tasks are drawn from distributions of known mean; `--traces FILE` adds one that draws from
the PTE of a file's own trajectories. The second side of a pair costs `factor` times as much, both
sides scattered by `within` (sigma of the logs). Prints coverage in percent by number of tasks,
and for means in brackets the median width as a share of the mean. For gates: a pilot that cannot
decide a limit is continued by as many tasks as the advice says, and the share that is decided then
is printed, over all true factors (`each` shows them one by one), with the median number of tasks.
`--before` leaves the widening for few skewed tasks out, and advises by the power at the estimate.
"""

import argparse
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from agentdyno.estimates import few_pairs, few_skewed, means
from agentdyno.estimates.estimate import Estimate
from agentdyno.estimates.limits import judge_limit
from agentdyno.estimates.paired import paired_difference, paired_ratio

Vector = npt.NDArray[np.float64]
Draw = Callable[[np.random.Generator, int], Vector]


def lognormal(sigma: float) -> tuple[Draw, float]:
    """Log-normal costs."""
    return (lambda rng, n: rng.lognormal(0.0, sigma, n)), math.exp(sigma**2 / 2)


def mixture(share: float, times: float) -> tuple[Draw, float]:
    """Log-normal costs of which a share is so many times higher."""

    def draw(rng: np.random.Generator, n: int) -> Vector:
        drawn: Vector = np.where(rng.random(n) < share, times, 1.0) * rng.lognormal(0.0, 0.5, n)
        return drawn

    return draw, (1 + share * (times - 1)) * math.exp(0.125)


COSTS: dict[str, tuple[Draw, float]] = {
    **{f"log-normal {sigma}": lognormal(sigma) for sigma in (0.5, 0.8, 1.0, 1.25, 1.5)},
    "gamma 1": ((lambda rng, n: rng.gamma(1.0, 1.0, n)), 1.0),
    "gamma 0.5": ((lambda rng, n: rng.gamma(0.5, 1.0, n)), 0.5),
    "Pareto 3": ((lambda rng, n: rng.pareto(3.0, n) + 1), 1.5),
    "1 in 5 tenfold": mixture(0.2, 10.0),
}
TASKS = (10, 15, 20, 30, 60)
WITHIN = (0.3, 0.5, 1.0)
LIMIT, FACTORS, MOST = 1.1, (0.9, 1.0, 1.05, 1.2, 1.3, 1.5), 5000
"""A gate of +10 %, true factors on both sides of it, and the most tasks that a simulation draws."""
NAMES = [f"{n:06}" for n in range(MOST)]


def add_traces(path: Path) -> None:
    """Costs drawn from what the trajectories of a file cost."""
    from agentdyno.cost.engines import MeterOptions
    from agentdyno.cost.tables import measure_costs
    from agentdyno.intake.format import choose_format, load_formats
    from agentdyno.intake.head import Head
    from agentdyno.intake.source import Source
    from agentdyno.pipelines.meter import build_meter
    from agentdyno.records import Trajectory

    format = choose_format(Head(path), load_formats())
    assert format is not None, f"{path}: no format recognises it"
    items = [item for item in format.read(Source(path, path.name)) if isinstance(item, Trajectory)]
    meter = build_meter(MeterOptions(arch="qwen3-32b", hardware="h100-pcie", cache="kept"))
    costs = measure_costs(items, meter)["trajectories"]["pte"].drop_nulls().to_numpy()
    print(f"{path.name}: {len(costs)} trajectories, sigma of the logs {np.log(costs).std():.2f}")
    COSTS["traces"] = (lambda rng, n: rng.choice(costs, n)), float(costs.mean())


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


def draw_pair(
    rng: np.random.Generator, name: str, tasks: int, within: float, factor: float
) -> tuple[Vector, Vector]:
    """Costs of both sides; neither side's scatter moves its mean."""
    costs = COSTS[name][0](rng, tasks)
    first, second = np.exp(rng.normal(-(within**2) / 2, within, (2, tasks)))
    return costs * first, factor * costs * second


def estimate_pair(of: Callable[..., Estimate], first: Vector, second: Vector) -> Estimate:
    """A paired effect of two columns."""
    names, ones = NAMES[: len(first)], np.ones(len(first))
    sides = [means.TaskSums(names, side, ones) for side in (first, second)]
    return of(*sides, resamples=799)


def cover_pairs(name: str, tasks: int, repeats: int) -> tuple[float, float]:
    """Coverage of a difference and of a ratio, the lower of no change and of one by half."""
    lowest = np.ones(2)
    for factor in (1.0, 1.5):
        rng = np.random.default_rng([tasks, list(COSTS).index(name), int(factor * 10)])
        held, truths = np.zeros(2), ((factor - 1) * COSTS[name][1], factor)
        for turn in range(repeats):
            sides = draw_pair(rng, name, tasks, WITHIN[turn % len(WITHIN)], factor)
            for which, of in enumerate((paired_difference, paired_ratio)):
                found = estimate_pair(of, *sides)
                assert found.low is not None
                assert found.high is not None
                held[which] += found.low <= truths[which] <= found.high
        lowest = np.minimum(lowest, held / repeats)
    return float(lowest[0]), float(lowest[1])


def follow_advice(name: str, tasks: int, factor: float, repeats: int) -> tuple[list[bool], float]:
    """Of pilots that decide nothing: whether the advised number of tasks did, and its median."""
    rng = np.random.default_rng([tasks, list(COSTS).index(name), int(factor * 100)])
    decided, numbers = [], []
    while len(decided) < repeats:
        pilot = np.array(draw_pair(rng, name, tasks, 0.5, factor))
        more = _judge(*pilot)
        if more is None:
            continue
        total = min(tasks + more, MOST)
        further = np.array(draw_pair(rng, name, total - tasks, 0.5, factor))
        decided.append(_judge(*np.hstack([pilot, further])) is None)
        numbers.append(total)
    return decided, float(np.median(numbers))


def _judge(first: Vector, second: Vector) -> int | None:
    """More tasks that are needed on the log scale, None where the gate is decided."""
    found = estimate_pair(paired_ratio, first, second)
    assert found.value is not None
    assert found.low is not None
    assert found.high is not None
    ends = [math.log(end) for end in (found.value, found.low, found.high)]
    logs = Estimate(*ends, n=found.n, method=found.method)
    verdict = judge_limit(logs, math.log(LIMIT), "above")
    if verdict.state != "inconclusive":
        return None
    return verdict.more_tasks_needed if few_pairs.ENOUGH else _power_at_estimate(*ends, len(first))


def _power_at_estimate(value: float, low: float, high: float, n: int) -> int:
    """The advice before: more tasks for a power of 80 % if the true value is the estimate."""
    limit = math.log(LIMIT)
    reach = value - low if value > limit else high - value
    return max(1, math.ceil(n * ((1.4294 * reach / abs(value - limit)) ** 2 - 1)))


def print_means(repeats: int) -> None:
    for name in COSTS:
        cells = [coverage(name, n, repeats) for n in TASKS]
        print(f"{name:16}" + "".join(f"{100 * c:7.1f} ({w:.2f})" for c, w in cells), flush=True)


def print_pairs(repeats: int) -> None:
    print("difference / ratio")
    for name in COSTS:
        cells = [cover_pairs(name, n, repeats) for n in TASKS]
        shares = "".join(f"{100 * d:7.1f}/{100 * r:5.1f} " for d, r in cells)
        print(f"{name:16}" + shares, flush=True)


def print_gates(repeats: int) -> None:
    for name in COSTS:
        line = f"{name:16}"
        for n in (20, 60):
            found = [follow_advice(name, n, factor, repeats) for factor in FACTORS]
            shares = [float(np.mean(decided)) for decided, _ in found]
            number = np.median([number for _, number in found])
            each = " ".join(f"{100 * share:.0f}" for share in shares)
            line += f"  n={n}: {100 * np.mean(shares):.1f} (each {each}; {number:.0f} tasks)"
        print(line, flush=True)


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    tables = {"means": print_means, "pairs": print_pairs, "gates": print_gates}
    parser.add_argument("what", choices=tables)
    parser.add_argument("--repeats", type=int, default=1500)
    parser.add_argument("--traces", type=Path)
    parser.add_argument("--only", choices=tuple(COSTS), action="append")
    parser.add_argument("--before", action="store_true")
    given = parser.parse_args()
    if given.before:
        few_skewed.ENOUGH = few_pairs.ENOUGH = 0
    if given.traces:
        add_traces(given.traces)
    for name in set(COSTS) - set(given.only or COSTS) - {"traces"}:
        del COSTS[name]
    if given.what != "gates":
        print(f"{'costs':16}" + "".join(f"{n:>14}" for n in TASKS))
    tables[given.what](given.repeats)


if __name__ == "__main__":
    main()
