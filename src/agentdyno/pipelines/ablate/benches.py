"""What a benchmark offers so that its tool suite can be cut, and the benchmarks that do.

`run` writes traces of one variant under OUT/logs, named so that intake sees the variant; called
again it goes on where it stopped.
"""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from msgspec import structs

from agentdyno.benchmarks.facts.traces import BENCHMARK, play, write_attempts
from agentdyno.benchmarks.facts.world import FACT_TOOLS, TOOLS, World
from agentdyno.records import InputError

if TYPE_CHECKING:
    from agentdyno.benchmarks.running.options import RunOptions
    from agentdyno.pipelines.bench.tir import TirOptions

Progress = Callable[[str, int, int], None]
"""Called with what is going on, how much of it is done, and of how much."""


class AblationBench(Protocol):
    """A benchmark whose tools can be chosen."""

    name: str
    """The ledger's `benchmark`."""

    def tools(self) -> tuple[str, ...]:
        """All tools it can offer."""
        ...

    def run(
        self, variant: str, suite: tuple[str, ...], out: Path, progress: Progress | None
    ) -> None:
        """Runs all its tasks with these tools."""
        ...


class FactsBench:
    """The world of facts: no model, and the worth of every call is known."""

    name = BENCHMARK

    def __init__(self, tasks: int = 60, seed: int = 0) -> None:
        self._tasks = tasks
        self._seed = seed

    def tools(self) -> tuple[str, ...]:
        """Two that help, one that talks, one that misleads, one that writes."""
        return TOOLS

    def run(
        self, variant: str, suite: tuple[str, ...], out: Path, progress: Progress | None
    ) -> None:
        """One attempt at each task."""
        if not set(suite) & set(FACT_TOOLS):
            raise InputError(
                f"--variant {variant}: expected one of {' and '.join(FACT_TOOLS)} to stay, as "
                "attempts end with them."
            )
        path = out / "logs" / BENCHMARK / f"{variant}.jsonl"
        world = World(suite)
        write_attempts(path, variant, play(self._tasks, self._seed, world), world)
        if progress:
            progress(variant, self._tasks, self._tasks)


class TirBench:
    """Tool-integrated reasoning with a model: Python, search and page visits."""

    name = "tir"

    def __init__(self, asked: "TirOptions", run: "RunOptions", tools: tuple[str, ...]) -> None:
        self._asked = asked
        self._run = run
        self._tools = tools

    def tools(self) -> tuple[str, ...]:
        """As given."""
        return self._tools

    def run(
        self, variant: str, suite: tuple[str, ...], out: Path, progress: Progress | None
    ) -> None:
        """Every model and question set, resumed where it stopped."""
        from agentdyno.benchmarks.running.run import run_task
        from agentdyno.pipelines.bench.tir import tir_plans

        asked = structs.replace(self._asked, tools=suite)
        for plan in tir_plans(asked, structs.replace(self._run, out=out)):
            options = structs.replace(plan.options, variant=variant)
            told = None
            if progress:
                told = _named(progress, variant)
            run_task(plan.task, plan.model, options, told)


def _named(progress: Progress, variant: str) -> Callable[[int, int], None]:
    return lambda done, total: progress(variant, done, total)
