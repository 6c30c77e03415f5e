"""What the verdicts of one kind say, on a terminal."""

from collections import Counter

from rich.console import Console
from rich.text import Text

from agentdyno.estimates.values import Estimate
from agentdyno.records import counted, printable
from agentdyno.reports.numbers import UNKNOWN, label, percent
from agentdyno.studies.verdicts.results import JudgeSummary, VerdictSummary

MOST_PROBLEMS = 5


def print_verdicts(console: Console, summary: VerdictSummary) -> None:
    """Settings and judges, what has no label, then how far they agree."""
    before = None
    for one in summary.judges:
        name = label(one.setting.model, one.setting.benchmark, one.setting.variant)
        if one.labelled and name != before:
            console.print(Text(name, style="bold"))
            before = name
        if one.labelled:
            _print_judge(console, one)
    for problem, count in _problems(summary.judges):
        many = counted(count, "verdict has", "verdicts have")
        console.print(Text(f"{many} no label: {printable(problem, 160)}", style="yellow"))
    for line in _agreement(summary):
        console.print(Text(line, style="dim"))


def _print_judge(console: Console, one: JudgeSummary) -> None:
    who = f"{printable(one.judge, 40)} ({printable(one.model, 60)})"
    repaired = f", {one.repaired:,} of them after a second answer" if one.repaired else ""
    many = f"{one.labelled:,} of {counted(one.verdicts, 'verdict')} with a label{repaired}"
    console.print(Text(f"  {who}: {many}"))
    for each in one.labels:
        name = printable(each.label, 40)
        console.print(Text(f"    {name:24}{each.count:>6,}  {interval(each.share)}"))
    if one.score:
        console.print(Text(f"    {'mean share of parts done':24}{'':>6}  {interval(one.score)}"))


def _problems(judges: list[JudgeSummary]) -> list[tuple[str, int]]:
    found: Counter[str] = Counter()
    for one in judges:
        found.update(one.problems)
    return found.most_common(MOST_PROBLEMS)


def _agreement(summary: VerdictSummary) -> list[str]:
    lines = []
    if found := summary.agreement:
        alpha = UNKNOWN if found.alpha.value is None else f"{found.alpha.value:.2f}"
        why = f" ({found.alpha.reason})" if found.alpha.value is None else ""
        many = counted(found.units, "trajectory", "trajectories")
        lines.append(f"agreement of judges on {many}: alpha {alpha}{why}")
    if summary.as_recorded:
        share, many = interval(summary.as_recorded), counted(summary.as_recorded.n, "verdict")
        lines.append(f"the traces' own marks confirm {share} of {many}")
    return lines


def interval(reading: Estimate) -> str:
    """A share with its interval."""
    if reading.low is None or reading.high is None:
        return percent(reading.value)
    return f"{percent(reading.value)} [{100 * reading.low:.1f}, {100 * reading.high:.1f}]"
