"""What the cost was spent on: a table for each kind of thing, the most expensive first."""

from agentdyno.records import plural
from agentdyno.reports.numbers import CELLS, UNITS, cost, label
from agentdyno.reports.topic import Place, Topic, TopicColumn, TopicTable, Value, columns
from agentdyno.studies.spending import Spending, Spent

TITLES = {
    "file": "Files read and edited", "instruction file": "Instruction files and memory",
    "image": "Images", "command": "Commands", "search": "Searches",
    "web page": "Web pages", "web search": "Web searches", "MCP server": "MCP servers",
    "skill": "Skills", "sub-agent": "Sub-agents",
}  # fmt: skip
PATHS = ("file", "instruction file", "image")
ROWS = 20
"""Rows of a table; the rest is in the JSON."""


def render_spending(found: Spending) -> Topic:
    """The topic."""
    return Topic(
        anchor="spending",
        title="What it was spent on",
        lead=describe_largest(found),
        notes=[
            "A call costs its request and its result for every turn that had them in context, so a "
            "file that is read early and never dropped is paid for again and again."
        ],
        charts=[],
        tables=[spending_table(found, kind) for kind in _order(found)],
    )


def describe_largest(found: Spending) -> str:
    """The most expensive thing in a sentence: strategy.go: 41 calls, $38.12."""
    first = next(iter(found.kinds.values()))[0]
    amount = (first.cost or 0.0) + (first.below_cost or 0.0)
    name = label(short_name(first), limit=60)
    calls = plural(first.calls, "call")
    return f"The most expensive {first.kind}: {name}, {calls}, {cost(amount, found.unit)}."


def short_name(each: Spent) -> str:
    """A path by its last three folders; the other names as they are."""
    if each.kind not in PATHS:
        return each.name
    parts = [part for part in each.name.replace("\\", "/").split("/") if part]
    return "/".join(parts[-3:]) or each.name


def spending_table(found: Spending, kind: str) -> TopicTable:
    """One row for each file, command, …"""
    amount = TopicColumn(UNITS[found.unit], CELLS[found.unit])
    heads = [TopicColumn(kind), amount, *columns("share:share", "calls:count", "failed:count",
             "sessions:count", "tokens returned:amount", "turns in context:mean")]  # fmt: skip
    agents = kind == "sub-agent"
    if agents:
        heads += [TopicColumn(f"its own turns, {UNITS[found.unit]}", CELLS[found.unit]),
                  *columns("returned of read:share")]  # fmt: skip
    rows = [_row(each, agents) for each in found.kinds[kind][:ROWS]]
    folded = kind not in ("file", "command") and kind != next(iter(found.kinds))
    return TopicTable(TITLES.get(kind, kind), heads, rows, folded)


def _order(found: Spending) -> list[str]:
    """Files and commands first, which everybody has, then by cost."""
    first = [kind for kind in ("file", "command") if kind in found.kinds]
    return [*first, *(kind for kind in found.kinds if kind not in first)]


def _row(each: Spent, agents: bool) -> list[Value]:
    row: list[Value] = [
        Place(each.trajectory_id, each.turn, label(short_name(each), limit=60)), each.cost, each.share, each.calls, each.failed,
        each.sessions, each.result_tokens, each.turns_in_context,
    ]  # fmt: skip
    return [*row, each.below_cost, each.returned_share] if agents else row
