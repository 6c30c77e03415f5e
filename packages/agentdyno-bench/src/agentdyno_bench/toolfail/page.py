"""ToolFailBench as one run: `bench toolfail` with every model, its temperature check, and the
tables of the paper from the same report.

Answers are submitted and decided by program; judges stand beside it. The temperature check runs the
first model again at another temperature, in a folder of its own.
"""

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean, median

from msgspec import structs

from agentdyno.estimates.estimate import Estimate, exact
from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.measure import MeasureOptions
from agentdyno.pipelines.papers import PaperRequest, Progress
from agentdyno.pipelines.sources import ReadableLedger
from agentdyno.records import InputError
from agentdyno.reports.paper import Exhibit, ExhibitResult, PaperRun, read_exhibits
from agentdyno.reports.topic import PlaneChart, PlanePoint, TopicTable, Value, columns
from agentdyno.studies.cost.unit import costs_of
from agentdyno_bench.shared.experiment import (
    ANSWER_TOKENS,
    SLOW,
    Usual,
    announce_cost,
    count_tasks,
    describe_scope,
    list_models,
    measure_options,
    open_source,
    read_up,
    run_options,
    size_of,
    sum_up,
)
from agentdyno_bench.shared.judges.questions import AskOptions
from agentdyno_bench.shared.judging import JudgeOptions
from agentdyno_bench.shared.judging.command import open_client
from agentdyno_bench.shared.prompts import first_prompts, read_prompts
from agentdyno_bench.shared.running.budget import SPENDING, sum_spending
from agentdyno_bench.shared.running.options import RunOptions
from agentdyno_bench.toolfail.findings.leaderboard import Standing
from agentdyno_bench.toolfail.findings.rates import MEANING, RateName
from agentdyno_bench.toolfail.judge import FRAMINGS, rubric
from agentdyno_bench.toolfail.judging import Judging
from agentdyno_bench.toolfail.records import ENSEMBLE, PAPER, SUBMITTED, Answers
from agentdyno_bench.toolfail.report.charts import failure_charts
from agentdyno_bench.toolfail.report.tables import failure_tables
from agentdyno_bench.toolfail.run import (
    ToolfailDone,
    ToolfailOptions,
    record_labels,
    run_toolfail,
)
from agentdyno_bench.toolfail.studies.labels import label_trajectories
from agentdyno_bench.toolfail.studies.rated_attempts import judges_among, list_rated_trajectories
from agentdyno_bench.toolfail.studies.report import FailureReport, family_of, report_failures
from agentdyno_bench.toolfail.tasks.suite import load_suite
from agentdyno_bench.toolfail.tasks.task import MAX_TOKENS, SEED, TEMPERATURE

TASKS = {SLOW: 8, "mini": 20, "small": 200, "full": 1000}
VOTED: tuple[RateName, ...] = ("CTUR", "TSR", "RIR", "OFR", "UTR", "CTRL-Acc")
"""Columns of the leaderboard by the ensemble."""
CHECK_TEMPERATURE = 0.7
"""The paper says only that it was not zero."""
USUAL = Usual(6000, 250, "two requests with nine tools each")
NO_JUDGE = "No judge was given; --judge NAME fills this, two of them for the checks between judges."


def run(request: PaperRequest, progress: Progress) -> PaperRun:
    """The experiment and its tables."""
    models = list_models(request)
    tasks = count_tasks(request, TASKS)
    announce_cost(request, models, tasks * request.epochs, USUAL)
    judging = _judging(request)
    most = ANSWER_TOKENS.get(size_of(request), MAX_TOKENS)
    options = run_options(request, tasks, temperature=TEMPERATURE, seed=SEED, max_tokens=most)
    measuring = measure_options(request)
    toolfail_options = ToolfailOptions(
        models=models,
        tasks=request.tasks,
        answers=_answers(request) or "submit",
        published=request.published,
        prompts=first_prompts(read_prompts(request.prompts, ("system", "judge"))),
        judging=judging,
    )
    result = run_toolfail(toolfail_options, options, measuring, progress)
    stopped = any(run.stopped for run in result.runs)
    warm = None if stopped else _run_warm(request, toolfail_options, options, measuring, progress)
    results = make_exhibits(result.report, warm, request.judges)
    scope = describe_scope(request, TASKS, "task", "for each model")
    beside = warm.runs if warm else ()
    return sum_up(request, scope, result.runs, result.measured.ledger, results, beside)


