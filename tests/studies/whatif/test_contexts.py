"""Contexts that begin anew, and results that are asked for again."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import polars as pl
import pytest

from agentdyno.studies.whatif.contexts import (
    after_breaks,
    clear_at,
    compact_at,
    find_needed,
    shorten_cache,
)


def _recorded(**more: Any) -> Any:
    """One session of four turns: 20k, 60k, 110k, 120k; all but what is new was read."""
    context = np.array([20e3, 60e3, 110e3, 120e3])
    values = {
        "turns": 4, "first_turn": np.array([0, 4]), "turn_trajectory": np.zeros(4, dtype=int),
        "context": context, "cached": np.array([0, 20e3, 60e3, 110e3]),
        "written": np.array([20e3, 40e3, 50e3, 10e3]),
        "trajectories": pl.DataFrame({"parent_id": [None]}, {"parent_id": pl.String}),
        "enters": np.array([1, 2, -1]), "last_quoted": np.array([3, -1, 3]),
        "quoted": np.array([500.0, 0, 0]), "tokens": np.array([900.0, 800, 700]),
    }  # fmt: skip
    return SimpleNamespace(**(values | more))


def test_a_compaction_leaves_the_beginning_and_what_is_put_back() -> None:
    short = compact_at(_recorded(), 100e3)
    # Worked: 20k + 10k + 50k = 80k instead of 110k, then 90k instead of 120k.
    assert short.gone.tolist() == [0, 0, 30e3, 30e3]
    assert short.restarts.tolist() == [False, False, True, False]


def test_the_turn_after_a_compaction_writes_all_beyond_the_beginning() -> None:
    r = _recorded()
    short = compact_at(r, 100e3)
    read, written = shorten_cache(r, short, r.context - short.gone, r.cached, r.written)
    assert read.tolist() == [0, 20e3, 20e3, 80e3]
    assert written.tolist() == [20e3, 40e3, 60e3, 10e3]


def test_what_is_quoted_after_a_compaction_is_asked_for_again() -> None:
    times, tokens = find_needed(_recorded(), compact_at(_recorded(), 100e3))
    assert times.tolist() == [0, 0, 1, 0]
    assert tokens.tolist() == [0, 0, 900, 0]


def test_a_clear_leaves_the_first_context_and_what_is_new() -> None:
    short = clear_at(_recorded(), np.array([False, False, False, True]))
    assert short.gone.tolist() == [0, 0, 0, 90e3]


@pytest.mark.parametrize(("last", "free"), [(3, False), (1, True), (-1, True)])
def test_only_breaks_after_which_nothing_earlier_is_quoted_count(last: int, free: bool) -> None:
    r = _recorded(last_quoted=np.array([last, -1, -1]))
    found = after_breaks(r, np.array([np.nan, 10.0, 10.0, 5_000.0]), 3_600)
    assert found.tolist() == [False, False, False, free]
