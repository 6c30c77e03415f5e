"""The dyno sheet of several agents: each attempts the same held-out tasks, then all are compared.

play      local models, many games at once, here or before on a GPU      training.play
run       every agent into OUT/NAME through Inspect, resumed where it     bench.run
          stopped; what was played is given again and not generated
compare   paired by task                                                  studies.sheets
          what the measures say of each other                             studies.instruments
page      OUT/sheet.html, OUT/sheet.md, OUT/sheet.json, OUT/instruments.json
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from agentdyno.benchmarks.models.agent import chosen_weights
from agentdyno.benchmarks.running.options import ModelSpec, RunOptions
from agentdyno.benchmarks.running.plans import Plan
from agentdyno.benchmarks.tir.plans import TirOptions, tir_plans
from agentdyno.benchmarks.toolfail.suite import load_suite
from agentdyno.benchmarks.tps.plans import TpsPlanOptions, tps_plans
from agentdyno.benchmarks.tps.run.options import Selection
from agentdyno.benchmarks.tps.tasks.needed import needed_tools
from agentdyno.benchmarks.tps.tasks.values import Level
from agentdyno.engines.adapters import is_adapter
from agentdyno.engines.smollm2 import NAME
from agentdyno.metrics.utility.rollouts import SignTest
from agentdyno.pipelines.bench.run import run_bench
from agentdyno.pipelines.bench.sheet_futures import PlayedRuns
from agentdyno.pipelines.bench.sheet_plays import played_frames
from agentdyno.pipelines.bench.toolfail import ToolfailOptions, record_labels, toolfail_plans
from agentdyno.pipelines.bench.toolfail_labels import label_logs
from agentdyno.pipelines.patterns import ensure_patterns
from agentdyno.pipelines.rollout import roll_out
from agentdyno.pipelines.schedules import ensure_schedules
from agentdyno.pipelines.sources import ReadableLedger
from agentdyno.records import InputError, printable
from agentdyno.reports.html import render_page
from agentdyno.reports.markdown import render_markdown
from agentdyno.reports.section import load_sections
from agentdyno.reports.topic import Topic
from agentdyno.reports.topics import results_of, topics_of
from agentdyno.reports.topics.instruments import tell_instruments
from agentdyno.reports.topics.sheet import tell_sheet
from agentdyno.studies.inquiry import Inquiry
from agentdyno.studies.instruments.study import Instruments, study_instruments
from agentdyno.studies.sheets import Sheet, study_sheet
from agentdyno.training.play.plays import (
    FUTURES,
    PLAYS,
    Future,
    Journal,
    Play,
    PlayOptions,
    read_asked,
)
from agentdyno.training.play.stages import Stages, stride_of

OWN = ("patterns", "failures", "utility", "scheduling")
"""Sections of the report that the page has for each agent alone."""
AGENT = "agentdyno/smollm2-agent"
BENCHMARK = "math_500"
TITLE = "The dyno sheet"
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
    toolfail: int = 0
    """Questions of toolfail, spread over the suite."""
    tir: int = 0
    """Problems of tir, with the tool `python`."""
    unsafe_python: bool = False
    """Whether programs of tir may run unprotected where there is no sandbox."""
    played: Path | None = None
    """A folder of plays, of this machine or of a GPU; it decides the sizes. None runs the agents
    through Inspect alone."""


class MadeSheet(Struct, frozen=True):
    """What came of it."""

    sheet: Sheet
    """The agents, measure by measure."""
    instruments: Instruments | None
    """What the measures say of each other; None without plays."""
    topics: list[Topic]
    """Both, told."""


def make_sheet(
    agents: Mapping[str, ModelSpec], options: SheetOptions, progress: Progress | None = None
) -> MadeSheet:
    """Runs what has not been run, compares, writes the page."""
    for spec in agents.values():
        if spec.name == AGENT:  # Before an hour of the others, not after it.
            chosen_weights(spec.arguments.get("weights"), spec.arguments.get("adapter"))
    options = _sized(options, agents)
    for name, spec in agents.items():
        _run(_recorded(name, spec, options), options, options.out / name, progress)
        ensure_patterns(options.out / name / "ledger")
        ensure_schedules(options.out / name / "ledger")
        _weigh(name, options)
    ledgers = {name: ReadableLedger(options.out / name / "ledger") for name in agents}
    found, asked = study_sheet(ledgers, options.hardware), None
    if options.played is not None:
        asked = study_instruments(played_frames(options.played, ledgers), options.hardware)
    topics = [*tell_sheet(found), *(tell_instruments(asked) if asked else [])]
    pages = [*topics, *(topic for name in agents for topic in _own(ledgers[name], name))]
    made = MadeSheet(found, asked, topics)
    _write(made, pages, options.out)
    return made


def _weigh(name: str, options: SheetOptions) -> None:
    """Signs of calls by the continuations that were played, into the ledger."""
    if options.played is None:
        return
    futures = [f for f in Journal(options.played).read(FUTURES, Future) if f.agent == name]
    if futures:
        test = SignTest(read_asked(options.played).continuations)
        roll_out(options.out / name / "ledger", [PlayedRuns(futures)], test)


def play_agents(
    agents: Mapping[str, ModelSpec],
    options: PlayOptions,
    folder: Path,
    progress: Progress | None = None,
    device: str | None = None,
) -> Path | None:
    """Plays on this machine what has not been played; None where an agent is no local model."""
    known = {name: _weights(spec) for name, spec in agents.items()}
    local = {name: weights for name, weights in known.items() if weights is not None}
    if len(local) < len(known):
        return None
    asked = msgspec.structs.replace(options, agents=local)
    Stages(asked, folder, told=progress, device=device).run()
    return folder


def _weights(spec: ModelSpec) -> str | None:
    """What a local agent's weights are called; None for others."""
    if spec.name != AGENT:
        return None
    model, adapter = chosen_weights(spec.arguments.get("weights"), spec.arguments.get("adapter"))
    return adapter or model or NAME


