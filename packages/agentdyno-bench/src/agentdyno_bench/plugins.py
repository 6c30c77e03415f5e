"""What a report gets from this package, by entry points.

Functions are named by their places: they are imported where a ledger has rows of ours, so that a
report of anything else loads no benchmark.
"""

from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.versions import VersionCheck
from agentdyno.reports.section import Section
from agentdyno.studies.outdated import OldTable
from agentdyno.studies.tables import Tables


def _has_benchmarks(tables: Tables) -> bool:
    return tables.read("trajectories")["benchmark"].drop_nulls().len() > 0


def _find_old_checks(ledger: Ledger) -> list[OldTable]:
    if "failures" not in ledger.manifest.derived:
        return []
    from agentdyno_bench.pipelines.classify.old_checks import find_outdated_checks

    return find_outdated_checks(ledger)


SECTIONS = (
    Section(
        "benchmarks",
        "agentdyno_bench.studies.benchmarks:study_benchmarks",
        "agentdyno_bench.reports.benchmarks:render_benchmarks",
        "agentdyno_bench.studies.benchmarks:Benchmarks",
        "patterns",
        _has_benchmarks,
    ),
    Section(
        "failures",
        "agentdyno_bench.studies.failures.report:study_failures",
        "agentdyno_bench.reports.failures:render_failures",
        "agentdyno_bench.studies.failures.report:Failures",
        "boxes",
        lambda tables: tables.has("failures"),
    ),
    Section(
        "utility",
        "agentdyno_bench.studies.utility:study_utility",
        "agentdyno_bench.reports.utility:render_utility",
        "agentdyno_bench.studies.utility.results:Usefulness",
        "failures",
        lambda tables: tables.has("verdicts"),
    ),
    Section(
        "planning",
        "agentdyno_bench.studies.planning.report:study_planning",
        "agentdyno_bench.reports.planning:render_planning",
        "agentdyno_bench.studies.planning.report:Planning",
        "utility",
        lambda tables: tables.has("planning"),
    ),
)
OLD_CHECKS = VersionCheck("classify", _find_old_checks)
