"""What verdicts say, on a terminal: efficiency, tools, advice; and the table of an ablation."""

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from agentdyno.estimates.values import Estimate
from agentdyno.metrics.utility.results import Advice, Eta, Streaks, ToolUtility
from agentdyno.records import counted, printable
from agentdyno.reports.numbers import UNKNOWN, dollars, label, percent, short
from agentdyno.studies.ablation.results import Ablation, VariantPair, VariantRow
from agentdyno.studies.comparison.results import MetricComparison
from agentdyno.studies.utility.results import JudgeValidation, SettingUtility, UtilityReport

STYLES = {"drop": "bold red", "watch": "yellow", "keep": "green"}
TOOL_HEAD = ("tool", "calls", "useful", "not", "utility", "sure +", "sure -", "PTE", "wasted",
             "per 1k PTE")  # fmt: skip
VARIANT_HEAD = ("variant", "tools", "pass", "fail", "accuracy", "useful", "calls", "mean eta",
                "pooled", "PTE", "money")  # fmt: skip
PAIR_HEAD = ("against", "metric", "first", "second", "change", "interval", "p", "p (Holm)")


def print_utility(console: Console, report: UtilityReport) -> None:
    """Settings, advice, agreement, notes."""
    for setting in report.settings:
        _print_setting(console, setting)
    _print_advice(console, report.advice)
    for line in _judge_lines(report):
        console.print(Text(line, style="dim"))
    for note in report.notes:
        console.print(Text(note, style="yellow"))


def print_ablation(console: Console, ablation: Ablation) -> None:
    """The variants, then each against the first."""
    table = _table(VARIANT_HEAD)
    for row in ablation.variants:
        table.add_row(*_variant_cells(row))
    console.print(table)
    if ablation.pairs:
        pairs = _table(PAIR_HEAD)
        for pair in ablation.pairs:
            _add_pair(pairs, pair)
        console.print(pairs)
    for pair in ablation.pairs:
        console.print(Text(_solved_line(pair), style="dim"))
    if ablation.judged_by:
        console.print(Text(f"useful calls by {printable(ablation.judged_by, 80)}", style="dim"))
    for note in ablation.notes:
        console.print(Text(note, style="yellow"))
    console.print(Text(f"ledger: {printable(ablation.ledger, 200)}", style="dim"))


def _print_setting(console: Console, setting: SettingUtility) -> None:
    name, eta = setting.setting, setting.eta
    console.print(Text(label(name.model, name.benchmark, name.variant), style="bold"))
    console.print(_eta_line(eta))
    if setting.tools:
        table = _table(TOOL_HEAD)
        for row in setting.tools:
            table.add_row(*_tool_cells(row))
        console.print(table)
    if eta.calls:
        thirds = ", ".join(f"{t.third} {percent(t.share.value)}" for t in setting.thirds)
        console.print(Text(f"useful by third of the trajectory: {thirds}", style="dim"))
    if setting.streaks.trajectories:
        console.print(Text(_streak_line(setting.streaks), style="dim"))


def _eta_line(eta: Eta) -> str:
    known = counted(eta.trajectories - eta.undefined, "trajectory", "trajectories")
    pooled = f"{percent(eta.pooled.value)} pooled ({eta.useful:,} of {counted(eta.calls, 'call')})"
    without = f"; undefined for {eta.undefined:,}" if eta.undefined else ""
    return f"eta {_share(eta.mean)} mean over {known}, {pooled}{without}"


def _streak_line(streaks: Streaks) -> str:
    many = counted(streaks.trajectories, "trajectory", "trajectories")
    longest = streaks.longest[0]
    return (
        f"{many} with {streaks.alarm} or more useless calls in a row, {short(streaks.pte)} PTE; "
        f"the longest has {longest.length}, from turn {longest.turn} of "
        f"{printable(longest.trajectory_id, 60)}"
    )


def _print_advice(console: Console, advice: list[Advice]) -> None:
    for one in advice:
        mark = Text(f"{one.action:6}", style=STYLES[one.action])
        name = (printable(one.tool, 40), "bold")
        console.print(Text.assemble(mark, name, f"  {printable(one.reason, 400)}{_saving(one)}"))


def _saving(one: Advice) -> str:
    saving = one.saving
    if one.action == "keep" or saving is None or saving.pte is None:
        return ""
    money = "" if saving.usd is None else f", {dollars(saving.usd)}"
    sure = "" if one.confidence is None else f" Sure to {percent(one.confidence, 0)}."
    share = percent(saving.pte_share)
    return f" Without it: {short(saving.pte)} PTE less ({share}{money}).{sure}"


