"""Findings as the ledger's table, each with what its call cost.

Takes trajectories and the ledger's `calls`, returns one row per finding. A finding on a call
has that call's share of the trajectory's PTE, request and result together; several findings on
one call have the same share, so shares must not be summed over patterns. A finding without a call
has no cost: what such a habit costs is the multiplier's question. Shares are not savings.

Worked: a call whose request and result cost 120 and 480 PTE is found repeated -> pte 600.
"""

from collections.abc import Iterable, Sequence

import polars as pl

from agentdyno.findings.patterns import DETECTORS, find_patterns
from agentdyno.findings.patterns.detector import Detector
from agentdyno.records import Trajectory
from agentdyno.records.patterns import PATTERNS
from agentdyno.records.schema import schema_of

SCHEMA = schema_of(PATTERNS)


def measure_patterns(
    trajectories: Iterable[Trajectory],
    calls: pl.DataFrame,
    detectors: Sequence[Detector] = DETECTORS,
) -> pl.DataFrame:
    """The table `patterns` for these trajectories; `calls` is their part of the ledger's table."""
    rows = [
        (t.trajectory_id, f.pattern, f.turn, f.call, f.evidence, f.detail, None)
        for t in trajectories
        for f in find_patterns(t, detectors)
    ]
    patterns = pl.DataFrame(rows, schema=SCHEMA, orient="row").drop("pte")
    costs = calls.select(
        "trajectory_id",
        pl.col("turn").cast(pl.Int64),
        pl.col("call").cast(pl.Int64),
        pl.col("pte").cast(pl.Float64),
    )
    keys = ["trajectory_id", "turn", "call"]
    return patterns.join(costs, on=keys, how="left", maintain_order="left").select(list(SCHEMA))
