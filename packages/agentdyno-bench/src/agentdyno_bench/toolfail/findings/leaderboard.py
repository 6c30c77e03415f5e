"""Several models side by side: labels per model in, a ranking and pairwise tests out.

Models stand in the order of `Clean` with undecided attempts counted against them, which is CTUR
where nothing is undecided or refused. A rank is a range: the places that a model can have when each
model lies anywhere in its interval. Runs of broken output stand apart and are in no test. Every
pair is tested twice: the pooled two-proportion z, as the paper does, and McNemar on the tasks that
both attempted, which is the right one for the same tasks; undecided attempts count against the
first and for the second. Both families of p are corrected by Holm.
Worked: 22 of 247 against 245 of 250 -> z = -19.9. Intervals [80, 90], [70, 82], [60, 69] -> ranks
1 to 2, 1 to 2, 3.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations

from msgspec import Struct, structs

from agentdyno.estimates.multiplicity import holm
from agentdyno.estimates.proportions import two_proportion_z
from agentdyno_bench.shared.estimates.paired_outcomes import mcnemar
from agentdyno_bench.toolfail.findings.model_profiles import Profile, profile_of
from agentdyno_bench.toolfail.findings.rates import FailureRates, failure_rates, rates_by_domain
from agentdyno_bench.toolfail.records import Labelled

Labels = Sequence[Labelled]


class Standing(Struct, frozen=True):
    """One model on the leaderboard."""

    model: str
    rank: tuple[int, int] | None
    """Best and worst place that its interval allows, from 1; None for a run that is not scored."""
    rates: FailureRates
    profile: Profile
    by_domain: dict[str, FailureRates]


class PairTest(Struct, frozen=True):
    """Two models compared by `Clean`, undecided attempts counted against the first."""

    first: str
    """The one that stands higher."""
    second: str
    difference: float | None
    """`Clean` of the first at its least minus that of the second at its most."""
    z: float | None
    """Pooled two-proportion z."""
    z_p: float | None
    z_p_holm: float | None
    """Its p, corrected over all pairs."""
    mcnemar_p: float | None
    """p of McNemar's test on the shared tasks."""
    mcnemar_p_holm: float | None
    """The same, corrected over all pairs."""


class Leaderboard(Struct, frozen=True):
    """All models."""

    standings: list[Standing]
    """Best first; runs that are not scored last."""
    tests: list[PairTest]
    """Every pair of scored models."""


def build_leaderboard(models: Mapping[str, Labels]) -> Leaderboard:
    """Ranks the models and tests every pair."""
    drafts = [
        Standing(name, None, failure_rates(labels), profile_of(labels), rates_by_domain(labels))
        for name, labels in models.items()
    ]
    drafts.sort(key=lambda s: (not s.profile.scored, -_bounds(s)[0], s.model))
    scored = [s for s in drafts if s.profile.scored]
    standings = [
        structs.replace(s, rank=_rank(s, scored)) if s.profile.scored else s for s in drafts
    ]
    return Leaderboard(standings, _tests(scored, models))


def _bounds(standing: Standing) -> tuple[float, float]:
    return standing.rates.bounds.get("Clean", (0.0, 0.0))


def _rank(standing: Standing, scored: list[Standing]) -> tuple[int, int]:
    low, high = _interval(standing)
    intervals = [_interval(other) for other in scored if other is not standing]
    above = sum(other_low > high for other_low, _ in intervals)
    below = sum(other_high < low for _, other_high in intervals)
    return above + 1, len(scored) - below


def _interval(standing: Standing) -> tuple[float, float]:
    """Where `Clean` lies; a model that attempted no required task may stand anywhere."""
    clean = standing.rates.rates["Clean"]
    return (
        0.0 if clean.low is None else clean.low,
        1.0 if clean.high is None else clean.high,
    )


def _tests(scored: list[Standing], models: Mapping[str, Labels]) -> list[PairTest]:
    pairs = list(combinations(scored, 2))
    proportions = [_z(models[a.model], models[b.model]) for a, b in pairs]
    paired = [_mcnemar(models[a.model], models[b.model]) for a, b in pairs]
    z_holm, paired_holm = holm([p for _, p in proportions]), holm(paired)
    return [
        PairTest(
            a.model,
            b.model,
            _difference(a, b),
            proportions[index][0],
            proportions[index][1],
            z_holm[index],
            paired[index],
            paired_holm[index],
        )
        for index, (a, b) in enumerate(pairs)
    ]


def _difference(a: Standing, b: Standing) -> float | None:
    if not a.rates.required or not b.rates.required:
        return None
    return _bounds(a)[0] - _bounds(b)[1]


def _z(first: Labels, second: Labels) -> tuple[float | None, float | None]:
    ours, rivals = _outcomes(first, False), _outcomes(second, True)
    test = two_proportion_z(
        sum(clean for _, clean in ours), len(ours), sum(clean for _, clean in rivals), len(rivals)
    )
    return test.statistic, test.p


def _mcnemar(first: Labels, second: Labels) -> float | None:
    ours, rivals = dict(_outcomes(first, False)), dict(_outcomes(second, True))
    shared = ours.keys() & rivals.keys()
    only_first = sum(ours[task] and not rivals[task] for task in shared)
    only_second = sum(rivals[task] and not ours[task] for task in shared)
    return mcnemar(only_first, only_second).p


def _outcomes(labels: Labels, undecided: bool) -> list[tuple[str, bool]]:
    """Required tasks, and whether each was clean; `undecided` for those without a label."""
    return [
        (row.task_id, undecided if row.label is None else row.label == "correct")
        for row in labels
        if row.kind == "required"
    ]
