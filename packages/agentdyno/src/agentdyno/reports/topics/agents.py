"""Main agents against sub-agents: what was found in, a `Topic` out."""

from agentdyno.records import plural, printable
from agentdyno.reports.numbers import CELLS, UNITS, UNKNOWN, cost, dollars, percent, short
from agentdyno.reports.topic import Place, Topic, TopicColumn, TopicTable, Value
from agentdyno.studies.cost.agents import AgentCosts, Share, StartingCall
from agentdyno.studies.cost.lower_bounds import LowerBounds

MOST_CALLS = 50
"""Calls that are listed."""


def render_agents(costs: AgentCosts) -> Topic:
    return Topic(
        anchor="agents",
        title="Main agents and sub-agents",
        lead=_lead(costs),
        notes=_notes(costs),
        charts=[],
        tables=[_sides(costs), _calls(costs)],
    )


def _lead(costs: AgentCosts) -> str:
    main, started = costs.main, costs.started
    return (
        f"{plural(started.trajectories, 'sub-agent')} of "
        f"{plural(main.trajectories, 'main agent')} took {_least(costs)}"
        f"{_of_all(started.usd, main.usd)} of the money ({dollars(started.usd)}){_others(costs)} "
        f"and {_of_all(_all_calls(costs), main.calls)} of the tool calls."
    )


def _others(costs: AgentCosts) -> str:
    if costs.unit == "usd":
        return ""
    return f", {_of_all(costs.started.cost, costs.main.cost)} of the {UNITS[costs.unit]}"


def _least(costs: AgentCosts) -> str:
    return "at least " if costs.lower_bounds else ""


def _all_calls(costs: AgentCosts) -> int:
    """Those in the traces, and those of which only the number is known."""
    below = costs.lower_bounds
    return costs.started.calls + (below.calls - below.listed_calls if below else 0)


def _of_all(part: float | None, rest: float | None) -> str:
    known = part is not None and rest is not None and part + rest > 0
    return percent(part / (part + rest)) if known else "an unknown share"  # type: ignore[operator]


def _notes(costs: AgentCosts) -> list[str]:
    notes = [
        "A call that starts an agent costs what its request and its report take in the caller's "
        "context; with all that it started, what those agents spent is added.",
    ]
    if costs.lower_bounds:
        notes.insert(0, bounds_line(costs.lower_bounds))
    unknown = sum(call.turn is None for call in costs.calls)
    if unknown:
        notes.append(f"For {plural(unknown, 'agent')} no trace says which call started it.")
    if len(costs.calls) > MOST_CALLS:
        notes.append(f"{len(costs.calls) - MOST_CALLS:,} more calls are not listed.")
    return notes


def _sides(costs: AgentCosts) -> TopicTable:
    columns = [
        TopicColumn("agents"),
        TopicColumn("trajectories", "count"),
        TopicColumn("turns", "count"),
        TopicColumn("tool calls", "count"),
        TopicColumn("tokens generated", "amount"),
        TopicColumn(UNITS[costs.unit], CELLS[costs.unit]),
        *([] if costs.unit == "usd" else [TopicColumn("cost", "money")]),
    ]
    rows = [
        _side("main", costs.main, costs.main.calls)[: len(columns)],
        _side("sub-agents", costs.started, _all_calls(costs))[: len(columns)],
    ]
    if below := costs.lower_bounds:
        part: list[Value] = ["of these, known in part", below.agents, below.responses, below.calls]
        rows.append([*part, None, UNKNOWN, UNKNOWN][: len(columns)])
    return TopicTable("Main against sub-agents", columns, rows, folded=False)


def _side(name: str, share: Share, calls: int) -> list[Value]:
    numbers: list[Value] = [share.trajectories, share.turns, calls, float(share.tokens)]
    return [name, *numbers, share.cost, share.usd]


def _calls(costs: AgentCosts) -> TopicTable:
    """Columns that say nothing about this ledger are left out."""
    listed = costs.calls[:MOST_CALLS]
    is_money = costs.unit == "usd"
    has_bounds, has_unpriced = (any(getattr(call, name) for call in listed)
                                for name in ("bounded", "unpriced"))  # fmt: skip
    columns = [
        TopicColumn("what was asked"),
        TopicColumn("models"),
        TopicColumn("turns", "count"),
        TopicColumn("tool calls", "count"),
        TopicColumn("of the call", CELLS[costs.unit]),
        TopicColumn("with all it started", CELLS[costs.unit]),
        *([] if is_money else [TopicColumn("cost it started", "money")]),
        *([TopicColumn("totals")] if has_bounds else []),
        *([TopicColumn("agents left out", "count")] if has_unpriced else []),
    ]
    rows = [
        [*_call(call, is_money, has_bounds), *([call.unpriced] if has_unpriced else [])]
        for call in listed
    ]
    title = "Calls that started agents" + ("" if is_money else f", in {UNITS[costs.unit]}")
    return TopicTable(title, columns, rows, folded=False)


def _call(call: StartingCall, is_money: bool, has_bounds: bool) -> list[Value]:
    asked = printable(call.title or call.trajectory_id, 80)
    totals = "at least" if call.bounded else "as recorded"
    return [
        Place(call.trajectory_id, None, asked), printable(call.models, 60) or None, call.turns,
        call.calls, UNKNOWN if call.turn is None else call.own_cost, call.cost,
        *([] if is_money else [call.started_usd]), *([totals] if has_bounds else []),
    ]  # fmt: skip


def agents_line(costs: AgentCosts) -> str:
    """Main against sub-agents in one line, for a summary."""
    main, started = costs.main, costs.started
    spent, theirs = (_spent(share, costs) for share in (main, started))
    return (
        f"Main agents: {plural(main.turns, 'turn')}, {plural(main.calls, 'call')}, {spent}; "
        f"{plural(started.trajectories, 'sub-agent')}: {_least(costs)}"
        f"{plural(started.turns, 'turn')}, {plural(_all_calls(costs), 'call')}, {theirs}."
    )


def _spent(share: Share, costs: AgentCosts) -> str:
    if costs.unit == "usd":
        left = share.unpriced if share.usd is not None else 0
        return dollars(share.usd) + (f" ({left:,} without a price)" if left else "")
    return f"{cost(share.cost, costs.unit)}, {dollars(share.usd)}"


def bounds_line(bounds: LowerBounds) -> str:
    """What is missing of sub-agents that are known in part, and what they took by an estimate."""
    agents, responses = plural(bounds.agents, "sub-agent"), plural(bounds.responses, "response")
    known = (
        f"{agents} known only in part, by {responses} ({short(bounds.context_tokens)} context "
        f"tokens) and the number of their calls ({bounds.calls:,}, of which the traces hold "
        f"{bounds.listed_calls:,}): their turns, tokens and costs are at least what is counted."
    )
    return f"{known} {_estimate(bounds)}"


def _estimate(bounds: LowerBounds) -> str:
    whole = bounds.estimated_tokens
    if whole.value is None or whole.low is None or whole.high is None:
        return "No estimate: their last responses were not counted by the provider."
    of = "" if whole.n == bounds.agents else f" of {whole.n:,} of them"
    return (
        f"All responses{of} took about {short(whole.value)} context tokens (95 %: "
        f"{short(whole.low)} to {short(whole.high)}), calibrated on {bounds.calibrated_on} agents "
        f"of one project that are known whole ({bounds.as_of})."
    )
