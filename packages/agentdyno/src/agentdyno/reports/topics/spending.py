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


def render_spending(found: Spending) -> Topic:
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
    """The most expensive of the largest kinds: strategy.go, 41 calls, $38.12."""
    stated = [describe_first(found, kind) for kind in _order(found)[:NAMED]]
    return f"The most expensive {'; '.join(stated)}."


def describe_first(found: Spending, kind: str) -> str:
    """The most expensive of one kind."""
    first = found.kinds[kind][0]
    name = label(short_name(first), limit=60)
    return f"{kind}: {name}, {plural(first.calls, 'call')}, {cost(_in_all(first), found.unit)}"


def _in_all(each: Spent) -> float | None:
    known = [amount for amount in (each.cost, each.below_cost) if amount is not None]
    return sum(known) if known else None


def short_name(each: Spent) -> str:
    """A path by its last three folders; the other names as they are."""
    if each.kind not in PATHS:
        return each.name
    parts = [part for part in each.name.replace("\\", "/").split("/") if part]
    return "/".join(parts[-3:]) or each.name


def spending_table(found: Spending, kind: str, *, everything: bool = False) -> TopicTable:
    """One row for each file, command, …"""
    folded = kind not in ("file", "command") and kind != next(iter(found.kinds))
    rows = found.kinds[kind][: None if everything else ROWS]
    title = TITLES.get(kind, kind)
    if kind == "sub-agent":
        heads, cells = _agent_heads(found), [_agent_row(each) for each in rows]
        return TopicTable(title, *_with_left_out(heads, cells, rows), folded)
    heads = [TopicColumn(kind), TopicColumn(UNITS[found.unit], CELLS[found.unit]),
             *columns("share:share", "calls:count", "failed:count", "sessions:count",
                      "tokens returned:amount", "turns in context:mean")]  # fmt: skip
    return TopicTable(title, *_with_left_out(heads, [_row(each) for each in rows], rows), folded)


def _with_left_out(
    heads: list[TopicColumn], cells: list[list[Value]], rows: list[Spent]
) -> tuple[list[TopicColumn], list[list[Value]]]:
    """With columns for what has no cost and is in no sum, where there is any."""
    for head, name in LEFT_OUT.items():
        counts = [getattr(each, name) for each in rows]
        if any(counts):
            heads = [*heads, *columns(head)]
            cells = [[*row, count] for row, count in zip(cells, counts, strict=True)]
    return heads, cells


def _agent_heads(found: Spending) -> list[TopicColumn]:
    amounts = [f"{name}:{CELLS[found.unit]}" for name in ("in all", "its own turns", "its calls")]
    return columns("sub-agent", *amounts, "calls:count", "failed:count", "tokens returned:amount",
                   "returned of read:share")  # fmt: skip


def _agent_row(each: Spent) -> list[Value]:
    return [_link(each), _in_all(each), each.below_cost, each.cost, each.calls,
            each.failed, each.result_tokens, each.returned_share]  # fmt: skip


def _row(each: Spent) -> list[Value]:
    return [_link(each), each.cost, each.share, each.calls, each.failed, each.sessions,
            each.result_tokens, each.turns_in_context]  # fmt: skip


def _link(each: Spent) -> Place:
    """To the most expensive call about it."""
    return Place(each.trajectory_id, each.turn, label(short_name(each), limit=60))


def _order(found: Spending) -> list[str]:
    """Files and commands first, which everybody has, then by cost."""
    first = [kind for kind in ("file", "command") if kind in found.kinds]
    return [*first, *(kind for kind in found.kinds if kind not in first)]
