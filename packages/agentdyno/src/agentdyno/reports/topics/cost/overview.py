"""The head of a report: the money, three sentences, one picture, and what to be wary of."""

from agentdyno.estimates.estimate import Estimate
from agentdyno.records import plural, printable, shortened
from agentdyno.records.origins import REWRITTEN
from agentdyno.reports.numbers import (
    UNITS,
    amount,
    cost,
    dollars,
    label,
    percent,
)
from agentdyno.reports.topic import (
    Cell,
    CellKind,
    Figure,
    SharesChart,
    Term,
    Topic,
    TopicChart,
    TopicTable,
    table_of,
)
from agentdyno.reports.topics.agents import agents_line, bounds_line
from agentdyno.reports.topics.cost.bill import (
    describe_bill,
    draw_bill,
    name_highlights,
)
from agentdyno.reports.topics.cost.estimates import estimate_line
from agentdyno.reports.topics.cost.fuel import tool_cells, whole_bar
from agentdyno.reports.topics.cost.headline import (
    describe_estimated,
    describe_total,
    describe_unpriced,
    is_unasked,
)
from agentdyno.reports.topics.cost.levers import short_sentence
from agentdyno.reports.topics.cost.seconds import seconds_basis, seconds_range
from agentdyno.studies.cost.results import Overview
from agentdyno.studies.cost.summary_results import SettingSummary, Summary
from agentdyno.studies.levers import load_levers
from agentdyno.studies.outdated import describe_old

KINDS = {
    "system": "system prompts",
    "schema": "tool schemas",
    "user": "user messages",
    "reasoning": "reasoning",
    "text": "the model's own text",
    "request": "tool requests",
    "result": "tool results",
    "unseen": "system prompt, tools, CLAUDE.md and the rest your log leaves out",
}
NAMES = KINDS | {"unseen": "system prompt and what your log omits"}
WORTH_NAMING = 0.02
TOOLS = 10
BAD_LISTED = 5


def render_overview(overview: Overview) -> Topic:
    """The head of every report."""
    s = overview.summary
    named = overview.highlights
    return Topic(
        anchor="glance",
        title="What it cost",
        lead=" ".join(filter(None, [_unit_words(s), cache_words(s), seconds_basis(s)])),
        notes=[*_old(overview), *caveats(s)],
        figures=_figures(overview),
        terms=[
            Term("What it costs", _cost(overview)),
            Term("Where it goes", _place(overview)),
            Term("What to change", _change(overview)),
        ],
        charts=_picture(overview),
        tables=[
            *name_highlights(named, s.unit),
            _settings(s),
            *([_tools(s)] if s.tools else []),
        ],
    )


def _picture(overview: Overview) -> list[TopicChart]:
    """The bill; where costs are not money, what the context held."""
    s = overview.summary
    if overview.highlights.bill is not None:
        return [draw_bill(overview.highlights.bill)]
    if s.unit == "usd" or not s.cost or not s.kinds:
        return []
    return [SharesChart("parts", f"Where the {UNITS[s.unit]} went", [whole_bar(s)])]


def _figures(overview: Overview) -> list[Figure]:
    s, bill = overview.summary, overview.highlights.bill
    lost = bill.parts.get("lost") if bill else None
    graded = f"{overview.solved:,} / {overview.graded:,}"
    return [
        *([_money(s)] if s.unit == "usd" else [] if is_unasked(s) else [_total(s)]),
        *([Figure(lost, "money", REWRITTEN)] if lost else []),
        Figure(*_count_of(overview)),
        Figure(s.turns, "count", "turn" if s.turns == 1 else "turns"),
        Figure(s.calls, "count", "tool call" if s.calls == 1 else "tool calls"),
        *([Figure(graded, "text", "solved of graded")] if overview.graded else []),
        *([_money(s)] if s.unit != "usd" and s.usd is not None else []),
        *([_total(s)] if is_unasked(s) else []),
    ]


def _count_of(overview: Overview) -> tuple[int, CellKind, str]:
    """Sessions where the traces have some, otherwise trajectories."""
    many = overview.highlights.sessions
    if many is not None:
        return many, "count", "session" if many == 1 else "sessions"
    many = overview.summary.trajectories
    return many, "count", "trajectory" if many == 1 else "trajectories"


def _money(s: Summary) -> Figure:
    how = "at least, " if is_lower_bound(s) else ""
    how += "where priced" if s.unpriced else "at list prices"
    return Figure(s.usd, "money", f"{how}{describe_estimated(s)}")


def _total(s: Summary) -> Figure:
    how = "at least" if is_lower_bound(s) else "in all"
    if s.unit == "gpu_seconds":
        return Figure(seconds_range(s), "text", f"GPU-seconds {how}")
    return Figure(s.cost, "amount", f"PTE {how}")


def is_lower_bound(s: Summary) -> bool:
    """Whether responses are known to be missing, so that the sums are at least."""
    return s.agents is not None and s.agents.lower_bounds is not None


