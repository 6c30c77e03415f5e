"""The benchmarks that a model runs, each with a part of its tools.

tir        Python, search and page visits: the set's own tools that stay
toolfail   each domain's tools that stay; a question whose tool is gone cannot be solved
tps        the world's tools that stay, by their prefixed names (`weather_*` is a server)

Tasks and seeds are the same for every variant.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec import Struct, structs

from agentdyno.records import InputError, printable
from agentdyno_bench.shared.running.options import ModelSpec, RunOptions, TaskRecipe, TaskRun
from agentdyno_bench.shared.running.plans import Plan, repeat_plans
from agentdyno_bench.utility.ablation.ablatable import Progress

Suite = tuple[str, ...]


class SuiteStopped(InputError):
    """The money ended a suite before all of its tasks: suites with other tasks are not compared."""


class ModelSettings(Struct, frozen=True):
    """Options that every benchmark takes."""

    model: ModelSpec
    """The model that is measured."""
    out: Path
    tasks: int = 60
    """Number of tasks at most."""
    seed: int = 0
    """The same for every variant."""
    concurrency: int = 64
    """Samples in progress at once."""
    max_tokens: int | None = None
    """Tokens that one model call may generate."""
    retry_failed: bool = False
    """Whether samples that failed are run again."""
    epochs: int = 1
    max_usd: float | None = None
    """What the model, its judges and rollouts may cost together."""

    def run_options(self, **changes: Any) -> RunOptions:
        """How tasks are run."""
        usual = RunOptions(
            out=self.out,
            limit=self.tasks,
            seed=self.seed,
            concurrency=self.concurrency,
            max_tokens=self.max_tokens,
            retry_failed=self.retry_failed,
            epochs=self.epochs,
            max_usd=self.max_usd,
        )
        return structs.replace(usual, **changes)


class ModelBench:
    """A benchmark by the plans that it makes of a tool suite."""

    def __init__(
        self, name: str, model: str, tools: Suite, plans: Callable[[Suite], list[Plan]]
    ) -> None:
        self.name = name
        self.model: str | None = model
        self._tools = tools
        self._plans = plans

    def tools(self) -> Suite:
        """As given."""
        return self._tools

    def run(self, variant: str, suite: Suite, out: Path, progress: Progress | None) -> list[str]:
        """Every plan, resumed where it stopped."""
        from agentdyno_bench.shared.running.task_runs import run_task

        failures: list[str] = []
        for plan in repeat_plans(self._plans(suite)):
            options = structs.replace(plan.options, out=out, variant=variant)
            report = _report_variant(progress, variant) if progress else None
            run = run_task(plan.task, plan.model, options, report)
            if run.stopped is not None:
                raise SuiteStopped(run.stopped)
            failures += _failures(variant, run)
        return failures


def _report_variant(progress: Progress, variant: str) -> Callable[[int, int], None]:
    return lambda done, total: progress(variant, done, total)


def _failures(variant: str, run: TaskRun) -> list[str]:
    if not run.failed:
        return []
    return [
        f"{variant}: {len(run.failed):,} of {run.samples:,} samples of {run.task} failed, the "
        f"first with {printable(run.failed[0].error, 200)}. --retry-failed runs them again."
    ]


def tir_bench(
    shared: ModelSettings,
    sets: list[str],
    data: str,
    unsafe_python: bool = False,
    grader: ModelSpec | None = None,
    toolmaker: str | None = None,
) -> ModelBench:
    """Question sets, each with those of its own tools that stay."""
    from agentdyno_bench.pte.tir.benchmarks import find_benchmark
    from agentdyno_bench.pte.tir.plans import TirOptions, tir_plans
    from agentdyno_bench.pte.tir.toolset import choose_tools

    tools_by_set = {name: choose_tools(find_benchmark(name), None) for name in sets}

    def plans(suite: Suite) -> list[Plan]:
        result: list[Plan] = []
        for name, tools in tools_by_set.items():
            options = TirOptions(
                benchmarks=[name],
                models=[shared.model],
                judge=grader,
                data=data,
                seed=shared.seed,
                tools=tuple(tool for tool in tools if tool in suite),
                unsafe_python=unsafe_python,
                toolmaker=toolmaker,
            )
            result += tir_plans(options, shared.run_options())
        return result

    every = tuple(dict.fromkeys(tool for tools in tools_by_set.values() for tool in tools))
    return ModelBench("tir", shared.model.name, every, plans)


def toolfail_bench(shared: ModelSettings, turns: Any = "single") -> ModelBench:
    """Tasks spread over all domains and kinds, under the published sampling."""
    from agentdyno_bench.toolfail.tasks.factories import LEAN
    from agentdyno_bench.toolfail.tasks.lean import tool_names
    from agentdyno_bench.toolfail.tasks.suite import load_suite
    from agentdyno_bench.toolfail.tasks.task import MAX_TOKENS, SEED, TEMPERATURE

    suite = load_suite(None, turns)
    options = shared.run_options(
        max_tokens=shared.max_tokens or MAX_TOKENS, temperature=TEMPERATURE, seed=SEED
    )

    def plans(names: Suite) -> list[Plan]:
        arguments = {"kept": list(names), "turns": turns, "answers": "submit"}
        return [Plan(TaskRecipe(LEAN, arguments), shared.model, options)]

    return ModelBench("toolfail", shared.model.name, tool_names(suite), plans)


def tps_bench(
    shared: ModelSettings,
    level: Any = "easy",
    selection: Any = "self",
    in_process: bool = False,
    attempt_tokens: int | None = None,
) -> ModelBench:
    """Compound tasks of one level over the world's tools that stay."""
    from agentdyno_bench.tps.plans import TpsPlanOptions, tps_plans
    from agentdyno_bench.tps.world.directory import all_tools

    options = TpsPlanOptions(
        models=[shared.model],
        levels=[level],
        selections=[selection],
        attempt_tokens=attempt_tokens,
        pool={"transport": "memory"} if in_process else {},
    )

    def plans(names: Suite) -> list[Plan]:
        # These tasks take no seed: the world has its own.
        return [
            _with_tools(plan, names) for plan in tps_plans(options, shared.run_options(seed=None))
        ]

    return ModelBench("tps", shared.model.name, tuple(all_tools()), plans)


def _with_tools(plan: Plan, names: Suite) -> Plan:
    arguments = plan.task.arguments
    lean = {**arguments, "options": {**arguments["options"], "tools": list(names)}}
    return structs.replace(plan, task=structs.replace(plan.task, arguments=lean))
