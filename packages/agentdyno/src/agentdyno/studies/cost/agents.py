"""What main agents cost against the sub-agents they started, and what a call that starts one costs.

Takes the tables of a ledger; returns sums, and one row for each call that started an agent: what
the call itself costs (its request and its result in the caller's context) and what it costs with
all that it started, directly or through others. Costs are in the unit of the ledger: GPU-seconds
where agents ran on several architectures.

Worked: a call of 40 PTE starts an agent of 1,000, which starts one of 200: 40, and 1,240 with all.
"""

from typing import Any

import polars as pl
from msgspec import Struct

from agentdyno.estimates.estimate import Estimate
from agentdyno.records.cost_unit import CostUnit
from agentdyno.studies.cost.lower_bounds import (
    BoundedAgent,
    LowerBounds,
    estimate_tokens,
    find_bounded_agents,
    study_lower_bounds,
)
from agentdyno.studies.cost.part_seconds import read_calls
from agentdyno.studies.cost.unit import (
    KNOWN_MONEY,
    Costs,
    add_known_money,
    architectures_of,
    costs_of,
)
from agentdyno.studies.tables import Tables

ID = "trajectory_id"


class Share(Struct, frozen=True):
    """A group of agents."""

    trajectories: int
    """How many agents; one whose lines and last answer stand in different files is one."""
    turns: int
    calls: int
    tokens: int
    cost: float | None
    """Their cost, as far as it is known, in the unit that the costs name."""
    usd: float | None
    """Their money, as far as it is known."""
    unpriced: int = 0
    """Those whose cost is not known and not in `cost`."""


class StartingCall(Struct, frozen=True):
    """A call that started an agent."""

    trajectory_id: str
    turn: int | None
    """The turn that made the call; None where the trace does not say which call it was."""
    call: int | None
    """Its place among the calls of that turn."""
    tool: str | None
    title: str | None
    """How the agent's prompt begins."""
    models: str
    """The models that the agent and those it started ran on."""
    own_cost: float | None
    """What the call itself costs."""
    agents: int
    """Agents that it started, directly or through others."""
    turns: int
    """Their model calls that are known."""
    calls: int
    """Their tool calls, also those that are only reported as a number."""
    started_cost: float | None
    started_usd: float | None
    cost: float | None
    bounded: int = 0
    """Of these agents, those of which some responses are in no trace: sums are at least."""
    unpriced: int = 0
    """Of these agents, those whose cost is not known and not in `started_cost`."""
    estimated_tokens: Estimate | None = None
    """Context tokens of all responses of those; None where all of every agent is known."""


class AgentCosts(Struct, frozen=True):
    """Main agents against sub-agents."""

    main: Share
    started: Share
    """Agents that another one started."""
    calls: list[StartingCall]
    """Calls that started agents, the most expensive first."""
    architectures: int
    """Architectures that they ran on; over several, PTE have different units."""
    unit: CostUnit = "pte"
    lower_bounds: LowerBounds | None = None
    """Sub-agents of which some responses are in no trace; None where there are none."""


def study_agents(
    ledger: Tables, costs: Costs | None = None, trajectories: pl.DataFrame | None = None
) -> AgentCosts | None:
    """The costs; None where no agent started another. `trajectories` where somebody read them."""
    rows = trajectories
    if rows is None:
        rows = add_known_money(ledger, ledger.read("trajectories"))
    is_main = pl.col("parent_id").is_null()
    if rows.filter(~is_main).is_empty():
        return None
    costs = costs or costs_of(ledger)
    rows = costs.on(rows)
    bounded = find_bounded_agents(ledger, rows)
    calls = _find_starting_calls(rows, _read_starting_calls(ledger, costs, rows), bounded)
    main, started = _share(rows.filter(is_main)), _share(rows.filter(~is_main))
    unit, below = costs.unit, study_lower_bounds(bounded)
    return AgentCosts(main, started, calls, architectures_of(rows), unit, below)


def _read_starting_calls(ledger: Tables, costs: Costs, rows: pl.DataFrame) -> pl.DataFrame:
    started = rows["parent_call_id"].drop_nulls().unique()
    is_start = pl.col("call_id").is_in(started.implode())
    if costs.unit == "gpu_seconds":
        return costs.on(read_calls(ledger, costs.unit).filter(is_start))
    return costs.on(ledger.scan("calls").filter(is_start).collect())


