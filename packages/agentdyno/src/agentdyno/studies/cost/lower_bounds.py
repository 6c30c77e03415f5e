"""Sub-agents of which some responses are in no trace: what is known of them, and an estimate.

Takes the trajectories of a ledger and its turns; returns one row an agent and their sum. Claude
Code hands on the usage of a sub-agent's last response only, with the number of its calls: totals
of an agent known by that alone are a lower bound (`coverage` in the table `trajectories`).
"""

import polars as pl
from msgspec import Struct

from agentdyno.cost.agent_calibration import agent_calibration
from agentdyno.estimates.estimate import Estimate
from agentdyno.studies.tables import Tables

ID = "trajectory_id"


class BoundedAgent(Struct, frozen=True):
    """One agent, whichever files its rows come from."""

    trajectory_ids: list[str]
    responses: int
    listed_calls: int
    """Tool calls that the traces hold."""
    calls: int
    """Tool calls that it made, by the account of whoever started it."""
    context_tokens: int
    """Context of the responses that are known."""
    last_context: int | None
    """The largest of these, which the last one had; None where no provider counted it."""


class LowerBounds(Struct, frozen=True):
    """All such agents of a ledger."""

    agents: int
    responses: int
    """Their responses that are known, and counted in every total."""
    listed_calls: int
    """Their tool calls that the traces hold."""
    calls: int
    """Their tool calls by the account of whoever started them."""
    context_tokens: int
    """Context tokens of the responses that are known."""
    estimated_tokens: Estimate
    """Context tokens of all their responses; `n` agents are in it."""
    calibrated_on: int
    """Agents known by every response that the estimate was fitted to."""
    as_of: str


def find_bounded_agents(ledger: Tables, trajectories: pl.DataFrame) -> list[BoundedAgent]:
    """The agents whose totals are a lower bound."""
    rows = trajectories.filter(pl.col("coverage") == "lower_bound")
    if rows.is_empty():
        return []
    counted = pl.when(pl.col("prefill_source") == "reported").then("context_tokens")
    turns = (
        ledger.scan("turns")
        .filter(pl.col(ID).is_in(rows[ID].implode()))
        .group_by(ID)
        .agg(last_context=counted.max(), context_tokens=pl.col("context_tokens").sum())
        .collect()
    )
    # Without an agent's id nothing says that two rows are one agent.
    agent = pl.coalesce(pl.concat_str("session_id", "agent_id", separator="\0"), ID)
    bounded = (
        rows.join(turns, on=ID, how="left")
        .sort(ID)
        .group_by(agent=agent, maintain_order=True)
        .agg(
            trajectory_ids=ID,
            responses=pl.col("turns").sum(),
            listed_calls=pl.col("calls").sum(),
            calls=pl.col("reported_calls").max().fill_null(pl.col("calls").sum()),
            context_tokens=pl.col("context_tokens").sum(),
            last_context=pl.col("last_context").max(),
        )
    )
    return [BoundedAgent(**row) for row in bounded.drop("agent").iter_rows(named=True)]


def study_lower_bounds(agents: list[BoundedAgent]) -> LowerBounds | None:
    """Their sum; None where there are none."""
    if not agents:
        return None
    calibration = agent_calibration()
    return LowerBounds(
        agents=len(agents),
        responses=sum(agent.responses for agent in agents),
        listed_calls=sum(agent.listed_calls for agent in agents),
        calls=sum(agent.calls for agent in agents),
        context_tokens=sum(agent.context_tokens for agent in agents),
        estimated_tokens=estimate_tokens(agents),
        calibrated_on=calibration.agents,
        as_of=calibration.as_of,
    )


def estimate_tokens(agents: list[BoundedAgent]) -> Estimate:
    """Context tokens of all responses of those agents whose last context was counted."""
    contexts = [(float(a.last_context), a.calls) for a in agents if a.last_context]
    return agent_calibration().total(contexts)
