"""Delta of calls from the outcomes of continuations: outcomes in, estimates out.

Outcomes are kept by trajectory and cut, so that two calls which share a cut share its
continuations. A continuation that failed, or could not be graded, leaves its pair out.
"""

from collections.abc import Iterator

from msgspec import Struct

from agentdyno_bench.shared.records.utility import RolloutEstimate
from agentdyno_bench.utility.findings.rollouts import Counts, Seen, SignTest, look
from agentdyno_bench.utility.rollouts.continuations import Outcomes, Resumable, Rollout
from agentdyno_bench.utility.rollouts.cuts import Cut

Place = tuple[str, int, int]

_NOT_RUN, _FAILED, _SOLVED, _UNKNOWN = range(4)


class OpenCall(Struct, frozen=True):
    """A call whose sign is to be found out."""

    bench: Resumable
    volume: str
    """Where the ledger keeps it."""
    trajectory_id: str
    model: str
    """The model that goes on."""
    turn: int
    call: int
    """Its place within the turn."""
    before: Cut
    after: Cut

    @property
    def place(self) -> Place:
        """The key of the call in the ledger's tables."""
        return self.trajectory_id, self.turn, self.call


class Tally:
    """Outcomes so far."""

    def __init__(self, test: SignTest) -> None:
        self._test = test
        self._outcomes: dict[tuple[str, Cut], bytearray] = {}

    def take(self, outcomes: Outcomes) -> None:
        """Adds what became of continuations."""
        for rollout, solved in outcomes.items():
            row = self._row(rollout.trajectory_id, rollout.cut)
            row[rollout.number] = _UNKNOWN if solved is None else _SOLVED if solved else _FAILED

    def find_missing(self, call: OpenCall, until: int) -> Iterator[Rollout]:
        """Continuations that are needed for a look at the call."""
        for cut in (call.before, call.after):
            row = self._row(call.trajectory_id, cut)
            for number in range(until):
                if row[number] == _NOT_RUN:
                    yield Rollout(call.trajectory_id, cut, number)

    def estimate(self, call: OpenCall, until: int) -> RolloutEstimate | None:
        """Estimate a call from the first `until` continuations on each side; None without any.

        Before all of them were run the sign is not settled: looks are taken at fixed numbers.
        """
        counts = self._counts(call, until)
        if counts.n == 0:
            return None
        seen = look(counts, self._test)
        settled = seen.settled and not any(True for _ in self.find_missing(call, until))
        return _estimate(call, counts, seen, settled)

    def _counts(self, call: OpenCall, until: int) -> Counts:
        first = self._row(call.trajectory_id, call.before)[:until]
        second = self._row(call.trajectory_id, call.after)[:until]
        graded = (_FAILED, _SOLVED)
        pairs = [(a, b) for a, b in zip(first, second, strict=True) if a in graded and b in graded]
        return Counts(
            before=sum(a == _SOLVED for a, _ in pairs),
            after=sum(b == _SOLVED for _, b in pairs),
            both=sum(a == b == _SOLVED for a, b in pairs),
            n=len(pairs),
        )

    def _row(self, trajectory: str, cut: Cut) -> bytearray:
        return self._outcomes.setdefault((trajectory, cut), bytearray(self._test.most))


def _estimate(call: OpenCall, counts: Counts, seen: Seen, settled: bool) -> RolloutEstimate:
    return RolloutEstimate(
        trajectory_id=call.trajectory_id,
        turn=call.turn,
        call=call.call,
        before_solved=counts.before,
        after_solved=counts.after,
        both_solved=counts.both,
        continuations=counts.n,
        delta=seen.delta,
        low=seen.low,
        high=seen.high,
        label=seen.label if settled else None,
        settled=settled,
    )
