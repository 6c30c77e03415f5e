"""The methods' accuracy and cost over one pool: trials, intervals, sweeps.

A trial draws n samples of every problem from the pool, without replacement, and hands the same
draw to every method; problems keep their samples, so methods are compared on equal terms. Trials
overlap where the pool is not much larger than n: their standard deviation is then too small, and a
note says so. Intervals resample problems, not trials: ten trials of 40 problems are 40 units. Knows
nothing of models.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import fmean, stdev

import numpy as np
from msgspec import Struct

from agentdyno.estimates.means import clustered_mean
from agentdyno.estimates.paired import paired_difference
from agentdyno.estimates.shares import clustered_share
from agentdyno.measures.depth import change
from agentdyno.records import InputError
from agentdyno_depth.records.thinking import MethodResult, Pool, Rank, Sample, Thinking
from agentdyno_depth.think.choosing import METHODS, RANK_OF, Decision, decide

SWEPT_N = (4, 8, 16, 32, 48, 64, 96)
SWEPT_KEEP = (0.25, 0.5, 0.75)

ByProblem = Mapping[str, Sequence[Decision]]


class ThinkOptions(Struct, frozen=True):
    """Options of the comparison."""

    n: int = 48
    """Samples of each problem in a trial."""
    keep: float = 0.5
    """Share of them that votes."""
    prefix: int | None = 50
    """Tokens after which the rest is stopped; None for the whole response."""
    rank: Rank = "dtr"
    """What the sweeps rank by; also a method of its own where none of the six ranks by it."""
    trials: int = 10
    """How often n samples are drawn."""
    seed: int = 0
    """Start of the random numbers of the draws."""


class _Setting(Struct, frozen=True):
    """One method as it is applied."""

    method: str
    n: int
    keep: float
    prefix: int | None


def compare_methods(pool: Pool, options: ThinkOptions) -> Thinking:
    """Six methods side by side, and how the ranked one changes with n, share and prefix."""
    check_options(pool, options)
    ranked = _find_ranked_method(options.rank)
    names = METHODS if ranked in METHODS else (*METHODS, ranked)
    n, keep, prefix = options.n, options.keep, options.prefix
    rows = _Rows(pool, options)
    samples = [sample for item in pool.problems for sample in item.samples]
    return Thinking(
        model=pool.head.model,
        problems=len(pool.problems),
        samples=_smallest(pool),
        trials=options.trials,
        pass_rate=fmean(float(sample.correct is True) for sample in samples),
        answered=fmean(float(sample.answer is not None) for sample in samples),
        mean_tokens=fmean(sample.tokens for sample in samples),
        methods=rows.of(_Setting(name, n, keep, prefix) for name in names),
        by_n=rows.of(
            _Setting(name, size, keep, prefix)
            for size in _sizes(pool, n)
            for name in ("cons", ranked)
        ),
        by_keep=rows.of(_Setting(ranked, n, share, prefix) for share in _shares(keep)),
        by_prefix=rows.of(_Setting(ranked, n, keep, length) for length in _prefixes(pool)),
        notes=tuple(_notes(pool, options)),
    )


def check_options(pool: Pool, options: ThinkOptions) -> None:
    """Refuse options that the pool does not support."""
    if not pool.problems:
        raise InputError("the pool: expected at least one problem, found none.")
    if _smallest(pool) < options.n:
        raise InputError(
            f"--n {options.n}: expected at most the pool's {_smallest(pool)} samples of a problem. "
            "Give a smaller --n, or draw a larger pool."
        )
    if options.prefix is not None and options.prefix not in pool.head.prefixes:
        names = ", ".join(map(str, pool.head.prefixes))
        raise InputError(
            f"--prefix {options.prefix}: expected a prefix at which the pool has scores: {names}."
        )
    if any(sample.correct is None for item in pool.problems for sample in item.samples):
        raise InputError("the pool: expected graded samples, found some without a mark.")


class _Rows:
    """Results by setting, each compared with Cons@n on the same draws."""

    def __init__(self, pool: Pool, options: ThinkOptions) -> None:
        self._pool, self._options = pool, options
        self._decided: dict[_Setting, ByProblem] = {}
        self._draws: dict[int, dict[str, list[list[Sample]]]] = {}

    def of(self, settings: Iterable[_Setting]) -> tuple[MethodResult, ...]:
        return tuple(map(self._row, settings))

    def _row(self, setting: _Setting) -> MethodResult:
        decisions = self._decisions(setting)
        cons = self._decisions(_Setting("cons", setting.n, setting.keep, setting.prefix))
        accuracies, costs = _values(decisions, "accuracy"), _values(decisions, "cost_tokens")
        accuracy, cost = clustered_share(accuracies), clustered_mean(costs)
        lead = paired_difference(_values(cons, "accuracy"), accuracies)
        full = fmean(d.cost_tokens for rows in cons.values() for d in rows)
        assert accuracy.value is not None
        assert cost.value is not None
        assert lead.value is not None
        return MethodResult(
            method=setting.method,
            n=setting.n,
            keep=1.0 if setting.method in ("cons", "mean") else setting.keep,
            prefix=setting.prefix if stops_by_prefix(setting.method) else None,
            accuracy=accuracy.value,
            accuracy_low=accuracy.low,
            accuracy_high=accuracy.high,
            accuracy_sd=_spread(accuracies),
            cost_tokens=cost.value,
            cost_low=cost.low,
            cost_high=cost.high,
            generated_tokens=fmean(d.generated_tokens for rows in decisions.values() for d in rows),
            cost_change=change(cost.value, full),
            lead=lead.value,
            lead_low=lead.low,
            lead_high=lead.high,
        )

    def _decisions(self, setting: _Setting) -> ByProblem:
        if setting not in self._decided:
            self._decided[setting] = {
                name: [decide(setting.method, draw, setting.keep, setting.prefix) for draw in draws]
                for name, draws in self._draw(setting.n).items()
            }
        return self._decided[setting]

    def _draw(self, n: int) -> dict[str, list[list[Sample]]]:
        """By problem, the samples of each trial."""
        if n not in self._draws:
            self._draws[n] = {
                item.problem.problem_id: [
                    [item.samples[p] for p in places]
                    for places in _places(len(item.samples), n, index, self._options)
                ]
                for index, item in enumerate(self._pool.problems)
            }
        return self._draws[n]


def stops_by_prefix(method: str) -> bool:
    """True when rejected samples stop after the prefix."""
    return method not in ("cons", "mean", "long", "short", "length", "reverse_length")


def _places(size: int, n: int, problem: int, options: ThinkOptions) -> Iterator[list[int]]:
    """The places of each trial's samples, in the order of the pool."""
    for trial in range(options.trials):
        random = np.random.default_rng([options.seed, trial, problem, n])
        yield sorted(random.choice(size, n, replace=False).tolist())


