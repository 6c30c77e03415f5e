"""Attempts without some tools against attempts with them, on the same tasks.

Takes the tables of both sides and which attempts of them, returns a `Worth`.
"""

import polars as pl
from msgspec import Struct, structs

from agentdyno.matching.logical_tools import LogicalTools
from agentdyno.records import shortened
from agentdyno.studies.comparison import choose_unit
from agentdyno.studies.comparison.comparable import check_comparable
from agentdyno.studies.comparison.measures import apply_holm, compare_metric
from agentdyno.studies.comparison.pairing import Pairing, pair
from agentdyno.studies.comparison.results import MetricComparison
from agentdyno.studies.comparison.sides import load_side
from agentdyno.studies.tables import Texts
from agentdyno_bench.shared.estimates.paired_outcomes import mcnemar
from agentdyno_bench.shared.verdicts.current import utility_verdicts
from agentdyno_bench.utility.findings.eta import trajectory_etas
from agentdyno_bench.utility.studies.judged_calls import list_judged_calls, read_traits
from agentdyno_bench.utility.worth import bill
from agentdyno_bench.utility.worth.deciding import decide
from agentdyno_bench.utility.worth.results import CONFIDENCE, Worth

NO_SCHEMAS = "no schemas are recorded: what the menu costs is in what followed."


class WorthOptions(Struct, frozen=True):
    """What the user may choose."""

    setting: str = ""
    """Which attempts count, as in `model=gpt-4.1`; empty for all."""
    without: tuple[str, ...] = ()
    """Globs of the tools in question; empty for those that one side has and the other has not."""
    margin: float = 2.0
    """Points fewer solved that count as no loss."""
    rules: LogicalTools = LogicalTools()
    """Which calls count for eta."""


def study_worth(
    a: Texts, b: Texts, options: WorthOptions, variants: tuple[str, str] | None = None
) -> Worth:
    """Compares the attempts without the tools with those that have them: two ledgers, or two
    variants of one."""
    names = [f"variant={name}" for name in variants or ()] or ["", ""]
    chosen = [",".join(filter(None, (options.setting, name))) for name in names]
    sides = load_side(a, chosen[0], None, "A"), load_side(b, chosen[1], None, "B")
    # Which option chooses a setting depends on the verb.
    warnings = [line.partition("; choose one")[0] for line in check_comparable(*sides, None)]
    parts = bill.read_parts(a, sides[0]), bill.read_parts(b, sides[1])
    tools = bill.list_tools(*parts, options.without)
    has_menu = any("schema" in rows["kind"] for rows in parts)
    scores = _read_scores(a, options.rules)
    scores_b = scores if b is a else _read_scores(b, options.rules)
    bills = [bill.add_bill(side, p, tools, has_menu) for side, p in zip(sides, parts, strict=True)]
    attempts = [
        structs.replace(side, attempts=rows.join(own, on="trajectory_id", how="left"))
        for side, rows, own in zip(sides, bills, (scores, scores_b), strict=True)
    ]
    pairing = pair(attempts[0], attempts[1], (*bill.COLUMNS, "goals met", "eta"))
    unit = choose_unit(*sides, pairing)
    metrics = {name: compare_metric(pairing, name, CONFIDENCE) for name in ("accuracy", unit)}
    outweighed = bill.weigh_menus(pairing)
    only_first, only_second = _disagreements(pairing)
    return Worth(
        first=variants[0] if variants else shortened(a.name),
        second=variants[1] if variants else shortened(b.name),
        tools=tools,
        pairing=pairing.sentence,
        decision=decide(metrics, pairing, unit, options.margin, outweighed),
        metrics=apply_holm(_list_metrics(pairing, metrics)),
        bill=bill.compare_bill(pairing),
        menu_outweighs=sum(outweighed) / len(outweighed) if outweighed else None,
        only_first=only_first,
        only_second=only_second,
        mcnemar_p=mcnemar(only_first, only_second).p,
        warnings=[*warnings, *([] if has_menu else [NO_SCHEMAS])],
        unit=unit,
    )


def _read_scores(ledger: Texts, rules: LogicalTools) -> pl.DataFrame:
    """By attempt, the share of a planning task's goals that were met, and eta by the rules."""
    goals = ledger.read("planning").select("trajectory_id", pl.col("completion").alias("goals met"))
    verdicts = utility_verdicts(ledger)
    etas: dict[str, float] = {}
    if not verdicts.is_empty():
        etas = trajectory_etas(list_judged_calls(ledger, verdicts, read_traits(ledger, rules)))
    schema = {"trajectory_id": pl.String, "eta": pl.Float64}
    judged = pl.DataFrame(list(etas.items()), schema=schema, orient="row")
    return goals.join(judged, on="trajectory_id", how="full", coalesce=True)


def _list_metrics(pairing: Pairing, metrics: dict[str, MetricComparison]) -> list[MetricComparison]:
    """Accuracy, the shares and amounts that both sides have, costs last."""
    solved, cost = metrics.values()
    both = {name for name in pairing.a if pairing.a[name] and pairing.b[name]} - {cost.metric}
    shares = [name for name in ("eta", "goals met") if name in both]
    amounts = [name for name in ("usd", "latency_seconds") if name in both]
    scores = [compare_metric(pairing, name, CONFIDENCE, subtract=True) for name in shares]
    return [solved, *scores, cost, *(compare_metric(pairing, n, CONFIDENCE) for n in amounts)]


def _disagreements(pairing: Pairing) -> tuple[int, int]:
    a, b = pairing.a["accuracy"], pairing.b["accuracy"]
    once = [task for task in a if len(a[task]) == 1 and len(b.get(task, ())) == 1]
    return sum(a[task] > b[task] for task in once), sum(a[task] < b[task] for task in once)