def _unit_words(s: Summary) -> str:
    """What the unit means."""
    if s.unit == "usd":
        return ""
    if s.unit == "gpu_seconds":
        several = "These models differ in architecture, so totals are in GPU-seconds."
        return several if s.architectures > 1 else ""
    return f"One PTE is the work of prefilling one token of the model, on {s.hardware}."


def cache_words(s: Summary) -> str:
    """Which cache the costs are with, and for how many turns nothing is known of it."""
    if s.cache == "served":
        return "The cache is what a server of your own would still have in memory."
    if s.cache == "evicted":
        return "As in the paper, the cache is evicted before every turn."
    if s.cache != "observed":
        return f"Costs are with the {s.cache} cache."
    if not s.cache_unreported:
        return "The cache is as the provider reported it."
    if s.cache_unreported == s.turns:
        return "No turn reports a cache: every turn is counted with its whole context."
    return (
        f"The cache is as the provider reported it; {s.cache_unreported:,} of "
        f"{plural(s.turns, 'turn')} report none and are counted with their whole context."
    )


# Sentences ----------------------------------------------------------------------------------------


def _cost(overview: Overview) -> str:
    s = overview.summary
    many = plural(s.trajectories, "trajectory", "trajectories")
    if (sessions := overview.highlights.sessions) is not None:
        sub_agents = s.trajectories - sessions
        many = plural(sessions, "session") + (
            f" ({plural(sub_agents, 'sub-agent')})" if sub_agents else ""
        )
    if not s.cost:
        return f"The cost of {many} is unknown {_unknown(s)}."
    money = ""
    if s.usd is not None and s.unit != "usd":
        with_price = f" ({s.unpriced:,} without a price)" if s.unpriced else ""
        money = f" and {dollars(s.usd)}{with_price}"
    measured = s.trajectories - s.unmeasured
    mean = f", {cost(s.cost / measured, s.unit)} each on average" if measured > 1 else ""
    if sessions is not None:  # Those without a known cost would make a mean too small.
        is_known = sessions > 1 and not s.unmeasured
        mean = f", {cost(s.cost / sessions, s.unit)} a session" if is_known else ""
    least = "at least " if is_lower_bound(s) else ""
    solved = f"; {_describe_solved(overview)}" if overview.graded else ""
    total = f"{describe_total(s)}{describe_estimated(s)}"
    if is_unasked(s):
        return f"{describe_unpriced(s)} {many} took {least}{total}{mean}{solved}."
    return f"{many} cost {least}{total}{money}{mean}{solved}. {describe_unpriced(s)}".strip()


def _unknown(s: Summary) -> str:
    """Why no cost is known."""
    if s.unit == "usd":
        return "in money"
    if s.unit == "pte":
        return f"under the {s.cache} cache assumption"
    return (
        f"in GPU-seconds on {label(s.hardware)} with the {s.cache} cache, and PTE of "
        f"{s.architectures} architectures have no sum"
    )


def _describe_solved(overview: Overview) -> str:
    if not overview.solved:
        return f"none of the {overview.graded:,} graded ones was solved"
    sentence = f"{overview.solved:,} of the {overview.graded:,} graded ones were solved"
    if overview.graded_cost is None:
        return sentence
    mean_cost = cost(overview.graded_cost / overview.solved, overview.summary.unit)
    return f"{sentence}, {mean_cost} for each one solved"


def _place(overview: Overview) -> str:
    s, bill = overview.summary, overview.highlights.bill
    if not s.cost:
        return "Where it goes cannot be said without a cost."
    charged = f"{describe_bill(bill.parts, bill.usd)}." if bill and bill.usd else ""
    if not s.kinds:
        return charged or "Where it goes is unknown: the ledger holds no parts of any context."
    top = [k for k in s.kinds if (k.share or 0.0) >= WORTH_NAMING][:3]
    shares = [f"{percent(k.share, 0)} to {KINDS.get(k.kind, k.kind)}" for k in top]
    by_part = f"{_list(shares).replace(' to ', ' went to ', 1)}{_tool(s)}."
    return f"{charged} By content, {by_part}" if charged else by_part


def _tool(s: Summary) -> str:
    first = s.tools[0] if s.tools else None
    if first is None or (first.share or 0.0) < WORTH_NAMING:
        return "; no single tool costs much" if s.tools else "; there are no tools"
    parts = {
        "schema": first.schema_cost,
        "requests": first.request_cost,
        "results": first.result_cost,
    }
    most = max(parts, key=lambda part: parts[part] or 0.0)
    return (
        f"; the most expensive tool is {label(first.tool)} with {percent(first.share)}, "
        f"mostly its {most}"
    )


def _change(overview: Overview) -> str:
    if not overview.summary.cost:
        return "What to change cannot be said without a cost."
    if not overview.levers and not load_levers():
        return "Changes that would save something are found with agentdyno[daily]."
    if not overview.levers:
        return "The data show no single change that would surely save 1 % or more."
    surer = [lever for lever in overview.levers if lever.certainty != "at most"]
    bounds = [lever for lever in overview.levers if lever.certainty == "at most"]
    return " ".join(short_sentence(lever) for lever in [*surer[:2], *bounds[:1]])


