"""Beyond Accuracy (PTE) as one run: `bench tir` on five question sets, and the studies of a report
under the paper's tables.

The four patterns are looked for exactly as the paper defines them, apart from our own detectors.
PTE are the paper's: evicted cache, gamma of each model on an H100; also where prices are known.
"""

from collections.abc import Iterator, Sequence

import polars as pl

from agentdyno.estimates.estimate import Estimate, exact, if_known
from agentdyno.estimates.stratified import stratified_ratio
from agentdyno.findings.patterns.published import PUBLISHED
from agentdyno.findings.patterns.table import measure_patterns
from agentdyno.pipelines.papers import PaperRequest, Progress
from agentdyno.pipelines.sources import ReadableLedger
from agentdyno.reports.paper import (
    Exhibit,
    ExhibitResult,
    PaperRun,
    read_exhibits,
    show_prompts,
)
from agentdyno.reports.topic import (
    Place,
    PlaneChart,
    PlanePoint,
    TopicChart,
    TopicTable,
    Value,
    columns,
)
from agentdyno.studies.catalogue import list_architectures
from agentdyno.studies.cost.frames import Frames
from agentdyno.studies.cost.unit import PTE_ALONE
from agentdyno.studies.readings import mean_of, share_of
from agentdyno.studies.views import View, apply_view
from agentdyno_bench.pte.patterns.multipliers import Multiplier, multipliers
from agentdyno_bench.pte.studies.by_turn import turn_series
from agentdyno_bench.pte.studies.difficulty import difficulty
from agentdyno_bench.pte.studies.hardware_ranks import hardware_ranks
from agentdyno_bench.pte.studies.latency import RATIOS, latency
from agentdyno_bench.pte.studies.outcome_gaps import outcome_gaps
from agentdyno_bench.pte.tir.benchmarks import BENCHMARKS
from agentdyno_bench.pte.tir.loading import HUB, MINI, load_problems
from agentdyno_bench.pte.tir.plans import TirOptions, tir_plans
from agentdyno_bench.pte.tir.prompts import JUDGE, system_prompt
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

TASKS = {SLOW: 1, "mini": 3, "small": 50, "full": 500}
"""Of each of the five question sets."""
USUAL = Usual(6000, 1500, "the middle of the paper's Tables 5 and 6")
MATH, FACTS = ("math_500", "aime_2024", "aime_2025"), ("simpleqa", "webinstruct")
HARDWARE = {
    "H100 (Ref)": "h100-pcie",
    "H200": "h200",
    "A100": "a100",
    "RTX 4090": "rtx-4090",
    "V100": "v100",
}
EXAMPLES = {
    "Figure 12": "confirmatory",
    "Figure 13": "tool_mixing",
    "Figure 14": "lack_of_tool_priors",
    "Figure 15": "format_collapse",
}
PATTERNS = {
    "confirmatory": ("Confirmatory", "An answer stands before a call for code"),
    "tool_mixing": ("Tool-Mixing", "More than one type of tool"),
    "format_collapse": ("Format Collapse", "Schema or JSON error, or a tool not offered"),
    "lack_of_tool_priors": ("Lack of Priors", "Empty or error return"),
}


def run(request: PaperRequest, progress: Progress) -> PaperRun:
    """The experiment and its tables."""
    models = list_models(request)
    tasks = count_tasks(request, TASKS)
    announce_cost(request, models, len(BENCHMARKS) * tasks * request.epochs, USUAL)
    tir_options = TirOptions(
        benchmarks=list(BENCHMARKS),
        models=models,
        judge=next(iter(judge_specs(request)), None),
        data=HUB if request.size == "full" else MINI,
        attempt_tokens=ATTEMPT_TOKENS.get(size_of(request)),
        prompts=first_prompts(read_prompts(request.prompts, ("system", "judge"))),
    )
    measuring = measure_options(request)
    plans = tir_plans(tir_options, run_options(request, tasks, seed=0))
    result = run_bench(plans, request.out, measuring, progress)
    ledger = result.measured.ledger
    scope = describe_scope(request, TASKS, "question", "of each set")
    results = make_exhibits(ReadableLedger(ledger), tir_options.data)
    return sum_up(request, scope, result.runs, ledger, results)