def _share(rows: pl.DataFrame) -> Share:
    is_rest = (pl.col("parent_id").is_not_null() & (pl.col("relation") == "resumed")).fill_null(
        value=False
    )
    return Share(
        len(rows.filter(~is_rest)),
        int(rows["turns"].sum()),
        int(rows["calls"].sum()),
        int(rows["decode_tokens"].sum()),
        _sum_known(rows["cost"]),
        _sum_known(rows[KNOWN_MONEY]),
        rows["cost"].null_count(),
    )


def _add_up(rows: list[dict[str, Any]]) -> Share:
    """The same of a few rows: a frame for each call that started agents takes seconds."""
    turns, calls, decoded = (
        sum(row[name] or 0 for row in rows) for name in ("turns", "calls", "decode_tokens")
    )
    resumed = [row for row in rows if row["parent_id"] is not None and row["relation"] == "resumed"]
    cost, usd = ([row[n] for row in rows if row[n] is not None] for n in ("cost", KNOWN_MONEY))
    sums = [sum(values) if values else None for values in (cost, usd)]
    agents, unpriced = len(rows) - len(resumed), len(rows) - len(cost)
    return Share(agents, turns, calls, decoded, sums[0], sums[1], unpriced)


def _sum_known(values: pl.Series) -> float | None:
    measured = values.drop_nulls()
    return float(measured.sum()) if len(measured) else None


def _find_starting_calls(
    rows: pl.DataFrame, calls: pl.DataFrame, partly_known: list[BoundedAgent]
) -> list[StartingCall]:
    bounded = {name: agent for agent in partly_known for name in agent.trajectory_ids}
    agents = rows.filter(pl.col("parent_id").is_not_null()).sort(ID)
    below = _descendants(dict(rows.select(ID, "parent_id").iter_rows()))
    produced = {(r[ID], r["call_id"]): r for r in calls.iter_rows(named=True)}
    by_id = {r[ID]: r for r in rows.iter_rows(named=True)}
    groups: dict[tuple[str, str | None], list[str]] = {}
    for agent in agents.iter_rows(named=True):
        # Agents whose call is not known stand alone.
        key = agent["parent_call_id"] or f"\0{agent[ID]}"
        groups.setdefault((agent["parent_id"], key), []).append(agent[ID])
    found = [
        _find_starting_call(parent, produced.get((parent, key)), firsts, below, by_id, bounded)
        for (parent, key), firsts in groups.items()
    ]
    return sorted(found, key=lambda row: (-(row.cost or 0.0), row.trajectory_id))


def _descendants(parents: dict[str, str | None]) -> dict[str, list[str]]:
    """For every trajectory those below it; a circle in damaged data is cut."""
    children: dict[str, list[str]] = {}
    for name, parent in parents.items():
        if parent is not None:
            children.setdefault(parent, []).append(name)
    descendants: dict[str, list[str]] = {}
    for start in parents:
        seen, waiting = {start}, list(children.get(start, ()))
        below: list[str] = []
        while waiting:
            name = waiting.pop()
            if name not in seen:
                seen.add(name)
                below.append(name)
                waiting += children.get(name, ())
        descendants[start] = below
    return descendants


def _find_starting_call(
    parent: str,
    call: dict[str, object] | None,
    firsts: list[str],
    below: dict[str, list[str]],
    by_id: dict[str, dict[str, Any]],
    bounded: dict[str, BoundedAgent],
) -> StartingCall:
    started = sorted({name for first in firsts for name in (first, *below[first])})
    agents = [bounded[name] for name in started if name in bounded]
    partly = list({agent.trajectory_ids[0]: agent for agent in agents}.values())
    rows = [by_id[name] for name in started]
    sums = _add_up(rows)
    call_cost = None if call is None else call["cost"]
    total_cost = (
        None
        if sums.cost is None
        else sums.cost + (call_cost if isinstance(call_cost, float) else 0.0)
    )
    return StartingCall(
        trajectory_id=parent,
        turn=None if call is None else call["turn"],  # type: ignore[arg-type]
        call=None if call is None else call["call"],  # type: ignore[arg-type]
        tool=None if call is None else call["tool"],  # type: ignore[arg-type]
        title=by_id[firsts[0]]["title"],
        models=", ".join(sorted({str(row["model"]) for row in rows if row["model"] is not None})),
        own_cost=call_cost if isinstance(call_cost, float) else None,
        agents=sums.trajectories,
        turns=sums.turns,
        calls=sums.calls + sum(agent.calls - agent.listed_calls for agent in partly),
        started_cost=sums.cost,
        started_usd=sums.usd,
        cost=total_cost,
        bounded=len(partly),
        unpriced=sums.unpriced,
        estimated_tokens=estimate_tokens(partly) if partly else None,
    )
