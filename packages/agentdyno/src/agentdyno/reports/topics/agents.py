"""Main agents against sub-agents: what was found in, a `Topic` out."""

from agentdyno.records import plural, printable
from agentdyno.reports.numbers import CELLS, UNITS, UNKNOWN, cost, dollars, percent, short
from agentdyno.reports.topic import Cell, Place, Topic, TopicColumn, TopicTable, Value, table_of
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


def _of_all(part: float | None, other: float | None) -> str:
    has_total = part is not None and other is not None and part + other > 0
    return percent(part / (part + other)) if has_total else "an unknown share"  # type: ignore[operator]


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
    listed, is_money = costs.calls[:MOST_CALLS], costs.unit == "usd"
    cells: dict[str, Cell] = {
        "what was asked": _name_call,
        "models": lambda call: printable(call.models, 60) or None,
        "turns:count": "turns",
        "tool calls:count": "calls",
        f"of the call:{CELLS[costs.unit]}": _own_cost,
        f"with all it started:{CELLS[costs.unit]}": "cost",
    }
    if not is_money:
        cells["cost it started:money"] = "started_usd"
    if any(call.bounded for call in listed):
        cells["totals"] = lambda call: "at least" if call.bounded else "as recorded"
    if any(call.unpriced for call in listed):
        cells["agents left out:count"] = "unpriced"
    title = "Calls that started agents" + ("" if is_money else f", in {UNITS[costs.unit]}")
    return table_of(title, listed, cells, folded=False)


def _name_call(call: StartingCall) -> Place:
    return Place(call.trajectory_id, None, printable(call.title or call.trajectory_id, 80))


def _own_cost(call: StartingCall) -> Value:
    return UNKNOWN if call.turn is None else call.own_cost


def agents_line(costs: AgentCosts) -> str:
    """Main against sub-agents in one line, for a summary."""
    main, started = costs.main, costs.started
    spent, spent_by_started = (_spent(share, costs) for share in (main, started))
    return (
        f"Main agents: {plural(main.turns, 'turn')}, {plural(main.calls, 'call')}, {spent}; "
        f"{plural(started.trajectories, 'sub-agent')}: {_least(costs)}"
        f"{plural(started.turns, 'turn')}, {plural(_all_calls(costs), 'call')}, {spent_by_started}."
    )


def _spent(share: Share, costs: AgentCosts) -> str:
    if costs.unit == "usd":
        unpriced = share.unpriced if share.usd is not None else 0
        return dollars(share.usd) + (f" ({unpriced:,} without a price)" if unpriced else "")
    return f"{cost(share.cost, costs.unit)}, {dollars(share.usd)}"


def bounds_line(bounds: LowerBounds) -> str:
    """What is missing of sub-agents that are known in part, and what they took by an estimate."""
    agents, responses = plural(bounds.agents, "sub-agent"), plural(bounds.responses, "response")
    sentence = (
        f"{agents} known only in part, by {responses} ({short(bounds.context_tokens)} context "
        f"tokens) and the number of their calls ({bounds.calls:,}, of which the traces hold "
        f"{bounds.listed_calls:,}): their turns, tokens and costs are at least what is counted."
    )
    return f"{sentence} {_estimate(bounds)}"


def _estimate(bounds: LowerBounds) -> str:
    tokens = bounds.estimated_tokens
    if tokens.value is None or tokens.low is None or tokens.high is None:
        return "No estimate: their last responses were not counted by the provider."
    of = "" if tokens.n == bounds.agents else f" of {tokens.n:,} of them"
    return (
        f"All responses{of} took about {short(tokens.value)} context tokens (95 %: "
        f"{short(tokens.low)} to {short(tokens.high)}), calibrated on {bounds.calibrated_on} "
        f"agents of one project that are known whole ({bounds.as_of})."
    )
