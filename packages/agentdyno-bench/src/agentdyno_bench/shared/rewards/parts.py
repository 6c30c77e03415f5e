"""The parts of a reward, each from 0 (worthless) to 1 (nothing better is known).

    outcome      met goals over goals, paid for by harm       (the benchmark's own marks)
    parallelism  speed-up taken / speed-up available, at most 1     taken = useful time / makespan
    validity     calls executed without an error / all calls, those that cannot be read included
    cost         reference cost / cost, at most 1                   PTE or GPU-seconds
    progress     steps of the plan that were done / steps, paid for by harm

Only calls that were the first to do a step of the plan are useful time: calls made twice, or for
nothing, lengthen the makespan or change nothing, and never raise the speed-up.

Worked: two calls of 2 s that could run at once. Together: 4 / 2 = 2 taken of 2 available, part 1.
One after the other: 4 / 4 = 1 of 2, part 0.5. Together, beside a third that was not needed and took
4 s: 4 / 4 = 1 of 2, part 0.5. One of four calls refused: validity 0.75. 6,000 PTE where the plan
takes 4,500: cost 0.75.
"""

from msgspec import Struct


class Parts(Struct, frozen=True):
    """Parts of a reward; a part is None where unknown, and then left out."""

    outcome: float
    """What was reached, paid for by harm."""
    parallelism: float | None = None
    """Speed-up taken over speed-up available; None where no graph of work is known."""
    validity: float | None = None
    """Calls executed without an error over all; 0 without calls."""
    cost: float | None = None
    """The reference's cost over the attempt's; None without counts or without a reference."""
    progress: float | None = None
    """Steps done, paid for by harm; None where no plan is known."""


def parallelism_part(
    useful_seconds: float, makespan_seconds: float, speedup_available: float
) -> float:
    """Speed-up taken over speed-up available; 0 when nothing useful was done."""
    if useful_seconds <= 0 or makespan_seconds <= 0:
        return 0.0
    speedup = useful_seconds / makespan_seconds
    return min(1.0, speedup / max(speedup_available, 1.0))


def validity_part(calls: int, failed: int, malformed: int = 0) -> float:
    """Calls that were executed without an error over all; 0 without any."""
    written = calls + malformed
    return max(0.0, calls - failed) / written if written > 0 else 0.0


def cost_part(cost: float | None, reference: float | None) -> float | None:
    """The reference's cost over the attempt's, at most 1; None where one of them is unknown."""
    if cost is None or reference is None or cost <= 0 or reference <= 0:
        return None
    return min(1.0, reference / cost)
