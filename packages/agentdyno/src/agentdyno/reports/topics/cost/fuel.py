"""Where the fuel went, told: the picture, by setting, by tool; the most expensive single calls."""

from agentdyno.records import plural
from agentdyno.records.cost_unit import CostUnit
from agentdyno.reports.charts.palette import KINDS
from agentdyno.reports.numbers import (
    CELLS,
    UNITS,
    cost,
    cost_column,
    label,
    name_kind,
    name_setting,
    percent,
)
from agentdyno.reports.topic import (
    Cell,
    Place,
    Share,
    SharesBar,
    SharesChart,
    Topic,
    TopicColumn,
    TopicTable,
    table_of,
)
from agentdyno.studies.cost.results import ExpensiveCall, Fuel, KindShare
from agentdyno.studies.cost.summary_results import Summary

SETTINGS = 12
SMALLEST = 0.004
"""A smaller share gets no box of its own."""
FIELDS = {"schema": "schema_cost", "request": "request_cost", "result": "result_cost"}


def render_fuel(fuel: Fuel) -> Topic:
    s = fuel.summary
    top, unit = s.kinds[0], UNITS[s.unit]
    charts = [
        SharesChart("fuel", f"Share of all {unit} by kind of part, and by tool", [whole_bar(s)])
    ]
    bars = _by_setting(fuel.kinds, s.unit)
    if len(bars) > 1:
        charts.append(SharesChart("fuel-by-setting", "The same by setting", bars))
    return Topic(
        anchor="fuel",
        title="What was in the context",
        lead=f"The largest part is {name_kind(top.kind)}: {percent(top.share)} of "
        f"{cost(s.cost, s.unit)}.",
        notes=[
            "Text is charged again on every turn it stays in context. "
            "Blue is what the model was given, orange what it wrote, red what tools returned, "
            "grey what is billed and not in your log."
        ],
        charts=[*charts],
        tables=[_kinds(s), _list_kinds(fuel), _list_tools(fuel)],
    )


def whole_bar(s: Summary) -> SharesBar:
    """All costs, cut by kind of part."""
    shares = {k.kind: k.share or 0.0 for k in s.kinds}
    pieces = [Share(k, shares[k], _inside(s, k)) for k in KINDS if shares.get(k, 0.0) >= SMALLEST]
    return SharesBar("all trajectories", pieces, cost(s.cost, s.unit))


def _inside(s: Summary, kind: str) -> list[tuple[str, float]]:
    if kind not in FIELDS or not s.cost:
        return []
    pairs = [(t.tool, (getattr(t, FIELDS[kind]) or 0.0) / s.cost) for t in s.tools]
    return sorted((p for p in pairs if p[1]), key=lambda pair: (-pair[1], pair[0]))


def _by_setting(kinds: list[KindShare], unit: CostUnit) -> list[SharesBar]:
    bars = []
    for setting in list(dict.fromkeys(k.setting for k in kinds))[:SETTINGS]:
        of_setting = [k for k in kinds if k.setting == setting]
        mean = cost(sum(k.cost or 0.0 for k in of_setting) / of_setting[0].trajectories, unit)
        pieces = [Share(k.kind, k.share) for k in of_setting if k.share]
        order = {kind: index for index, kind in enumerate(KINDS)}
        pieces.sort(key=lambda piece: order.get(piece.kind, len(order)))
        note = f"{mean} each, n = {of_setting[0].trajectories:,}"
        bars.append(SharesBar(name_setting(setting, 34), pieces, note))
    return bars


def _kinds(s: Summary) -> TopicTable:
    cost = TopicColumn(UNITS[s.unit], CELLS[s.unit])
    heads = [TopicColumn("kind of part"), TopicColumn("tokens", "amount"), cost,
             TopicColumn("share", "share", bar=True)]  # fmt: skip
    rows = [[name_kind(k.kind), k.tokens, k.cost, k.share] for k in s.kinds]
    return TopicTable(f"{UNITS[s.unit]} by kind of part", heads, rows)


def _list_kinds(fuel: Fuel) -> TopicTable:
    return table_of(
        f"{UNITS[fuel.summary.unit]} by setting and kind",
        fuel.kinds,
        {
            "setting": lambda kind: name_setting(kind.setting),
            "kind": lambda kind: name_kind(kind.kind),
            cost_column(fuel.summary.unit): "cost",
            "share:share": "share",
        },
    )


def _list_tools(fuel: Fuel) -> TopicTable:
    return table_of(
        f"{UNITS[fuel.summary.unit]} by setting and tool",
        fuel.tools,
        {
            "setting": lambda tool: name_setting(tool.setting),
            "tool": lambda tool: label(tool.tool),
            "kind": "kind",
            "calls:count": "calls",
            cost_column(fuel.summary.unit): "cost",
            "share:share": "share",
        },
    )


def render_tools(s: Summary) -> Topic:
    tools = [tool for tool in s.tools if tool.tool]
    unused = sum(not tool.calls for tool in tools)
    lead = f"{plural(len(tools), 'tool')}"
    sentence = (
        f", {unused:,} of them offered and never called." if unused else ", all of them called."
    )
    cells = {**tool_cells(s.unit), "tokens per result:amount": "result_tokens_mean"}
    table = table_of(f"{UNITS[s.unit]} by tool", tools, cells, folded=False)
    return Topic("tools", "Tools", lead + sentence, [], [], [table])


def tool_cells(unit: CostUnit) -> dict[str, Cell]:
    """What is said of a tool."""
    kind = CELLS[unit]
    return {
        "tool": lambda tool: label(tool.tool),
        "calls:count": "calls",
        "failed:count": "errors",
        cost_column(unit): "cost",
        "share:share": "share",
        f"schema:{kind}": "schema_cost",
        f"requests:{kind}": "request_cost",
        f"results:{kind}": "result_cost",
    }


def render_calls(calls: list[ExpensiveCall]) -> Topic:
    """The most expensive single calls."""
    first = calls[0]
    share = f", {percent(first.share)} of its trajectory" if first.share is not None else ""
    cells: dict[str, Cell] = {
        "call": lambda call: Place(call.trajectory_id, call.turn, _describe(call)),
        cost_column(first.unit): "cost",
        "of its trajectory:share": "share",
        "request tokens:amount": "request_tokens",
        "result tokens:amount": "result_tokens",
        "turns in context:count": "held_turns",
    }
    title = f"The {len(calls)} most expensive calls"
    return Topic(
        anchor="calls",
        title="The most expensive calls",
        lead=f"The most expensive call: {_describe(first)}, {cost(first.cost, first.unit)}{share}.",
        notes=["A call costs what its request and its result cost in every turn that held them."],
        charts=[],
        tables=[table_of(title, calls, cells, folded=False)],
    )


def _describe(call: ExpensiveCall) -> str:
    """The tool and what it was about: Read hooks.go."""
    parts = [part for part in (call.subject or "").replace("\\", "/").split("/") if part]
    about = f" {label('/'.join(parts[-2:]), limit=60)}" if parts else ""
    failed = " (failed)" if call.error is not None else ""
    return f"{label(call.tool)}{about}{failed}"
