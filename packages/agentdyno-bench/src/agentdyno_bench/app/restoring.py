"""Which tasks can be continued, and how the state before a cut is restored for each.

All three are played back: messages, turns and limits are as they were. Their tools differ:

    tir        recorded results stand in; nothing is run, searched or read again
    toolfail   mock tools give their returns again, in the order of the task's script
    tps        recorded calls are made again in a fresh world, which is the same one by its seed
               and must give the recorded results

Not restored, in tir: what a search engine or a page says may have changed since; a live search
sees today's. Programs start anew with every call, so there is no state of Python to restore. Not
restored, in tps: servers of others (`--mcp-servers`); nobody knows what a call would do to them a
second time, so such trajectories are not continued.

A settings file is data, and may come from anybody together with the logs: what it says about
running code or about reaching models is followed only where the user trusts the run (`doubts`).
"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agentdyno_bench.pte.tir.task import FACTORY as TIR
from agentdyno_bench.shared.running.options import TaskRecipe
from agentdyno_bench.shared.running.settings import RunSettings
from agentdyno_bench.toolfail.tasks.factories import LEAN as TOOLFAIL_LEAN
from agentdyno_bench.toolfail.tasks.factories import SCORED as TOOLFAIL
from agentdyno_bench.toolfail.tasks.task import FACTORY as TOOLFAIL_UNMARKED
from agentdyno_bench.tps.run.task import FACTORY as TPS
from agentdyno_bench.utility.rollouts.continuations import Resumable
from agentdyno_bench.utility.rollouts.facts_runs import FactsRuns
from agentdyno_bench.utility.rollouts.run.inspect_runs import Continuing, InspectRuns

if TYPE_CHECKING:
    from inspect_ai import Task

TIR_STANDING = "agentdyno_bench.app.restoring:standing_tir_task"

_CONTINUED_BY = {
    TIR: TIR_STANDING,
    TOOLFAIL_UNMARKED: TOOLFAIL,
    TOOLFAIL: TOOLFAIL,
    TOOLFAIL_LEAN: TOOLFAIL_LEAN,
    TPS: TPS,
}
"""Only these: a settings file must not be able to name any function there is."""


def restore(recipe: TaskRecipe) -> TaskRecipe | str:
    """The recipe for continuations; or why there is none."""
    factory = _CONTINUED_BY.get(recipe.factory)
    if factory is None:
        return "its task is none that can be continued"
    pool = recipe.arguments.get("options", {}).get("pool", {}) if factory == TPS else {}
    if pool.get("mcp_servers"):
        return "it called servers of others, whose state cannot be restored"
    return TaskRecipe(factory, recipe.arguments)


def doubts(settings: RunSettings, model_named: bool) -> list[str]:
    """List what a foreign settings file could use to run code here or to reach a server."""
    arguments = settings.task.arguments
    specs = [*([] if model_named else [settings.model]), *settings.roles.values()]
    risks = {
        "let code run unprotected": arguments.get("unsafe_python"),
        "bring tools of their own": arguments.get("toolmaker"),
        "configure tools": arguments.get("tool_config"),
        "say how to reach a model": any(spec.base_url or spec.arguments for spec in specs),
        "change how models are asked": settings.generation,
    }
    return [doubt for doubt, value in risks.items() if value]


def find_benches(ledger: Path | None = None, settings: Continuing | None = None) -> list[Resumable]:
    """The benchmarks whose trajectories can be continued; of a ledger, those that run a model."""
    facts = FactsRuns()
    if ledger is None:
        return [facts]
    return [facts, InspectRuns(ledger, sys.modules[__name__], settings)]


def standing_tir_task(**arguments: Any) -> "Task":
    """The task, whose tools do not run for recorded calls."""
    from inspect_ai import task_with

    from agentdyno_bench.pte.tir.task import tir_task
    from agentdyno_bench.pte.tir.toolset import Toolset, make_tools
    from agentdyno_bench.shared.running.replaying import stand_in

    toolsets: list[Toolset] = []

    def stand_in_tools(names: list[str]) -> list[Any]:
        tool_settings = (arguments.get("tool_config"), bool(arguments.get("unsafe_python")))
        toolsets.append(make_tools(names, *tool_settings, arguments.get("toolmaker")))
        return [stand_in(tool, name) for tool, name in zip(toolsets[0].tools, names, strict=True)]

    task = tir_task(**arguments | {"toolmaker": stand_in_tools})
    return (
        task_with(task, sandbox=toolsets[0].sandbox) if toolsets and toolsets[0].sandbox else task
    )
