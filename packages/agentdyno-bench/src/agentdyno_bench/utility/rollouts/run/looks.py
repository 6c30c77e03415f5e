"""Look after look: continuations of all open calls at once, then what they say.

Estimates become rows of the ledger: one in `rollouts` and one verdict for every call.
"""

from collections.abc import Sequence
from pathlib import Path

import polars as pl
from msgspec import structs

from agentdyno.ledger.derived import add_derived
from agentdyno.records.schema import schema_of
from agentdyno.records.utility import ROLLOUTS
from agentdyno_bench.shared.judging.verdicts import add_verdicts
from agentdyno_bench.shared.records.utility import RolloutEstimate
from agentdyno_bench.utility.findings.rollouts import SignTest
from agentdyno_bench.utility.rollouts.continuations import Progress, Resumable, Rollout
from agentdyno_bench.utility.rollouts.known_calls import rollout_verdict
from agentdyno_bench.utility.rollouts.money import Expected, estimate_usd, portions
from agentdyno_bench.utility.rollouts.tally import OpenCall, Tally
from agentdyno_bench.utility.studies.latest_rollouts import TABLE


class Work:
    """The looks of one run."""

    def __init__(
        self,
        folder: Path,
        calls: list[OpenCall],
        test: SignTest,
        max_usd: float | None,
        progress: Progress | None,
    ) -> None:
        self._folder, self._open, self._test = folder, calls, test
        self._max_usd, self._progress = max_usd, progress
        self._tally = Tally(test)
        self._benches = list({id(call.bench): call.bench for call in calls}.values())
        self.calls = self.continuations = self.failed = self.decided = 0
        self.out_of_money = False

    def estimate(self) -> Expected:
        """Expected work and cost of the first look."""
        first, last = self._test.looks()[0], self._test.most
        find_missing = {id(bench): self._find_missing(bench, first) for bench in self._benches}
        usd = [estimate_usd(bench, find_missing[id(bench)]) for bench in self._benches]
        priced = [amount for amount in usd if amount is not None]
        cuts = {(c.trajectory_id, cut) for c in self._open for cut in (c.before, c.after)}
        return Expected(
            calls=len(self._open),
            continuations=sum(map(len, find_missing.values())),
            most=len(cuts) * last,
            usd=sum(priced) if len(priced) == len(usd) else None,
            models=tuple(sorted({call.model for call in self._open})),
        )

    def do(self) -> None:
        """Look after look, until every sign is settled or the continuations are used up."""
        until = 0
        for until in self._test.looks():
            for bench in self._benches:
                self._run(bench, until)
            self._open = self._record(self._open, until, decided=True)
            if not self._open or self.out_of_money:
                break
        self._record(self._open, until, decided=False)

    def _find_missing(self, bench: Resumable, until: int) -> list[Rollout]:
        """Rollouts needed for a look that no run has finished."""
        self._tally.take(bench.find_recorded(self._list_needed(bench, until)))
        return self._list_needed(bench, until)

    def _list_needed(self, bench: Resumable, until: int) -> list[Rollout]:
        needed: dict[Rollout, None] = {}  # Neighbours share a cut.
        for call in self._open:
            if call.bench is bench:
                needed.update(dict.fromkeys(self._tally.find_missing(call, until)))
        return list(needed)

    def _run(self, bench: Resumable, until: int) -> None:
        needed, finished = self._find_missing(bench, until), 0
        for some in portions(bench, needed, self._max_usd):
            outcomes = bench.continue_from(some, self._progress)
            self._tally.take(outcomes)
            self.failed += sum(solved is None for solved in outcomes.values())
            finished += len(some)
        self.continuations += finished
        self.out_of_money |= finished < len(needed)

    def _record(self, calls: list[OpenCall], until: int, decided: bool) -> list[OpenCall]:
        """Adds the estimates that are (not) settled to the ledger; the calls that are left."""
        pairs = [(call, self._tally.estimate(call, until)) for call in calls]
        now = [(call, odds) for call, odds in pairs if odds is not None and odds.settled == decided]
        add_estimates(self._folder, now)
        self.calls += len(now)
        self.decided += len(now) if decided else 0
        recorded = {id(call) for call, _ in now}
        return [call for call in calls if id(call) not in recorded]

    def count_spent_usd(self) -> float | None:
        """By all benchmarks."""
        spent = [bench.count_spent_usd() for bench in self._benches]
        priced = [usd for usd in spent if usd is not None]
        return sum(priced) if len(priced) == len(spent) else None


def add_estimates(folder: Path, pairs: Sequence[tuple[OpenCall, RolloutEstimate]]) -> None:
    """Adds them volume by volume."""
    for volume in sorted({call.volume for call, _ in pairs}):
        rows = [(call, odds) for call, odds in pairs if call.volume == volume]
        add_derived(folder, TABLE, _frame([odds for _, odds in rows]), volume)
        add_verdicts(folder, [(volume, rollout_verdict(*pair)) for pair in rows])


def _frame(estimates: list[RolloutEstimate]) -> pl.DataFrame:
    rows = [structs.asdict(entry) for entry in estimates]
    columns = {c.name: [row[c.name] for row in rows] for c in ROLLOUTS}
    return pl.DataFrame(columns, schema=schema_of(ROLLOUTS))
