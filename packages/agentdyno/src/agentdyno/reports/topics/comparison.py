"""Is B cheaper than A and as good? Takes a `Comparison`, returns a topic that fits a comment."""

from agentdyno.records import plural, printable, shortened
from agentdyno.reports.numbers import UNKNOWN, dollars, label, percent, short
from agentdyno.reports.pte_names import name_pte
from agentdyno.reports.topic import Topic, TopicTable, Value, columns
from agentdyno.reports.topics.cost.estimates import estimate_line
from agentdyno.studies.comparison.results import (
    Comparison,
    MetricComparison,
    SideSummary,
    TypicalChange,
)

STATES = {"kept": "kept", "broken": "BROKEN", "inconclusive": "inconclusive"}
TITLES = {
    "pte": "PTE",
    "pte_growth": "PTE with growth",
    "gpu_seconds": "GPU-seconds",
    "usd": "money",
    "latency_seconds": "latency",
}
COSTS = ("pte", "pte_growth", "gpu_seconds")
HEAD = ("metric", "A", "B", "change", "interval", "p:p", "p (Holm):p", "n:count")


def render_comparison(c: Comparison) -> Topic:
    """The verdict first, then metrics, gates, and what weakens it."""
    topic = Topic(
        anchor="comparison",
        title="B against A",
        lead=f"{_gates_line(c)}{c.verdict}",
        notes=[*_notes(c), f"A: {_side(c.a)}. B: {_side(c.b)}.", _footnote(c)],
        charts=[],
        tables=[_metrics(c), *([_gates(c)] if c.gates else [])],
    )
    return name_pte(topic, c.pte_name)


def _metrics(c: Comparison) -> TopicTable:
    """Metrics that at least one side has; costs in the unit and in money, unless a gate asks."""
    measured = [row for row in c.metrics if row.a_mean is not None or row.b_mean is not None]
    hidden = set(COSTS) - {c.unit} - {gate.metric for gate in c.gates}
    if c.unit == "usd":
        measured = [row for row in measured if row.metric not in hidden]
    typical = {c.unit} | {gate.metric for gate in c.gates if gate.statistic == "typical"}
    rows = []
    for row in measured:
        rows.append(metric_cells(row))
        if row.typical and row.metric in typical:
            rows.append(_typical_cells(row, row.typical))
    return TopicTable("metrics", columns(*HEAD), rows, False)


def _typical_cells(row: MetricComparison, change: TypicalChange) -> list[Value]:
    """The typical task beside the bill. It says again what the mean does, so it has no p after
    Holm."""
    interval = None
    if change.low is not None:
        interval = f"{change_text(row, change.low)} to {change_text(row, change.high)}"
    title = f"{TITLES.get(row.metric, row.metric)}, typical task"
    return [title, None, None, change_text(row, change.ratio), interval, change.p, None, change.n]


def metric_cells(row: MetricComparison) -> list[Value]:
    """A metric on both sides, in its own units."""
    interval = None
    if row.low is not None:
        interval = f"{change_text(row, row.low)} to {change_text(row, row.high)}"
    return [
        TITLES.get(row.metric, row.metric),
        _amount(row, row.a_mean),
        _amount(row, row.b_mean),
        change_text(row, row.effect),
        interval,
        row.p,
        row.p_holm,
        row.n,
    ]


def _amount(row: MetricComparison, value: float | None) -> str:
    if row.kind == "difference":
        return percent(value)
    if row.metric == "usd":
        return dollars(value)
    if row.metric in ("turns", "calls"):
        return UNKNOWN if value is None else f"{value:.2f}"
    if row.metric == "latency_seconds":
        return UNKNOWN if value is None else f"{value:.2f} s"
    if row.metric == "gpu_seconds":
        return UNKNOWN if value is None else f"{value:.3g} s"
    return short(value)


def change_text(row: MetricComparison, value: float | None) -> str:
    """An effect in points or in percent."""
    if value is None:
        return UNKNOWN
    if row.kind == "difference":
        return f"{100 * value:+.1f} pt"
    return f"{100 * (value - 1):+.1f} %"


def _gates(c: Comparison) -> TopicTable:
    rows: list[list[Value]] = [[g.gate, STATES[g.state], g.sentence] for g in c.gates]
    return TopicTable("gates", columns("gate", "state", "what the data say"), rows, False)


def _gates_line(c: Comparison) -> str:
    if not c.gates:
        return ""
    counts = {state: sum(g.state == state for g in c.gates) for state in STATES}
    sentence = ", ".join(f"{many} {STATES[state]}" for state, many in counts.items() if many)
    return f"Gates: {sentence}. "


def _side(side: SideSummary) -> str:
    setting = f" [{label(side.setting, limit=80)}]" if side.setting else ""
    models = label(", ".join(side.models[:3]) + (" …" if len(side.models) > 3 else ""), limit=80)
    counts = (
        f"{plural(side.trajectories, 'trajectory', 'trajectories')}, {plural(side.tasks, 'task')}"
    )
    return f"{shortened(side.ledger)}{setting}, {models}, {counts}"


def _notes(c: Comparison) -> list[str]:
    """Metrics without an effect or interval, and what weakens the comparison."""
    missing = [
        f"{TITLES.get(row.metric, row.metric)}: {row.reason}."
        for row in c.metrics
        if row.reason and not (c.unit == "usd" and row.metric in COSTS)
    ]
    left_out = [
        f"{TITLES.get(row.metric, row.metric)}, typical task: "
        f"{plural(row.typical.left_out_tasks, 'task')} left out, zero or unknown on a side."
        for row in c.metrics
        if row.metric == c.unit and row.typical and row.typical.left_out_tasks
    ]
    estimates = [
        f"{name}: {estimate_line(side.estimated)}"
        for name, side in (("A", c.a), ("B", c.b))
        if side.estimated
    ]
    return [printable(line, 400) for line in [*missing, *left_out, *estimates, *c.warnings]]


def _footnote(c: Comparison) -> str:
    return (
        "Means per attempt, and their change from A to B; a typical task is the geometric mean of "
        f"B over A by task; {100 * c.confidence:g} % intervals; PTE with "
        f"the {c.cache} cache on {label(c.hardware)}, GPU-seconds at {c.concurrency} at once; p "
        "corrected over all metrics by Holm."
    )