def read(request: PaperRequest, progress: Progress) -> PaperRun:
    """The page of attempts that are there, whatever their questions."""
    ledger = open_source(request)
    return read_up(request, ledger, make_exhibits(ReadableLedger(ledger), MINI))


def make_exhibits(ledger: ReadableLedger, data: str) -> dict[str, ExhibitResult]:
    """Tables and figures by the paper's exhibits; `data` is where the questions come from."""
    exhibits = {e.name: e for e in read_exhibits(__package__ or "", "pte.toml")}
    tables = apply_view(ledger, View(cache="evicted", gamma="paper"))
    frames = Frames(tables, costs=PTE_ALONE)
    findings = _find_published(ledger)
    return {
        "Table 1": ExhibitResult(rows=[[r[0], r[1], r[5]] for r in _gammas()]),
        "Table 3": ExhibitResult(rows=_gammas()),
        "Figure 3": _latency_plane(frames),
        "Table 10": _latency_table(frames),
        "Table 2": ExhibitResult(
            rows=[[r[0], r[3], r[4], r[5]] for r in _hardware(frames, ledger)]
        ),
        "Table 4": ExhibitResult(rows=_hardware(frames, ledger)),
        "Figure 4": _landscape(frames, exhibits, data),
        "Table 5": ExhibitResult(rows=_performance(frames, MATH), tables=_other_sets(frames)),
        "Table 6": ExhibitResult(rows=_performance(frames, FACTS)),
        "Figure 5": _by_step(frames, "cost"),
        "Figure 8": _by_step(frames, "decode_tokens"),
        "Figure 6": _mixing(frames, ledger, findings),
        "Table 7": _patterns(frames, findings),
        "Figure 7": _outcomes(frames, pooled=True),
        "Figure 11": _outcomes(frames, pooled=False),
        "Figure 9": show_prompts(system=system_prompt(("python", "search", "visit"))),
        "Figure 10": show_prompts(judge=JUDGE),
        **_difficulty(frames),
        **{name: _examples(findings, pattern) for name, pattern in EXAMPLES.items()},
    }


def _question_set(benchmark: str) -> str:
    return benchmark.removesuffix("_mini")


# Tables 1 to 4: the measure ----------------------------------------------------------------------


def _gammas() -> list[list[Value]]:
    """The paper's models from their configurations: by its formula, and by the cache's width."""
    return [
        [
            name,
            arch.paper_params / 1e9,
            arch.layers,
            None,
            None,
            arch.gamma_paper,
            arch.gamma,
        ]
        for arch in list_architectures()
        for name in arch.paper_rows
    ]


def _hardware(frames: Frames, ledger: ReadableLedger) -> list[list[Value]]:
    ranks = hardware_ranks(frames, str(ledger.options.get("hardware", "h100-pcie")))
    by_name = {row.hardware: row for row in ranks.rows}
    rows: list[list[Value]] = []
    for name, accelerator in HARDWARE.items():
        if accelerator in by_name:
            row = by_name[accelerator]
            rho = row.settings if row.settings.value is not None else row.trajectories
            rows.append([name, None, None, row.hoi, f"{row.scale:.2f}×", if_known(rho)])
    return rows


def _latency_table(frames: Frames) -> ExhibitResult:
    result = latency(frames)
    labels = {"pte": "PTE", "output tokens": "Output tokens", **{r: r for r in RATIOS}}
    rows: list[list[Value]] = [
        [f"{labels[r.measure]}, {r.model or 'all models'}", None, r.pearson]
        for r in result.rows
        if r.measure in labels
    ]
    return ExhibitResult(rows=rows, notes=[result.reason] if result.reason else [])


def _latency_plane(frames: Frames) -> ExhibitResult:
    study = latency(frames)
    points = [
        PlanePoint("", exact(p.cost), exact(p.latency_seconds), p.model or "") for p in study.points
    ]
    chart = PlaneChart("pte-latency", "Latency of a turn against its PTE", "PTE", "seconds",
                       points, up_kind="seconds", small=True, named=False)  # fmt: skip
    rows: list[list[Value]] = [
        [
            f"{'PTE' if r.measure == 'pte' else 'Output tokens'}, {r.model or 'all models'}",
            r.pearson,
        ]
        for r in study.rows
        if r.measure in ("pte", "output tokens")
    ]
    notes = [study.reason] if study.reason else []
    return ExhibitResult(rows=rows, charts=[chart] if points else [], notes=notes)


