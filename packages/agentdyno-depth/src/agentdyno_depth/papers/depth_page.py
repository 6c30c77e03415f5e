"""Think Deep, Not Just Long as one run: samples of local models, their depth, and ways to choose
among them, under the paper's tables.

For each model a pool of graded samples (`agentdyno think`) and a reading of the same samples with
other thresholds and distances (`agentdyno depth`). Every step goes on after a kill. Costs nothing:
models run here.
"""

import sys
from collections.abc import Iterator, Sequence
from math import exp
from pathlib import Path
from typing import NamedTuple

import msgspec

from agentdyno.estimates.estimate import Estimate, exact, if_known
from agentdyno.pipelines.papers import PaperRequest, Progress
from agentdyno.records import InputError, plural
from agentdyno.reports.paper import (
    Exhibit,
    ExhibitResult,
    PaperRun,
    read_exhibits,
    show_prompts,
)
from agentdyno.reports.topic import Figure, PlaneChart, PlanePoint, TopicChart, Value
from agentdyno_depth.engines.smollm2 import NAME
from agentdyno_depth.pipelines.depth import DepthOptions, DepthResult, measure_depth
from agentdyno_depth.pipelines.think.verb import ThinkRequest, think
from agentdyno_depth.records.depth import PAPER, Distance, Thresholds
from agentdyno_depth.records.thinking import MethodResult, Pool, Sample, Thinking
from agentdyno_depth.reports.depth.charts import bins_chart, profile_chart
from agentdyno_depth.reports.thinking import NAMES
from agentdyno_depth.studies.depth.accuracy import Correlation, correlate, quantile_bins
from agentdyno_depth.studies.depth.accuracy import threshold_correlations as correlate_thresholds
from agentdyno_depth.studies.depth.results import SequenceDepth
from agentdyno_depth.studies.thinking.answers import grade_pool
from agentdyno_depth.think.pool_files import read_pool
from agentdyno_depth.think.problems import BUILTIN, BUILTIN_EXAMPLES
from agentdyno_depth.think.prompts import CHOICE, MATHS, prompt_turns


class Scale(NamedTuple):
    """How much is drawn and read."""

    problems: int
    n: int
    """Samples of each problem that are chosen from; the pool has twice as many."""
    profiled: int
    """Responses whose whole profiles are read for other distances."""


SCALES = {"mini": Scale(6, 4, 6), "small": Scale(40, 48, 200), "full": Scale(288, 48, 2000)}
"""The paper has 288 problems in four sets (`PAPER_SETS`), and n of 48; ours are `SET`."""
PAPER_SETS = "AIME 2024, AIME 2025, HMMT 2025 and GPQA-Diamond"
TOKENS = {"mini": 64, "small": 256, "full": 1024}
"""A response at most."""
PREFIX, PREFIXES = {"mini": 25, "small": 50, "full": 50}, "10,25,50,100,200"
SWEPT = (
    PAPER,
    *(Thresholds(g, PAPER.rho) for g in (0.25, 0.75)),
    *(Thresholds(PAPER.g, rho) for rho in (0.8, 0.9, 0.95)),
)
DISTANCES: tuple[Distance, ...] = ("cosine", "kl", "jsd")
SET, POOL = "word problems", "pool.jsonl"
NO_MODEL = (
    "A recorded pool holds no layers: this waits for the model, `agentdyno paper depth -m FOLDER`, "
    "or for `agentdyno depth --texts FILE`."
)
MEASURES = (
    "length",
    "reverse_length",
    "mean_log_prob",
    "negative_perplexity",
    "negative_entropy",
    "self_certainty",
    "dtr",
)
"""In the order of Table 1."""


class ModelRun(NamedTuple):
    """Results of one model."""

    name: str
    """As a row is named."""
    pool: Pool
    thinking: Thinking
    """The ways to choose among them."""
    swept: DepthResult | None
    """The same samples under other thresholds, with the first one's profile;
    None where no model read them."""
    distances: dict[Distance, DepthResult]
    """Some of them by other distances."""