def read(request: PaperRequest, progress: Progress) -> PaperRun:
    """The page of attempts that are there: logs are labelled by their tasks' truth, a ledger has
    labels. Judges, where some are named, see what they have not seen."""
    ledger = open_source(request)
    tables = ReadableLedger(ledger)
    if not tables.has("failures") or request.tasks or request.published or request.judges:
        suite = load_suite(request.tasks, "multi", request.published)
        labelled = label_trajectories(tables.trajectories(), suite)
        if judging := _judging(request):
            judging.judge(ledger, suite, labelled, progress)
        record_labels(labelled, ledger)
    report = _read_report(request, ledger)
    judges = judges_among(list(dict.fromkeys(entry.rater for entry in report.rates)))
    names = list(dict.fromkeys(judge.partition(":")[2] for judge in judges))
    return read_up(request, ledger, make_exhibits(report, None, names))


def _read_report(request: PaperRequest, ledger: Path) -> FailureReport:
    """Of the attempts that were answered in one way: as asked for, else submissions first."""
    tables = Ledger(ledger)
    costs = costs_of(tables)
    rated = list_rated_trajectories(tables, costs=costs)
    submitted = [attempt for attempt in rated if attempt.is_submitted]
    prose = [attempt for attempt in rated if not attempt.is_submitted]
    labelled = {"submit": submitted, "prose": prose, None: submitted or prose}[_answers(request)]
    if not labelled:
        raise InputError(
            f"--from {request.source}: expected attempts at known tasks"
            f"{f' answered by --answers {request.answers}' if request.answers else ''}, found none."
            " Name their tasks with --tasks FOLDER."
        )
    return report_failures("", labelled, costs.unit)


def _answers(request: PaperRequest) -> Answers | None:
    if request.answers not in (None, "submit", "prose"):
        raise InputError(f"--answers: expected submit or prose, found {request.answers!r}.")
    return request.answers  # type: ignore[return-value]


def _judging(request: PaperRequest) -> Judging | None:
    import sys

    if not request.judges:
        return None
    arguments = list(request.judge_arguments)
    return Judging(
        models=[open_client(name, request.judge_base_url, arguments) for name in request.judges],
        options=JudgeOptions(
            ask=AskOptions(max_usd=request.max_usd),
            prices=request.prices,
            instructions=read_prompts(request.prompts, ("system", "judge")).get("judge", ()),
        ),
        announce=lambda estimated: print(f"judging: {estimated}", file=sys.stderr),
    )


def _run_warm(
    request: PaperRequest,
    toolfail_options: ToolfailOptions,
    options: RunOptions,
    measuring: MeasureOptions,
    progress: Progress,
) -> ToolfailDone:
    """The first model again, warmer, within what the money allows."""
    max_usd = request.max_usd
    if max_usd is not None:
        max_usd = max(0.0, max_usd - sum_spending(request.out / SPENDING))
    warmer = structs.replace(
        options, out=request.out / "temperature", temperature=CHECK_TEMPERATURE, max_usd=max_usd
    )
    first = structs.replace(toolfail_options, models=toolfail_options.models[:1], judging=None)
    return run_toolfail(first, warmer, measuring, progress)


def make_exhibits(
    report: FailureReport, warm: ToolfailDone | None, judges: Sequence[str]
) -> dict[str, ExhibitResult]:
    """The labels arranged by the paper's exhibits."""
    exhibits = {item.name: item for item in read_exhibits(__package__ or "", "toolfail.toml")}
    metrics = exhibits["Table 1"].rows
    results = {
        "Table 1": ExhibitResult(rows=[_count_metric(report, row) for row in metrics]),
        "Table 2": _leaderboard(report),
        "Figure 2": _profiles(report, exhibits["Table 2"]),
        "Table 3": ExhibitResult(
            rows=[_rates(s, "CTUR", "RIR", "UTR", "CTRL-Acc") for s in _standings(report)]
        ),
        "Figure 3": _domains(report),
        "Table 5": ExhibitResult(rows=[_status(s) for s in _standings(report)]),
        "Section B.3": _temperatures(report, warm),
        "Table 6": ExhibitResult(rows=[_rates(s, "CTUR") for s in _standings(report)]),
        "Table 9": ExhibitResult(rows=_count_tools()),
        "Table 10": ExhibitResult(
            rows=[[judge, framing] for judge in judges for framing in FRAMINGS],
            tables=[*_pick_tables(report, "What judges score"), _rubrics()],
        ),
    }
    return results | _between_raters(report)


