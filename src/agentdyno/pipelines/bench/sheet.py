"""The dyno sheet of several agents: each runs the same held-out tasks, then all are compared.

run       every agent into OUT/NAME, resumed where it stopped         bench.run
compare   paired by task                                               studies.sheets
page      OUT/sheet.html, and OUT/sheet.json with the numbers
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from agentdyno.benchmarks.models.agent import chosen_weights
from agentdyno.benchmarks.running.options import ModelSpec, RunOptions
from agentdyno.benchmarks.running.plans import Plan
from agentdyno.benchmarks.tps.plans import TpsPlanOptions, tps_plans
from agentdyno.benchmarks.tps.run.options import Selection
from agentdyno.benchmarks.tps.tasks.dataset import bundled
from agentdyno.benchmarks.tps.tasks.values import Level
from agentdyno.benchmarks.tps.world.directory import all_tools
from agentdyno.engines.adapters import is_adapter
from agentdyno.engines.smollm2 import NAME
from agentdyno.pipelines.bench.run import run_bench
from agentdyno.pipelines.patterns import ensure_patterns
from agentdyno.pipelines.schedules import ensure_schedules
from agentdyno.pipelines.sources import ReadableLedger
from agentdyno.records import InputError, printable
from agentdyno.reports.html import render_page
from agentdyno.reports.section import load_sections
from agentdyno.reports.topic import Topic
from agentdyno.reports.topics import results_of, topics_of
from agentdyno.reports.topics.sheet import tell_sheet
from agentdyno.studies.inquiry import Inquiry
from agentdyno.studies.sheets import Sheet, study_sheet

OWN = ("waste", "scheduling")
"""Sections of the report that the page has for each agent alone."""
AGENT = "agentdyno/smollm2-agent"
Offer = Literal["needed", "self", "none", "rule"]
Progress = Callable[[str, int, int], None]


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
    """What GPU-seconds are of."""
    in_process: bool = True
    """Whether the world's servers stay in this process."""


def make_sheet(
    agents: Mapping[str, ModelSpec], options: SheetOptions, progress: Progress | None = None
) -> tuple[Sheet, list[Topic]]:
    """Runs what has not been run, compares, writes the page."""
    for spec in agents.values():
        if spec.name == AGENT:  # Before an hour of the others, not after it.
            chosen_weights(spec.arguments.get("weights"), spec.arguments.get("adapter"))
    for name, spec in agents.items():
        _run(spec, options, options.out / name, progress)
        ensure_patterns(options.out / name / "ledger")
        ensure_schedules(options.out / name / "ledger")
    ledgers = {name: ReadableLedger(options.out / name / "ledger") for name in agents}
    found = study_sheet(ledgers, options.hardware)
    topics = tell_sheet(found)
    (options.out / "sheet.json").write_bytes(
        msgspec.json.format(msgspec.json.encode(found), indent=1)
    )
    pages = [*topics, *(topic for name in agents for topic in _own(ledgers[name], name))]
    (options.out / "sheet.html").write_text(render_page("The dyno sheet", pages), "utf-8")
    return found, topics


def _run(spec: ModelSpec, options: SheetOptions, out: Path, progress: Progress | None) -> None:
    needed = options.offer == "needed"
    selection: Selection = "none" if options.offer == "needed" else options.offer
    asked = TpsPlanOptions(
        [spec], options.levels, [selection], turns=options.turns,
        pool={"transport": "memory"} if options.in_process else {},
    )  # fmt: skip
    run = RunOptions(
        out, concurrency=options.concurrency, limit=options.limit, max_tokens=options.max_tokens,
        temperature=0.0,
    )  # fmt: skip
    plans = tps_plans(asked, run)
    if needed:
        plans = [_with_tools(plan, options.limit) for plan in plans]
    run_bench(plans, out, None, progress)


def _with_tools(plan: Plan, limit: int | None) -> Plan:
    """The plan with the tools on offer that its tasks need, and no others."""
    given = plan.task.arguments
    tools = needed_tools(given["level"], limit)
    arguments = {**given, "options": {**given["options"], "tools": tools}}
    recipe = msgspec.structs.replace(plan.task, arguments=arguments)
    return msgspec.structs.replace(plan, task=recipe)


def needed_tools(level: Level, limit: int | None) -> list[str]:
    """Every tool that a reference plan of the chosen tasks uses, in the world's order."""
    tasks = bundled(level).tasks[:limit]
    used = {step.tool for task in tasks for step in task.subtasks}
    return [name for name in all_tools() if name in used]


def _own(ledger: ReadableLedger, name: str) -> list[Topic]:
    """What the report says of one agent's waste and schedules."""
    sections = [section for key, section in load_sections().items() if key in OWN]
    told = topics_of(results_of(Inquiry(ledger), sections), sections)
    return [
        msgspec.structs.replace(
            topic,
            anchor=f"{name}-{topic.anchor}",
            title=f"{printable(name, 40)}: {topic.title}",
            charts=[],
        )
        for topic in told
    ]


def read_agents(texts: Sequence[str]) -> dict[str, ModelSpec]:
    """Agents as `NAME=WHAT`: a model of Inspect, a folder of weights, an adapter, or `smollm2`."""
    found: dict[str, ModelSpec] = {}
    for text in texts:
        name, equals, what = text.partition("=")
        if not equals or not name.replace("-", "").replace("_", "").isalnum() or name in found:
            raise InputError(
                f"--agent {printable(text, 80)}: expected NAME=WHAT, each name once, such as "
                "warm=training/adapter."
            )
        found[name] = _spec(what)
    if len(found) < 2:
        raise InputError("expected two agents or more to compare: --agent NAME=WHAT, found fewer.")
    return found


def _spec(what: str) -> ModelSpec:
    if what == NAME:
        return ModelSpec(AGENT, arguments={"weights": NAME})
    folder = Path(what)
    if folder.is_dir():
        key = "adapter" if is_adapter(folder) else "weights"
        return ModelSpec(AGENT, arguments={key: str(folder.resolve())})
    model, _, script = what.partition("#")
    return ModelSpec(model, arguments={"script": script} if script else {})
