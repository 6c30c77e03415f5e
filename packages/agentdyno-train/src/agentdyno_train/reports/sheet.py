"""A dyno sheet as topics: takes a `Sheet`, returns a topic for each level."""

from msgspec import structs

from agentdyno.records import printable
from agentdyno.reports.section import load_sections, results_of, topics_of
from agentdyno.reports.topic import ChartRow, RowsChart, Topic, TopicTable, Value, columns
from agentdyno.studies.report_context import ReportContext
from agentdyno_train.studies.sheets import SHARES, Sheet, SheetCell, SheetRow

OVERVIEW = ("completion", "solved", "with harm", "selection recall", "turns over best",
          "time over critical path", "right use of the tool", "tool skipped", "PTE",
          "GPU-seconds")  # fmt: skip
"""Measures that the first table has, of each kind of tasks."""
OWN = ("patterns", "failures", "utility", "planning", "scheduling")
"""Sections of the report that the page has for each agent alone."""


def render_sheet(found: Sheet) -> list[Topic]:
    """An overview of all agents, then a topic a level: means of every agent, changes from the
    first, cost of a solved task."""
    levels = list(dict.fromkeys(row.level for row in found.rows))
    return [_render_overview(found, levels), *(_topic(found, level) for level in levels)]


def render_agent(name: str, context: ReportContext) -> list[Topic]:
    """What the report says of one agent's waste, failures and schedules, without charts."""
    sections = [section for key, section in load_sections().items() if key in OWN]
    return [
        structs.replace(
            topic,
            anchor=f"{name}-{topic.anchor}",
            title=f"{printable(name, 40)}: {topic.title}",
            charts=[],
        )
        for topic in topics_of(results_of(context, sections), sections)
    ]


def _render_overview(found: Sheet, levels: list[str]) -> Topic:
    return Topic(
        anchor="sheet-glance",
        title="The dyno sheet at a glance",
        lead="",
        notes=["Means over tasks with intervals of 95 %; changes, paired by task, stand below."],
        charts=[],
        tables=[_overview_table(found, level) for level in levels],
    )


def _overview_table(found: Sheet, level: str) -> TopicTable:
    mine = {row.measure: row for row in found.rows if row.level == level}
    heads = columns(level, *(printable(agent, 40) for agent in found.agents))
    rows: list[list[Value]] = [
        [measure, *(_mean(measure, cell) for cell in mine[measure].cells)]
        for measure in OVERVIEW
        if measure in mine
    ]
    return TopicTable(
        f"{level}: agents side by side", heads,
        [*rows, ["cost a solved task", *_money(found, level)]], False,
    )  # fmt: skip


def _money(found: Sheet, level: str) -> list[Value]:
    by_agent = {cost.agent: cost for cost in found.costs if cost.level == level}
    known = [by_agent[agent].usd_per_solved if agent in by_agent else None
             for agent in found.agents]  # fmt: skip
    return [None if usd is None else f"${usd:.2g}" for usd in known]


def _topic(found: Sheet, level: str) -> Topic:
    rows = [row for row in found.rows if row.level == level]
    completion = next(row for row in rows if row.measure in ("completion", "solved"))
    return Topic(
        anchor=f"sheet-{level}",
        title=f"The dyno sheet: {level} tasks",
        lead=" ".join(_describe(completion, cell) for cell in completion.cells),
        notes=[
            "Changes are from the first agent, paired by task; intervals of 95 %.",
            f"GPU-seconds on {printable(found.hardware, 40)}, every turn prefilled whole.",
            *_units(found),
        ],
        charts=[_chart(completion, level)],
        tables=[_means(found, rows), _changes(found, rows), _costs(found, level)],
    )


def _units(found: Sheet) -> list[str]:
    if len(set(found.architectures.values())) < 2:
        return []
    cells = [f"{printable(n, 40)}: {printable(a, 60)}" for n, a in found.architectures.items()]
    return [f"PTE is compared within one architecture alone ({'; '.join(cells)})."]


def _describe(row: SheetRow, cell: SheetCell) -> str:
    name, value = printable(cell.agent, 40), cell.mean.value
    what = "of the goals met" if row.measure == "completion" else "solved"
    cells = "no attempt" if value is None else f"{value:.1%} {what}"
    if cell.change is None or cell.change.value is None:
        return f"{name}: {cells}."
    low, high = cell.change.low, cell.change.high
    sure = "" if low is None or high is None else f", {low:+.1%} to {high:+.1%}"
    return f"{name}: {cells} ({cell.change.value:+.1%}{sure})."


def _chart(row: SheetRow, level: str) -> RowsChart:
    marks = [ChartRow(printable(cell.agent, 40), cell.mean) for cell in row.cells]
    return RowsChart(
        f"sheet-{level}", f"{row.measure.capitalize()} by agent", row.measure, marks, "share",
        "points",
    )  # fmt: skip


def _means(found: Sheet, rows: list[SheetRow]) -> TopicTable:
    heads = columns(
        "measure", *(f"{printable(agent, 40)}" for agent in found.agents), "tasks:count"
    )
    cells = [
        [row.measure, *(_mean(row.measure, cell) for cell in row.cells), _tasks(row)]
        for row in rows
    ]
    return TopicTable("every measure", heads, cells, False)


def _mean(measure: str, cell: SheetCell) -> Value:
    found = cell.mean
    if found.value is None:
        return None
    ends = "" if found.low is None or found.high is None else (
        f" [{_number(measure, found.low)}, {_number(measure, found.high)}]"
    )  # fmt: skip
    return _number(measure, found.value) + ends


def _number(measure: str, value: float) -> str:
    if measure in SHARES:
        return f"{value:.1%}"
    # Three figures, and those of large numbers written out: 50,800 and 0.0125.
    rounded = float(f"{value:.3g}")
    return f"{rounded:,.0f}" if abs(rounded) >= 1000 else f"{rounded:g}"


def _tasks(row: SheetRow) -> int:
    return max(cell.mean.n for cell in row.cells)


def _changes(found: Sheet, rows: list[SheetRow]) -> TopicTable:
    heads = columns("measure", "agent", "change", "from", "to", "p:p", "tasks:count")
    cells: list[list[Value]] = []
    for row in rows:
        for cell in row.cells:
            change = cell.change
            if change is not None and change.value is not None:
                ends = [None if x is None else _number(row.measure, x)
                        for x in (change.value, change.low, change.high)]  # fmt: skip
                cells.append(
                    [row.measure, printable(cell.agent, 40), *ends, change.p, change.n]
                )  # fmt: skip
    return TopicTable("changes from the first agent, paired by task", heads, cells, False)


def _costs(found: Sheet, level: str) -> TopicTable:
    heads = columns(
        "agent", "attempts:count", "solved:count", "PTE a solved task:amount",
        "GPU-seconds a solved task:seconds", "cost a solved task:money",
    )  # fmt: skip
    cells = [
        [printable(c.agent, 40), c.attempts, c.solved, c.pte_per_solved, c.gpu_seconds_per_solved,
         c.usd_per_solved]
        for c in found.costs
        if c.level == level
    ]  # fmt: skip
    return TopicTable("what a solved task costs", heads, cells, False)