# Over attempts -----------------------------------------------------------------------------------


def _standings(report: FailureReport) -> list[Standing]:
    return report.leaderboard.standings


def _rates(standing: Standing, *names: str) -> list[Value]:
    rates: dict[str, Estimate] = {str(k): v for k, v in standing.rates.rates.items()}
    return [standing.model, *(rates[name] for name in names)]


def _count_metric(report: FailureReport, printed: Sequence[str]) -> list[Value]:
    name, about, *_ = printed
    kind = {str(k): v for k, v in MEANING.items()}[name][0]
    sizes = {
        "required": sum(s.rates.required for s in _standings(report)),
        "control": sum(s.rates.control for s in _standings(report)),
    }
    return [name, about, kind.capitalize(), sizes[kind]]


def _leaderboard(report: FailureReport) -> ExhibitResult:
    """Columns of the ensemble are its own where judges were given, and those of the rule else."""
    by_rule, by_vote = (
        {entry.model: entry.rates.rates for entry in report.rates if entry.rater == rater}
        for rater in (SUBMITTED if report.answers == "submit" else PAPER, ENSEMBLE)
    )
    rows: list[list[Value]] = []
    for s in _standings(report):
        voted = by_vote.get(s.model, s.rates.rates)
        clean, *other_rates = (voted[name] for name in VOTED)
        rank = "apart" if s.rank is None else "–".join(dict.fromkeys(map(str, s.rank)))
        rows.append([s.model, rank, clean, by_rule[s.model]["CTUR"], *other_rates])
    titles = ("Models by clean tool use", "Answers behind", "Every pair", "What each outcome")
    return ExhibitResult(rows=rows, tables=_pick_tables(report, *titles))


def _pick_tables(report: FailureReport, *beginnings: str) -> list[TopicTable]:
    """Those of the report whose titles begin so, folded."""
    return [
        structs.replace(table, folded=True)
        for table in failure_tables(report)
        if table.title.startswith(beginnings)
    ]


def _profiles(report: FailureReport, leaderboard: Exhibit) -> ExhibitResult:
    """The plane with the paper's models and ours."""
    across, up = leaderboard.numbers("Ens. CTUR"), leaderboard.numbers("Ens. UTR")
    points = [
        PlanePoint(name, exact(across[name] / 100), exact(up[name] / 100), "the paper's models")
        for name in across
    ]
    points += [
        PlanePoint(s.model, s.rates.rates["CTUR"], s.rates.rates["UTR"], "this run", strong=True)
        for s in _standings(report)
        if s.rank is not None
    ]
    chart = PlaneChart(
        name="ctur-utr",
        title="CTUR against UTR",
        across="CTUR, share of required tasks",
        up="UTR, share of controls",
        points=points,
        across_kind="share",
        named=False,
    )
    rows = [[*_rates(s, "CTUR", "UTR"), s.profile.name] for s in _standings(report)]
    return ExhibitResult(rows=rows, charts=[chart])


def _domains(report: FailureReport) -> ExhibitResult:
    """Over disciplined models, as the paper; over all where none is."""
    scored = [s for s in _standings(report) if s.rank is not None]
    standings = [s for s in scored if s.profile.name == "disciplined"]
    notes = [] if standings else ["No model of this run is disciplined: the median is over all."]
    standings = standings or scored
    domains = sorted({domain for s in standings for domain in s.by_domain})
    rows: list[list[Value]] = [[_title(d), _median_of(standings, d)] for d in domains]
    charts = [c for c in failure_charts(report) if c.name == "failure-domains"] if standings else []
    return ExhibitResult(rows=rows, charts=charts, notes=notes)


def _title(domain: str) -> str:
    return domain.replace("_", " ").capitalize()


