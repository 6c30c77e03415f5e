"""TPS-Bench as one run: `bench tps` on both levels, with both ablations on the hard one.

Completion is marked by program from what was submitted and from the world's state; a judge, where
one is named, stands beside it.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import polars as pl
from msgspec import structs

from agentdyno.cost.price_lookup import price_of
from agentdyno.estimates.estimate import exact, if_known
from agentdyno.pipelines.papers import PaperRequest, Progress
from agentdyno.pipelines.sources import ReadableLedger
from agentdyno.pipelines.up_to_date import ensure_schedules
from agentdyno.records import InputError
from agentdyno.reports.paper import ExhibitResult, PaperRun, show_prompts
from agentdyno.reports.topic import PlaneChart, PlanePoint, TopicTable, Value
from agentdyno.studies.readings import by_task, mean_of, within_ratio
from agentdyno.studies.report_context import ReportContext
from agentdyno_bench.shared.bench_run import run_bench
from agentdyno_bench.shared.experiment import (
    ATTEMPT_TOKENS,
    SLOW,
    Usual,
    announce_cost,
    count_tasks,
    describe_scope,
    judge_specs,
    list_models,
    measure_options,
    open_source,
    read_up,
    run_options,
    size_of,
    sum_up,
)
from agentdyno_bench.shared.prompts import first_prompts, read_prompts
from agentdyno_bench.shared.running.options import ModelSpec
from agentdyno_bench.shared.running.plans import Plan
from agentdyno_bench.tps.briefs import ONE_BY_ONE, TOGETHER, write_brief
from agentdyno_bench.tps.measured_run import TpsPlanOptions, measure_ledger, tps_plans
from agentdyno_bench.tps.report.tables import build_planning_tables
from agentdyno_bench.tps.run.judging import COMPLETION, SELECTION
from agentdyno_bench.tps.run.solving import PROMPT
from agentdyno_bench.tps.studies.report import study_planning
from agentdyno_bench.tps.studies.settings import (
    completion_of,
    judge_completion,
    judge_subtasks,
)
from agentdyno_bench.tps.tasks.dataset import load_bundled
from agentdyno_bench.tps.world.directory import SEPARATOR, SERVERS, all_tools

TASKS = {SLOW: 1, "mini": 6, "small": 30, "full": 100}
USUAL = Usual(8000, 1300, "the means of the paper's Table 1")
RUNS = 5
"""Two levels, and three further ways on the hard one."""
SELECTIONS, SCHEDULINGS = ("self", "none", "rule"), ("parallel", "sequential")
NO_JUDGE = "No judge was given; --judge NAME fills this."
LEVELS = {"tps_easy": "Easy", "tps_hard": "Hard"}


def run(request: PaperRequest, progress: Progress) -> PaperRun:
    """The experiment and its tables."""
    models = list_models(request)
    attempts = RUNS * count_tasks(request, TASKS) * request.epochs
    announce_cost(request, models, attempts, USUAL)
    measuring = measure_options(request)
    plans = [plan for model in models for plan in _plan(request, model)]
    result = run_bench(plans, request.out, measuring, progress)
    scope = describe_scope(request, TASKS, "task", "on either level and in each further way")
    ledger = result.measured.ledger
    return sum_up(request, scope, result.runs, ledger, make_exhibits(request, ledger))


def read(request: PaperRequest, progress: Progress) -> PaperRun:
    """The page of attempts that are there, each marked by the benchmark when it ran."""
    ledger = open_source(request)
    ensure_schedules(ledger)
    if not ReadableLedger(ledger).has("planning"):
        raise InputError(
            f"--from {request.source}: expected attempts of `bench tps`, whose marks stand in "
            "their logs, found none. Run `agentdyno bench tps` or `agentdyno world` first."
        )
    return read_up(request, ledger, make_exhibits(request, ledger))


def base_selection(model: str) -> str:
    """How a model is measured in the paper's first tables; the embedded agent was not taught to
    name tools before it sees them."""
    return "rule" if model == "agentdyno/smollm2-agent" else "self"


def _plan(request: PaperRequest, model: ModelSpec) -> Iterator[Plan]:
    """Both levels, then the hard one with the other selections, and one call a turn."""
    base = base_selection(model.name)
    judge = next(iter(judge_specs(request)), None)
    options = run_options(request, count_tasks(request, TASKS))
    other_selections = [selection for selection in SELECTIONS if selection != base]
    for levels, selections, schedulings in (
        (["easy", "hard"], [base], SCHEDULINGS[:1]),
        (["hard"], other_selections, SCHEDULINGS[:1]),
        (["hard"], [base], SCHEDULINGS[1:]),
    ):
        plan_options = TpsPlanOptions(
            models=[model],
            levels=levels,  # type: ignore[arg-type]
            selections=selections,  # type: ignore[arg-type]
            schedulings=schedulings,  # type: ignore[arg-type]
            judge=judge,
            answers=request.answers or "submit",  # type: ignore[arg-type]
            tasks=request.tasks,
            prompts=first_prompts(read_prompts(request.prompts, ("selection", "scheduling"))),
            attempt_tokens=ATTEMPT_TOKENS.get(size_of(request)),
            pool={"transport": "memory"},
        )
        yield from tps_plans(plan_options, options)


def make_exhibits(request: PaperRequest, ledger: Path) -> dict[str, ExhibitResult]:
    """The attempts arranged by the paper's exhibits."""
    samples = measure_ledger(ledger)
    parts = samples.partition_by("model", "benchmark", "selection", "scheduling",
                                 maintain_order=True)  # fmt: skip
    bases = _bases(parts)
    base = [p for p in parts if _is_base(p, bases)]
    tables = _planning_tables(ledger)
    is_judged = samples["judged_selection"].count() > 0
    return {
        "Figure 2": _subtasks(),
        "Table 1": ExhibitResult(
            rows=[[_name(p), *_effect(p), *_effort(p)] for p in base],
            tables=[t for t in tables if t.title.startswith(("What was done", "How "))],
            notes=[] if is_judged else [f"Tool selection score: {NO_JUDGE}"],
        ),
        "Table 2": _costs(base, [t for t in tables if t.title.startswith("What it cost")]),
        "Figure 4": _judged(base),
        "Figure 7": show_prompts(selection=PROMPT),
        "Figure 8": show_prompts(
            parallel=write_brief(TOGETHER), sequential=write_brief(ONE_BY_ONE)
        ),
        "Figure 9": show_prompts(completion=COMPLETION),
        "Figure 10": show_prompts(selection=SELECTION),
        "Figure 5": _compare_variants(parts, "selection", tables, bases),
        "Figure 6": _compare_variants(parts, "scheduling", tables, bases),
        "Table 3": ExhibitResult(
            rows=[[_name(p), *_effect(p), *_effort(p)] for p in base if _level(p) == "Hard"]
        ),
        "Table 4": ExhibitResult(rows=_prices(request, samples["model"].unique().to_list())),
    }


