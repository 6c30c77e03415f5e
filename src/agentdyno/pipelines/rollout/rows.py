"""Estimates as rows of the ledger: one in `rollouts` and one verdict for every call."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import polars as pl
from msgspec import structs

from agentdyno.judges.digests import digest
from agentdyno.ledger.derived import add_derived
from agentdyno.ledger.reader import Ledger
from agentdyno.metrics.utility.rollouts import SignTest
from agentdyno.pipelines.judge.verdicts import add_verdicts
from agentdyno.pipelines.rollout.estimating import OpenCall, Place
from agentdyno.records.schema import schema_of
from agentdyno.records.utility import ROLLOUTS, RolloutEstimate
from agentdyno.records.verdicts import Verdict
from agentdyno.studies.rollouts.in_force import TABLE, latest_rollouts
from agentdyno.studies.verdicts.in_force import utility_verdicts

JUDGE = "rollout"


def add_estimates(folder: Path, pairs: Sequence[tuple[OpenCall, RolloutEstimate]]) -> None:
    """Adds them volume by volume."""
    for volume in sorted({call.volume for call, _ in pairs}):
        here = [(call, one) for call, one in pairs if call.volume == volume]
        add_derived(folder, TABLE, _frame([one for _, one in here]), volume)
        add_verdicts(folder, [(volume, _verdict(*pair)) for pair in here])


def enough_known(ledger: Ledger, test: SignTest) -> dict[str, set[Place]]:
    """By model, calls that are settled, or that as many continuations as allowed did not settle."""
    rows = latest_rollouts(ledger).filter(
        pl.col("settled") | (pl.col("continuations") >= test.most)
    )
    enough = set(rows.select("trajectory_id", "turn", "call").iter_rows())
    found: dict[str, set[Place]] = {}
    for model, place in _verdict_places(ledger):
        if place in enough:
            found.setdefault(model, set()).add(place)
    return found


def _verdict_places(ledger: Ledger) -> Iterator[tuple[str, Place]]:
    """Estimates do not say which model went on; the verdicts added with them do."""
    rows = utility_verdicts(ledger).filter(pl.col("judge") == JUDGE)
    for model, *place in rows.select("model", "trajectory_id", "turn", "call").iter_rows():
        yield model, (place[0], place[1], place[2])


def _frame(estimates: list[RolloutEstimate]) -> pl.DataFrame:
    rows = [structs.asdict(one) for one in estimates]
    columns = {c.name: [row[c.name] for row in rows] for c in ROLLOUTS}
    return pl.DataFrame(columns, schema=schema_of(ROLLOUTS))


def _verdict(call: OpenCall, one: RolloutEstimate) -> Verdict:
    counts = (
        f"{one.before_solved} of {one.continuations} continuations from before the call solved "
        f"the task, {one.after_solved} from after it"
    )
    return Verdict(
        kind="utility",
        trajectory_id=one.trajectory_id,
        turn=one.turn,
        call=one.call,
        judge=JUDGE,
        model=call.model,
        label=one.label,
        rationale=counts,
        problem=None if one.settled else "the continuations did not settle the sign",
        rubric=JUDGE,
        digest=digest(JUDGE, call.model, *(str(value) for value in structs.astuple(one))),
    )
