"""A run over texts as topics of a page: how hard the model thought, and what goes with being right.

Takes what was measured, returns topics for any renderer.
"""

from collections.abc import Sequence

import polars as pl

from agentdyno.estimates.estimate import Estimate
from agentdyno.measures.depth import CONVENTIONS, Convention
from agentdyno.records import plural
from agentdyno.reports.numbers import label
from agentdyno.reports.topic import HeatChart, Topic, TopicColumn, TopicTable, Value, table_of
from agentdyno.studies.readings import share_of
from agentdyno_depth.records.depth import Thresholds
from agentdyno_depth.reports.depth.charts import bins_chart, correlations_chart, profile_chart
from agentdyno_depth.reports.depth.tables import bins_table, correlations_table
from agentdyno_depth.reports.depth.wording import correlation, share, verdict
from agentdyno_depth.studies.depth.accuracy import (
    Bin,
    Correlation,
    correlations,
    quantile_bins,
    threshold_correlations,
)
from agentdyno_depth.studies.depth.by_setting import compare_unpaired, share_mean
from agentdyno_depth.studies.depth.results import DepthOptions, DepthResult, SequenceDepth

MEASURE_NAMES = {
    "dtr": "deep-thinking ratio",
    "length": "length",
    "reverse_length": "shortness",
    "mean_log_prob": "log-probability",
    "negative_perplexity": "negative perplexity",
    "negative_entropy": "negative entropy",
    "self_certainty": "self-certainty",
}


def depth_topics(result: DepthResult, options: DepthOptions) -> list[Topic]:
    """The topics: depth, and being right where that is known of enough responses."""
    lines = correlations(result.sequences)
    return [_depth(result, options), *([_right(result, lines)] if lines else [])]


def _depth(result: DepthResult, options: DepthOptions) -> Topic:
    pair, graded = options.thresholds[0], _filter_known(result.sequences)
    heard = result.first is not None and "jsd" in result.first.distances
    lead = (
        f"Of a response's tokens, {share(share_mean(_table(result.sequences), 'dtr'))} settle only "
        f"in the deepest layers of {label(result.model)}, from layer {result.cut} of "
        f"{result.layers} on (mean of {plural(len(result.sequences), 'response')})."
    )
    if difference := _difference(graded):
        lead += f" Wrong minus right responses: {verdict(difference)}."
    return Topic(
        anchor="depth",
        title="How hard it thought",
        lead=lead,
        notes=[
            f"A token is deep when no layer before layer {result.cut} comes within {pair.g:g} of "
            f"the last layer's prediction ({result.distance}; g {pair.g:g}, rho {pair.rho:g}).",
            f"Convention norm-bits: {CONVENTIONS['norm-bits']}; layers 1 to {result.layers} count, "
            "the embedding not, and no token of the prompt.",
            *(f"Prompts were given by: {template}." for template in _templates(result)),
            *([f"{plural(len(result.bad), 'line')} could not be read."] if result.bad else []),
            *(f"Not read: {bad}." for bad in result.bad[:5]),
        ],
        charts=[_draw_heat(result, options)] if heard else [],
        tables=[
            *_sweep(result),
            *_by_convention(result),
            *_levels(graded),
            _responses(result.sequences),
        ],
    )


def _templates(result: DepthResult) -> list[str]:
    return list(dict.fromkeys(row.record.template for row in result.sequences if row.record))


def _right(result: DepthResult, lines: list[Correlation]) -> Topic:
    graded = _filter_known(result.sequences)
    overall = {_name_line(line): line for line in lines if line.level is None}
    by_level = {
        f"{label(line.level)}: {_name_line(line)}": line for line in lines if line.level is not None
    }
    swept = {_pair(pair): line for pair, line in threshold_correlations(graded).items()}
    ratio = overall[MEASURE_NAMES["dtr"]].reading
    tables = [
        bins_table("Right by deep-thinking ratio, in quantile bins", "right", _bins(graded)),
        correlations_table("Correlation of each measure with being right", "measure", overall),
    ]
    if by_level:
        tables.append(correlations_table("The same by reasoning level", "level", by_level))
    if len(swept) > 1:
        tables.append(correlations_table("Being right under other thresholds", "g, rho", swept))
    return Topic(
        anchor="right",
        title="Depth and being right",
        lead=f"Deep-thinking ratio and being right, over five quantile bins of "
        f"{plural(len(graded), 'response')}: {correlation(ratio)}.",
        notes=[
            "Five points correlate easily: the interval draws responses again, and says how little "
            "a large r then means. Every measure counts as more when it is higher."
        ],
        charts=[
            bins_chart("accuracy", "Right by deep-thinking ratio", "right", _groups(graded)),
            correlations_chart("measures", "Correlation with being right", overall),
        ],
        tables=tables,
    )


def _filter_known(sequences: Sequence[SequenceDepth]) -> list[SequenceDepth]:
    return [s for s in sequences if s.correct is not None and s.dtr is not None]


