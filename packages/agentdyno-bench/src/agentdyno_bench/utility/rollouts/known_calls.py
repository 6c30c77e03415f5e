"""Calls in a ledger that need no more rollouts, and verdicts of rollouts."""

from collections.abc import Iterator

import polars as pl
from msgspec import structs

from agentdyno.studies.tables import Tables
from agentdyno_bench.shared.judges.digests import digest
from agentdyno_bench.shared.records.utility import RolloutEstimate
from agentdyno_bench.shared.records.verdicts import Verdict
from agentdyno_bench.shared.verdicts.current import utility_verdicts
from agentdyno_bench.utility.findings.rollouts import SignTest
from agentdyno_bench.utility.rollouts.tally import OpenCall, Place
from agentdyno_bench.utility.studies.latest_rollouts import latest_rollouts

JUDGE = "rollout"


def enough_known(ledger: Tables, test: SignTest) -> dict[str, set[Place]]:
    """By model, calls that are settled, or that as many continuations as allowed did not settle."""
    rows = latest_rollouts(ledger).filter(
        pl.col("settled") | (pl.col("continuations") >= test.most)
    )
    enough = set(rows.select("trajectory_id", "turn", "call").iter_rows())
    by_model: dict[str, set[Place]] = {}
    for model, location in _verdict_places(ledger):
        if location in enough:
            by_model.setdefault(model, set()).add(location)
    return by_model


def _verdict_places(ledger: Tables) -> Iterator[tuple[str, Place]]:
    """Estimates do not say which model went on; the verdicts added with them do."""
    rows = utility_verdicts(ledger).filter(pl.col("judge") == JUDGE)
    for model, *location in rows.select("model", "trajectory_id", "turn", "call").iter_rows():
        yield model, (location[0], location[1], location[2])


def rollout_verdict(call: OpenCall, odds: RolloutEstimate) -> Verdict:
    """The estimate of a call as a verdict."""
    counts = (
        f"{odds.before_solved} of {odds.continuations} continuations from before the call solved "
        f"the task, {odds.after_solved} from after it"
    )
    return Verdict(
        kind="utility",
        trajectory_id=odds.trajectory_id,
        turn=odds.turn,
        call=odds.call,
        judge=JUDGE,
        model=call.model,
        label=odds.label,
        rationale=counts,
        problem=None if odds.settled else "the continuations did not settle the sign",
        rubric=JUDGE,
        digest=digest(JUDGE, call.model, *(str(value) for value in structs.astuple(odds))),
    )