def _judge_lines(report: UtilityReport) -> list[str]:
    lines = [f"judged by {', '.join(printable(name, 60) for name in report.judges)}"]
    if report.agreement:
        found = report.agreement
        lines.append(
            f"agreement on {counted(found.calls, 'call')}: alpha {_number(found.alpha)}; "
            f"{found.split:,} evenly divided"
        )
    return lines + [_validation_line(one) for one in report.validation]


def _validation_line(one: JudgeValidation) -> str:
    return (
        f"{printable(one.judge, 60)} against rollouts on {counted(one.calls, 'call')}: "
        f"{_share(one.agreement)} the same, kappa {_number(one.kappa)}; {one.missed:,} useful "
        f"calls missed, {one.invented:,} invented"
    )


def _tool_cells(row: ToolUtility) -> list[str]:
    return [
        printable(row.tool, 32),
        f"{row.calls:,}",
        f"{row.useful:,}",
        f"{row.not_useful:,}",
        f"{row.aggregate:+,}",
        _plain(row.confidence_useful),
        _plain(row.confidence_not_useful),
        short(row.pte),
        short(row.wasted_pte),
        _plain(row.utility_per_1000_pte),
    ]


def _variant_cells(row: VariantRow) -> list[str]:
    return [
        printable(row.variant, 24),
        f"{len(row.tools):,}",
        f"{row.passed:,}",
        f"{row.failed:,}",
        _share(row.accuracy),
        UNKNOWN if row.useful_calls is None else f"{row.useful_calls:,}",
        UNKNOWN if row.calls is None else f"{row.calls:,}",
        UNKNOWN if row.mean_eta is None else _plain(row.mean_eta.value),
        UNKNOWN if row.pooled_eta is None else _plain(row.pooled_eta.value),
        short(row.pte.value),
        dollars(row.usd.value),
    ]


def _add_pair(table: Table, pair: VariantPair) -> None:
    for number, metric in enumerate(pair.metrics):
        if metric.a_mean is None and metric.b_mean is None:
            continue
        against = f"{pair.second} / {pair.first}" if number == 0 else ""
        table.add_row(printable(against, 40), *_metric_cells(metric))


def _metric_cells(metric: MetricComparison) -> list[str]:
    amount = percent if metric.kind == "difference" else short
    interval = UNKNOWN
    if metric.low is not None:
        interval = f"{_change(metric, metric.low)} to {_change(metric, metric.high)}"
    return [
        metric.metric,
        amount(metric.a_mean),
        amount(metric.b_mean),
        _change(metric, metric.effect),
        interval,
        _plain(metric.p),
        _plain(metric.p_holm),
    ]


def _change(metric: MetricComparison, effect: float | None) -> str:
    if effect is None:
        return UNKNOWN
    if metric.kind == "difference":
        return f"{100 * effect:+.1f} pt"
    return f"{100 * (effect - 1):+.1f} %"


def _solved_line(pair: VariantPair) -> str:
    p = "" if pair.mcnemar_p is None else f" (McNemar p = {pair.mcnemar_p:.3g})"
    return (
        f"{printable(pair.second, 24)} against {printable(pair.first, 24)}: {pair.pairing}: "
        f"{pair.only_first:,} solved only by {printable(pair.first, 24)}, {pair.only_second:,} "
        f"only by {printable(pair.second, 24)}{p}"
    )


def _share(reading: Estimate) -> str:
    if reading.low is None:
        return percent(reading.value)
    return f"{percent(reading.value)} [{100 * reading.low:.1f}, {100 * (reading.high or 0):.1f}]"


def _number(reading: Estimate) -> str:
    if reading.value is None:
        return f"{UNKNOWN} ({reading.reason})"
    if reading.low is None or reading.high is None:
        return f"{reading.value:.2f}"
    return f"{reading.value:.2f} [{reading.low:.2f}, {reading.high:.2f}]"


def _plain(value: float | None) -> str:
    return UNKNOWN if value is None else f"{value:.3g}"


def _table(head: tuple[str, ...]) -> Table:
    made = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    made.add_column(head[0], no_wrap=True)
    for column in head[1:]:
        made.add_column(column, justify="right", no_wrap=True)
    return made
