"""Entry points by which this package adds to reports.

Functions are named by their places: they are imported where a ledger has rows of ours, so that a
report of anything else loads no benchmark.
"""

from agentdyno.ledger.reader import Ledger
from agentdyno.pipelines.versions import VersionCheck
from agentdyno.reports.section import Section
from agentdyno.studies.outdated import OldTable
from agentdyno.studies.sheet import SheetPart
from agentdyno.studies.tables import Tables


def _has_benchmarks(tables: Tables) -> bool:
    return tables.read("trajectories")["benchmark"].drop_nulls().len() > 0


def _find_old_checks(ledger: Ledger) -> list[OldTable]:
    if "failures" not in ledger.manifest.derived:
        return []
    from agentdyno_bench.toolfail.classify.old_checks import find_outdated_checks

    return find_outdated_checks(ledger)


SECTIONS = (
    Section(
        "benchmarks",
        "agentdyno_bench.shared.benchmarks:study_benchmarks",
        "agentdyno_bench.shared.reports.benchmarks:render_benchmarks",
        "agentdyno_bench.shared.benchmarks:Benchmarks",
        "patterns",
        _has_benchmarks,
    ),
    Section(
        "failures",
        "agentdyno_bench.toolfail.studies.report:study_failures",
        "agentdyno_bench.toolfail.report:render_failures",
        "agentdyno_bench.toolfail.studies.report:Failures",
        "boxes",
        lambda tables: tables.has("failures"),
    ),
    Section(
        "utility",
        "agentdyno_bench.utility.studies:study_utility",
        "agentdyno_bench.utility.report:render_utility",
        "agentdyno_bench.utility.studies.results:Usefulness",
        "failures",
        lambda tables: tables.has("verdicts"),
    ),
    Section(
        "planning",
        "agentdyno_bench.tps.studies.report:study_planning",
        "agentdyno_bench.tps.report:render_planning",
        "agentdyno_bench.tps.studies.report:Planning",
        "utility",
        lambda tables: tables.has("planning"),
    ),
)
SHEET_PARTS = (
    SheetPart("eta", "agentdyno_bench.app.sheet:measure_utility", "verdicts"),
    SheetPart("planning", "agentdyno_bench.app.sheet:measure_planning", "planning"),
    SheetPart(
        "judged planning",
        "agentdyno_bench.app.sheet:measure_judged_completion",
        "verdicts",
        answers="planning",
    ),
    SheetPart("failures", "agentdyno_bench.app.sheet:measure_failures", "failures"),
)
OLD_CHECKS = VersionCheck("classify", _find_old_checks)
