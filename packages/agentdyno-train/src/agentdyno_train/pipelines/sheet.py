"""The dyno sheet of several agents: each attempts the same held-out tasks, then all are compared.

roll out  local models, many episodes at once, here or before on a GPU    rollouts
          incomplete parts are left out and reported
run       every agent into OUT/NAME through Inspect, resumed where it     bench
          stopped; recorded answers are replayed and not generated
compare   paired by task                                                  studies.sheets
          what the measures say of each other                             studies.instruments
page      OUT/sheet.html, OUT/sheet.md, OUT/sheet.json, OUT/instruments.json
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from agentdyno.pipelines.sources import ReadableLedger
from agentdyno.pipelines.up_to_date import ensure_patterns, ensure_schedules
from agentdyno.records import InputError, printable
from agentdyno.reports.html import render_page
from agentdyno.reports.markdown import render_markdown
from agentdyno.reports.topic import Topic
from agentdyno.studies.report_context import ReportContext
from agentdyno_bench.findings.utility.rollouts import SignTest
from agentdyno_bench.pipelines.bench_run import run_bench
from agentdyno_bench.pipelines.rollout import roll_out
from agentdyno_bench.pipelines.toolfail import record_labels
from agentdyno_bench.pipelines.toolfail_labels import label_logs
from agentdyno_bench.running.options import ModelSpec, RunOptions
from agentdyno_bench.tir.plans import ATTEMPT_TOKENS
from agentdyno_bench.toolfail.suite import load_suite
from agentdyno_bench.tps.tasks.values import Level
from agentdyno_train.named_agents import local_weights, replay_from
from agentdyno_train.reports.instruments import render_instruments
from agentdyno_train.reports.sheet import render_agent, render_sheet
from agentdyno_train.rollouts.complete_parts import CompleteParts
from agentdyno_train.rollouts.frames import build_frames
from agentdyno_train.rollouts.journal import ATTEMPTS, RolloutOptions
from agentdyno_train.rollouts.recorded_continuations import RecordedContinuations
from agentdyno_train.rollouts.stages import Stages
from agentdyno_train.sheet_plans import (
    PROBLEM_SECONDS,
    Offer,
    SheetTasks,
    run_names,
    sheet_plans,
)
from agentdyno_train.studies.instruments.study import Instruments, study_instruments
from agentdyno_train.studies.sheets import Sheet, study_sheet

TITLE = "The dyno sheet"
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
    """The hardware that GPU-seconds are computed for."""
    in_process: bool = True
    """Whether the world's servers stay in this process."""
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
    played: Path | None = None
    """A folder of rollouts, of this machine or of a GPU; it decides the sizes. None runs the agents
    through Inspect alone."""
    leave_out: Collection[str] = ()
    """Options of these rollouts that count as 0 here: `hard`, `tir`, `sampled`, …"""


class SheetResult(Struct, frozen=True):
    """The sheet with its topics."""

    sheet: Sheet
    """The agents, measure by measure."""
    instruments: Instruments | None
    """What the measures say of each other; None without rollouts."""
    topics: list[Topic]
    """Topics of the sheet and of the instruments."""
    advice: list[str]
    """Incomplete parts, a sentence each, and how to complete them; empty when all are complete."""


def make_sheet(
    agents: Mapping[str, ModelSpec], options: SheetOptions, progress: Progress | None = None
) -> SheetResult:
    """Runs what has not been run, compares, writes the page."""
    for spec in agents.values():
        local_weights(spec)  # Missing weights are reported before an hour of the others.
    parts = _parts(agents, options)
    run = _run_options(options, parts)
    for name, spec in agents.items():
        tasks = _tasks(options, name, parts)
        _run(_replay_spec(name, spec, options), tasks, run, options.out / name, progress)
        ensure_patterns(options.out / name / "ledger")
        ensure_schedules(options.out / name / "ledger")
        _weigh(name, options, parts)
    ledgers = {name: ReadableLedger(options.out / name / "ledger") for name in agents}
    found, asked = study_sheet(ledgers, options.hardware), None
    if parts is not None:
        asked = study_instruments(build_frames(parts, ledgers), options.hardware)
    left_out = [] if parts is None else parts.left_out()
    topics = [*render_sheet(found, left_out), *(render_instruments(asked) if asked else [])]
    own = [topic for name in agents for topic in render_agent(name, ReportContext(ledgers[name]))]
    result = SheetResult(found, asked, topics, [] if parts is None else parts.advice())
    _write(result, [*topics, *own], options.out)
    return result


