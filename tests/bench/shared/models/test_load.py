"""Whether a latency can be believed: a loop that works all the time says no."""

import asyncio
import time
from collections.abc import Awaitable, Callable

from agentdyno_bench.shared.models.load import Load, loop_load, now


def spin(seconds: float) -> None:
    """CPU time, not real time: other processes may want the core too."""
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


def load_during(work: Callable[[], Awaitable[None]]) -> Load:
    async def run() -> Load:
        load, start = loop_load(), now()
        await work()
        return load.since(start)

    return asyncio.run(run())


def test_a_waiting_loop_is_light() -> None:
    assert load_during(lambda: asyncio.sleep(1.2)).loop_share < 0.2


def test_a_working_loop_is_not() -> None:
    async def work() -> None:
        for _ in range(4):
            spin(0.3)  # Longer than a tick: timers are late by as much.
            await asyncio.sleep(0)

    found = load_during(work)
    assert found.late_seconds > 0.05
    assert not found.is_light


def test_work_in_other_threads_does_not_count_as_the_loops() -> None:
    found = load_during(lambda: asyncio.to_thread(spin, 1.0))
    assert found.loop_share < 0.3
    assert found.process_share > found.loop_share


def test_half_a_core_is_the_limit() -> None:
    assert Load(0.5, 1.9, 0.05).is_light
    assert not Load(0.51, 0.6, 0.0).is_light
    assert not Load(0.1, 0.1, 0.06).is_light
