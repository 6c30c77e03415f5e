"""The plans of a dyno sheet: one agent with the tasks of all three benchmarks.

Takes which tasks, and how they are run; returns plans. Every agent of a sheet gets the same.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from msgspec import Struct, structs

from agentdyno_bench.running.options import ModelSpec, RunOptions
from agentdyno_bench.running.plans import Plan
from agentdyno_bench.tir.plans import ATTEMPT_TOKENS, TirOptions, tir_plans
from agentdyno_bench.toolfail.plans import toolfail_plans
from agentdyno_bench.tps.plans import TpsPlanOptions, tps_plans
from agentdyno_bench.tps.run.options import Selection
from agentdyno_bench.tps.tasks.needed import find_needed_tools
from agentdyno_bench.tps.tasks.values import Level

REASONING = "math_500"
"""The usual question set of tir."""
PROBLEM_SECONDS = 900
"""When a problem of tir is stopped, whatever it is doing: programs may take 30 seconds each."""
Offer = Literal["needed", "self", "none", "rule"]


class SheetOptions(Struct, frozen=True):
    """What a user may choose."""

    out: Path
    """Folder of all runs and of the page."""
    levels: Sequence[Level] = ("easy", "hard")
    """Levels of the bundled test tasks."""
    offer: Offer = "needed"
    """Which tools every task is offered: all that the chosen tasks need (`needed`), or by one of
    the benchmark's selections."""
    limit: int | None = None
    """Only the first so many tasks of a level."""
    turns: int = 16
    """Model calls of an attempt at most."""
    max_tokens: int = 512
    """Tokens of a model call at most."""
    concurrency: int = 16
    """Attempts in progress at once."""
    hardware: str = "h200"
    """The hardware that GPU-seconds are computed for."""
    toolfail: int = 0
    """Questions of toolfail, spread over the suite."""
    tir: int = 0
    """Problems of tir, with the tool `python`."""
    unsafe_python: bool = False
    """Whether programs of tir may run unprotected where there is no sandbox."""
    tir_tokens: int | None = ATTEMPT_TOKENS
    """Tokens written at a problem of tir before the last model call; None for no such limit."""
    tir_seconds: int | None = PROBLEM_SECONDS
    """After this a problem of tir is stopped and graded as it stands; None waits for it."""


class SheetPlans(Struct, frozen=True):
    """The plans of one agent."""

    planning: list[Plan]
    """Plans of the planning tasks (tps)."""
    failing: list[Plan]
    """Plans of the tool questions (toolfail)."""
    reasoning: list[Plan]
    """Plans of the problems (tir)."""

    def all(self) -> list[Plan]:
        """In the order in which they are run."""
        return [*self.planning, *self.failing, *self.reasoning]


def sheet_plans(spec: ModelSpec, options: SheetOptions, run: RunOptions) -> SheetPlans:
    """Everything that one agent attempts."""
    return SheetPlans(
        [plan for level in options.levels for plan in _plans(spec, level, options, run)],
        _toolfail_plans(spec, options, run) if options.toolfail else [],
        _tir_plans(spec, options, run) if options.tir else [],
    )


def _plans(spec: ModelSpec, level: Level, options: SheetOptions, run: RunOptions) -> list[Plan]:
    selection: Selection = "none" if options.offer == "needed" else options.offer
    asked = TpsPlanOptions(
        [spec], [level], [selection], turns=options.turns,
        pool={"transport": "memory"},
    )  # fmt: skip
    plans = tps_plans(asked, structs.replace(run, limit=options.limit))
    if options.offer == "needed":
        plans = [_with_tools(plan, options.limit) for plan in plans]
    return plans


def _toolfail_plans(spec: ModelSpec, options: SheetOptions, run: RunOptions) -> list[Plan]:
    return toolfail_plans([spec], structs.replace(run, limit=options.toolfail), answers="prose")


def _tir_plans(spec: ModelSpec, options: SheetOptions, run: RunOptions) -> list[Plan]:
    asked = TirOptions(
        [REASONING], [spec], turns=options.turns, attempt_tokens=options.tir_tokens,
        unsafe_python=options.unsafe_python,
    )  # fmt: skip
    seconds = options.tir_seconds
    return tir_plans(asked, structs.replace(run, limit=options.tir, sample_seconds=seconds))


def _with_tools(plan: Plan, limit: int | None) -> Plan:
    """The plan with the tools on offer that its tasks need, and no others."""
    given = plan.task.arguments
    tools = find_needed_tools(given["level"], limit)
    arguments = {**given, "options": {**given["options"], "tools": tools}}
    recipe = structs.replace(plan.task, arguments=arguments)
    return structs.replace(plan, task=recipe)
