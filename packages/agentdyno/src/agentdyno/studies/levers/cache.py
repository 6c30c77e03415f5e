"""The cache between turns: what the provider's saved already, what a perfect one could save."""

from collections.abc import Iterator

from agentdyno.cost.pte import CacheAssumption
from agentdyno.records.cost_unit import CostUnit
from agentdyno.studies.cost.lever import Lever
from agentdyno.studies.cost.seconds import by_trajectory, servings_of, with_gpu_seconds
from agentdyno.studies.cost.unit import NEEDED
from agentdyno.studies.inquiry import Inquiry
from agentdyno.studies.levers.finder import LeverFinder

ASSUMPTIONS: tuple[CacheAssumption, ...] = ("kept", "evicted", "reported")
BOUND = (
    "nothing is ever evicted, the context is only added to, and no trajectory finds another's "
    "prefix in the cache"
)


def cache(inquiry: Inquiry) -> Iterator[Lever]:
    """Both, where the ledger knows them."""
    now, unit = inquiry.summary.pte or 0.0, inquiry.unit
    costs = _totals(inquiry)
    kept, evicted, reported = (costs[name] for name in ("kept", "evicted", "reported"))
    if kept is None or evicted is None:
        return
    taken = 0.0 if reported is None else evicted - reported
    if taken > 0:
        yield _lever("cache_taken", "keep the provider's cache", taken, evicted, unit,
                     "already taken", "cache hits as the provider reported them")  # fmt: skip
    left = now - kept - (taken if inquiry.summary.cache == "evicted" else 0.0)
    if left > 0:
        # Where the provider reported its cache, `whatif` starts from there and saves the same.
        what = "keep the cache between turns"
        yield _lever("cache", what, left, now, unit, "at most", BOUND, "--keep-cache inf")


def _totals(inquiry: Inquiry) -> dict[str, float | None]:
    """What all trajectories cost under each assumption; None where that is unknown for any."""
    rows = inquiry.frames.trajectories
    found = {name: rows[f"pte_{name}"] for name in ASSUMPTIONS}
    if inquiry.unit == "gpu_seconds":
        servings, turns = servings_of(inquiry.tables.options), inquiry.frames.turns.select(NEEDED)
        timed = {name: with_gpu_seconds(turns, servings, name) for name in ASSUMPTIONS}
        found = {name: by_trajectory(each)["gpu_seconds"] for name, each in timed.items()}
    return {n: None if costs.null_count() else float(costs.sum()) for n, costs in found.items()}


def _lever(
    name: str, what: str, amount: float, whole: float, unit: CostUnit, certainty: str,
    assumption: str, command: str = "",
) -> Lever:  # fmt: skip
    return Lever(
        name=name,
        what=what,
        where=[],
        amount=amount,
        share=amount / whole,
        unit=unit,
        certainty="already taken" if certainty == "already taken" else "at most",
        assumption=assumption,
        command=command,
    )


FINDERS = (LeverFinder("cache", cache),)
