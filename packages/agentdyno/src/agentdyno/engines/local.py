"""Runs a function over items on this machine: in this process, or in several.

Knows nothing of traces. Results come as they are done, not in order.
"""

import gc
import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import TypeVar

from agentdyno.engines.children import create_isolated_context, die_with_parent
from agentdyno.records import InputError

Item = TypeVar("Item")
Result = TypeVar("Result")

AHEAD = 2
"""Items handed out per worker beyond the one it works on."""


def run(
    function: Callable[[Item], Result],
    items: Sequence[Item],
    workers: int,
    join_in: bool = False,
) -> Generator[Result, None, None]:
    """The function's results over the items; `function` must be importable when workers > 1.

    With `join_in` this process is one of the workers: it is at work while the others are still
    being started, which takes as long as reading tens of megabytes. What kills a worker kills it,
    too.
    """
    if workers <= 1 or len(items) <= 1:
        yield from map(function, items)
        return
    count = min(workers, len(items)) - join_in
    context = create_isolated_context()
    with ProcessPoolExecutor(count, mp_context=context, initializer=die_with_parent) as pool:
        try:
            feed = _feed_and_join_in if join_in else _feed
            yield from feed(pool, function, items, count * (1 + AHEAD))
        except BrokenProcessPool:
            raise InputError(
                "A worker process ended unexpectedly, most likely out of memory. What was done is "
                "kept: run the command again, with --workers 1 if it happens again."
            ) from None
        except BaseException:
            # Waited for: whoever cleans up after us must not find a worker still writing.
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def _feed(
    pool: ProcessPoolExecutor,
    function: Callable[[Item], Result],
    items: Sequence[Item],
    ahead: int,
) -> Iterator[Result]:
    waiting: set[Future[Result]] = set()
    for item in items:
        with _interrupts_held_back():
            waiting.add(pool.submit(function, item))
        if len(waiting) >= ahead:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            yield from (future.result() for future in done)
    while waiting:
        done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
        yield from (future.result() for future in done)


def _feed_and_join_in(
    pool: ProcessPoolExecutor,
    function: Callable[[Item], Result],
    items: Sequence[Item],
    ahead: int,
) -> Iterator[Result]:
    left = deque(items)
    waiting: dict[Future[Result], Item] = {}
    while left or waiting:
        while left and len(waiting) < ahead:
            item = left.popleft()
            with _interrupts_held_back():
                waiting[pool.submit(function, item)] = item
        mine = [left.popleft()] if left else _take_back(waiting)
        yield from map(function, mine)
        # Whoever has nothing to do waits; whoever has looks what is done and goes on.
        done, _ = wait(waiting, timeout=0 if mine else None, return_when=FIRST_COMPLETED)
        for future in done:
            del waiting[future]
            yield future.result()


def _take_back(waiting: "dict[Future[Result], Item]") -> list[Item]:
    """The last of the items that were handed out and that nobody has begun; none at the end."""
    for future in reversed(waiting):
        if future.cancel():
            return [waiting.pop(future)]
    return []


@contextmanager
def _interrupts_held_back() -> Iterator[None]:
    """Ctrl-C is the parent's to answer: workers start here, and start deaf to it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def processors() -> int:
    """How many processors this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


@contextmanager
def no_cycle_search() -> Iterator[None]:
    """Records hold no cycles; looking for some took a quarter of the time of a large job."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
