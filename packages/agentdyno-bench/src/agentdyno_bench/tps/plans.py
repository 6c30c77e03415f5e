"""The plans of a run: every model with every level, selection and scheduling that was asked for."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, structs

from agentdyno_bench.shared.running.options import ModelSpec, RunOptions, TaskRecipe
from agentdyno_bench.shared.running.plans import Plan
from agentdyno_bench.tps.outcomes.marking import AnswerForm
from agentdyno_bench.tps.pool.suite import PoolSpec, check_reachable, server_specs
from agentdyno_bench.tps.run.options import (
    ENOUGH_TOOLS,
    ENOUGH_TURNS,
    Scheduling,
    Selection,
    default_pool,
)
from agentdyno_bench.tps.run.task import FACTORY
from agentdyno_bench.tps.tasks.needed import find_needed_tools
from agentdyno_bench.tps.tasks.values import Level

JUDGE_ROLE = "grader"


class TpsPlanOptions(Struct, frozen=True):
    """Options of `bench tps`, besides how a task is run."""

    models: Sequence[ModelSpec]
    """Models to be measured."""
    levels: Sequence[Level] = ("easy", "hard")
    """Levels of the bundled tasks."""
    selections: Sequence[Selection] = ("self",)
    """Ways of selecting tools; several are the paper's first ablation."""
    schedulings: Sequence[Scheduling] = ("parallel",)
    """Ways of scheduling; both are the paper's second ablation."""
    turns: int = ENOUGH_TURNS
    """Model calls at most."""
    attempt_tokens: int | None = None
    """Tokens that an attempt may write before it ends; None leaves it to the turns."""
    needed_tools: bool = False
    """Whether there are only the tools that the tasks of a level need: one list for all of them."""
    most_tools: int = ENOUGH_TOOLS
    """Tools that may be selected."""
    judge: ModelSpec | None = None
    """Who marks completion and selection besides the program, and reads answers in prose."""
    answers: AnswerForm = "submit"
    """How agents answer; prose is for those that cannot be made to call `submit`."""
    prompts: dict[str, str] = {}
    """Texts in place of our prompts: `selection`, `scheduling`."""
    pool: dict[str, Any] = {}
    """How servers are reached; fields of the pool's own settings."""
    tasks: Path | None = None
    """A task file in place of the bundled tasks."""


def tps_plans(settings: TpsPlanOptions, run: RunOptions) -> list[Plan]:
    """One plan for each combination; servers that cannot be meant are refused before any runs."""
    check_reachable(server_specs(msgspec.convert(settings.pool, PoolSpec)))
    roles = {JUDGE_ROLE: settings.judge} if settings.judge else {}
    return [
        Plan(
            TaskRecipe(FACTORY, _arguments(settings, run.limit, level, selection, scheduling)),
            model,
            structs.replace(run, variant=_variant(settings, selection, scheduling), roles=roles),
        )
        for model in settings.models
        for level in settings.levels
        for selection in settings.selections
        for scheduling in settings.schedulings
    ]


def variant_name(selection: str, scheduling: str, answers: AnswerForm = "submit") -> str:
    """How the ledger calls the combination; answers in prose are a setting of their own."""
    return f"{selection}-{scheduling}" + ("-prose" if answers == "prose" else "")


def _variant(settings: TpsPlanOptions, selection: Selection, scheduling: Scheduling) -> str:
    name = variant_name(selection, scheduling, settings.answers)
    return f"{name}-needed" if settings.needed_tools else name


def _arguments(
    settings: TpsPlanOptions,
    limit: int | None,
    level: Level,
    selection: Selection,
    scheduling: Scheduling,
) -> dict[str, Any]:
    options: dict[str, Any] = {
        "selection": selection,
        "scheduling": scheduling,
        "turns": settings.turns,
        "most_tools": settings.most_tools,
        "pool": default_pool(level) | settings.pool,
        "judged": settings.judge is not None,
        "answers": settings.answers,
    }
    if settings.attempt_tokens is not None:
        options["attempt_tokens"] = settings.attempt_tokens
    if settings.prompts:
        options["prompts"] = settings.prompts
    if settings.needed_tools:
        options["tools"] = find_needed_tools(settings.tasks or level, limit)
    tasks = {} if settings.tasks is None else {"tasks": str(settings.tasks.resolve())}
    return {"level": level, "options": options, **tasks}
