"""The table of variants, and every variant against the first, task by task."""

from collections import defaultdict

import polars as pl

from agentdyno.estimates.means import clustered_mean
from agentdyno.matching.logical_tools import LogicalTools
from agentdyno.studies.cost.unit import costs_of
from agentdyno.studies.readings import share_of
from agentdyno.studies.tables import Texts
from agentdyno_bench.shared.records.utility import JudgedCall
from agentdyno_bench.shared.verdicts.current import utility_verdicts
from agentdyno_bench.utility.ablation.results import Ablation, VariantRow
from agentdyno_bench.utility.findings.eta import measure_eta
from agentdyno_bench.utility.studies.judged_calls import list_judged_calls, read_traits
from agentdyno_bench.utility.worth.results import Worth
from agentdyno_bench.utility.worth.study import WorthOptions, study_worth

ByTask = dict[str, list[float]]


def build_ablation(
    benchmark: str,
    ledger: Texts,
    suites: dict[str, tuple[str, ...]],
    judged_by: str | None,
    rules: LogicalTools | None = None,
    margin: float = 2.0,
) -> Ablation:
    """Everything that the ledger says about these variants."""
    rules = rules or LogicalTools()
    seen = _Seen(ledger, judged_by is not None, rules)
    names = list(suites)
    return Ablation(
        benchmark=benchmark,
        ledger=ledger.name,
        judged_by=judged_by,
        variants=[seen.row(name, suites[name]) for name in names],
        pairs=compare_variants(ledger, names, WorthOptions(margin=margin, rules=rules)),
        notes=seen.notes(names),
        unit=seen.costs.unit,
    )


def compare_variants(ledger: Texts, names: list[str], options: WorthOptions) -> list[Worth]:
    """Every other variant of a ledger against the first."""
    return [study_worth(ledger, ledger, options, (names[0], name)) for name in names[1:]]


class _Seen:
    """One ledger with its verdicts."""

    def __init__(self, ledger: Texts, judged: bool, rules: LogicalTools) -> None:
        self.ledger = ledger
        self.judged = judged
        self.costs = costs_of(ledger)
        # Question sets number their tasks alike.
        task = pl.concat_str("benchmark", "task_id", separator="/", ignore_nulls=True)
        task = pl.when(pl.col("task_id").is_null()).then("trajectory_id").otherwise(task)
        self.trajectories = (
            self.costs.on(ledger.read("trajectories"))
            .filter(pl.col("parent_id").is_null())
            .with_columns(task.alias("task"))
        )
        tasks = self.trajectories.select("trajectory_id", "task").iter_rows()
        self.tasks: dict[str, str] = dict(tasks)
        variants = self.trajectories.select("trajectory_id", "variant").iter_rows()
        variant_of: dict[str, str] = dict(variants)
        self.calls: dict[str, list[JudgedCall]] = defaultdict(list)
        if judged:
            verdicts = utility_verdicts(ledger)
            for call in list_judged_calls(ledger, verdicts, read_traits(ledger, rules)):
                self.calls[variant_of.get(call.trajectory_id, "")].append(call)

    def row(self, variant: str, suite: tuple[str, ...]) -> VariantRow:
        """The table's row."""
        rows = self._of(variant)
        eta = measure_eta(self.calls[variant], len(rows)) if self.judged else None
        return VariantRow(
            variant=variant,
            tools=suite,
            trajectories=len(rows),
            passed=int(rows["correct"].sum()),
            failed=int((~rows["correct"]).sum()),
            accuracy=share_of(rows, "correct"),
            useful_calls=eta.useful if eta else None,
            calls=eta.calls if eta else None,
            mean_eta=eta.mean if eta else None,
            pooled_eta=eta.pooled if eta else None,
            cost=clustered_mean(self._values(rows, "cost")),
            usd=clustered_mean(self._values(rows, "usd")),
        )

    def notes(self, names: list[str]) -> list[str]:
        """Remarks on ungraded attempts and unjudged calls."""
        lines = []
        for name in names:
            rows = self._of(name)
            ungraded = rows["correct"].null_count()
            if ungraded:
                lines.append(f"{name}: {ungraded:,} of {len(rows):,} attempts are not graded.")
            calls = self.calls[name]
            unjudged = sum(call.label is None for call in calls)
            if unjudged:
                lines.append(f"{name}: {unjudged:,} of {len(calls):,} calls have no label.")
        return lines

    def _of(self, variant: str) -> pl.DataFrame:
        return self.trajectories.filter(pl.col("variant") == variant)

    def _values(self, rows: pl.DataFrame, column: str) -> ByTask:
        values: ByTask = defaultdict(list)
        for name, amount in rows.select("trajectory_id", column).iter_rows():
            if amount is not None:
                values[self.tasks[name]].append(float(amount))
        return values
