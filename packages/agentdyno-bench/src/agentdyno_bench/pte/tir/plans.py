"""The plans of tool-integrated reasoning: each benchmark with each model."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from agentdyno.records import InputError
from agentdyno_bench.pte.tir.benchmarks import find_benchmark
from agentdyno_bench.pte.tir.loading import HUB, MINI
from agentdyno_bench.pte.tir.task import FACTORY
from agentdyno_bench.pte.tir.toolset import choose_tools
from agentdyno_bench.shared.running.options import ModelSpec, RunOptions, TaskRecipe
from agentdyno_bench.shared.running.plans import Plan

JUDGE_ROLE = "grader"
ATTEMPT_TOKENS = 1024
"""What an attempt may write before its last model call, where the user did not choose the model: a
small model that rambles would go on for 16 answers."""


class TirOptions(Struct, frozen=True):
    """Options of `bench tir`, besides how a task is run."""

    benchmarks: Sequence[str]
    """Names of the benchmarks to run."""
    models: Sequence[ModelSpec]
    """Models to be measured."""
    judge: ModelSpec | None = None
    """Who grades what math-verify cannot; None leaves it ungraded."""
    data: str = MINI
    """`mini`, `hub`, or a folder."""
    seed: int = 0
    """Draws the questions of the large sets."""
    turns: int | None = None
    """Model calls in a trajectory at most; None for the usual number."""
    attempt_tokens: int | None = None
    """Once a trajectory has so many generated tokens, its next model call is the last; None leaves
    it to the turns."""
    tools: tuple[str, ...] | None = None
    """Tools in place of each benchmark's own; empty for none."""
    tool_config: Path | None = None
    """A TOML file that configures the tools."""
    unsafe_python: bool = False
    """Whether model-written code may run unprotected when there is no sandbox."""
    prompts: dict[str, str] = {}
    """Texts in place of our prompts: `system`, and `judge`, which may have {question}, {expected}
    and {given} and has to ask for `VERDICT: SAME` or `VERDICT: DIFFERENT`."""
    toolmaker: str | None = None
    """Another maker of tools, `package.module:function`."""


def tir_plans(tir_options: TirOptions, run: RunOptions) -> list[Plan]:
    """Every benchmark with every model; wrong names are reported before anything runs."""
    data = tir_options.data if tir_options.data in (MINI, HUB) else _folder(tir_options.data)
    benchmarks = [find_benchmark(name) for name in dict.fromkeys(tir_options.benchmarks)]
    models = list({model.name: model for model in tir_options.models}.values())
    for benchmark in benchmarks:
        choose_tools(benchmark, tir_options.tools)
    variant = None if tir_options.tools is None else "+".join(tir_options.tools) or "no tools"
    roles = {JUDGE_ROLE: tir_options.judge} if tir_options.judge else {}
    options = _with(run, variant=variant, roles=roles)
    return [
        Plan(TaskRecipe(FACTORY, _arguments(tir_options, benchmark.name, data)), model, options)
        for model in models
        for benchmark in benchmarks
    ]


def _with(run: RunOptions, **changes: Any) -> RunOptions:
    from msgspec import structs

    return structs.replace(run, **changes)


def _folder(data: str) -> str:
    path = Path(data)
    if not path.exists():
        raise InputError(
            f"--data {data}: expected mini, hub, or a folder with questions, found nothing there."
        )
    return str(path.resolve())


def _arguments(tir_options: TirOptions, benchmark: str, data: str) -> dict[str, Any]:
    settings = {
        "benchmark": benchmark,
        "data": data,
        "seed": tir_options.seed,
        "turns": tir_options.turns,
        "attempt_tokens": tir_options.attempt_tokens,
        "tools": None if tir_options.tools is None else list(tir_options.tools),
        "tool_config": str(tir_options.tool_config.resolve()) if tir_options.tool_config else None,
        "unsafe_python": tir_options.unsafe_python or None,
        "toolmaker": tir_options.toolmaker,
        "prompts": tir_options.prompts or None,
    }
    return {key: value for key, value in settings.items() if value is not None}