def run(request: PaperRequest, progress: Progress) -> PaperRun:
    """The experiment and its tables."""
    scale = SCALES[request.size]
    if not request.models:
        print(f"no --model given: the embedded model ({NAME})", file=sys.stderr)
    _refuse_services(request)
    runs = [_run_model(request, scale, model, progress) for model in request.models or (NAME,)]
    samples = [len(item.samples) for result in runs for item in result.pool.problems]
    return PaperRun(
        results=make_exhibits(runs),
        figures=[
            Figure(len(runs), "count", "models"),
            Figure(len(runs[0].pool.problems), "count", "problems"),
            Figure(sum(samples), "count", "samples"),
            Figure(request.size, "text", "size"),
        ],
        scope=_describe_scope(request, runs[0].pool, scale),
        notes=list(dict.fromkeys(note for result in runs for note in result.thinking.notes)),
        attempts=sum(samples),
    )


def read(request: PaperRequest, progress: Progress) -> PaperRun:
    """The page of recorded pools: a file of `think --record`, or a folder with one for each model
    below it. Neither needs its model; what needs one is left for a run."""
    assert request.source is not None
    files = [request.source] if request.source.is_file() else find_pools(request.source)
    if not files:
        raise InputError(
            f"--from {request.source}: expected a pool that `agentdyno think --record FILE` wrote, "
            f"or a folder with MODEL/{POOL} in it, found none."
        )
    runs = [_read_pool(file) for file in files]
    samples = sum(len(item.samples) for result in runs for item in result.pool.problems)
    problems = max(len(result.pool.problems) for result in runs)
    return PaperRun(
        results=make_exhibits(runs),
        figures=[
            Figure(len(runs), "count", "models"),
            Figure(problems, "count", "problems"),
            Figure(samples, "count", "samples"),
        ],
        scope=f"Read from {request.source}: {plural(samples, 'sample')}; nothing was run.",
        notes=list(dict.fromkeys(note for result in runs for note in result.thinking.notes)),
        attempts=samples,
    )


def find_pools(folder: Path) -> list[Path]:
    """Pools of a run's folder, one for each model."""
    own = [folder / POOL] if (folder / POOL).is_file() else []
    return own or sorted(folder.glob(f"*/{POOL}"))


