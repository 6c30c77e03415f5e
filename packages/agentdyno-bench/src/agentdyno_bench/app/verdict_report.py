"""Renders the verdicts of one kind: takes a `VerdictSummary`, returns a topic."""

from agentdyno.records import plural
from agentdyno.reports.numbers import UNKNOWN, estimate
from agentdyno.reports.topic import Topic
from agentdyno_bench.shared.verdicts.results import VerdictSummary
from agentdyno_bench.utility.report.tables import TITLES, verdict_table


def render_verdicts(summary: VerdictSummary) -> Topic:
    """Labels by setting and judge, what has none, then how far judges agree."""
    labelled = sum(judge.labelled for judge in summary.judges)
    verdicts = sum(judge.verdicts for judge in summary.judges)
    repaired = sum(judge.repaired for judge in summary.judges)
    again = f", {repaired:,} of them after a second answer" if repaired else ""
    return Topic(
        anchor=f"verdicts-{summary.kind}",
        title=TITLES.get(summary.kind, summary.kind),
        lead=f"{labelled:,} of {plural(verdicts, 'verdict')} with a label{again}.",
        notes=_agreement(summary),
        charts=[],
        tables=[verdict_table(summary)],
    )


def _agreement(summary: VerdictSummary) -> list[str]:
    lines = []
    if agreement := summary.agreement:
        alpha = UNKNOWN if agreement.alpha.value is None else f"{agreement.alpha.value:.2f}"
        why = f" ({agreement.alpha.reason})" if agreement.alpha.value is None else ""
        many = plural(agreement.units, "trajectory", "trajectories")
        lines.append(f"Agreement of judges on {many}: alpha {alpha}{why}.")
    if summary.as_recorded:
        share, of = estimate(summary.as_recorded, "share"), summary.as_recorded.n
        lines.append(f"The traces' own grades confirm {share} of {plural(of, 'verdict')}.")
    return lines
