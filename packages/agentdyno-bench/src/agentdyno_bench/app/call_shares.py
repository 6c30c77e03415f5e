"""Shares of calls that benchmarks and judges know, for `agentdyno compare` and its gates."""

from collections import Counter

import polars as pl

from agentdyno.studies.comparison.call_shares import CallShare
from agentdyno.studies.tables import Tables
from agentdyno_bench.shared.verdicts.current import utility_verdicts
from agentdyno_bench.tps.studies.attempts import attempts
from agentdyno_bench.utility.studies.judged_calls import labels_of

_HERE = "agentdyno_bench.app.call_shares"
CALL_SHARES = (
    CallShare("needless_calls", f"{_HERE}:count_needless", "planning", "no planning task was run"),
    CallShare("eta", f"{_HERE}:count_useful", "verdicts", "no call was judged"),
)


def count_needless(tables: Tables) -> pl.DataFrame:
    """Calls that no goal of the planning task needs."""
    return attempts(tables).select("trajectory_id", part="unneeded_calls", whole="calls")


def count_useful(tables: Tables) -> pl.DataFrame:
    """Judged calls that most judges hold useful (`measures.utility.eta`)."""
    labels = labels_of(utility_verdicts(tables))
    useful: Counter[str] = Counter()
    judged: Counter[str] = Counter()
    for (trajectory, _, _), (label, _) in labels.items():
        judged[trajectory] += label is not None
        useful[trajectory] += label == "positive"
    schema = {"trajectory_id": pl.String, "part": pl.Int64, "whole": pl.Int64}
    rows = [(name, useful[name], many) for name, many in judged.items()]
    return pl.DataFrame(rows, schema=schema, orient="row")
