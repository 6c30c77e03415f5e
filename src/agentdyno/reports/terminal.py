"""A ledger's summary on a terminal. Text from traces is shown, never interpreted."""

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from agentdyno.records import counted, printable
from agentdyno.reports.costs import basis, seconds, total
from agentdyno.reports.numbers import UNKNOWN, dollars, label, percent, short
from agentdyno.studies.cost.summary_results import SettingSummary, Summary

TOOLS_SHOWN = 10
SETTINGS_SHOWN = 12
BAD_SHOWN = 5
BAR_WIDTH = 28


def print_summary(console: Console, summary: Summary) -> None:
    """One line of counts, then settings, where the fuel went, tools, and what to be wary of."""
    console.print(_headline(summary))
    console.print(_settings_table(summary))
    console.print(_kinds_table(summary))
    if summary.tools:
        console.print(_tools_table(summary))
    if line := basis(summary):
        console.print(Text(line, style="dim"))
    for line in caveats(summary):
        console.print(Text(line, style="yellow"))
    console.print(Text(f"ledger: {printable(summary.ledger, 500)}", style="dim"))


def _headline(s: Summary) -> Text:
    counts = ", ".join(
        [
            counted(s.trajectories, "trajectory", "trajectories"),
            counted(s.turns, "turn"),
            counted(s.calls, "tool call"),
        ]
    )
    cost = f"{' '.join(total(s))} ({s.cache} cache, {printable(s.hardware)})"
    money = f", {dollars(s.usd)}" if s.usd is not None else ""
    return Text.assemble((counts, "bold"), f"   {cost}{money}")


def _table(title: str, first: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(first, overflow="ellipsis", no_wrap=True, max_width=40)
    for column in columns:
        table.add_column(column, justify="right", no_wrap=True)
    return table


def _settings_table(s: Summary) -> Table:
    table = _table(
        "By setting",
        "setting",
        "n",
        "accuracy",
        "PTE",
        "GPU s",
        "tokens",
        "turns",
        "calls",
        "money",
    )
    for row in s.settings[:SETTINGS_SHOWN]:
        table.add_row(
            Text(label(row.model, row.benchmark, row.variant)),
            f"{row.trajectories:,}",
            _accuracy(row),
            short(row.pte_mean),
            seconds(row.gpu_seconds_mean),
            short(row.tokens_mean),
            f"{row.turns_mean:.1f}",
            f"{row.calls_mean:.1f}",
            dollars(row.usd_mean),
        )
    table.caption = _more(len(s.settings), SETTINGS_SHOWN, "means per trajectory")
    return table


def _accuracy(row: SettingSummary) -> str:
    if row.accuracy is None or row.accuracy_low is None or row.accuracy_high is None:
        return UNKNOWN
    return (
        f"{100 * row.accuracy:.0f} % [{100 * row.accuracy_low:.0f}, {100 * row.accuracy_high:.0f}]"
    )


def _kinds_table(s: Summary) -> Table:
    table = _table("Where the fuel went", "part", "PTE", "share")
    table.add_column("", no_wrap=True)
    for row in s.kinds:
        bar = "█" * round(BAR_WIDTH * (row.pte_share or 0.0))
        table.add_row(row.kind, short(row.pte), percent(row.pte_share), Text(bar, style="cyan"))
    return table


def _tools_table(s: Summary) -> Table:
    table = _table(
        "By tool", "tool", "calls", "failed", "PTE", "share", "schema", "requests", "results"
    )
    for row in s.tools[:TOOLS_SHOWN]:
        table.add_row(
            Text(label(row.tool)),
            f"{row.calls:,}",
            f"{row.errors:,}",
            short(row.pte),
            percent(row.pte_share),
            short(row.schema_pte),
            short(row.request_pte),
            short(row.result_pte),
        )
    table.caption = _more(len(s.tools), TOOLS_SHOWN, "PTE of schema, requests and results")
    return table


def _more(rows: int, shown: int, note: str) -> str:
    return f"{note}; {rows - shown} more in the ledger" if rows > shown else note


def caveats(s: Summary) -> list[str]:
    """What a reader must know before trusting the numbers."""
    lines = []
    if proxied := sorted({label(r.model) for r in s.settings if r.gamma_source == "proxy"}):
        lines.append(
            f"gamma by proxy (architecture unknown) for {', '.join(proxied[:4])}"
            f"{' …' if len(proxied) > 4 else ''}: compare such models with care, or pass --arch."
        )
    guessed = {k: v for k, v in s.by_token_source.items() if k != "reported"}
    if guessed:
        kinds = ", ".join(f"{count:,} {kind}" for kind, count in guessed.items())
        lines.append(f"token counts not reported by the provider: {kinds} of {s.turns:,} turns.")
    if s.unpriced:
        lines.append(f"money: no price for {counted(s.unpriced, 'trajectory', 'trajectories')}.")
    if s.unmeasured:
        unknown = counted(s.unmeasured, "trajectory", "trajectories")
        lines.append(f"cost unknown under the {s.cache} cache: {unknown}.")
    if s.bad_records:
        lines.append(f"{counted(s.bad_records, 'bad record')} skipped, listed in bad_records:")
        lines += [f"  {bad_line(row)}" for row in s.bad[:BAD_SHOWN]]
    return lines


def bad_line(row: dict[str, str]) -> str:
    """One bad record, fit for a terminal."""
    where = f"{printable(row['source'], 60)}: {printable(row['place'], 40)}"
    return f"{where}: expected {printable(row['expected'])}, found {printable(row['found'])}"
