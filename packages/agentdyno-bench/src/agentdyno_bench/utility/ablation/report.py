"""A benchmark under several tool suites: takes an `Ablation`, returns a topic."""

from agentdyno.records import plural, printable, shortened
from agentdyno.reports.numbers import UNITS
from agentdyno.reports.topic import Topic, TopicTable, columns, table_of
from agentdyno.reports.topics.comparison import metric_cells
from agentdyno_bench.utility.ablation.results import Ablation, VariantPair

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
    unit = UNITS[ablation.unit]
    return table_of(
        "Variants",
        ablation.variants,
        {
            "variant": lambda row: printable(row.variant, 24),
            "tools:count": lambda row: len(row.tools),
            "pass:count": "passed",
            "fail:count": "failed",
            "accuracy:share": "accuracy",
            "useful:count": "useful_calls",
            "calls:count": "calls",
            "mean eta:correlation": lambda row: row.mean_eta and row.mean_eta.value,
            "pooled:correlation": lambda row: row.pooled_eta and row.pooled_eta.value,
            **({} if ablation.unit == "usd" else {f"{unit}:amount": "cost.value"}),
            "cost:money": "usd.value",
        },
        folded=False,
    )


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
