"""Runs a function over items on this machine: in this process, or in several.

Knows nothing of traces. Results come as they are done, not in order.
"""

import gc
import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from queue import SimpleQueue
from typing import TypeVar

from agentdyno.engines.children import create_isolated_context, die_with_parent
from agentdyno.records import InputError

Item = TypeVar("Item")
Result = TypeVar("Result")


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
    with _processes(workers - join_in) as pool:
        try:
            count = min(workers, len(items)) - join_in
            yield from _feed(pool, function, items, count, join_in)
        except BrokenProcessPool:
            raise InputError(
                "A worker process ended unexpectedly, most likely out of memory. What was done is "
                "kept: run the command again, with --workers 1 if it happens again."
            ) from None


def _feed(
    pool: ProcessPoolExecutor,
    function: Callable[[Item], Result],
    items: Sequence[Item],
    count: int,
    join_in: bool,
) -> Iterator[Result]:
    """Each process gets its next item when it has done one, so that all end about together."""
    queue = deque(items)
    finished_futures: SimpleQueue[Future[Result]] = SimpleQueue()

    def hand_out(finished: Future[Result] | None = None) -> None:
        if finished is not None:
            finished_futures.put(finished)
        # None is left, or the pool is at its end: who waits for the last result learns why.
        with suppress(IndexError, RuntimeError):
            pool.submit(function, queue.popleft()).add_done_callback(hand_out)

    for _ in range(count):
        with _interrupts_held_back():
            hand_out()
    missing = len(items)
    while missing:
        own_items = _take_one(queue) if join_in else []
        yield from map(function, own_items)
        missing -= len(own_items)
        # Whoever has nothing to do waits; whoever has takes what is done and goes on.
        for _ in range(finished_futures.qsize() if own_items else 1):
            yield finished_futures.get().result()
            missing -= 1


def _take_one(queue: deque[Item]) -> list[Item]:
    """The next item; none where others have taken the last."""
    try:
        return [queue.popleft()]
    except IndexError:
        return []


_shared: ContextVar["dict[int, ProcessPoolExecutor] | None"] = ContextVar("shared", default=None)
"""Pools by their size, where one call leaves them to the next."""


@contextmanager
def same_processes() -> Iterator[None]:
    """Processes that `run` starts within are there for its next call, too, and end at the end."""
    pools: dict[int, ProcessPoolExecutor] = {}
    before = _shared.set(pools)
    try:
        yield
    finally:
        _shared.reset(before)
        for pool in pools.values():
            pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _processes(count: int) -> Iterator[ProcessPoolExecutor]:
    shared = _shared.get()
    pools = {} if shared is None else shared
    if count not in pools:
        context = create_isolated_context()
        pools[count] = ProcessPoolExecutor(count, mp_context=context, initializer=die_with_parent)
    try:
        yield pools[count]
        is_done = shared is not None
    except BaseException:
        is_done = False
        raise
    finally:
        if not is_done:
            # Waited for: whoever cleans up after us must not find a worker still writing.
            pools.pop(count).shutdown(wait=True, cancel_futures=True)


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
    """Number of processors this process may use."""
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
