"""The cache between turns: what the provider's saved already, what a perfect one could save."""

from collections.abc import Iterator

from agentdyno.studies.cost.lever import Lever
from agentdyno.studies.inquiry import Inquiry
from agentdyno.studies.levers.finder import LeverFinder

BOUND = (
    "nothing is ever evicted, the context is only added to, and no trajectory finds another's "
    "prefix in the cache"
)


def cache(inquiry: Inquiry) -> Iterator[Lever]:
    """Both, where the ledger knows them."""
    rows = inquiry.frames.trajectories
    now = inquiry.summary.pte or 0.0
    if rows["pte_kept"].null_count() or rows["pte_evicted"].null_count():
        return
    kept, evicted = float(rows["pte_kept"].sum()), float(rows["pte_evicted"].sum())
    taken = 0.0
    if not rows["pte_reported"].null_count():
        taken = evicted - float(rows["pte_reported"].sum())
    if taken > 0:
        yield _lever("cache_taken", "keep the provider's cache", taken, evicted, "already taken",
                     "cache hits as the provider reported them")  # fmt: skip
    left = now - kept - (taken if inquiry.summary.cache == "evicted" else 0.0)
    if left > 0:
        # Where the provider reported its cache, `whatif` starts from there and saves the same.
        what = "keep the cache between turns"
        yield _lever("cache", what, left, now, "at most", BOUND, "--keep-cache inf")


def _lever(
    name: str, what: str, amount: float, whole: float, certainty: str, assumption: str,
    command: str = "",
) -> Lever:  # fmt: skip
    return Lever(
        name=name,
        what=what,
        where=[],
        amount=amount,
        share=amount / whole,
        certainty="already taken" if certainty == "already taken" else "at most",
        assumption=assumption,
        command=command,
    )


FINDERS = (LeverFinder("cache", cache),)