# Tables 5 and 6, Figures 4, 5, 8: performance ----------------------------------------------------


def _performance(frames: Frames, sets: Sequence[str]) -> list[list[Value]]:
    """Each model by question set: accuracy, tokens, tool uses and PTE, four columns a set."""
    rows = frames.trajectories.with_columns(
        tokens=pl.col("prefill_tokens") + pl.col("decode_tokens")
    )
    result: list[list[Value]] = []
    for (model,), group in rows.partition_by("model", as_dict=True, maintain_order=True).items():
        cells: list[Value] = [str(model)]
        for name in sets:
            part = group.filter(pl.col("benchmark").str.strip_suffix("_mini") == name)
            cells += [if_known(share_of(part, "correct"))]
            cells += [if_known(mean_of(part, c)) for c in ("tokens", "calls", "pte")]
        result.append(cells)
    return result


def _other_sets(frames: Frames) -> list[TopicTable]:
    """Questions that are of none of the paper's sets, or of no named one, by model."""
    benchmark = pl.col("benchmark").str.strip_suffix("_mini")
    other = frames.trajectories.filter(~benchmark.is_in([*MATH, *FACTS]).fill_null(False))
    other = other.with_columns(tokens=pl.col("prefill_tokens") + pl.col("decode_tokens"))
    heads = columns("model", "questions", "accuracy:share", "tokens:count", "calls", "PTE:count")
    groups = other.partition_by("model", "benchmark", maintain_order=True)
    rows: list[list[Value]] = [
        [
            part["model"][0],
            part["benchmark"][0] or "without a name",
            if_known(share_of(part, "correct")),
            *(if_known(mean_of(part, name)) for name in ("tokens", "calls", "pte")),
        ]
        for part in groups
    ]
    return [TopicTable("Attempts at other questions", heads, rows)] if rows else []


def _landscape(frames: Frames, exhibits: dict[str, Exhibit], data: str) -> ExhibitResult:
    """A plane for each question set, with the paper's models; and whose questions they are."""
    charts: list[TopicChart] = []
    for panel, name in enumerate((*MATH, *FACTS)):
        table = exhibits["Table 5" if name in MATH else "Table 6"]
        points = list(_printed_points(table, panel % 3 if name in MATH else panel - 3))
        points += [
            PlanePoint(str(row[0]), row[4], row[1], "this run", strong=True)
            for row in _performance(frames, [name])
            if isinstance(row[1], Estimate) and isinstance(row[4], Estimate)
        ]
        charts.append(
            PlaneChart(
                f"landscape-{name}",
                BENCHMARKS[name].title,
                "mean PTE",
                "accuracy",
                points,
                named=False,
                half=True,
            )
        )
    heads = columns("set", "questions of this run:count", "out of:count", "whose", "in the paper")
    sets = TopicTable("Question sets", heads, list(_list_sets(frames, data)))
    return ExhibitResult(charts=charts, tables=[sets])


IN_PAPER = dict.fromkeys(MATH, "all") | dict.fromkeys(FACTS, "500 drawn")


def _list_sets(frames: Frames, data: str) -> Iterator[list[Value]]:
    for name, paper in IN_PAPER.items():
        benchmark = BENCHMARKS[name]
        rows = frames.trajectories.filter(pl.col("benchmark").str.strip_suffix("_mini") == name)
        whose = "our own, of the same kind"
        if data == HUB:
            whose = f"published: {benchmark.repository}"
        count = len(load_problems(benchmark, data)) if rows.height else None
        yield [benchmark.title, rows["task_id"].n_unique(), count, whose, paper]


def _printed_points(table: Exhibit, panel: int) -> Iterator[PlanePoint]:
    heads = [head.title for head in table.heads]
    accuracy, cost = table.numbers(heads[1 + 4 * panel]), table.numbers(heads[4 + 4 * panel])
    for model, right in accuracy.items():
        if right <= 100:  # One row of the paper is garbled.
            yield PlanePoint(model, exact(cost[model]), exact(right / 100), "the paper's models")


