"""Replays with a memory that forgets: hits worked by hand, and what they cost."""

from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from agentdyno.cost.architectures import load_architectures
from agentdyno.cost.block_memory import NOBODY, Policy
from agentdyno.cost.replay import EngineLimits, Load, Replayed, replay_load
from agentdyno.cost.step_model import StepModel
from tests.cost.workloads import Turn, load_of

QWEN = load_architectures()["qwen2.5-7b"]
STEPS = StepModel((1.0, 64.0), (0.005, 0.007), 4e-13, 2e-15, 0.003)


def run(load: Load, tokens: float, policy: Policy = "vllm", at_once: int = 2) -> Replayed:
    return replay_load(load, at_once, QWEN, STEPS, EngineLimits(cache_tokens=tokens, policy=policy))


def pair(pause: float = 5.0) -> Load:
    """Two sessions of two turns: 160 tokens and 33 generated, then 240 tokens."""
    load = load_of([[Turn(160, 33), Turn(240, 1)]] * 2)
    return replace(load, pause=np.array([0.0, pause, 0.0, pause]))


def test_a_turn_finds_the_whole_blocks_that_the_turn_before_left() -> None:
    # 160 + 33 - 1 = 192 tokens were computed: 12 whole blocks. Nothing was there at first.
    assert run(pair(), 10_000).cached.tolist() == [0, 192, 0, 192]


def test_the_last_token_of_a_prompt_is_never_found() -> None:
    load = load_of([[Turn(160, 1), Turn(160, 1)]])
    # All ten blocks are there; the tenth holds the last token, so nine count.
    assert run(load, 10_000).cached.tolist() == [0, 144]


def test_who_was_idle_longest_loses_its_end_first_and_it_is_known_to_whom() -> None:
    # Each session leaves 12 blocks behind; the memory has 25. The first goes on with 15 blocks: 12
    # of its own, 1 that was never used, and the last 2 of the second session, which keeps 10.
    found = run(pair(), 25 * 16, at_once=2)
    assert found.cached.tolist() == [0, 192, 0, 160]
    assert (found.lost.tolist(), found.lost_to.tolist()) == ([0, 0, 0, 32], [NOBODY] * 3 + [1])


def test_what_a_compacted_session_drops_stays_and_pushes_others_out() -> None:
    items = [[Turn(160, 1), Turn(176, 1)], [Turn(320, 1), Turn(64, 1)], [Turn(192, 1)]]
    load = replace(
        load_of(items),
        kept=np.array([0, 160, 0, 32, 0]),
        pause=np.array([0.0, 9.0, 0.0, 1.0, 0.0]),
        begins=np.array([0.0, 1.0, 4.0]),
    )
    limits = EngineLimits(cache_tokens=34 * 16, policy="vllm")
    found = replay_load(load, None, QWEN, STEPS, limits)
    # Of 34 blocks the first session leaves 10, the second 20; compacted it keeps 2 and takes 2 of
    # the 4 that were never used. The third needs 12: the last 2 of those, and the 10 of the first
    # session, which were used before the 18 that the second dropped.
    assert found.cached.tolist() == [0, 0, 0, 32, 0]
    assert found.lost_to.tolist()[1] == 4


def test_sessions_that_begin_alike_hold_their_beginning_once() -> None:
    load = load_of([[Turn(320, 1)], [Turn(336, 1)], [Turn(352, 1)]])
    shared = replace(load, kept=np.array([0, 320, 320]), parent=np.array([NOBODY, 0, 0]))
    # 20 blocks once, and one and two more: 23 of 24. Apart they would be 63.
    assert run(shared, 24 * 16, at_once=3).cached.tolist() == [0, 320, 320]
    assert run(load, 24 * 16, at_once=3).cached.tolist() == [0, 0, 0]


def test_answers_that_outgrow_the_memory_send_the_last_admitted_back() -> None:
    load = load_of([[Turn(160, 400)]] * 4)
    found = run(load, 60 * 16, at_once=4)
    assert found.preemptions > 0
    assert run(load, 10_000, at_once=4).preemptions == 0


def test_nothing_is_found_where_nothing_is_kept_and_all_where_nothing_is_pushed_out() -> None:
    assert run(pair(), 25 * 16, "none").cached.sum() == 0
    assert run(pair(), 25 * 16, "infinite").cached.tolist() == [0, 192, 0, 192]


def test_sessions_in_turn_lose_every_prefix_unless_it_is_kept_while_tools_run() -> None:
    items = [[Turn(160 + 32 * n, 1) for n in range(6)]] * 6
    load = replace(load_of(items), pause=np.tile([0.0, *[0.5] * 5], 6))
    forgets, keeps = (run(load, 60 * 16, p, 6) for p in ("vllm", "keep-while-tool-runs"))
    assert keeps.cached.sum() > 2 * forgets.cached.sum()


def test_host_memory_brings_back_what_the_card_lost_for_the_time_of_the_copy() -> None:
    limits = EngineLimits(
        cache_tokens=25 * 16, policy="vllm", host_tokens=10_000, host_token_seconds=1e-3
    )
    found = replay_load(pair(), 2, QWEN, STEPS, limits)
    assert found.cached.tolist() == [0, 192, 0, 192]
    # 32 tokens take 32 ms; nothing else runs meanwhile.
    faster = replay_load(pair(), 2, QWEN, STEPS, replace(limits, host_token_seconds=0.0))
    assert found.waiting.sum() - faster.waiting.sum() == pytest.approx(0.032)


turns = st.builds(Turn, st.integers(1, 900), st.integers(1, 60))


@settings(max_examples=60, deadline=None)
@given(
    items=st.lists(st.lists(turns, min_size=1, max_size=4), min_size=1, max_size=7),
    room=st.integers(60, 200),
    policy=st.sampled_from(get_args(Policy)),
    host=st.sampled_from([0.0, 2000.0]),
)
def test_every_second_is_some_turns_or_idle_whatever_is_pushed_out(
    items: list[list[Turn]], room: int, policy: Policy, host: float
) -> None:
    plain = load_of(items)
    load = replace(plain, pause=np.full(len(plain.context), 0.3))
    limits = EngineLimits(
        chunk=512, cache_tokens=room * 16, policy=policy, host_tokens=host, host_token_seconds=1e-5
    )
    found = replay_load(load, 3, QWEN, STEPS, limits)
    spent = (found.prefill + found.step + found.cache + found.waiting).sum()
    assert spent + found.idle_seconds == pytest.approx(found.makespan_seconds)
    assert (found.cached < load.context).all()
    assert (found.first_token > 0).all()
