"""One session: its agents, turns, calls, context and cache, as the page draws them.

Takes a snapshot and the name of any trajectory, returns its tables with what studies say of them.
The session is read with every sub-agent, as causes of lost cache and costs of trees need them.
"""

from typing import Any

import polars as pl

from agentdyno.records import InputError
from agentdyno.studies.cache import turn_costs
from agentdyno.studies.cost.seconds import in_seconds
from agentdyno.studies.report_context import ReportContext
from agentdyno.view.finding_list import find_in
from agentdyno.view.river import lay_out_river
from agentdyno.view.session_list import root_of, roots
from agentdyno.view.snapshot import Snapshot
from agentdyno.view.subset import Subset
from agentdyno.view.timeline import find_critical_path, sum_times
from agentdyno.view.words import clean_id, clean_words

KEY = ["trajectory_id", "turn"]
TURNS = (
    "turn", "model", "context_tokens", "decode_tokens", "reasoning_tokens", "cached_tokens",
    "token_source", "started_at", "ended_at", "latency_seconds", "finish", "error", "cost", "usd",
    "unseen_tokens", "first_scale", "later_scale",
)  # fmt: skip
CACHE = (
    "read", "written", "uncached", "known", "lost", "cause", "pause_seconds", "lost_usd",
    "avoidable_usd",
)  # fmt: skip
CALLS = (
    "turn", "call", "tool", "subject_kind", "subject", "error", "request_tokens", "result_tokens",
    "wait_seconds", "started_at", "ended_at", "cost", "call_id",
)  # fmt: skip


def describe_session(snapshot: Snapshot, name: str) -> dict[str, Any]:
    """Everything the page draws of one trajectory; texts come later, from the trace."""
    return snapshot.once(("session", name), lambda: _describe(snapshot, name))


def _describe(snapshot: Snapshot, name: str) -> dict[str, Any]:
    tables = read_tree(snapshot, name)
    agents = list_agents(snapshot, tables)
    own = next(agent for agent in agents if agent["id"] == name)
    turns = read_turns(snapshot, tables, name)
    listed = [_clean(row) for row in turns.iter_rows(named=True)]
    calls = _list_calls(snapshot, tables, agents, name)
    parts = _of(snapshot.costs.on(tables.read("parts")), name)
    return {
        "generation": snapshot.generation,
        "unit": snapshot.costs.unit,
        "session": own,
        "root": root_of(snapshot, name),
        "agents": agents,
        "turns": listed,
        "calls": calls,
        "times": sum_times(listed, calls),
        "river": lay_out_river(parts, turns, _of(tables.read("origins"), name)),
        "critical": find_critical_path(tables, name),
        "joins": _list_joins(tables, name),
        "findings": find_in(snapshot, tables, name),
    }


def _list_joins(tables: Subset, name: str) -> list[dict[str, Any]]:
    """By a known graph; ledgers of earlier versions have inferred ones too."""
    joins = _of(tables.read("joins"), name).filter(pl.col("edge_source") == "known")
    return joins.select("turn", "into", "reason").to_dicts()


def read_tree(snapshot: Snapshot, name: str) -> Subset:
    """The tables of the session that a trajectory belongs to."""
    root_of = roots(snapshot)
    if name not in root_of:
        raise InputError("expected a session of this ledger, found none of that name in it.")
    below = snapshot.once("sub-agents", lambda: _list_below(root_of))
    root = root_of[name]
    return snapshot.subset((root, *below.get(root, ())))


def _list_below(root_of: dict[str, str]) -> dict[str, list[str]]:
    """Sessions that have any, with their sub-agents."""
    below: dict[str, list[str]] = {}
    for name, root in root_of.items():
        if name != root:
            below.setdefault(root, []).append(name)
    return below


def list_agents(snapshot: Snapshot, tables: Subset) -> list[dict[str, Any]]:
    """The agents of a session, each with its own cost and that of its tree."""
    rows = snapshot.costs.on(tables.read("trajectories"))
    agents = {row["trajectory_id"]: row for row in rows.iter_rows(named=True)}
    below: dict[str, list[str]] = {}
    for name, row in agents.items():
        below.setdefault(row["parent_id"] or "", []).append(name)
    return [_agent(row, _sum_tree(name, agents, below)) for name, row in agents.items()]


def _agent(row: dict[str, Any], tree: tuple[float | None, int, int]) -> dict[str, Any]:
    numbers = ("parent_id", "parent_call_id", "started_at", "ended_at", "turns", "calls", "cost",
               "usd", "correct", "attempt", "coverage")  # fmt: skip
    names = ("model", "format", "benchmark", "variant", "task_id", "agent_id")
    return {
        "id": row["trajectory_id"],
        "title": clean_words(row["title"] or row["task_id"] or row["source"], 300),
        "source": clean_id(row["source"]),
        "project": clean_id(row["project"]),
        "branch": clean_id(row["branch"]),
        "tree_cost": tree[0],
        "sub_agents": tree[1],
        "unpriced": tree[2],
        **{name: row[name] for name in numbers},
        **{name: clean_words(row[name]) for name in names},
    }


def _sum_tree(
    name: str, agents: dict[str, dict[str, Any]], below: dict[str, list[str]]
) -> tuple[float | None, int, int]:
    """Cost and size of a tree, and how many in it have no cost; a loop in a hostile ledger ends
    it."""
    seen: set[str] = set()
    pending = [name]
    while pending:
        current = pending.pop()
        if current not in seen:
            seen.add(current)
            pending.extend(below.get(current, ()))
    costs = [cost for agent in seen if (cost := agents[agent]["cost"]) is not None]
    return (sum(costs) if costs else None), len(seen) - 1, len(seen) - len(costs)


def read_turns(snapshot: Snapshot, tables: Subset, name: str) -> pl.DataFrame:
    """The turns of a trajectory with their cost, and what the cache did at each."""
    is_timed = snapshot.costs.unit == "gpu_seconds"
    turns = in_seconds(tables, "turns") if is_timed else tables.read("turns")
    priced = snapshot.costs.on(turns, are_turns=True).select("trajectory_id", *TURNS)
    try:
        lane = turn_costs(ReportContext(tables)).select(*KEY, *CACHE)
    except InputError:  # No turn has a count of its context.
        return _of(priced, name).sort("turn")
    return _of(priced.join(lane, on=KEY, how="left"), name).sort("turn")


def _list_calls(
    snapshot: Snapshot, tables: Subset, agents: list[dict[str, Any]], name: str
) -> list[dict[str, Any]]:
    rows = _of(snapshot.costs.on(tables.read("calls")), name).select(CALLS).sort("turn", "call")
    started: dict[str, list[str]] = {}
    for agent in agents:
        if agent["parent_id"] == name and agent["parent_call_id"]:
            started.setdefault(agent["parent_call_id"], []).append(agent["id"])
    calls = [_clean(row) for row in rows.iter_rows(named=True)]
    # Ids of calls are not always unique: an agent is listed at the first that has its own.
    return [row | {"started": started.pop(row.pop("call_id") or "", [])} for row in calls]


def _clean(row: dict[str, Any]) -> dict[str, Any]:
    texts = {"model": 80, "tool": 80, "subject": 160, "error": 300, "finish": 40}
    return row | {
        name: clean_words(row[name], limit) for name, limit in texts.items() if name in row
    }


def _of(rows: pl.DataFrame, name: str) -> pl.DataFrame:
    return rows.filter(pl.col("trajectory_id") == name).drop("trajectory_id")