def _write(made: MadeSheet, pages: list[Topic], out: Path) -> None:
    for name, value in (("sheet", made.sheet), ("instruments", made.instruments)):
        if value is not None:
            text = msgspec.json.format(msgspec.json.encode(value), indent=1)
            (out / f"{name}.json").write_bytes(text)
    (out / "sheet.md").write_text(render_markdown(made.topics, TITLE), "utf-8")
    (out / "sheet.html").write_text(render_page(TITLE, pages), "utf-8")


def _sized(options: SheetOptions, agents: Iterable[str]) -> SheetOptions:
    """The sizes of the plays, where there are some; what a hurried GPU left out is not made up for
    here, where it might take hours."""
    if options.played is None:
        return options
    asked = read_asked(options.played)
    plays = Journal(options.played).read(PLAYS, Play)
    there = {play.level for play in plays if play.attempt == 0 and play.agent in set(agents)}
    levels: tuple[Level, ...] = ("easy", "hard")
    return msgspec.structs.replace(
        options, levels=[level for level in levels if level in there],
        toolfail=asked.toolfail if "toolfail" in there else 0,
        tir=asked.tir if asked.benchmark in there else 0, turns=asked.turns,
        max_tokens=asked.turn_tokens, offer="needed",
    )  # fmt: skip


def _tasks(options: SheetOptions) -> list[tuple[Level, int | None]]:
    if options.played is None:
        return [(level, options.limit) for level in options.levels]
    asked = read_asked(options.played)
    sizes: dict[Level, int] = {"easy": asked.easy, "hard": asked.hard}
    return [(level, sizes[level]) for level in options.levels]


def _recorded(name: str, spec: ModelSpec, options: SheetOptions) -> ModelSpec:
    """The agent that gives its plays again."""
    if options.played is None or spec.name != AGENT:
        return spec
    plain = options.played / PLAYS
    file = plain if plain.exists() else plain.with_name(f"{PLAYS}.gz")
    given = {**spec.arguments, "recorded": str(file.resolve()), "player": name}
    return msgspec.structs.replace(spec, arguments=given)


def _run(spec: ModelSpec, options: SheetOptions, out: Path, progress: Progress | None) -> None:
    run = RunOptions(
        out, concurrency=options.concurrency, max_tokens=options.max_tokens, temperature=0.0
    )
    planning = [
        plan
        for level, limit in _tasks(options)
        for plan in _plans(spec, level, limit, options, run)
    ]
    failing = _failing(spec, options, run) if options.toolfail else []
    reasoning = _reasoning(spec, options, run) if options.tir else []
    done = run_bench([*planning, *failing, *reasoning], out, None, progress)
    if failing:
        suite = load_suite()
        mine = done.runs[len(planning) : len(planning) + len(failing)]
        record_labels(label_logs(out / "logs", suite, mine), done.measured.ledger)


def _plans(
    spec: ModelSpec, level: Level, limit: int | None, options: SheetOptions, run: RunOptions
) -> list[Plan]:
    selection: Selection = "none" if options.offer == "needed" else options.offer
    asked = TpsPlanOptions(
        [spec], [level], [selection], turns=options.turns,
        pool={"transport": "memory"} if options.in_process else {},
    )  # fmt: skip
    plans = tps_plans(asked, msgspec.structs.replace(run, limit=limit))
    if options.offer == "needed":
        plans = [_with_tools(plan, limit) for plan in plans]
    return plans


def _failing(spec: ModelSpec, options: SheetOptions, run: RunOptions) -> list[Plan]:
    stride = stride_of(len(load_suite().tasks), options.toolfail)
    limited = msgspec.structs.replace(run, limit=options.toolfail)
    return toolfail_plans(ToolfailOptions([spec], stride=stride), limited)


def _reasoning(spec: ModelSpec, options: SheetOptions, run: RunOptions) -> list[Plan]:
    asked = TirOptions(
        [BENCHMARK], [spec], turns=options.turns, unsafe_python=options.unsafe_python
    )
    return tir_plans(asked, msgspec.structs.replace(run, limit=options.tir))


def _with_tools(plan: Plan, limit: int | None) -> Plan:
    """The plan with the tools on offer that its tasks need, and no others."""
    given = plan.task.arguments
    tools = needed_tools(given["level"], limit)
    arguments = {**given, "options": {**given["options"], "tools": tools}}
    recipe = msgspec.structs.replace(plan.task, arguments=arguments)
    return msgspec.structs.replace(plan, task=recipe)


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
    return found


def _spec(what: str) -> ModelSpec:
    if what == NAME:
        return ModelSpec(AGENT, arguments={"weights": NAME})
    folder = Path(what)
    if folder.is_dir():
        key = "adapter" if is_adapter(folder) else "weights"
        return ModelSpec(AGENT, arguments={key: str(folder.resolve())})
    model, _, script = what.partition("#")
    if what.startswith(("/", ".", "~")) or "/" not in model:
        raise InputError(
            f"--agent …={printable(what, 80)}: expected {NAME}, a folder that exists (an adapter "
            "or weights), or a model of Inspect such as openai/gpt-4.1."
        )
    return ModelSpec(model, arguments={"script": script} if script else {})