def _median_of(standings: Sequence[Standing], domain: str) -> Estimate:
    """One model's own rate with its interval; of several the median, from lowest to highest."""
    rates = [s.by_domain[domain].rates["RIR"] for s in standings if domain in s.by_domain]
    values = [rate.value for rate in rates if rate.value is not None]
    if len(rates) == 1 or not values:
        return rates[0]
    return Estimate(median(values), min(values), max(values), len(values))


def _status(standing: Standing) -> list[Value]:
    excluded = f"apart: {standing.profile.reason}"
    status = "headline" if standing.rank is not None else excluded
    return [standing.model, family_of(standing.model), None, status]


def _temperatures(report: FailureReport, warm: ToolfailDone | None) -> ExhibitResult:
    standings = {s.model: s for s in _standings(report)}
    again = warm.report.leaderboard.standings if warm else []
    rows: list[list[Value]] = []
    for other in again:
        for standing, heat in (
            (standings.get(other.model), TEMPERATURE),
            (other, CHECK_TEMPERATURE),
        ):
            if standing is not None:
                rates = standing.rates
                answers = rates.required + rates.control
                name = f"{other.model}, temperature {heat:g}"
                rows.append([name, rates.rates["CTUR"], f"{rates.broken} of {answers:,}"])
    missing = "The budget ran out before the second run, or no task of it has an answer."
    return ExhibitResult(rows=rows, notes=[] if again else [missing])


def _rubrics() -> TopicTable:
    rows: list[list[Value]] = [[framing, rubric(framing)] for framing in FRAMINGS]
    return TopicTable("Our rubric in both framings", columns("framing", "wording:passage"), rows)


def _count_tools() -> list[list[Value]]:
    suite = load_suite()
    return [
        [_title(domain), f"{len(tools)} tools", ", ".join(tool.name for tool in tools)]
        for domain, tools in suite.tools.items()
    ]


# Between raters ----------------------------------------------------------------------------------


def _between_raters(report: FailureReport) -> dict[str, ExhibitResult]:
    agreement = report.agreement
    if agreement is None:
        empty = ExhibitResult(notes=[NO_JUDGE])
        return dict.fromkeys(("Table 4", "Section 5.4", "Table 7", "Table 8"), empty)
    kappas: list[list[Value]] = [[pair, kappa] for pair, kappa in agreement.pairs.items()]
    strata = (
        *((f"Domain: {_title(part.name)}", part) for part in agreement.by_domain),
        *((f"Mode: {_title(part.name)}", part) for part in agreement.by_mode),
        *((part.name, part) for part in agreement.by_tier),
    )
    return {
        "Table 4": ExhibitResult(
            rows=[*kappas, ["All raters, Fleiss' κ", agreement.overall.fleiss]]
        ),
        "Section 5.4": ExhibitResult(
            rows=[
                ["All raters differ", agreement.tie_share],
                ["All judges against the rule", agreement.overrule_share],
            ]
        ),
        "Table 7": _families(report),
        "Table 8": ExhibitResult(rows=[[name, part.fleiss, part.raw] for name, part in strata]),
    }


def _families(report: FailureReport) -> ExhibitResult:
    """Each judge on models of its own family and on the others."""
    judges = judges_among(list(dict.fromkeys(entry.rater for entry in report.rates)))
    ctur = {(e.rater, e.model): e.rates.rates["CTUR"].value for e in report.rates}
    models = [s.model for s in _standings(report)]
    rows: list[list[Value]] = []
    for judge in judges:
        family = family_of(judge.partition(":")[2])
        for in_family in (True, False):
            group = [m for m in models if (family_of(m) == family) == in_family]
            judged_rate = _mean([ctur.get((judge, m)) for m in group])
            other_rate = _mean([ctur.get((j, m)) for m in group for j in judges if j != judge])
            name = f"{judge} on {'its family' if in_family else 'other models'} ({family})"
            gap = None if judged_rate is None or other_rate is None else judged_rate - other_rate
            rows.append([name, len(group), judged_rate, other_rate, gap])
    return ExhibitResult(rows=rows)


def _mean(values: Sequence[float | None]) -> float | None:
    numbers = [value for value in values if value is not None]
    return fmean(numbers) if numbers else None