def _by_step(frames: Frames, of: str) -> ExhibitResult:
    """A panel for each question set with a curve for each model; the table has the first and the
    last point of each."""
    series = [s for s in turn_series(frames) if s.setting is not None] or turn_series(frames)
    what = "PTE" if of == "cost" else "generated tokens"
    panels: dict[str, list[PlanePoint]] = {}
    for curve in series:
        model, name = (getattr(curve.setting, part, None) for part in ("model", "benchmark"))
        panels.setdefault(_question_set(name or "all sets"), []).extend(
            PlanePoint("", exact(p.turn + 1), getattr(p, of), model or "all models")
            for p in curve.points
        )
    charts: list[TopicChart] = [
        PlaneChart(f"steps-{of.replace('_', '-')}-{name}", f"{name}: mean {what} of a step",
                   "step", what, points, up_kind="amount", lines=True, named=False, half=True)
        for name, points in panels.items()
        if points
    ]  # fmt: skip
    rows: list[list[Value]] = [
        [
            _name_setting(s.setting),
            getattr(s.points[0], of),
            getattr(s.points[-1], of),
            len(s.points),
            if_known(s.first_longest),
        ]
        for s in series
        if s.points
    ]
    return ExhibitResult(rows=rows, charts=charts)


def _name_setting(setting: object) -> str:
    model, benchmark = getattr(setting, "model", None), getattr(setting, "benchmark", None)
    return f"{model or 'all models'}, {_question_set(benchmark or 'all sets')}"


# Figures 7 and 11, Tables 8 and 9: outcomes ------------------------------------------------------


def _outcomes(frames: Frames, pooled: bool) -> ExhibitResult:
    gaps = outcome_gaps(frames)
    alone = len(gaps) == 1
    selected = [g for g in gaps if alone or (g.setting is None) == pooled]
    rows: list[list[Value]] = [
        [
            _name_setting(g.setting),
            g.solved,
            g.unsolved,
            if_known(g.cost_solved),
            if_known(g.cost_unsolved),
            if_known(g.ratio),
        ]
        for g in selected
    ]
    return ExhibitResult(rows=rows)


def _difficulty(frames: Frames) -> dict[str, ExhibitResult]:
    result = difficulty(frames)
    reason = result.reason or ""
    notes = [f"{reason[:1].upper()}{reason[1:]}."] if reason else []
    gaps: list[list[Value]] = [
        [f"{_name_setting(g.setting)}, level {g.level}", if_known(g.ratio)]
        for g in result.gaps
        if g.ratio.value is not None
    ]
    below: list[list[Value]] = [
        [
            f"{_question_set(o.benchmark or '')}, {o.hard} correct under {o.easy} wrong",
            if_known(o.share),
        ]
        for o in result.overtakes
    ]
    partials: list[list[Value]] = [
        [f"{_question_set(p.benchmark or '')}, without {p.controls}", if_known(p.correlation)]
        for p in result.partials
    ]
    return {
        "Table 8": ExhibitResult(rows=gaps, notes=notes),
        "Table 9": ExhibitResult(rows=below, notes=notes),
        "Section F.3": ExhibitResult(rows=partials, notes=notes),
    }


# Table 7, Figures 6 and 12 to 15: patterns as the paper defines them -----------------------------


def _find_published(ledger: ReadableLedger) -> pl.DataFrame:
    return measure_patterns(ledger.trajectories(), ledger.read("calls"), detectors=PUBLISHED)


def _patterns(frames: Frames, findings: pl.DataFrame) -> ExhibitResult:
    """Each pattern in the setting where it is most frequent, and in every setting below."""
    rows = frames.trajectories.filter(pl.col("parent_id").is_null())
    patterns = multipliers(findings, rows)
    best: dict[str, Multiplier] = {}
    for entry in sorted(patterns, key=lambda m: -(m.frequency.value or 0.0)):
        best.setdefault(entry.pattern, entry)
    heads = columns(*_HEADS)
    everywhere = TopicTable(
        "In every setting", heads, [_pattern_row(m, rows, findings) for m in patterns]
    )
    missing = [PATTERNS[name][0] for name in PATTERNS if name not in best]
    notes = [f"Not found in any attempt: {', '.join(missing)}."] if missing else []
    dominant = [_pattern_row(best[name], rows, findings) for name in PATTERNS if name in best]
    return ExhibitResult(rows=dominant, tables=[everywhere] if patterns else [], notes=notes)


