"""The bill, told: the picture of what money was charged for, and what stands out in it."""

from datetime import date

from agentdyno.records import plural
from agentdyno.records.cost_unit import CostUnit
from agentdyno.records.origins import NOT_ITEMISED, OUTPUT, REWRITTEN
from agentdyno.reports.numbers import CELLS, UNITS, dollars, label, percent, short, span
from agentdyno.reports.topic import Place, StackBar, StackChart, TopicColumn, TopicTable, Value
from agentdyno.studies.cost.highlights import Bill, BillBar, Highlights

WORDS = {
    "read": "cache reads",
    "write": "new cache writes",
    "lost": REWRITTEN,
    "output": OUTPUT,
    "fresh": "fresh input",
    "other": NOT_ITEMISED,
}
"""What money is charged for, in the order in which a bar stacks it."""
LARGEST_SERVERS = 3
WORTH_NAMING = 0.005


def describe_bill(parts: dict[str, float], usd: float, about_lost: str = "") -> str:
    """`New cache writes 29 %, …, lost cache paid again 19 % ($7.57)`: shares that add up."""
    shares = {part: parts.get(part, 0.0) / usd for part in WORDS}
    named = sorted((part for part in shares if shares[part] >= WORTH_NAMING and part != "lost"),
                   key=lambda part: -shares[part])  # fmt: skip
    stated = [f"{WORDS[part]} {percent(shares[part], 0)}" for part in named]
    if shares["lost"] >= WORTH_NAMING:
        lost = f"{percent(shares['lost'], 0)} ({dollars(parts['lost'])}{about_lost})"
        stated.append(f"{WORDS['lost']} {lost}")
    sentence = ", ".join(stated)
    return f"{sentence[:1].upper()}{sentence[1:]}"


def draw_bill(bill: Bill) -> StackChart:
    """Columns over time, or a row for each session."""
    by = "the most expensive sessions" if bill.left_out else "session"
    title = f"What the money was charged for, by {by if bill.by == 'session' else bill.by}"
    names = _with_years([_name(bar, bill) for bar in bill.bars], bill)
    bars = [StackBar(name, bar.parts) for name, bar in zip(names, bill.bars, strict=True)]
    return StackChart("bill", title, bars, WORDS, upright=bill.by != "session")


def _with_years(names: list[str], bill: Bill) -> list[str]:
    """The year with the first day, and wherever it changes."""
    if bill.by != "day":
        return names
    years = [bar.name[:4] if bar.name[:4].isdigit() else None for bar in bill.bars]
    return [
        f"{name} {year}" if year is not None and year != before else name
        for name, year, before in zip(names, years, [None, *years[:-1]], strict=True)
    ]


def _name(bar: BillBar, bill: Bill) -> str:
    if bill.by == "session":
        return label(bar.title or bar.name, limit=80)
    if bill.by != "day":
        return bar.name
    try:
        day = date.fromisoformat(bar.name)
    except ValueError:
        return bar.name
    return f"{day:%b} {day.day}"


def name_highlights(highlights: Highlights, unit: CostUnit) -> list[TopicTable]:
    """The most expensive file, the costliest pause and servers that nobody called, in one table."""
    rows: list[list[Value]] = []
    if highlights.file is not None:
        calls = plural(highlights.file.calls, "call")
        text = f"{_tail(highlights.file.name)}, {calls}"
        where = Place(highlights.file.trajectory_id, highlights.file.turn, text)
        rows.append(["The most expensive file", where, highlights.file.cost])
    if highlights.pause is not None:
        title = f" in “{label(highlights.pause.title, limit=60)}”" if highlights.pause.title else ""
        text = f"{span(highlights.pause.seconds)}{title}"
        where = Place(highlights.pause.trajectory_id, highlights.pause.turn, text)
        rows.append(["The costliest pause", where, highlights.pause.usd])
    for server in highlights.unused_servers[:LARGEST_SERVERS]:
        size = (
            f"{plural(len(server.tools), 'tool')}, {short(server.tokens)} tokens in every context"
        )
        name = f"{label(server.name)}: {size}"
        rows.append(["An MCP server that nobody called", name, server.cost])
    heads = [TopicColumn("what"), TopicColumn("which"),
             TopicColumn(UNITS[unit], CELLS[unit])]  # fmt: skip
    return [TopicTable("What stands out", heads, rows, folded=False)] if rows else []


def _tail(path: str) -> str:
    parts = [part for part in path.replace("\\", "/").split("/") if part]
    return label("/".join(parts[-3:]) or path, limit=60)
