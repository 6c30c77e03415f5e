"""How often a gate on the bill and one on the typical task decide, and raise a false alarm.

    python bench/gate_power.py [--repeats 2000] [--tasks 10 20 50] [--limit 5]

Tasks cost log-normal amounts (`--between`: sigma of their logs), and every run scatters around its
task's cost with a sigma of `--within`: log-normally, with a long tail of expensive runs on both
sides, or in B alone. Prints the share of comparisons in which `usd<=+5%` and `usd:typical<=+5%` are
broken: rightly where B costs 40 % more, wrongly where it costs what the limit allows or as much as
A. With intervals of 95 % a limit that is exactly met should be called broken in 2.5 %. A tail in B
alone moves the mean by itself, so only the typical task is asked about there.
"""

import argparse
import math

import numpy as np
import numpy.typing as npt

from agentdyno.studies.comparison.gates import parse_gate
from agentdyno.studies.comparison.judging import judge_gate
from agentdyno.studies.comparison.pairing import ByTask, Pairing

Vector = npt.NDArray[np.float64]

BOTH = ("usd", "usd:typical")
SCATTERS = {"log-normal": BOTH, "long tail": BOTH, "long tail in B": ("usd:typical",)}
"""How runs scatter, and the gates that are asked."""


def scatter(rng: np.random.Generator, kind: str, tasks: int) -> tuple[Vector, Vector]:
    """Logs of A's and of B's runs around their task's, of mean 0 and deviation 1."""
    normal, tailed = rng.normal(0.0, 1.0, (2, tasks)), rng.exponential(1.0, (2, tasks)) - 1
    first = tailed[0] if kind == "long tail" else normal[0]
    return first, normal[1] if kind == "log-normal" else tailed[1]


def draw(
    rng: np.random.Generator, kind: str, tasks: int, change: float, given: argparse.Namespace
) -> Pairing:
    """Two sides on the same tasks, one run each."""
    hard = rng.normal(0.0, given.between, tasks)
    a, b = (np.exp(hard + given.within * around) for around in scatter(rng, kind, tasks))
    first, second = _by_task(a), _by_task(change * b)
    return Pairing({"usd": first}, {"usd": second}, {"usd": second}, True, "")


def _by_task(costs: Vector) -> ByTask:
    return {str(task): [float(cost)] for task, cost in enumerate(costs)}


def share_broken(
    kind: str, gate: str, tasks: int, change: float, given: argparse.Namespace
) -> float:
    """Over the repeats; both gates see the same draws."""
    parsed, rng = parse_gate(gate), np.random.default_rng([20261118, tasks])
    states = [
        judge_gate(parsed, draw(rng, kind, tasks, change, given), 0.95).state
        for _ in range(given.repeats)
    ]
    return states.count("broken") / given.repeats


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--repeats", type=int, default=2000)
    parser.add_argument("--tasks", type=int, nargs="+", default=[10, 20, 50])
    parser.add_argument("--limit", type=float, default=5.0)
    parser.add_argument("--between", type=float, default=1.0)
    parser.add_argument("--within", type=float, default=0.3)
    given = parser.parse_args()
    print("| runs scatter | B costs | gate |" + "".join(f" {n} tasks |" for n in given.tasks))
    print("|---|---|---|" + "---:|" * len(given.tasks))
    for kind, gates in SCATTERS.items():
        for change in (1.4, 1 + given.limit / 100, 1.0):
            for name in gates:
                gate = f"{name}<=+{given.limit:g}%"
                shares = [share_broken(kind, gate, n, change, given) for n in given.tasks]
                cells = "".join(f" {100 * share:.1f} |" for share in shares)
                print(f"| {kind} | {100 * (change - 1):+.0f} % | `{gate}` |{cells}", flush=True)
    error = 100 * math.sqrt(0.025 * 0.975 / given.repeats)
    print(f"\nShares of broken gates in %, {given.repeats} comparisons each; the standard error of")
    print(f"a true 2.5 % is {error:.1f} points.")


if __name__ == "__main__":
    main()
