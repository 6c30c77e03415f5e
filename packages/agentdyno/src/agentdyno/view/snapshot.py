"""One generation of a ledger, held while the page asks it.

Takes a ledger's folder. Every request is answered from one `Snapshot`, so a `measure` or `follow`
that writes meanwhile changes no half of an answer; the next request gets the next generation.
"""

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from threading import Lock, RLock
from typing import Any, TypeVar

import polars as pl

from agentdyno.ledger.generations import choose
from agentdyno.pipelines.sources import ReadableLedger
from agentdyno.studies.cost.unit import Costs, costs_of
from agentdyno.studies.report_context import ReportContext
from agentdyno.view.subset import Subset

Answer = TypeVar("Answer")
MOST_ANSWERS = 64
"""Answers about single sessions that are remembered."""


class Snapshot:
    """A generation, and what its views share, each worked out once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ledger = ReadableLedger(folder)
        self._answers: dict[Any, Any] = {}
        self._locks: dict[Any, RLock] = {}
        self._lock = Lock()

    @property
    def generation(self) -> int:
        """Its number."""
        return self.ledger.manifest.generation

    def once(self, key: Any, work_out: Callable[[], Answer]) -> Answer:
        """What was found under a key; worked out by the first who asks, while others wait."""
        with self._lock:
            lock = self._locks.setdefault(key, RLock())
        with lock:
            if key not in self._answers:
                result = work_out()
                with self._lock:
                    while len(self._answers) >= MOST_ANSWERS:
                        self._answers.pop(next(iter(self._answers)))
                    self._answers[key] = result
                return result
            answer: Answer = self._answers[key]
            return answer

    @cached_property
    def costs(self) -> Costs:
        """The unit that costs are counted in, and how rows get theirs."""
        return costs_of(self.ledger)

    @cached_property
    def context(self) -> ReportContext:
        """For studies of the whole ledger."""
        return ReportContext(self.ledger)

    def subset(self, ids: tuple[str, ...]) -> Subset:
        """The tables of some trajectories."""
        return self.once(("subset", ids), lambda: Subset(self.ledger, ids))

    def select(self, table: str, *columns: str) -> pl.DataFrame:
        """Some columns of a table."""
        return self.ledger.scan(table).select(columns).collect()


class Newest:
    """The newest generation of a ledger, opened again when there is a newer one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lock = Lock()
        self._snapshot = Snapshot(folder)

    def open(self) -> Snapshot:
        """What a request is answered from."""
        with self._lock:
            if self.find_number() != self._snapshot.generation:
                self._snapshot = Snapshot(self.folder)
            return self._snapshot

    def find_number(self) -> int:
        """The newest generation's number; that of the open one where the ledger has none."""
        number = choose(self.folder)
        return number.number if number else self._snapshot.generation
