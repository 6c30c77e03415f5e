"""A comparison on a terminal, and as Markdown short enough for a pull request's comment."""

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from agentdyno.records import counted, printable
from agentdyno.reports.markdown import escape
from agentdyno.reports.numbers import UNKNOWN, dollars, label, percent, short
from agentdyno.studies.comparison.results import Comparison, MetricComparison, SideSummary

MARKS = {"kept": "kept", "broken": "BROKEN", "undecided": "undecided"}
STYLES = {"kept": "green", "broken": "bold red", "undecided": "yellow"}
HEAD = ("metric", "A", "B", "change", "interval", "p", "p (Holm)", "n")
TITLES = {
    "pte": "PTE",
    "pte_growth": "PTE with growth",
    "gpu_seconds": "GPU-seconds",
    "usd": "money",
    "latency_seconds": "latency",
}


def print_comparison(console: Console, c: Comparison) -> None:
    """Verdict, sides, table, gates, warnings."""
    console.print(Text(c.verdict, style="bold"))
    for name, side in (("A", c.a), ("B", c.b)):
        console.print(Text(f"{name}: {_side(side)}", style="dim"))
    console.print(_table(c))
    for gate in c.gates:
        mark = Text(f"{MARKS[gate.state]:12}", style=STYLES[gate.state])
        console.print(Text.assemble(mark, (gate.gate, "bold"), f"  {gate.sentence}"))
    for line in _notes(c):
        console.print(Text(line, style="yellow"))
    console.print(Text(_footnote(c), style="dim"))


def render_comparison(c: Comparison) -> str:
    """The same as Markdown."""
    blocks = [f"**{_gates_line(c)}{c.verdict}**"]
    rows = [list(HEAD), ["---"] + ["---:"] * (len(HEAD) - 1), *(_cells(r) for r in _shown(c))]
    blocks.append("\n".join("| " + " | ".join(row) + " |" for row in rows))
    if c.gates:
        lines = [f"- {MARKS[g.state]}: `{_code(g.gate)}` {g.sentence}" for g in c.gates]
        blocks.append("\n".join(lines))
    if notes := _notes(c):
        blocks.append("\n".join(f"> {escape(note)}" for note in notes))
    sides = f"A: {_side(c.a)}. B: {_side(c.b)}. {_footnote(c)}"
    blocks.append(f"<sub>{escape(sides)}</sub>")
    return "\n\n".join(blocks) + "\n"


def _table(c: Comparison) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(HEAD[0], no_wrap=True)
    for column in HEAD[1:]:
        table.add_column(column, justify="right", no_wrap=True)
    for row in _shown(c):
        clear = row.p_holm is not None and row.p_holm < 1 - c.confidence
        table.add_row(*_cells(row), style="bold" if clear else None)
    return table


def _shown(c: Comparison) -> list[MetricComparison]:
    """Metrics that at least one side has."""
    return [row for row in c.metrics if row.a_mean is not None or row.b_mean is not None]


def _cells(row: MetricComparison) -> list[str]:
    return [
        TITLES.get(row.metric, row.metric),
        _amount(row.metric, row.a_mean),
        _amount(row.metric, row.b_mean),
        _change(row, row.effect),
        UNKNOWN if row.low is None else f"{_change(row, row.low)} to {_change(row, row.high)}",
        _p(row.p),
        _p(row.p_holm),
        f"{row.n:,}",
    ]


def _amount(metric: str, value: float | None) -> str:
    if metric == "accuracy":
        return percent(value)
    if metric == "usd":
        return dollars(value)
    if metric in ("turns", "calls"):
        return UNKNOWN if value is None else f"{value:.2f}"
    if metric == "latency_seconds":
        return UNKNOWN if value is None else f"{value:.2f} s"
    if metric == "gpu_seconds":
        return UNKNOWN if value is None else f"{value:.3g} s"
    return short(value)


def _change(row: MetricComparison, value: float | None) -> str:
    if value is None:
        return UNKNOWN
    if row.kind == "difference":
        return f"{100 * value:+.1f} pt"
    return f"{100 * (value - 1):+.1f} %"


def _p(value: float | None) -> str:
    if value is None:
        return UNKNOWN
    return "<0.001" if value < 0.001 else f"{value:.3f}"


def _side(side: SideSummary) -> str:
    chosen = f" [{label(side.setting, limit=80)}]" if side.setting else ""
    models = label(", ".join(side.models[:3]) + (" …" if len(side.models) > 3 else ""), limit=80)
    counts = (
        f"{counted(side.trajectories, 'trajectory', 'trajectories')}, {counted(side.tasks, 'task')}"
    )
    return f"{label(side.ledger, limit=80)}{chosen}, {models}, {counts}"


def _notes(c: Comparison) -> list[str]:
    """Metrics without an effect or interval, and what weakens the comparison."""
    missing = [f"{TITLES.get(r.metric, r.metric)}: {r.reason}." for r in c.metrics if r.reason]
    return [printable(line, 400) for line in [*missing, *c.warnings]]


def _gates_line(c: Comparison) -> str:
    if not c.gates:
        return ""
    counts = {state: sum(g.state == state for g in c.gates) for state in MARKS}
    said = ", ".join(f"{many} {MARKS[state]}" for state, many in counts.items() if many)
    return f"Gates: {said}. "


def _footnote(c: Comparison) -> str:
    return (
        f"Means per attempt; change of B against A, {100 * c.confidence:g} % intervals; PTE with "
        f"the {c.cache} cache on {label(c.hardware)}, GPU-seconds at "
        f"{c.concurrency} at once; p corrected over all metrics by Holm."
    )


def _code(text: str) -> str:
    """Text inside a code span can hold anything but the mark that ends it."""
    return text.replace("`", "'")