def _table(sequences: Sequence[SequenceDepth]) -> pl.DataFrame:
    """Every response is a task of its own."""
    rows = [
        {"task": str(n), "dtr": s.dtr, "correct": s.correct, "level": s.level}
        for n, s in enumerate(sequences)
    ]
    kinds = {"task": pl.String, "dtr": pl.Float64, "correct": pl.Boolean, "level": pl.String}
    return pl.DataFrame(rows, schema=kinds)


def _difference(graded: Sequence[SequenceDepth]) -> Estimate | None:
    rows = _table(graded)
    right, wrong = rows.filter(pl.col("correct")), rows.filter(~pl.col("correct"))
    return compare_unpaired(right, wrong, "dtr") if len(right) and len(wrong) else None


def _draw_heat(result: DepthResult, options: DepthOptions) -> HeatChart:
    assert result.first is not None
    title = f"Response {label(result.first.sequence_id)}, layer by layer"
    return profile_chart("thought", title, result.first, options.thresholds[0])


def _bins(graded: Sequence[SequenceDepth]) -> list[Bin]:
    scores = [s.dtr for s in graded if s.dtr is not None]
    return quantile_bins(scores, [bool(s.correct) for s in graded])


def _groups(graded: Sequence[SequenceDepth]) -> dict[str, list[Bin]]:
    """All responses, and each level where there are several."""
    levels = sorted({s.level for s in graded if s.level is not None})
    if len(levels) < 2:
        return {"all": _bins(graded)}
    by_level = {label(level): _bins([s for s in graded if s.level == level]) for level in levels}
    return {"all": _bins(graded)} | {level: bins for level, bins in by_level.items() if bins}


def _name_line(line: Correlation) -> str:
    return MEASURE_NAMES[line.measure]


def _pair(pair: Thresholds) -> str:
    return f"{pair.g:g}, {pair.rho:g}"


def _sweep(result: DepthResult) -> list[TopicTable]:
    """The mean ratio under each pair of thresholds, where there are several."""
    pairs = [pair for pair, _ in result.sequences[0].sweep]
    if len(pairs) < 2:
        return []
    rows: list[list[Value]] = []
    for index, pair in enumerate(pairs):
        ratios = [
            {"task": str(n), "dtr": s.sweep[index][1]} for n, s in enumerate(result.sequences)
        ]
        kinds = {"task": pl.String, "dtr": pl.Float64}
        rows.append([_pair(pair), share_mean(pl.DataFrame(ratios, schema=kinds), "dtr")])
    columns = [TopicColumn("g, rho"), TopicColumn("deep-thinking ratio", "share")]
    return [TopicTable("The ratio under each pair of thresholds", columns, rows, folded=False)]


def _by_convention(result: DepthResult) -> list[TopicTable]:
    """The mean ratio under each convention, where several were compared."""
    if not result.by_convention:
        return []
    own: dict[Convention, list[float | None]] = {"norm-bits": [r.dtr for r in result.sequences]}
    rows: list[list[Value]] = []
    for name, ratios in (own | result.by_convention).items():
        table = pl.DataFrame({"task": [str(n) for n in range(len(ratios))], "dtr": ratios})
        rows.append([name, CONVENTIONS[name], share_mean(table, "dtr")])
    heads = [TopicColumn("convention"), TopicColumn("what it is"),
             TopicColumn("deep-thinking ratio", "share")]  # fmt: skip
    return [TopicTable("The ratio under each convention", heads, rows, folded=False)]


def _levels(graded: Sequence[SequenceDepth]) -> list[TopicTable]:
    """Each reasoning level, where there are several."""
    parts = _table(graded).filter(pl.col("level").is_not_null()).sort("level")
    levels = parts.partition_by("level", maintain_order=True)
    if len(levels) < 2:
        return []
    columns = [
        TopicColumn("level"),
        TopicColumn("responses", "count"),
        TopicColumn("right", "share"),
        TopicColumn("deep-thinking ratio", "share"),
    ]
    rows: list[list[Value]] = [
        [label(p["level"][0]), len(p), share_of(p, "correct"), share_mean(p, "dtr")] for p in levels
    ]
    return [TopicTable("By reasoning level", columns, rows, folded=False)]


def _responses(sequences: Sequence[SequenceDepth]) -> TopicTable:
    return table_of(
        "Every response",
        sequences,
        {
            "response": "id",
            "tokens:count": "baselines.length",
            "deep-thinking ratio:share": "dtr",
            "log-probability:ratio": "baselines.mean_log_prob",
            "entropy (nats):ratio": _entropy,
            "self-certainty (nats):ratio": "baselines.self_certainty",
            "right": lambda row: None if row.correct is None else "yes" if row.correct else "no",
        },
    )


def _entropy(row: SequenceDepth) -> float | None:
    negative = row.baselines.negative_entropy
    return None if negative is None else -negative
