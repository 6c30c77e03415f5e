"""A benchmark under several tool suites: takes an `Ablation`, returns a topic."""

from agentdyno.records import plural, printable, shortened
from agentdyno.reports.numbers import UNITS
from agentdyno.reports.topic import Topic, TopicTable, table_of
from agentdyno_bench.utility.ablation.results import Ablation


def render_ablation(ablation: Ablation) -> Topic:
    """The variants; `render_worth` has each against the first."""
    judged = [f"Useful calls by {printable(ablation.judged_by, 80)}."] if ablation.judged_by else []
    many = plural(len(ablation.variants), "tool suite")
    return Topic(
        anchor="ablation",
        title=f"{printable(ablation.benchmark, 60)} under {many}",
        lead="",
        notes=[*judged, *ablation.notes, f"Ledger: {shortened(ablation.ledger)}"],
        charts=[],
        tables=[_variants(ablation)],
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
