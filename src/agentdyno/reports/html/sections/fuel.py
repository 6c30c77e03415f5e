"""Where the fuel went: the picture, the tools, the single calls."""

from agentdyno.reports.html.cells import amount, count, name, setting, share, words
from agentdyno.reports.html.markup import (
    Cell,
    Html,
    columns,
    details,
    foreign,
    join,
    plain,
    table,
    tag,
)
from agentdyno.reports.html.sections.frame import absent, note, section
from agentdyno.reports.html.sections.top import kinds_table
from agentdyno.studies.cost.results import Analyses, ExpensiveCall
from agentdyno.studies.cost.summary_results import Summary

TOOLS = 200
SETTING_ROWS = 160


def fuel(summary: Summary, found: Analyses, pictures: Html) -> Html:
    """By kind, by setting, by tool inside settings."""
    if not summary.pte:
        return section("fuel", "Where the fuel went", absent("no cost is known"))
    heads = columns("setting:", "kind:", "PTE", "share")
    by_kind = [[setting(k.setting), words(k.kind), amount(k.pte), share(k.share)]
               for k in found.kinds[:SETTING_ROWS]]  # fmt: skip
    tools = columns("setting:", "tool:", "kind:", "calls", "PTE", "share")
    by_tool = [[setting(t.setting), name(t.tool), words(t.kind), count(t.calls), amount(t.pte),
                share(t.share)] for t in found.tools[:SETTING_ROWS]]  # fmt: skip
    kinds_caption = _first("PTE by setting and kind", by_kind, len(found.kinds))
    tools_caption = _first("PTE by setting and tool", by_tool, len(found.tools))
    return section(
        "fuel",
        "Where the fuel went",
        note("Every part of a context bears its exact share; the shares sum to the whole. "
             "Blue is what the model was given, orange what it wrote, red what tools returned, "
             "grey what the provider counted and the trace does not show."),
        pictures,
        kinds_table(summary),
        details("Numbers by setting and kind", table(kinds_caption, heads, by_kind)),
        details("Numbers by setting and tool", table(tools_caption, tools, by_tool)),
    )  # fmt: skip


def _first(caption: str, rows: list[list[Cell]], total: int) -> str:
    return caption if len(rows) == total else f"{caption}: the first {len(rows)} of {total:,} rows"


def tools(summary: Summary) -> Html:
    """The tool table, sortable."""
    if not summary.tools:
        return section("tools", "Tools", absent("no tool was offered or called"))
    borne = ("PTE", "share", "schema", "requests", "results")
    heads = columns("tool:", "calls", "failed", *borne, "tokens per result")
    rows = [
        [name(t.tool), count(t.calls), count(t.errors), amount(t.pte), share(t.pte_share),
         amount(t.schema_pte), amount(t.request_pte), amount(t.result_pte),
         amount(t.result_tokens_mean)]
        for t in summary.tools[:TOOLS]
    ]  # fmt: skip
    unused = [t for t in summary.tools if not t.calls]
    told = f"{len(unused)} of {len(summary.tools)} tools were offered and never called."
    caption = _first("PTE by tool; press a heading to sort", rows, len(summary.tools))
    return section(
        "tools",
        "Tools",
        *([note(told)] if unused else []),
        table(caption, heads, rows, sortable=True),
    )


def calls(found: Analyses, places: dict[str, int]) -> Html:
    """The most expensive single calls."""
    if not found.calls:
        return section("calls", "The most expensive calls", absent("no call has a known cost"))
    sizes = ("request tokens", "result tokens", "turns in context")
    heads = columns("tool:", "PTE", "of its trajectory", *sizes, "where:")
    rows = [
        [_tool(c), amount(c.pte), share(c.share), amount(c.request_tokens),
         amount(c.result_tokens), count(c.held_turns),
         Cell(opener(c.trajectory_id, c.turn, places))]
        for c in found.calls
    ]  # fmt: skip
    return section(
        "calls",
        "The most expensive calls",
        note("A call bears what its request and its result cost in every turn that held them."),
        table(f"The {len(rows)} calls that bear the most", heads, rows, sortable=True),
    )


def _tool(call: ExpensiveCall) -> Cell:
    if call.error is None:
        return name(call.tool)
    mark = tag("span", plain("failed"), class_="flag")
    return Cell(join(foreign(call.tool), Html(" "), mark), call.tool or "")


def opener(trajectory: str, turn: int | None, places: dict[str, int]) -> Html:
    """A button that opens a trajectory, or its name where the page does not hold it."""
    where = f", turn {turn + 1}" if turn is not None else ""
    inside = join(foreign(_short(trajectory), 24), plain(where))
    if trajectory not in places:
        return inside
    return tag("button", inside, type="button", class_="open", data_open=str(places[trajectory]))


def _short(trajectory: str) -> str:
    """The last part of the path says enough."""
    return trajectory.rsplit("/", 1)[-1]
