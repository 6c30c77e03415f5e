"""Runs a function over items on a Ray cluster, as `engines.local` does on one machine.

Takes a function and items, returns results as they are done. A running cluster is found by the
environment variable RAY_ADDRESS, or on this machine; without one, one is started here and stopped
at the end. Knows nothing of traces.

An item whose worker dies is tried again, on any machine. One that keeps killing its workers is
handed to `instead`, which says what to do in its place: the run goes on without it.

Ray puts the current folder first on the import path of its workers. It is connected to from the
folder of Python's own library, so that no file beside the traces is imported.
"""

import os
import sysconfig
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import chdir, contextmanager, suppress
from typing import Any, Generic, TypeVar

from msgspec import Struct

from agentdyno.engines.local import processors
from agentdyno.records import InputError, printable

Item = TypeVar("Item")
Result = TypeVar("Result")

ATTEMPTS = 3
"""How often an item is tried before it counts as what kills its workers."""
AHEAD = 1
"""Items handed out per processor beyond the one it works on."""
Instead = Callable[[Item, str], Sequence[Item]]
"""Given an item that killed its workers, and how: items to do in its place."""


class _Try(Struct, Generic[Item]):
    """An item that waits or is under way."""

    item: Item
    failed: int = 0


def run(
    function: Callable[[Item], Result],
    items: Sequence[Item],
    workers: int | None = None,
    instead: Instead[Item] | None = None,
) -> Generator[Result, None, None]:
    """The function's results over the items; `function` must be importable on every machine.

    `workers` is the size of a cluster that is started here; one that runs is used whole.
    """
    with _cluster(workers) as ray:
        yield from _Feed(ray, function, instead).results(items)


class _Feed(Generic[Item, Result]):
    """Hands items out, and takes results in."""

    def __init__(
        self, ray: Any, function: Callable[[Item], Result], instead: Instead[Item] | None
    ) -> None:
        self._ray = ray
        self._instead = instead
        # Retries are ours: Ray's would try for ever what uses up the memory.
        self._remote = ray.remote(max_retries=0)(_guard)
        self._function = function
        self._under_way: dict[Any, _Try[Item]] = {}

    def results(self, items: Sequence[Item]) -> Iterator[Result]:
        waiting = deque(_Try(item) for item in items)
        try:
            while waiting or self._under_way:
                self._hand_out(waiting)
                ready, _ = self._ray.wait(list(self._under_way), num_returns=1)
                yield from self._take(ready[0], waiting)
        finally:
            for reference in self._under_way:
                self._ray.cancel(reference, force=True)

    def _hand_out(self, waiting: "deque[_Try[Item]]") -> None:
        # Asked each time: machines come and go.
        slots = max(int(self._ray.cluster_resources().get("CPU", 1)), 1) * (1 + AHEAD)
        while waiting and len(self._under_way) < slots:
            attempt = waiting.popleft()
            reference = self._remote.remote(self._function, attempt.item, os.getcwd())
            self._under_way[reference] = attempt

    def _take(self, reference: Any, waiting: "deque[_Try[Item]]") -> Iterator[Result]:
        attempt = self._under_way.pop(reference)
        try:
            result, error = self._ray.get(reference)
        except self._ray.exceptions.RayError as crash:
            attempt.failed += 1
            waiting.extend(
                [attempt] if attempt.failed < ATTEMPTS else self._replace(attempt.item, crash)
            )
            return
        if error is not None:
            raise error
        yield result

    def _replace(self, item: Item, crash: Exception) -> "list[_Try[Item]]":
        # An error of Ray's tells a whole story; its first line says what it was.
        sentence = f"{type(crash).__name__}: {printable(str(crash).strip().splitlines()[0], 120)}"
        if self._instead is None:
            raise InputError(
                f"A worker ended unexpectedly {ATTEMPTS} times over the same item ({sentence}). "
                "What was done is kept: run the command again."
            )
        return [_Try(other) for other in self._instead(item, sentence)]


def _guard(
    function: Callable[[Item], Result], item: Item, folder: str
) -> tuple[Result | None, Exception | None]:
    """Errors travel as values, so that they come out as they are."""
    with suppress(OSError):  # Paths may be relative to it; another machine may not have it.
        os.chdir(folder)
    try:
        return function(item), None
    except Exception as error:
        return None, error


@contextmanager
def _cluster(workers: int | None) -> Iterator[Any]:
    """A cluster that runs, or one of this machine's processors for as long as it is needed."""
    ray = _import()
    was_there = ray.is_initialized()
    if not was_there:
        with chdir(sysconfig.get_path("stdlib")):
            _connect(ray, workers)
    try:
        yield ray
    finally:
        if not was_there:
            ray.shutdown()


def _connect(ray: Any, workers: int | None) -> None:
    quiet = {"log_to_driver": False, "logging_level": "ERROR"}
    try:
        ray.init(address="auto", **quiet)
    except ConnectionError:
        if os.environ.get("RAY_ADDRESS"):
            raise InputError(
                f"RAY_ADDRESS={os.environ['RAY_ADDRESS']}: expected a Ray cluster, found none. "
                "Start one with `ray start --head`, or unset it to use this machine alone."
            ) from None
        ray.init(num_cpus=workers or processors(), include_dashboard=False, **quiet)


def _import() -> Any:
    # Nobody is told that we run.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    # Without this Ray hides accelerators from tasks that ask for none, and says so at length.
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    try:
        import ray
    except ImportError:
        raise InputError(
            "--engine ray: Ray is not installed. Install it with: pip install 'agentdyno[scale]'"
        ) from None
    return ray
