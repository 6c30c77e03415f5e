"""Where the time of labels and of a profile goes, part by part, and which rows were in doubt.

Takes states, returns seconds by part. Every part is waited for, so the sum is more than the time
without looking; only the outermost part counts (products inside a proof are the proof's). Part of
`depth_gpu.py`.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from depth_agreement import as_block

from agentdyno_depth.probes import distances, fast, finite
from agentdyno_depth.probes import readout as readouts
from agentdyno_depth.probes.readout import Readout
from agentdyno_depth.records.depth import PAPER

Tensor = torch.Tensor

PRODUCTS = "products"
SUMS, DISTANCES = "sums of the last rows", "distances"
PROOFS, SECOND = "proofs", "second look"
NORM, FINITE = "norm", "finite?"
SHARED: list[tuple[Any, str, str]] = [(readouts, "_product", PRODUCTS)]
OF_LABELS = [
    *SHARED,
    (finite.DeferredFiniteChecks, "states", FINITE),
    (fast._Chunk, "_normed", NORM),
    (fast, "last_rows", SUMS),
    (fast, "row_distances", DISTANCES),
    (fast, "likeliest", PROOFS),
    (fast, "common_tokens", PROOFS),
    (fast, "lower_bounds", PROOFS),
    (fast, "exact_distances", SECOND),
]
OF_PROFILE = [
    *SHARED,
    (distances, "require_finite_states", FINITE),
    (distances, "last_rows", SUMS),
    (distances, "row_distances", DISTANCES),
    (distances, "_second_look", SECOND),
]


def label_parts(states: Tensor, readout: Readout, wait: Callable[[], None]) -> dict[str, Any]:
    """Milliseconds by part of `deep_labels`, and the rows of the second look by layer."""
    doubtful = [0] * len(states)

    def seen(found: tuple[Tensor, Tensor, Tensor]) -> None:
        for layer in found[0].tolist():
            doubtful[layer - 1] += 1

    with _replaced([(fast._Chunk, "_still_near", _telling(fast._Chunk._still_near, seen))]):
        found = _parts(OF_LABELS, lambda: fast.deep_labels(states, readout, [PAPER]), wait)
    return {**found, "doubtful_by_layer": doubtful}


def profile_parts(states: Tensor, readout: Readout, wait: Callable[[], None]) -> dict[str, Any]:
    """The same of `profile_block`."""
    doubtful: list[int] = []

    def seen(near: Tensor) -> None:
        doubtful[:] = near.sum(1).tolist()

    def whole() -> Any:
        return distances.profile_block(as_block(states), readout, ["jsd"], [PAPER.g])

    with _replaced([(distances, "_near", _telling(distances._near, seen))]):
        found = _parts(OF_PROFILE, whole, wait)
    return {**found, "doubtful_by_layer": doubtful}


def _parts(
    places: list[tuple[Any, str, str]], whole: Callable[[], Any], wait: Callable[[], None]
) -> dict[str, Any]:
    spent: dict[str, float] = {}
    rows: dict[str, int] = {}
    inside: list[str] = []

    def timed(part: str, function: Any) -> Any:
        def watched(*args: Any, **kwargs: Any) -> Any:
            if inside:
                return function(*args, **kwargs)
            inside.append(part)
            wait()
            started = time.perf_counter()
            try:
                return function(*args, **kwargs)
            finally:
                wait()
                spent[part] = spent.get(part, 0.0) + time.perf_counter() - started
                rows[part] = rows.get(part, 0) + _rows(part, args)
                inside.pop()

        return watched

    with _replaced([(owner, n, timed(part, getattr(owner, n))) for owner, n, part in places]):
        wait()
        started = time.perf_counter()
        whole()
        wait()
        taken = time.perf_counter() - started
    spent["everything else"] = taken - sum(spent.values())
    milliseconds = {part: round(1e3 * seconds, 3) for part, seconds in spent.items()}
    return {"milliseconds": milliseconds, "whole": round(1e3 * taken, 3), "rows": rows}


def _rows(part: str, args: tuple[Any, ...]) -> int:
    """Rows of logits that a part made or read, where it says so by its arguments."""
    if part == PRODUCTS:
        return int(args[0].shape[:-1].numel())
    if part in (SUMS, DISTANCES):
        return len(args[1])
    return 0


def _telling(function: Any, seen: Callable[[Any], None]) -> Any:
    def told(*args: Any, **kwargs: Any) -> Any:
        found = function(*args, **kwargs)
        seen(found)
        return found

    return told


@contextmanager
def _replaced(new: list[tuple[Any, str, Any]]) -> Iterator[None]:
    saved = [(owner, name, getattr(owner, name)) for owner, name, _ in new]
    try:
        for owner, name, function in new:
            setattr(owner, name, function)
        yield
    finally:
        for owner, name, function in saved:
            setattr(owner, name, function)
