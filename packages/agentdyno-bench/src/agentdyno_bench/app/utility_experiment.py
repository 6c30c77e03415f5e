"""Eta Given Delta as one run: `worth tps` under three tool suites, and which calls helped.

    default   all fifteen servers, as the paper's harness with every MCP
    needed    the servers that the tasks' own plans use, as its `grafana`
    none      no server, as its `no-mcp`

A tool is a server, as there. Whether a call helped is said by a judge where one is named, else by
continuing the attempt from before and after the call.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

import polars as pl

from agentdyno.ledger.reader import Ledger
from agentdyno.matching.logical_tools import LogicalTools, Rule
from agentdyno.pipelines.papers import PaperRequest, Progress
from agentdyno.pipelines.sources import ReadableLedger
from agentdyno.records import InputError, plural
from agentdyno.reports.paper import PaperRun
from agentdyno.reports.topic import Figure
from agentdyno_bench.app.ablatable_models import ModelSettings, SuiteStopped, tps_bench
from agentdyno_bench.app.cli.judge_rollouts import RolloutOptions, roll_out_ledger
from agentdyno_bench.shared.experiment import (
    ANSWER_TOKENS,
    ATTEMPT_TOKENS,
    LEDGER_FOLDER,
    MANIFEST,
    SLOW,
    Usual,
    announce_cost,
    count_tasks,
    describe_scope,
    list_models,
    measure_options,
    open_source,
    size_of,
)
from agentdyno_bench.shared.judges.questions import AskOptions
from agentdyno_bench.shared.judging import JudgeOptions
from agentdyno_bench.shared.judging.command import judge as ask_judges
from agentdyno_bench.shared.judging.command import kind_of, open_client
from agentdyno_bench.shared.prompts import read_prompts
from agentdyno_bench.shared.running.budget import (
    SPENDING,
    enter_spending,
    left_after,
    sum_spending,
)
from agentdyno_bench.shared.running.folder import file_name
from agentdyno_bench.shared.running.options import ModelSpec
from agentdyno_bench.tps.outcomes.submission import SUBMIT
from agentdyno_bench.tps.page import base_selection
from agentdyno_bench.tps.tasks.dataset import load_bundled
from agentdyno_bench.tps.world.directory import SEPARATOR, SERVERS
from agentdyno_bench.utility.ablation.pipeline import AblateOptions, ablate
from agentdyno_bench.utility.ablation.results import Ablation
from agentdyno_bench.utility.ablation.table import build_ablation
from agentdyno_bench.utility.ablation.variants import Variant
from agentdyno_bench.utility.page import VARIANTS, Suites, make_exhibits
from agentdyno_bench.utility.studies import report_utility

TASKS = {SLOW: 1, "mini": 5, "small": 25, "full": 100}
ROLLED_CALLS = {SLOW: 1, "mini": 2, "small": 30, "full": None}
"""Calls that are continued, spread over all; None for every call."""
CONTINUATIONS = {SLOW: 8, "mini": 16, "small": 64, "full": 256}
USUAL = Usual(8000, 1000, "the easy tasks of TPS-Bench")
RULES = LogicalTools(
    tuple(Rule(name=server, match=f"{server}{SEPARATOR}*") for server in SERVERS),
    leave_out=(SUBMIT,),
)


def run(request: PaperRequest, progress: Progress) -> PaperRun:
    """The experiment and its tables."""
    models = list_models(request)
    tasks = count_tasks(request, TASKS)
    announce_cost(request, models, len(VARIANTS) * tasks * request.epochs, USUAL)
    suites: list[Suites] = []
    stopped = None
    for model in models:
        try:
            suites.append(_run_suites(request, model, tasks, progress))
        except SuiteStopped as stop:
            stopped = str(stop)
            break
    scope = describe_scope(request, TASKS, "task", "with each tool suite")
    return PaperRun(
        results=make_exhibits(suites),
        figures=_sum_up(request, suites),
        scope=scope,
        notes=[note for suite in suites for note in suite.ablation.notes],
        stopped=stopped,
        attempts=sum(v.passed + v.failed for suite in suites for v in suite.ablation.variants),
    )


def _run_suites(request: PaperRequest, model: ModelSpec, tasks: int, progress: Progress) -> Suites:
    """In a folder of its own, since suites of two models are never compared."""
    out = request.out / file_name(model.name)
    max_usd = _remaining_usd(request, out)
    shared = ModelSettings(
        model,
        out,
        tasks=tasks,
        seed=0,
        concurrency=request.concurrency,
        retry_failed=request.retry_failed,
        epochs=request.epochs,
        max_usd=max_usd,
        max_tokens=ANSWER_TOKENS.get(size_of(request)),
    )
    bench = tps_bench(
        shared,
        "easy",
        base_selection(model.name),
        in_process=True,
        attempt_tokens=ATTEMPT_TOKENS.get(size_of(request)),
    )
    options = AblateOptions(_variants(tasks), out, measure_options(request), RULES)
    ablation = ablate(bench, options, _judging(request, out, max_usd), progress)
    return _arrange(model.name, ablation, ReadableLedger(out / "ledger"))


def read(request: PaperRequest, progress: Progress) -> PaperRun:
    """The page of suites that are there: a ledger, or one for each model below the folder, whose
    `variant` names the suite. The first suite in the order of `VARIANTS` is the baseline."""
    assert request.source is not None
    below = sorted(request.source.glob(f"*/{LEDGER_FOLDER}/{MANIFEST}"))
    ledgers = [file.parent for file in below] or [open_source(request)]
    suites = [suite for ledger in ledgers for suite in _read_suites(request, ledger)]
    attempts = sum(entry.trajectories for suite in suites for entry in suite.ablation.variants)
    return PaperRun(
        results=make_exhibits(suites),
        figures=[Figure(len(suites), "count", "models"), Figure(attempts, "count", "attempts")],
        scope=f"Read from {request.source}: {plural(attempts, 'attempt')}; nothing was run.",
        notes=[note for suite in suites for note in suite.ablation.notes],
        attempts=attempts,
    )


def _read_suites(request: PaperRequest, folder: Path) -> list[Suites]:
    ledger = ReadableLedger(folder)
    rows = ledger.read("trajectories").filter(pl.col("parent_id").is_null())
    models = rows["model"].drop_nulls().unique().to_list()
    named = rows["variant"].drop_nulls().unique(maintain_order=True).to_list()
    if len(models) != 1 or not named:
        raise InputError(
            f"--from {request.source}: expected attempts of one model with a tool suite each "
            f"(`variant`, as `worth` writes them), found {plural(len(models), 'model')} and "
            f"{plural(len(named), 'suite')} in {folder}."
        )
    variants = sorted(named, key=lambda v: VARIANTS.index(v) if v in VARIANTS else len(VARIANTS))
    if _has_verdicts(ledger) is False and request.judges:
        _judging(request, folder.parent, request.max_usd)(folder)
        ledger = ReadableLedger(folder)
    judged = "the ledger's verdicts" if _has_verdicts(ledger) else None
    empty: dict[str, tuple[str, ...]] = dict.fromkeys(variants, ())
    ablation = build_ablation(folder.parent.name, ledger, empty, judged, RULES)
    return [_arrange(models[0], ablation, ledger)]


def _arrange(model: str, ablation: Ablation, ledger: ReadableLedger) -> Suites:
    settings = report_utility(ledger, RULES).settings if _has_verdicts(ledger) else []
    rows = ledger.read("trajectories").filter(pl.col("parent_id").is_null())
    outcomes: dict[str, dict[str, bool | None]] = defaultdict(dict)
    for task, variant, correct in rows.select("task_id", "variant", "correct").iter_rows():
        outcomes[task][variant] = correct
    by_variant = {setting.setting.variant or "": setting for setting in settings}
    return Suites(model, ablation, by_variant, outcomes)


def _remaining_usd(request: PaperRequest, out: Path) -> float | None:
    """Budget left after the spending in the other models' folders."""
    if request.max_usd is None:
        return None
    spent = [sum_spending(f) for f in request.out.glob(f"*/{SPENDING}") if f.parent != out]
    return max(0.0, request.max_usd - sum(spent))


