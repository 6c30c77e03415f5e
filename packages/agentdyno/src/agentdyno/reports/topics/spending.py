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
LEFT_OUT = {
    "calls left out:count": "unpriced_calls",
    "agents left out:count": "unpriced_agents",
}
NAMED = 3
"""Kinds whose most expensive thing the lead names."""
ROWS = 20
"""Rows of a table; the rest is in the JSON."""


def render_spending(spending: Spending) -> Topic:
    return Topic(
        anchor="spending",
        title="What it was spent on",
        lead=describe_largest(spending),
        notes=[
            "A call costs its request and its result for every turn that had them in context, so a "
            "file that is read early and never dropped is paid for again and again."
        ],
        charts=[],
        tables=[spending_table(spending, kind) for kind in _order(spending)],
    )


def describe_largest(spending: Spending) -> str:
    """The most expensive of the largest kinds: strategy.go, 41 calls, $38.12."""
    sentences = [describe_first(spending, kind) for kind in _order(spending)[:NAMED]]
    return f"The most expensive {'; '.join(sentences)}."


def describe_first(spending: Spending, kind: str) -> str:
    """The most expensive of one kind."""
    first = spending.kinds[kind][0]
    name = label(short_name(first), limit=60)
    return f"{kind}: {name}, {plural(first.calls, 'call')}, {cost(_in_all(first), spending.unit)}"


def _in_all(spent: Spent) -> float | None:
    amounts = [amount for amount in (spent.cost, spent.below_cost) if amount is not None]
    return sum(amounts) if amounts else None


def short_name(spent: Spent) -> str:
    """A path by its last three folders; the other names as they are."""
    if spent.kind not in PATHS:
        return spent.name
    parts = [part for part in spent.name.replace("\\", "/").split("/") if part]
    return "/".join(parts[-3:]) or spent.name


def spending_table(spending: Spending, kind: str, *, everything: bool = False) -> TopicTable:
    """One row for each file, command, …"""
    folded = kind not in ("file", "command") and kind != next(iter(spending.kinds))
    rows = spending.kinds[kind][: None if everything else ROWS]
    title = TITLES.get(kind, kind)
    if kind == "sub-agent":
        heads, cells = _agent_heads(spending), [_agent_row(row) for row in rows]
        return TopicTable(title, *_with_left_out(heads, cells, rows), folded)
    heads = [TopicColumn(kind), TopicColumn(UNITS[spending.unit], CELLS[spending.unit]),
             *columns("share:share", "calls:count", "failed:count", "sessions:count",
                      "tokens returned:amount", "turns in context:mean")]  # fmt: skip
    return TopicTable(title, *_with_left_out(heads, [_row(row) for row in rows], rows), folded)


def _with_left_out(
    heads: list[TopicColumn], cells: list[list[Value]], rows: list[Spent]
) -> tuple[list[TopicColumn], list[list[Value]]]:
    """With columns for what has no cost and is in no sum, where there is any."""
    for head, name in LEFT_OUT.items():
        counts = [getattr(row, name) for row in rows]
        if any(counts):
            heads = [*heads, *columns(head)]
            cells = [[*row, count] for row, count in zip(cells, counts, strict=True)]
    return heads, cells


def _agent_heads(spending: Spending) -> list[TopicColumn]:
    amounts = [
        f"{name}:{CELLS[spending.unit]}" for name in ("in all", "its own turns", "its calls")
    ]
    return columns("sub-agent", *amounts, "calls:count", "failed:count", "tokens returned:amount",
                   "returned of read:share")  # fmt: skip


def _agent_row(spent: Spent) -> list[Value]:
    return [_link(spent), _in_all(spent), spent.below_cost, spent.cost, spent.calls,
            spent.failed, spent.result_tokens, spent.returned_share]  # fmt: skip


def _row(spent: Spent) -> list[Value]:
    return [_link(spent), spent.cost, spent.share, spent.calls, spent.failed, spent.sessions,
            spent.result_tokens, spent.turns_in_context]  # fmt: skip


def _link(spent: Spent) -> Place:
    """To the most expensive call about it."""
    return Place(spent.trajectory_id, spent.turn, label(short_name(spent), limit=60))


def _order(spending: Spending) -> list[str]:
    """Files and commands first, which everybody has, then by cost."""
    first = [kind for kind in ("file", "command") if kind in spending.kinds]
    return [*first, *(kind for kind in spending.kinds if kind not in first)]
