"""Ways to find out whether calls helped, other than asking a judge: `agentdyno.judge_estimators`.

agentdyno-bench brings `rollout`, which continues recorded runs. An estimator adds its rows to the
ledger itself and returns what it did, for `--json`.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec import Struct

from agentdyno.matching.logical_tools import LogicalTools
from agentdyno.plugins import enter
from agentdyno.records import InputError

GROUP = "agentdyno.judge_estimators"


class EstimatorOptions(Struct, frozen=True):
    """What a user of `judge` may choose about it."""

    rules: LogicalTools
    continuations: int
    """At most so many for each side of a call."""
    smallest: float
    """Effects below this are not looked for."""
    sample: int | None = None
    """Only so many calls, spread over all; None for every call."""
    models: tuple[str, ...] = ()
    """Who continues; nobody named means the model that made each trajectory."""
    base_url: str | None = None
    """Where that model's service is, if elsewhere."""
    arguments: tuple[str, ...] = ()
    """KEY=VALUE for its provider."""
    concurrency: int = 16
    """Runs in progress at once."""
    max_usd: float | None = None
    """Stops once so much was spent; None for no limit."""
    prices: Path | None = None
    """A price table of the user's own."""
    trusted: bool = False
    """Whether models are reached and code is run as the run's settings say."""


class Estimator(Struct, frozen=True):
    """One way."""

    name: str
    """What `--estimator` takes."""
    estimate: Callable[[Path, EstimatorOptions], Any]


def find_estimator(name: str) -> Estimator:
    """The estimator of this name; an `InputError` says which package brings it."""
    found = enter(GROUP, Estimator)[0].get(name)
    if found is None:
        raise InputError(
            f"judge --estimator {name} needs agentdyno-bench: pip install agentdyno[bench]"
        )
    return found
