"""What a response that nobody counted read from the cache, by what its neighbours did."""

from math import nan
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from agentdyno.cost.neighbours import CacheUse, fill_from_neighbours

SONNET = "claude-sonnet-4-5"


def fill(
    prefill: list[float],
    read: list[float],
    written: list[float] | None = None,
    hour: list[float] | None = None,
    owner: list[int] | None = None,
    models: list[str] | None = None,
) -> CacheUse:
    """Contexts of unknown turns are 40,200."""
    many, unknown = len(prefill), [nan] * len(prefill)
    columns: Any = SimpleNamespace(
        prefill=np.array(prefill), turn_trajectory=np.array(owner or [0] * many)
    )
    reported = CacheUse(*(np.array(each or unknown, float) for each in (read, written, hour)))
    context = np.where(np.isnan(prefill), 40_200.0, np.array(prefill))
    return fill_from_neighbours(reported, columns, context, models or [SONNET] * many)


def test_a_cut_response_read_what_both_neighbours_had_in_the_cache() -> None:
    found = fill([40_000, nan, 40_300], [38_000, nan, 40_000])
    assert found.read.tolist() == [38_000, 40_000, 40_000]
    assert np.isnan(found.written).all(), "a provider that charges no writing reports none"


def test_what_was_not_read_was_written_where_writing_is_charged() -> None:
    found = fill([40_000, nan, 40_300], [38_000, nan, 40_000], [2_000, nan, 200], [2_000, nan, 50])
    assert (found.written[1], found.hour[1]) == (200, 50)


def test_a_cache_that_the_next_response_had_lost_is_not_assumed() -> None:
    assert fill([40_000, nan, 40_300], [38_000, nan, 0]).read[1] == 0


@pytest.mark.parametrize(
    "case",
    [
        {"prefill": [nan, 40_000.0], "read": [nan, 38_000.0]},
        {"prefill": [40_000.0, nan], "read": [38_000.0, nan]},
        {"prefill": [40_000.0, nan, 40_000.0], "read": [0.0, nan, 0.0], "owner": [0, 1, 1]},
        {"prefill": [40_000.0, nan, 40_000.0], "read": [0.0, nan, 0.0],
         "models": [SONNET, "gpt-5", SONNET]},
        {"prefill": [nan, nan, nan], "read": [nan, nan, nan]},
    ],
)  # fmt: skip
def test_without_two_neighbours_nothing_is_known(case: dict[str, Any]) -> None:
    unknown = np.isnan(case["prefill"])
    assert np.isnan(fill(**case).read[unknown]).all()


def test_what_is_reported_stays() -> None:
    found = fill([40_000, nan, 40_300], [38_000, 7, 40_000])
    assert found.read.tolist() == [38_000, 7, 40_000]
