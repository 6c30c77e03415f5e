"""Utility by rollouts: trajectories that can be continued in, delta of every call out.

    open       which trajectories can be continued, and by whom     rollout.inspect_runs
    cut        just before and just after every call                rollout.finding
    announce   how many continuations, for how much money           studies.rollouts.money
    look       continuations of all open calls at once              rollout.looks
    estimate   what they say of each call                           studies.rollouts.tally
    record     a row in `rollouts` and a verdict for every call     rollout.rows

Continuations from all cuts of a trajectory share their seeds, which takes luck out of the
difference. Rows are added look by look; what is settled is not run again, and a continuation that
an earlier run has finished is not either.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct

from agentdyno.ledger.reader import Ledger
from agentdyno.matching.logical_tools import LogicalTools
from agentdyno_bench.findings.utility.rollouts import SignTest
from agentdyno_bench.pipelines.rollout.finding import Found
from agentdyno_bench.pipelines.rollout.looks import Work
from agentdyno_bench.studies.rollouts.continuations import Progress, Resumable
from agentdyno_bench.studies.rollouts.money import Expected, refuse_above
from agentdyno_bench.studies.utility.latest_rollouts import latest_rollouts


class RolledOut(Struct, frozen=True, kw_only=True, rename={"decided": "settled"}):
    """What a run did."""

    calls: int
    """Calls that were estimated now."""
    known: int
    """Calls that had been before."""
    continuations: int
    """Continuations run now, both sides together."""
    failed: int
    """Continuations of these that failed or could not be graded."""
    decided: int
    """Calls of these whose sign is settled."""
    not_resumable: int
    """Trajectories that cannot be continued."""
    reasons: dict[str, int]
    """Why not, and of how many."""
    spent_usd: float | None
    """Money of this run; None when a price is unknown."""
    out_of_money: bool
    """Whether it was stopped because the money would not have been enough."""
    missing: dict[str, str]
    """Files that could not be read again, with the reason."""


def roll_out(
    folder: Path,
    benches: Sequence[Resumable],
    test: SignTest | None = None,
    rules: LogicalTools | None = None,
    progress: Progress | None = None,
    max_usd: float | None = None,
    announce: Callable[[Expected], None] | None = None,
    sample: int | None = None,
) -> RolledOut:
    """Estimates every call of the ledger's trajectories that can be continued, or so many of them,
    spread over the ledger."""
    found = Found(Ledger(folder), benches, test or SignTest(), rules or LogicalTools(), sample)
    work = Work(folder, found.open, test or SignTest(), max_usd, progress)
    expected = work.estimate()
    refuse_above(expected, max_usd)
    if announce and expected.calls:
        announce(expected)
    work.do()
    return RolledOut(
        calls=work.calls,
        known=found.known,
        continuations=work.continuations,
        failed=work.failed,
        decided=work.decided,
        not_resumable=found.reasons.total(),
        reasons=dict(found.reasons),
        spent_usd=work.count_spent_usd(),
        out_of_money=work.out_of_money,
        missing=found.missing,
    )


__all__ = ["RolledOut", "latest_rollouts", "roll_out"]
