"""The interface of a benchmark whose tool suite can be cut, and the one that needs no model.

`run` writes traces of one variant under OUT/logs, named so that intake sees the variant; called
again it goes on where it stopped.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from agentdyno.records import InputError
from agentdyno_bench.utility.facts.traces import BENCHMARK, attempt_all, write_attempts
from agentdyno_bench.utility.facts.world import FACT_TOOLS, TOOLS, World

Progress = Callable[[str, int, int], None]
"""Called with what is going on, how much of it is done, and of how much."""


class AblationBench(Protocol):
    """A benchmark whose tools can be chosen."""

    name: str
    """What the user calls it."""
    model: str | None
    """The model that is measured; None without one."""

    def tools(self) -> tuple[str, ...]:
        """All tools it can offer."""
        ...

    def run(
        self, variant: str, suite: tuple[str, ...], out: Path, progress: Progress | None
    ) -> list[str]:
        """Runs all its tasks with these tools; what there is to say about it."""
        ...


class FactsBench:
    """The world of facts: no model, and the worth of every call is known."""

    name = BENCHMARK
    model: str | None = None

    def __init__(self, tasks: int = 60, seed: int = 0) -> None:
        self._tasks = tasks
        self._seed = seed

    def tools(self) -> tuple[str, ...]:
        """Two that help, one that talks, one that misleads, one that writes."""
        return TOOLS

    def run(
        self, variant: str, suite: tuple[str, ...], out: Path, progress: Progress | None
    ) -> list[str]:
        """One attempt at each task."""
        if not set(suite) & set(FACT_TOOLS):
            raise InputError(
                f"--variant {variant}: expected one of {' and '.join(FACT_TOOLS)} to stay, as "
                "attempts end with them."
            )
        path = out / "logs" / BENCHMARK / f"{variant}.jsonl"
        world = World(suite)
        write_attempts(path, variant, attempt_all(self._tasks, self._seed, world), world)
        if progress:
            progress(variant, self._tasks, self._tasks)
        return []