def _bases(parts: Sequence[pl.DataFrame]) -> dict[str, str]:
    """Per model the selection of the first tables: the usual one, else the first there is."""
    bases: dict[str, str] = {}
    for model, selection in (part.select("model", "selection").row(0) for part in parts):
        if selection == base_selection(model) or model not in bases:
            bases[model] = selection
    return bases


def _is_base(part: pl.DataFrame, bases: Mapping[str, str]) -> bool:
    model, selection, scheduling = part.select("model", "selection", "scheduling").row(0)
    return bool(selection == bases[model] and scheduling == SCHEDULINGS[0])


def _level(part: pl.DataFrame) -> str:
    return LEVELS[part["benchmark"][0]]


def _name(part: pl.DataFrame) -> str:
    return f"{part['model'][0]}, {_level(part)}"


def _effect(part: pl.DataFrame) -> list[Value]:
    """Tool selection score out of 1, where somebody judged it, and completion."""
    judged = part.with_columns(pl.col("judged_selection") / 100)
    return [if_known(mean_of(judged, "judged_selection")), completion_of(part)]


def _effort(part: pl.DataFrame) -> list[Value]:
    names = ("input_tokens", "output_tokens", "call_turns", "seconds")
    return [mean_of(part, name) for name in names]


def _planning_tables(ledger: Path) -> list[TopicTable]:
    planning = study_planning(ReportContext(ReadableLedger(ledger)))
    tables = build_planning_tables(planning) if planning else []
    return [structs.replace(table, folded=True) for table in tables]


# Figure 2: what the tasks ask for ----------------------------------------------------------------