def _read_pool(file: Path) -> ModelRun:
    pool = grade_pool(read_pool(file))
    n = max(1, min(len(item.samples) for item in pool.problems) // 2)
    thinking = think(ThinkRequest(pool=file, n=n), lambda done, of: None)
    assert isinstance(thinking, Thinking)
    name = file.parent.name if file.name == POOL else file.stem
    return ModelRun(name, pool, thinking, None, {})


def _describe_scope(request: PaperRequest, pool: Pool, scale: Scale) -> str:
    drawn, tokens = len(pool.problems[0].samples), TOKENS[request.size]
    return (
        f"This run has {plural(len(pool.problems), 'problem')} with {drawn} samples of at most "
        f"{tokens} tokens, of which {scale.n} at a time are chosen from, and whole profiles of "
        f"{scale.profiled:,} responses; --size full has {SCALES['full'].problems} problems with "
        f"{2 * SCALES['full'].n} samples. The problems are {SET} of our own; the paper's 288 are "
        f"those of {PAPER_SETS}."
    )


def _refuse_services(request: PaperRequest) -> None:
    """A service shows no layers."""
    if request.base_url is not None:
        raise InputError(
            "--base-url: expected a folder with weights as --model, since depth is read from a "
            "model's layers, which no service shows."
        )


def _run_model(request: PaperRequest, scale: Scale, model: str, progress: Progress) -> ModelRun:
    name = Path(model).name
    out = request.out / name
    out.mkdir(parents=True, exist_ok=True)
    think_request = ThinkRequest(
        model=model,
        limit=request.limit or scale.problems,
        n=scale.n,
        samples=2 * scale.n * request.epochs,
        prefix=PREFIX[request.size],
        prefixes=PREFIXES,
        max_tokens=TOKENS[request.size],
        record=out / POOL,
        problems=request.problems or BUILTIN,
    )
    thinking = think(think_request, lambda done, of: progress(f"{name}: samples", done, of))
    assert isinstance(thinking, Thinking)
    pool = grade_pool(read_pool(out / POOL))
    texts = out / "texts.jsonl"
    examples = 0 if request.problems else BUILTIN_EXAMPLES
    texts.write_bytes(
        b"".join(msgspec.json.encode(line) + b"\n" for line in _list_texts(pool, examples))
    )
    options = DepthOptions(model=model, thresholds=SWEPT, first_profile=True)
    swept = measure_depth(
        texts,
        msgspec.structs.replace(options, record=out / "swept.jsonl"),
        lambda done, of: progress(f"{name}: thresholds", done, of),
    )
    distances = {
        distance: measure_depth(
            texts,
            DepthOptions(
                model=model,
                distance=distance,
                limit=scale.profiled,
                record=out / f"{distance}.jsonl",
            ),
            lambda done, of, d=distance: progress(f"{name}: {d}", done, of),  # type: ignore[misc]
        )
        for distance in DISTANCES
    }
    return ModelRun(name, pool, thinking, swept, distances)


def _list_texts(pool: Pool, examples: int) -> Iterator[dict[str, object]]:
    """The pool's responses as `agentdyno depth` reads them, one of each problem in turn, so that
    the first some are of all problems."""
    for number in range(max(len(item.samples) for item in pool.problems)):
        for item in pool.problems:
            if number < len(item.samples):
                sample = item.samples[number]
                yield {
                    "id": f"{item.problem.problem_id}/{number}",
                    "prompt": prompt_turns(item.problem, examples),
                    "response": sample.text,
                    "correct": bool(sample.correct),
                    "ended": sample.ended,
                }


def make_exhibits(runs: Sequence[ModelRun]) -> dict[str, ExhibitResult]:
    """The samples arranged by the paper's exhibits."""
    exhibits = {e.name: e for e in read_exhibits(__package__ or "", "depth.toml")}
    return {
        "Figure 1": _accuracy_by_ratio(runs),
        "Figure 2": _heat(runs),
        "Table 1": ExhibitResult(rows=[_correlations(model) for model in runs]),
        "Figure 4": _with_model([row for model in runs for row in _thresholds(model)]),
        "Table 2": ExhibitResult(
            rows=[
                [f"{_method(row)}, {model.name}, {SET}", *_cells(model, row), row.cost_change]
                for model in runs
                for row in model.thinking.methods
            ]
        ),
        "Figure 5": _cost_tradeoff(runs, exhibits["Figure 5"]),
        "Table 3": ExhibitResult(rows=[row for model in runs for row in _prefixes(model)]),
        "Figure 6": _with_model([row for model in runs for row in _distances(model)]),
        "Figure 7": ExhibitResult(),
        "Figure 8": _sizes(runs),
        "Table 4": show_prompts(mathematics=MATHS),
        "Table 5": show_prompts(choices=CHOICE),
        **_examples(runs[0]),
    }


def _with_model(rows: list[list[Value]]) -> ExhibitResult:
    return ExhibitResult(rows=rows, notes=[] if rows else [NO_MODEL])


# Figures 1, 4 and 6, Table 1: being right -----------------------------------------------------


class _Graded(NamedTuple):
    samples: list[Sample]
    right: list[bool]
    problems: list[str]


def _graded(pool: Pool) -> _Graded:
    pairs = [(item.problem.problem_id, s) for item in pool.problems for s in item.samples]
    return _Graded(
        [s for _, s in pairs], [bool(s.correct) for _, s in pairs], [p for p, _ in pairs]
    )


def measure(sample: Sample, name: str) -> float | None:
    """One measure of a whole response."""
    if name in ("length", "reverse_length"):
        return float(sample.tokens if name == "length" else -sample.tokens)
    scores = sample.scores[-1]
    if name == "negative_perplexity":
        return None if scores.mean_log_prob is None else -exp(-scores.mean_log_prob)
    if name == "negative_entropy":
        return None if scores.entropy is None else -scores.entropy
    value: float | None = getattr(scores, name)
    return value


def _correlate(pool: Pool, name: str) -> Estimate:
    graded = _graded(pool)
    scores = [measure(sample, name) for sample in graded.samples]
    return correlate(scores, graded.right, name, tasks=graded.problems).reading


def _correlations(model: ModelRun) -> list[Value]:
    return [f"{model.name}, {SET}", *(if_known(_correlate(model.pool, name)) for name in MEASURES)]


def _accuracy_by_ratio(runs: Sequence[ModelRun]) -> ExhibitResult:
    rows: list[list[Value]] = []
    charts: list[TopicChart] = []
    for name, title in (("length", "Output length"), ("dtr", "Deep-thinking ratio")):
        rows += [[f"{title}, {e.name}", if_known(_correlate(e.pool, name))] for e in runs]
        groups = {}
        for model in runs:
            graded = _graded(model.pool)
            scores = [measure(sample, name) or 0.0 for sample in graded.samples]
            groups[model.name] = quantile_bins(scores, graded.right, graded.problems)
        chart = bins_chart(f"right-by-{name}", f"Right by {title.lower()}", "right", groups)
        charts.append(msgspec.structs.replace(chart, half=True, across=title.lower()))
    return ExhibitResult(rows=rows, charts=charts)


def _thresholds(model: ModelRun) -> list[list[Value]]:
    if model.swept is None:
        return []
    by_pair = correlate_thresholds(model.swept.sequences, _find_problem)
    return [
        [f"g {pair.g:g}, rho {pair.rho:g}, {model.name}", if_known(line.reading)]
        for pair, line in by_pair.items()
    ]


def _distances(model: ModelRun) -> list[list[Value]]:
    return [
        [f"{distance}, {model.name}, {SET}", if_known(_of_responses(result).reading)]
        for distance, result in model.distances.items()
    ]


def _of_responses(result: DepthResult) -> Correlation:
    graded = [s for s in result.sequences if s.correct is not None and s.dtr is not None]
    tasks = list(map(_find_problem, graded))
    return correlate([s.dtr for s in graded], [bool(s.correct) for s in graded], tasks=tasks)


def _find_problem(response: SequenceDepth) -> str:
    return response.id.partition("/")[0]


def _heat(runs: Sequence[ModelRun]) -> ExhibitResult:
    charts: list[TopicChart] = []
    for index, model in enumerate(runs):
        if model.swept is not None and (first := model.swept.first) is not None:
            title = f"{model.name}: {first.sequence_id}, layer by layer"
            charts.append(profile_chart(f"thought-{index}", title, first, PAPER))
    return ExhibitResult(charts=charts, notes=[] if charts else [NO_MODEL])


# Tables 2 and 3, Figures 5 and 8: ways to choose ----------------------------------------------


def _method(row: MethodResult) -> str:
    return f"{NAMES.get(row.method, row.method)}@n"


def _cells(model: ModelRun, row: MethodResult) -> list[Value]:
    """Accuracy, and cost in thousands of tokens."""
    n = model.thinking.problems
    accuracy = Estimate(row.accuracy, row.accuracy_low, row.accuracy_high, n)
    return [accuracy, _thousands(row, n)]


def _thousands(row: MethodResult, n: int) -> Estimate:
    low, high = row.cost_low, row.cost_high
    return Estimate(
        row.cost_tokens / 1000,
        None if low is None else low / 1000,
        None if high is None else high / 1000,
        n,
    )


def _cost_tradeoff(runs: Sequence[ModelRun], exhibit: Exhibit) -> ExhibitResult:
    across, up = exhibit.numbers("cost, k tokens"), exhibit.numbers("accuracy")
    points = [
        PlanePoint(name, exact(across[name]), exact(up[name] / 100), "the paper's models")
        for name in across
    ]
    rows: list[list[Value]] = []
    for model in runs:
        for row in model.thinking.methods:
            cells = _cells(model, row)
            rows.append([f"{_method(row)}, {model.name}", *cells])
            point = (f"{_method(row)}, {model.name}", _thousands(row, model.thinking.problems))
            accuracy = cells[0]
            assert isinstance(accuracy, Estimate)
            points.append(PlanePoint(*point, accuracy, "this run", strong=True))
    chart = PlaneChart("choosing", "Accuracy against cost of the ways to choose",
                       "thousands of tokens for a problem", "problems right", points,
                       across_kind="ratio", named=False)  # fmt: skip
    return ExhibitResult(rows=rows, charts=[chart])


def _prefixes(model: ModelRun) -> Iterator[list[Value]]:
    thinking = model.thinking
    yield [f"Pass@1, {model.name}", thinking.pass_rate, thinking.mean_tokens / 1000]
    cons = next(row for row in thinking.methods if row.method == "cons")
    yield [f"Cons@n, {model.name}", *_cells(model, cons)]
    reached = [r for r in thinking.by_prefix if (r.prefix or 0) < model.pool.head.max_tokens]
    for row in reached:
        yield [f"Think@n, {row.prefix or 'all'}, {model.name}", *_cells(model, row)]


def _sizes(runs: Sequence[ModelRun]) -> ExhibitResult:
    rows: list[list[Value]] = []
    points: list[PlanePoint] = []
    for model in runs:
        for row in (*model.thinking.by_n, *model.thinking.by_keep):
            cells = _cells(model, row)
            rows.append([f"{_method(row)}, {row.n}, {100 * row.keep:g} %, {model.name}", *cells])
        for row in model.thinking.by_n:
            accuracy = _cells(model, row)[0]
            assert isinstance(accuracy, Estimate)
            points.append(PlanePoint("", exact(row.n), accuracy, f"{_method(row)}, {model.name}"))
    chart = PlaneChart("samples", "Accuracy by the number of samples", "samples", "problems right",
                       points, across_kind="count", lines=True, named=False)  # fmt: skip
    return ExhibitResult(rows=rows, charts=[chart] if points else [])


# Tables 6 to 8: examples -----------------------------------------------------------------------


def _examples(model: ModelRun) -> dict[str, ExhibitResult]:
    """A problem that is solved sometimes, with the wrong answer that thought least and the right
    one that thought most."""
    for item in model.pool.problems:
        right = [s for s in item.samples if s.correct and s.scores[-1].dtr is not None]
        wrong = [s for s in item.samples if not s.correct and s.scores[-1].dtr is not None]
        if right and wrong:
            problem = item.problem
            return {
                "Table 6": ExhibitResult(
                    rows=[[problem.problem_id, problem.question, problem.answer]]
                ),
                "Table 7": _output(model, min(wrong, key=_ratio)),
                "Table 8": _output(model, max(right, key=_ratio)),
            }
    none = f"No problem of {plural(len(model.pool.problems), 'problem')} is solved only sometimes."
    return dict.fromkeys(("Table 6", "Table 7", "Table 8"), ExhibitResult(notes=[none]))


def _ratio(sample: Sample) -> float:
    return sample.scores[-1].dtr or 0.0


def _output(model: ModelRun, sample: Sample) -> ExhibitResult:
    return ExhibitResult(
        rows=[[f"by {model.name}", sample.tokens, _ratio(sample), sample.text[:400]]]
    )
