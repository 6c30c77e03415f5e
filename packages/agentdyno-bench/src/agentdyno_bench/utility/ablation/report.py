"""A benchmark under several tool suites: takes an `Ablation`, returns a topic."""

from agentdyno.records import plural, printable, shortened
from agentdyno.reports.numbers import UNITS
from agentdyno.reports.topic import Topic, TopicTable, Value, columns
from agentdyno.reports.topics.comparison import metric_cells
from agentdyno_bench.utility.ablation.results import Ablation, VariantPair, VariantRow

VARIANTS = (
    "variant", "tools:count", "pass:count", "fail:count", "accuracy:share", "useful:count",
    "calls:count", "mean eta:correlation", "pooled:correlation", "{unit}:amount", "cost:money",
)  # fmt: skip
PAIRS = (
    "against", "metric", "first", "second", "change", "interval", "p:p", "p (Holm):p", "n:count",
)  # fmt: skip


def render_ablation(ablation: Ablation) -> Topic:
    """The variants, then each against the first."""
    judged = [f"Useful calls by {printable(ablation.judged_by, 80)}."] if ablation.judged_by else []
    many = plural(len(ablation.variants), "tool suite")
    return Topic(
        anchor="ablation",
        title=f"{printable(ablation.benchmark, 60)} under {many}",
        lead=" ".join(map(_describe_pair, ablation.pairs)),
        notes=[*judged, *ablation.notes, f"Ledger: {shortened(ablation.ledger)}"],
        charts=[],
        tables=[_variants(ablation), *([_pairs(ablation.pairs)] if ablation.pairs else [])],
    )


def _variants(ablation: Ablation) -> TopicTable:
    """Costs in money stand once."""
    heads = [head.format(unit=UNITS[ablation.unit]) for head in VARIANTS]
    rows = [_variant(row) for row in ablation.variants]
    if ablation.unit == "usd":
        heads, rows = [*heads[:-2], heads[-1]], [[*row[:-2], row[-1]] for row in rows]
    return TopicTable("Variants", columns(*heads), rows, False)


def _variant(row: VariantRow) -> list[Value]:
    return [
        printable(row.variant, 24),
        len(row.tools),
        row.passed,
        row.failed,
        row.accuracy,
        row.useful_calls,
        row.calls,
        row.mean_eta and row.mean_eta.value,
        row.pooled_eta and row.pooled_eta.value,
        row.cost.value,
        row.usd.value,
    ]


def _pairs(pairs: list[VariantPair]) -> TopicTable:
    rows = [
        [f"{printable(pair.second, 24)} / {printable(pair.first, 24)}", *metric_cells(metric)]
        for pair in pairs
        for metric in pair.metrics
        if metric.a_mean is not None or metric.b_mean is not None
    ]
    return TopicTable("Each against the first", columns(*PAIRS), rows, False)


def _describe_pair(pair: VariantPair) -> str:
    p = "" if pair.mcnemar_p is None else f" (McNemar p = {pair.mcnemar_p:.3g})"
    first, second = printable(pair.first, 24), printable(pair.second, 24)
    return (
        f"{second} against {first}: {pair.pairing}: {pair.only_first:,} solved only by {first}, "
        f"{pair.only_second:,} only by {second}{p}."
    )
