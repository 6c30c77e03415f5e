"""Main agents against sub-agents: what was found in, a `Topic` out."""

from agentdyno.records import counted, printable
from agentdyno.reports.numbers import UNITS, cost, dollars, percent
from agentdyno.reports.topic import Topic, TopicColumn, TopicTable, Value
from agentdyno.studies.cost.agents import AgentCosts, Share, StartingCall

MOST_CALLS = 50
"""Calls that are listed."""


def tell_agents(found: AgentCosts) -> Topic:
    """The topic."""
    return Topic(
        anchor="agents",
        title="Main agents and sub-agents",
        lead=_lead(found),
        notes=_notes(found),
        charts=[],
        tables=[_sides(found), _calls(found)],
    )


def _lead(found: AgentCosts) -> str:
    main, started = found.main, found.started
    return (
        f"{counted(started.trajectories, 'sub-agent')} of "
        f"{counted(main.trajectories, 'main agent')} took {_of_all(started.usd, main.usd)} of the "
        f"money ({dollars(started.usd)}), {_of_all(started.pte, main.pte)} of the "
        f"{UNITS[found.unit]} and {_of_all(started.calls, main.calls)} of the tool calls."
    )


def _of_all(part: float | None, rest: float | None) -> str:
    known = part is not None and rest is not None and part + rest > 0
    return percent(part / (part + rest)) if known else "an unknown share"  # type: ignore[operator]


def _notes(found: AgentCosts) -> list[str]:
    notes = [
        "A call that starts an agent costs what its request and its report take in the caller's "
        "context; with all that it started, what those agents spent is added.",
    ]
    unknown = sum(call.turn is None for call in found.calls)
    if unknown:
        notes.append(f"For {counted(unknown, 'agent')} no trace says which call started it.")
    if len(found.calls) > MOST_CALLS:
        notes.append(f"{len(found.calls) - MOST_CALLS:,} more calls are not listed.")
    return notes


def _sides(found: AgentCosts) -> TopicTable:
    columns = [
        TopicColumn("agents"),
        TopicColumn("trajectories", "count"),
        TopicColumn("turns", "count"),
        TopicColumn("tool calls", "count"),
        TopicColumn("tokens generated", "amount"),
        TopicColumn(UNITS[found.unit], "amount"),
        TopicColumn("money", "money"),
    ]
    rows = [_side("main", found.main), _side("sub-agents", found.started)]
    return TopicTable("Main against sub-agents", columns, rows, folded=False)


def _side(name: str, share: Share) -> list[Value]:
    numbers: list[Value] = [share.trajectories, share.turns, share.calls, float(share.tokens)]
    return [name, *numbers, share.pte, share.usd]


def _calls(found: AgentCosts) -> TopicTable:
    columns = [
        TopicColumn("what was asked"),
        TopicColumn("tool"),
        TopicColumn("models"),
        TopicColumn("turns", "count"),
        TopicColumn("tool calls", "count"),
        TopicColumn(f"{UNITS[found.unit]} of the call", "amount"),
        TopicColumn(f"{UNITS[found.unit]} with all it started", "amount"),
        TopicColumn("money it started", "money"),
    ]
    rows = [_call(call) for call in found.calls[:MOST_CALLS]]
    return TopicTable("Calls that started agents", columns, rows, folded=False)


def _call(call: StartingCall) -> list[Value]:
    asked = printable(call.title or call.trajectory_id, 80)
    shown: list[Value] = [asked, printable(call.tool or "–", 40), printable(call.models, 60)]
    return [*shown, call.turns, call.calls, call.own_pte, call.pte, call.started_usd]


def agents_line(found: AgentCosts) -> str:
    """Main against sub-agents in one line, for a summary."""
    main, started = found.main, found.started
    spent, theirs = (cost(share.pte, found.unit) for share in (main, started))
    return (
        f"Main agents: {counted(main.turns, 'turn')}, {counted(main.calls, 'call')}, "
        f"{spent}, {dollars(main.usd)}; "
        f"{counted(started.trajectories, 'sub-agent')}: {counted(started.turns, 'turn')}, "
        f"{counted(started.calls, 'call')}, {theirs}, {dollars(started.usd)}."
    )