def _list(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


# What to be wary of -------------------------------------------------------------------------------


def _old(overview: Overview) -> list[str]:
    return [] if overview.old is None else [describe_old(overview.old, overview.summary.ledger)]


def caveats(s: Summary) -> list[str]:
    """What a reader must know before trusting the numbers."""
    lines = []
    if s.unmeasured and s.unit == "gpu_seconds":
        why = "no known GPU-seconds"
        singular, several = f"trajectory has {why} and is", f"trajectories have {why} and are"
        lines.append(f"{plural(s.unmeasured, singular, several)} left out of all sums.")
    by_proxy = {r.model for r in s.settings if r.gamma_source == "proxy" and s.unit != "usd"}
    if proxied := sorted(label(model) if model else "unnamed models" for model in by_proxy):
        lines.append(
            f"The architecture of {', '.join(proxied[:4])}{' …' if len(proxied) > 4 else ''} is "
            "unknown: open models of that size stand in for it. Compare with care, or pass --arch."
        )
    if s.repeats:
        lines.append(
            f"{plural(s.repeats, 'response was', 'responses were')} logged more than once and "
            f"{'counts' if s.repeats == 1 else 'count'} once."
        )
    if s.byte_equal:
        lines.append(
            f"{plural(s.byte_equal, 'copy', 'copies')} of these stand in byte-equal files without "
            "ids or times. If they are runs at temperature 0, count each with --keep-equal."
        )
    if s.agents:
        lines.append(agents_line(s.agents))
        if s.agents.lower_bounds:
            lines.append(bounds_line(s.agents.lower_bounds))
    if s.unseen.get("earlier"):
        lines.append(
            f"What your log leaves out: {cost(s.unseen.get('prompt', 0.0), s.unit)} for system "
            f"prompts and tool schemas, {amount(s.unseen['earlier'], s.unit)} for conversation "
            "from before a file begins."
        )
    guessed = {k: v for k, v in s.by_token_source.items() if k != "reported"}
    if guessed:
        kinds = ", ".join(f"{count:,} {kind}" for kind, count in guessed.items())
        lines.append(f"Token counts not reported by the provider: {kinds} of {s.turns:,} turns.")
    if s.estimated:
        lines.append(estimate_line(s.estimated))
    if s.reported_money:
        lines.append(
            f"Money of {plural(s.reported_money, 'turn')} is what the traces say: no price listed."
        )
    if s.unpriced and s.unit != "usd":
        lines.append(f"Money: no price for {plural(s.unpriced, 'trajectory', 'trajectories')}.")
    if s.no_cached_price:
        lines.append(no_cached_price_line(s.no_cached_price))
    if s.unmeasured and s.unit == "pte":
        unknown = plural(s.unmeasured, "trajectory", "trajectories")
        lines.append(f"Cost unknown under the {s.cache} cache: {unknown}.")
    return lines + describe_bad(s, BAD_LISTED)


def describe_bad(s: Summary, listed: int) -> list[str]:
    """How many records could not be read, and the first of them."""
    if not s.bad_records:
        return []
    first = f"{plural(s.bad_records, 'bad record')} skipped, listed in bad_records."
    return [first, *(bad_line(row) for row in s.bad[:listed])]


def bad_line(row: dict[str, str]) -> str:
    """One bad record, fit for a line."""
    where = f"{shortened(row['source'])}: {printable(row['place'], 40)}"
    return f"{where}: expected {printable(row['expected'])}, found {printable(row['found'])}"


# Tables -------------------------------------------------------------------------------------------


def _settings(s: Summary) -> TopicTable:
    graded = any(row.graded for row in s.settings)
    cells: dict[str, Cell] = {
        "setting": lambda row: label(row.model, row.benchmark, row.variant),
        "n:count": "trajectories",
        **({"accuracy:share": _accuracy} if graded else {}),
        **{
            "pte": {"PTE:amount": "pte_mean"},
            "gpu_seconds": {"GPU-seconds:amount": "gpu_seconds_mean"},
            "usd": {},
        }[s.unit],
        "cost:money": "usd_mean",
        "tokens:amount": "tokens_mean",
        "turns:mean": "turns_mean",
        "calls:mean": "calls_mean",
    }
    return table_of("By setting", s.settings, cells, note="means per trajectory")


def _accuracy(row: SettingSummary) -> Estimate | None:
    if row.accuracy is None:
        return None
    return Estimate(row.accuracy, row.accuracy_low, row.accuracy_high, row.graded)


def _tools(s: Summary) -> TopicTable:
    remaining = len(s.tools) - TOOLS
    more = f"; {plural(remaining, 'more tool')} in the ledger" if remaining > 0 else ""
    note = f"{UNITS[s.unit]} of schema, requests and results{more}"
    return table_of("By tool", s.tools[:TOOLS], tool_cells(s.unit), note=note)


def no_cached_price_line(turns: dict[str, int]) -> str:
    """Which models' cached tokens have no listed price, and what to do."""
    named = ", ".join(f"{printable(model, 60)} ({many:,})" for model, many in turns.items())
    return (
        f"No price is listed for cached tokens, which {plural(sum(turns.values()), 'turn')} read: "
        f"{named}. Give one with --prices."
    )
