"""How many agents fit: loads, the cliff, and what would move it."""

import numpy as np
import pytest
from msgspec.structs import replace

from agentdyno.cost.block_memory import MOST_TOKENS, NOBODY
from agentdyno.cost.replay import Load
from agentdyno.cost.servings import Servings
from agentdyno.records import InputError
from agentdyno.studies.capacity import (
    LoadRow,
    compact_early,
    find_cliff,
    pick_sessions,
    shorten_results,
    study_capacity,
)


def sessions(many: int) -> Load:
    """Sessions of six turns: 4,000 tokens, 1,000 more each turn, 50 generated, a second apart."""
    context = np.tile(4000 + 1000 * np.arange(6), many)
    return Load(
        first=np.arange(0, 6 * many + 1, 6),
        context=context,
        decode=np.full(6 * many, 50),
        cached=np.zeros(6 * many, dtype=np.int64),
        pause=np.tile([0.0, *[1.0] * 5], many),
    )


def serving(tokens: float):  # type: ignore[no-untyped-def]
    found = Servings("h200-sxm", "llama-3.1-8b").of(None)
    return replace(found, limits=replace(found.limits, cache_tokens=tokens, policy="vllm"))


def row(at_once: int, seconds: float) -> LoadRow:
    return LoadRow(
        concurrency=at_once, makespan_seconds=seconds, seconds_per_task=1, tokens_per_second=1,
        hit_rate=0, first_token_p50_seconds=0, first_token_p95_seconds=0,
        lost_tokens=0, preemptions=0,
    )  # fmt: skip


def test_the_cliff_is_the_first_load_a_tenth_above_the_best_smaller_one() -> None:
    rows = [row(4, 60), row(8, 50), row(12, 54), row(16, 56), row(20, 70)]
    assert find_cliff(rows) == 16
    assert find_cliff(rows[:3]) is None


def test_more_sessions_than_fit_make_the_same_work_slower() -> None:
    # Ten sessions of 6,500 tokens on average fit into 65,000.
    found = study_capacity(sessions(24), serving(65_000), [4, 8, 20])
    assert found.fits == pytest.approx(10.0)
    assert found.cliff == 20
    assert found.rows[0].hit_rate > 0.7 > 0.2 > found.rows[-1].hit_rate
    assert found.lost_to_others is not None
    assert found.lost_to_others > 0.8
    moved = {change.name: change.row for change in found.changes}
    worse = moved["as it is"].makespan_seconds
    for name in ("twice the memory for caches", "256 GB of host memory behind it"):
        assert moved[name].makespan_seconds < 0.9 * worse


def test_without_loads_they_are_chosen_by_the_memory_and_sessions_repeated() -> None:
    found = study_capacity(sessions(5), serving(65_000), None)
    assert [r.concurrency for r in found.rows][:3] == [2, 5, 8]
    assert found.sessions == 60
    assert "repeated 12 times" in found.notes[-1]


def test_a_sampled_session_keeps_its_beginning_in_common_only_with_those_that_stay() -> None:
    load = replace(
        sessions(3),
        kept=np.full(18, MOST_TOKENS),
        parent=np.array([NOBODY, *range(5), 0, *range(6, 11), 0, *range(12, 17)]),
    )
    assert pick_sessions(load, [0, 2]).parent.tolist()[6] == 0
    assert pick_sessions(load, [1, 2]).parent.tolist()[6] == NOBODY


def test_half_as_long_results_halve_what_enters_after_the_first_prompt() -> None:
    # 950 of each 1,000 tokens are results, 50 the answer before.
    shorter = shorten_results(sessions(1))
    assert shorter.context.tolist() == [4000, 4525, 5050, 5575, 6100, 6625]


def test_early_compaction_cuts_at_half_of_the_longest_context() -> None:
    found = compact_early(replace(sessions(1), context=np.arange(1000, 13_000, 2000)))
    # 11,000 / 2 = 5,500: the fourth prompt of 7,000 becomes 1,000 + 2,000, and grows on from there.
    assert found.context.tolist() == [1000, 3000, 5000, 3000, 5000, 3000]
    assert found.kept is not None
    assert found.kept.tolist()[3] == 1000


def test_a_model_that_does_not_fit_is_refused() -> None:
    small = Servings("h200-sxm", "llama-3.1-405b", gpus=1).of(None)
    with pytest.raises(InputError, match="does not fit"):
        study_capacity(sessions(1), small, None)