def _parts(agents: Mapping[str, ModelSpec], options: SheetOptions) -> CompleteParts | None:
    """The recorded rollouts; agents that cannot replay them would be paid for twice."""
    if options.played is None:
        return None
    for name, spec in agents.items():
        if local_weights(spec) is None:
            raise InputError(
                f"--agent {name}={printable(spec.name, 80)}: expected the local model that made "
                f"the rollouts in {options.played}, found another. Measure it in a sheet of its "
                "own, without --played."
            )
    parts = CompleteParts(options.played, agents, options.leave_out)
    for name in agents:
        _refuse_others(options.out / name, run_names(_tasks(options, name, parts)))
    return parts


def _refuse_others(out: Path, mine: set[str]) -> None:
    """Runs of an earlier sheet that this one leaves out would be reported all the same."""
    others = {folder.name for folder in (out / "logs").glob("*") if folder.is_dir()} - mine
    if others:
        raise InputError(
            f"{out}: expected runs of {', '.join(sorted(mine))} alone, found some that this "
            f"sheet leaves out: {', '.join(sorted(others))}. Take another folder (--out)."
        )


def _weigh(name: str, options: SheetOptions, parts: CompleteParts | None) -> None:
    """Signs of calls by the recorded continuations, into the ledger."""
    if parts is None:
        return
    futures = parts.futures(name)
    if futures:
        test = SignTest(parts.options.continuations)
        roll_out(options.out / name / "ledger", [RecordedContinuations(futures)], test)


def roll_out_agents(
    agents: Mapping[str, ModelSpec],
    options: RolloutOptions,
    folder: Path,
    progress: Progress | None = None,
    device: str | None = None,
) -> Path | None:
    """Generates missing rollouts on this machine; None where an agent is no local model."""
    known = {name: local_weights(spec) for name, spec in agents.items()}
    local = {name: weights for name, weights in known.items() if weights is not None}
    if len(local) < len(known):
        return None
    asked = msgspec.structs.replace(options, agents=local)
    Stages(asked, folder, progress=progress, device=device).run()
    return folder


def _write(result: SheetResult, pages: list[Topic], out: Path) -> None:
    for name, value in (("sheet", result.sheet), ("instruments", result.instruments)):
        if value is not None:
            text = msgspec.json.format(msgspec.json.encode(value), indent=1)
            (out / f"{name}.json").write_bytes(text)
    (out / "sheet.md").write_text(render_markdown(result.topics, TITLE), "utf-8")
    (out / "sheet.html").write_text(render_page(TITLE, pages), "utf-8")


def _tasks(options: SheetOptions, agent: str, parts: CompleteParts | None) -> SheetTasks:
    if parts is not None:
        tasks = parts.tasks(agent, options.in_process, options.unsafe_python)
    else:
        tasks = SheetTasks(
            [(level, options.limit) for level in options.levels], options.offer, options.turns,
            options.in_process, options.toolfail, options.tir, options.unsafe_python,
        )  # fmt: skip
    return msgspec.structs.replace(
        tasks, tir_tokens=options.tir_tokens, tir_seconds=options.tir_seconds
    )


def _run_options(options: SheetOptions, parts: CompleteParts | None) -> RunOptions:
    tokens = options.max_tokens if parts is None else parts.options.turn_tokens
    return RunOptions(
        options.out, concurrency=options.concurrency, max_tokens=tokens, temperature=0.0
    )


def _replay_spec(name: str, spec: ModelSpec, options: SheetOptions) -> ModelSpec:
    return spec if options.played is None else replay_from(spec, options.played / ATTEMPTS, name)


def _run(
    spec: ModelSpec, tasks: SheetTasks, run: RunOptions, out: Path, progress: Progress | None
) -> None:
    plans = sheet_plans(spec, tasks, msgspec.structs.replace(run, out=out))
    done = run_bench(plans.all(), out, None, progress)
    if plans.failing:
        first = len(plans.planning)
        mine = done.runs[first : first + len(plans.failing)]
        record_labels(label_logs(out / "logs", load_suite(), mine), done.measured.ledger)
