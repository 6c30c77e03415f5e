"""Estimates as rows of the ledger: one in `rollouts` and one verdict for every call."""

from collections.abc import Sequence
from pathlib import Path

import polars as pl
from msgspec import structs

from agentdyno.ledger.derived import add_derived
from agentdyno.pipelines.judge.verdicts import add_verdicts
from agentdyno.records.schema import schema_of
from agentdyno.records.utility import ROLLOUTS, RolloutEstimate
from agentdyno.studies.utility.latest_rollouts import TABLE
from agentdyno_bench.studies.rollouts.known_calls import rollout_verdict
from agentdyno_bench.studies.rollouts.tally import OpenCall


def add_estimates(folder: Path, pairs: Sequence[tuple[OpenCall, RolloutEstimate]]) -> None:
    """Adds them volume by volume."""
    for volume in sorted({call.volume for call, _ in pairs}):
        here = [(call, one) for call, one in pairs if call.volume == volume]
        add_derived(folder, TABLE, _frame([one for _, one in here]), volume)
        add_verdicts(folder, [(volume, rollout_verdict(*pair)) for pair in here])


def _frame(estimates: list[RolloutEstimate]) -> pl.DataFrame:
    rows = [structs.asdict(one) for one in estimates]
    columns = {c.name: [row[c.name] for row in rows] for c in ROLLOUTS}
    return pl.DataFrame(columns, schema=schema_of(ROLLOUTS))