def _variants(tasks: int) -> tuple[Variant, ...]:
    """The servers that these tasks' own plans use, besides all and none."""
    needed = {
        subtask.tool.partition(SEPARATOR)[0]
        for task in load_bundled("easy").tasks[:tasks]
        for subtask in task.subtasks
    }
    patterns = tuple(f"{server}{SEPARATOR}*" for server in SERVERS if server in needed)
    return (Variant("default"), Variant("needed", only=patterns), Variant("none", without=("*",)))


def _has_verdicts(ledger: ReadableLedger) -> bool:
    return ledger.has("verdicts") and not ledger.read("verdicts").is_empty()


def _judging(request: PaperRequest, out: Path, max_usd: float | None) -> Callable[[Path], str]:
    def by_rollouts(ledger: Path) -> str:
        if not Ledger(ledger).read("calls").is_empty():
            options = RolloutOptions(
                RULES,
                CONTINUATIONS[size_of(request)],
                0.1,
                sample=ROLLED_CALLS[size_of(request)],
                concurrency=request.concurrency,
                max_usd=left_after(out, max_usd),
                prices=request.prices,
                trusted=True,  # The settings are this command's own.
            )
            rolled_out = roll_out_ledger(ledger, options)
            enter_spending(out, "rollouts", rolled_out.spent_usd or 0.0)
        return "rollouts"

    def by_models(ledger: Path) -> str:
        ask = AskOptions(max_usd=left_after(out, max_usd))
        texts = read_prompts(request.prompts, ("judge",)).get("judge", ())
        options = JudgeOptions(rules=RULES, ask=ask, prices=request.prices, instructions=texts)
        arguments = list(request.judge_arguments)
        clients = [open_client(name, request.judge_base_url, arguments) for name in request.judges]
        kind = kind_of("utility", options, None, None)
        judged = ask_judges(ledger, kind, clients, options)
        enter_spending(out, "judges", judged.spent_usd or 0.0)
        return ", ".join(request.judges)

    return by_models if request.judges else by_rollouts


def _sum_up(request: PaperRequest, suites: Sequence[Suites]) -> list[Figure]:
    ledgers = [Ledger(request.out / file_name(entry.model) / "ledger") for entry in suites]
    costs = [ledger.read("trajectories")["usd"].drop_nulls() for ledger in ledgers]
    usd = sum(float(entry.sum()) for entry in costs)
    many = sum(v.trajectories for entry in suites for v in entry.ablation.variants)
    return [
        Figure(len(suites), "count", "models"),
        Figure(many, "count", "attempts in the tables"),
        Figure(usd if any(len(entry) for entry in costs) else None, "money", "spent on the models"),
        Figure(request.size, "text", "size"),
    ]
