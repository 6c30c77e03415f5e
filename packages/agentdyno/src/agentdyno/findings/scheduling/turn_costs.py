"""What each turn of trajectories costs, as a table of turns says: for the price of waiting.

Takes rows of `turns`, returns the tokens of each by trajectory and turn; a turn with an unknown
token count has none.
"""

import polars as pl

from agentdyno.findings.scheduling.missed import TurnCost
from agentdyno.findings.scheduling.table import Costs
from agentdyno.measures.pte import reading

COLUMNS = "prefill_tokens", "context_tokens", "decode_tokens", "gamma", "pte_kept"


def turn_costs(turns: pl.DataFrame, evicted: bool) -> Costs:
    """By trajectory and turn; `evicted` is the assumption that caches are lost between turns."""
    rows = turns.select("trajectory_id", "turn", *COLUMNS).drop_nulls()
    costs: dict[str, dict[int, TurnCost]] = {}
    for name, turn, prefill, context, decode, gamma, reused in rows.iter_rows():
        # With a cache, what a turn brings in is prefilled by the next one when it is gone.
        moved = 0.0 if evicted else reused - reading(context, decode, gamma)
        cost = TurnCost(max(prefill - moved, 0.0), float(context), float(decode), gamma)
        costs.setdefault(name, {})[turn] = cost
    return costs