def _values(decisions: ByProblem, field: str) -> dict[str, list[float]]:
    return {
        name: [float(getattr(decision, field)) for decision in group]
        for name, group in decisions.items()
    }


def _spread(values: Mapping[str, Sequence[float]]) -> float | None:
    """Standard deviation of the trials' means over problems."""
    means = [fmean(trial) for trial in zip(*values.values(), strict=True)]
    return stdev(means) if len(means) > 1 else None


def _find_ranked_method(rank: Rank) -> str:
    return next((method for method, candidate in RANK_OF.items() if candidate == rank), rank)


def _smallest(pool: Pool) -> int:
    return min(len(item.samples) for item in pool.problems)


def _sizes(pool: Pool, n: int) -> list[int]:
    return [size for size in sorted({*SWEPT_N, n}) if size <= _smallest(pool)]


def _shares(keep: float) -> list[float]:
    return sorted({*SWEPT_KEEP, keep})


def _prefixes(pool: Pool) -> list[int | None]:
    return [*pool.head.prefixes, None]


def _notes(pool: Pool, options: ThinkOptions) -> Iterator[str]:
    size = _smallest(pool)
    if options.trials > 1 and size == options.n:
        yield f"The pool holds just n = {size} samples of a problem, so all trials are the same."
    elif options.trials > 1 and size < 4 * options.n:
        yield (
            f"Trials draw {options.n} of {size} samples and overlap; their standard deviation is "
            "smaller than that of independent trials. The intervals resample problems."
        )
    if options.prefix is not None:
        shorter = [s.tokens <= options.prefix for item in pool.problems for s in item.samples]
        if any(shorter):
            yield (
                f"{100 * fmean(shorter):.0f} % of the samples end within the prefix; the paper's "
                "accounting charges a rejected one the whole prefix, `generated_tokens` does not."
            )
    cut = fmean(not s.ended for item in pool.problems for s in item.samples)
    if cut > 0:
        yield f"{100 * cut:.0f} % of the samples were cut at {pool.head.max_tokens} tokens."