def _subtasks() -> ExhibitResult:
    """Subtasks by the server that serves them, and each server's tools; of all bundled tasks."""
    tools = Counter(name.partition(SEPARATOR)[0] for name in all_tools())
    counts = {
        level: Counter(
            subtask.tool.partition(SEPARATOR)[0]
            for task in load_bundled(level).tasks
            for subtask in task.subtasks
        )
        for level in ("easy", "hard")
    }
    total = sum(sum(by_server.values()) for by_server in counts.values())
    rows: list[list[Value]] = [
        [
            server.capitalize(),
            tools[server],
            counts["easy"][server],
            counts["hard"][server],
            sum(by_server[server] for by_server in counts.values()) / total,
        ]
        for server in SERVERS
    ]
    sums: list[Value] = ["All", sum(tools.values()), *(sum(f.values()) for f in counts.values()), 1]
    return ExhibitResult(rows=[*rows, sums])


# Table 2: money ----------------------------------------------------------------------------------


def _costs(base: Sequence[pl.DataFrame], tables: list[TopicTable]) -> ExhibitResult:
    """Means in thousandths of a dollar; cost-of-pass is mean cost over mean completion."""
    by_model: dict[str, dict[str, list[Value]]] = {}
    for part in base:
        milli = part.with_columns(pl.col("usd") * 1000)
        cost = if_known(mean_of(milli, "usd"))
        passed = if_known(within_ratio(milli, "completion", "usd")) if cost else None
        if not any(value for values in by_task(part, "completion").values() for value in values):
            passed = None
        by_model.setdefault(part["model"][0], {})[_level(part)] = [cost, passed]
    empty: list[Value] = [None, None]
    rows = [
        [model, *rows_by_level.get("Easy", empty), *rows_by_level.get("Hard", empty)]
        for model, rows_by_level in by_model.items()
    ]
    local = any(row[1] is None for row in rows)
    notes = (
        ["A model without a price has no cost in money; PTE in the table below."] if local else []
    )
    return ExhibitResult(rows=rows, tables=tables, notes=notes)


def _prices(request: PaperRequest, models: Sequence[str]) -> list[list[Value]]:
    """Of the models that were run, from the price table."""
    rows: list[list[Value]] = []
    for name in request.models or sorted(models):
        price = price_of(name, request.prices)
        rows.append([name, price.input if price else None, price.output if price else None])
    return rows


# Figures 4 to 6 ----------------------------------------------------------------------------------


def _judged(base: Sequence[pl.DataFrame]) -> ExhibitResult:
    judged = [p.filter(pl.col("judged_completion").is_not_null()) for p in base]
    judged_rows = pl.concat(judged) if judged else pl.DataFrame()
    if judged_rows.is_empty():
        return ExhibitResult(notes=[NO_JUDGE])
    points = [
        PlanePoint(task, exact(judge), exact(program))
        for task, judge, program in judged_rows.select(
            "task", "judged_completion", "completion"
        ).iter_rows()
    ]
    chart = PlaneChart(
        name="judge-program",
        title="Completion by judge against completion by program",
        across="by judge",
        up="by program",
        points=points,
        across_kind="share",
        small=True,
        named=False,
    )
    rows: list[list[Value]] = [
        ["Completion, judge and program", judge_completion(judged_rows)],
        ["Number of subtasks, judge and program", judge_subtasks(judged_rows)],
    ]
    return ExhibitResult(rows=rows, charts=[chart])


def _compare_variants(
    parts: Sequence[pl.DataFrame],
    of: str,
    tables: Sequence[TopicTable],
    bases: Mapping[str, str],
) -> ExhibitResult:
    """The hard tasks in every way of one ablation, the other held at its base."""
    hard = [p for p in parts if _level(p) == "Hard" and _is_within(p, of, bases)]
    hard = [p.with_columns(tokens=pl.col("input_tokens") + pl.col("output_tokens")) for p in hard]
    rows: list[list[Value]] = [
        [
            f"{p['model'][0]}, {p[of][0]}",
            mean_of(p, "tokens"),
            mean_of(p, "seconds"),
            completion_of(p),
        ]
        for p in hard
    ]
    points = [
        PlanePoint(p[of][0], mean_of(p, "tokens"), completion_of(p), p["model"][0]) for p in hard
    ]
    chart = PlaneChart(
        name=f"tps-{of}",
        title=f"Completion against tokens, by {of}",
        across="tokens a task",
        up="completion",
        points=points,
        lines=True,
    )
    equal = [table for table in tables if table.title == "Other things equal"]
    return ExhibitResult(rows=rows, charts=[chart] if points else [], tables=equal)


def _is_within(part: pl.DataFrame, of: str, bases: Mapping[str, str]) -> bool:
    model, selection, scheduling = part.select("model", "selection", "scheduling").row(0)
    if of == "selection":
        return bool(scheduling == SCHEDULINGS[0])
    return bool(selection == bases[model])
