"""Several models side by side: labels per model in, a ranking and pairwise tests out.

Models are ranked by CTUR; runs of broken output stand apart and are in no test. Every pair is
tested twice: the pooled two-proportion z, as the paper does, and McNemar on the tasks both have a
label for, which is the right one for the same tasks. Both families of p are corrected by Holm.
Worked: 22 of 247 against 245 of 250 -> z = -19.9.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations

from msgspec import Struct

from agentdyno.estimates.multiplicity import holm
from agentdyno.estimates.paired_outcomes import mcnemar
from agentdyno.estimates.proportions import two_proportion_z
from agentdyno.findings.failures.model_profiles import Profile, profile_of
from agentdyno.findings.failures.rates import FailureRates, failure_rates, rates_by_domain
from agentdyno.records.failures import Labelled

Labels = Sequence[Labelled]


class Standing(Struct, frozen=True):
    """One model on the leaderboard."""

    model: str
    """The model."""
    rank: int | None
    """Its place by CTUR, from 1; None for a run that is not scored."""
    rates: FailureRates
    """Its rates."""
    profile: Profile
    """Its way of failing."""
    by_domain: dict[str, FailureRates]
    """Its rates domain by domain."""


class PairTest(Struct, frozen=True):
    """Two models compared by CTUR."""

    first: str
    """The better one."""
    second: str
    """The other."""
    difference: float | None
    """CTUR of the first minus that of the second."""
    z: float | None
    """Pooled two-proportion z."""
    z_p: float | None
    """Its p."""
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
    drafts.sort(key=lambda s: (not s.profile.scored, -(_ctur(s) or 0.0), s.model))
    standings = [
        Standing(s.model, rank if s.profile.scored else None, s.rates, s.profile, s.by_domain)
        for rank, s in enumerate(drafts, 1)
    ]
    scored = [s for s in standings if s.rank is not None]
    return Leaderboard(standings, _tests(scored, models))


def _ctur(standing: Standing) -> float | None:
    return standing.rates.rates["CTUR"].value


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
            proportions[place][0],
            proportions[place][1],
            z_holm[place],
            paired[place],
            paired_holm[place],
        )
        for place, (a, b) in enumerate(pairs)
    ]


def _difference(a: Standing, b: Standing) -> float | None:
    first, second = _ctur(a), _ctur(b)
    return None if first is None or second is None else first - second


def _z(first: Labels, second: Labels) -> tuple[float | None, float | None]:
    (a, a_n), (b, b_n) = _clean(first), _clean(second)
    found = two_proportion_z(a, a_n, b, b_n)
    return found.statistic, found.p


def _clean(labels: Labels) -> tuple[int, int]:
    over = [each for each in labels if each.kind == "required" and each.label is not None]
    return sum(each.label == "correct" for each in over), len(over)


def _mcnemar(first: Labels, second: Labels) -> float | None:
    ours, theirs = _by_task(first), _by_task(second)
    shared = ours.keys() & theirs.keys()
    only_first = sum(ours[task] and not theirs[task] for task in shared)
    only_second = sum(theirs[task] and not ours[task] for task in shared)
    return mcnemar(only_first, only_second).p


def _by_task(labels: Labels) -> dict[str, bool]:
    return {
        each.task_id: each.label == "correct"
        for each in labels
        if each.kind == "required" and each.label is not None
    }