_HEADS = ("pattern", "setting", "definition", "frequency:share", "cost, raw:ratio",
          "cost at equal level and length:ratio")  # fmt: skip


def _pattern_row(m: Multiplier, rows: pl.DataFrame, findings: pl.DataFrame) -> list[Value]:
    name, definition = PATTERNS[m.pattern]
    inside = rows.filter(
        pl.col("model").eq_missing(m.model), pl.col("benchmark").eq_missing(m.benchmark)
    )
    setting = f"{m.model}, {_question_set(m.benchmark or '')}"
    equal = _multiplier_at_equal_length(inside, findings.filter(pl.col("pattern") == m.pattern))
    return [name, setting, definition, m.frequency, if_known(m.multiplier), if_known(equal)]


def _multiplier_at_equal_length(inside: pl.DataFrame, matches: pl.DataFrame) -> Estimate:
    """With against without, at equal level and number of calls (by powers of two)."""
    length = (pl.col("calls") + 1).log(2).floor().cast(pl.Int64).cast(pl.String)
    marked = inside.filter(pl.col("pte") > 0).select(
        cost="pte",
        after=pl.col("trajectory_id").is_in(matches["trajectory_id"].implode()),
        task=pl.concat_str(pl.col("level").fill_null(""), length, separator="\0"),
    )
    return stratified_ratio(marked.filter(pl.col("after").n_unique().over("task") == 2))


def _mixing(frames: Frames, ledger: ReadableLedger, findings: pl.DataFrame) -> ExhibitResult:
    """On WebInstruct: calls of either toolset, and the share of attempts that use both."""
    mixed = findings.filter(pl.col("pattern") == "tool_mixing")["trajectory_id"].implode()
    rows = frames.trajectories.filter(
        pl.col("benchmark").str.strip_suffix("_mini") == "webinstruct"
    ).with_columns(mixes=pl.col("trajectory_id").is_in(mixed))
    calls = ledger.read("calls").select("trajectory_id", python=pl.col("tool") == "python")
    counted = calls.group_by("trajectory_id").agg(
        code=pl.col("python").sum(), web=(~pl.col("python")).sum()
    )
    rows = rows.join(counted, on="trajectory_id", how="left").with_columns(
        pl.col("code", "web").fill_null(0)
    )
    parts = rows.partition_by("model", as_dict=True, maintain_order=True)
    table: list[list[Value]] = [
        [str(model), share_of(p, "mixes"), mean_of(p, "code"), mean_of(p, "web"), mean_of(p, "pte")]
        for (model,), p in parts.items()
    ]
    chart = PlaneChart(
        "tool-mixing",
        "Calls of either toolset on WebInstruct, by the share of attempts that use both",
        "Python calls an attempt",
        "search and visit calls an attempt",
        [
            PlanePoint(str(model), x, y, _band(share))
            for model, share, x, y, _ in table
            if isinstance(share, Estimate) and isinstance(x, Estimate) and isinstance(y, Estimate)
        ],
        across_kind="mean",
        up_kind="mean",
    )
    return ExhibitResult(rows=table, charts=[chart] if table else [])


def _band(share: Estimate) -> str:
    """The quarter that a share is in, from which its colour comes."""
    quarter = min(3, int(4 * (share.value or 0.0)))
    return f"{25 * quarter} to {25 * (quarter + 1)} % mixed"


def _examples(findings: pl.DataFrame, pattern: str) -> ExhibitResult:
    """The dearest finding of this run."""
    matches = findings.filter(pl.col("pattern") == pattern).sort(
        "pte", "trajectory_id", descending=[True, False], nulls_last=True
    )
    rows: list[list[Value]] = [
        [Place(r["trajectory_id"], r["turn"]), r["evidence"], r["detail"]]
        for r in matches.head(1).iter_rows(named=True)
    ]
    notes = [] if rows else ["No attempt of this run shows it."]
    return ExhibitResult(rows=rows, notes=notes)
