"""How far raters agree: labels of the rule and of judges in, kappas and shares out.

Pairwise Cohen's kappa, Fleiss' kappa over all raters, both also by domain, by model and by mode (a
label against all others, with the raw agreement that a rare label needs beside its kappa). A tie
is a unit on which all raters differ; an overrule one on which all judges agree against the rule.
Worked: 285 ties among 18,900 units -> 1.5 % (ToolFailBench, section 5.4).
"""

from collections.abc import Callable, Sequence
from itertools import combinations

from msgspec import Struct

from agentdyno.estimates.estimate import Estimate
from agentdyno.estimates.kappas import cohen_kappa, fleiss_kappa
from agentdyno_bench.toolfail.records import LABELS

RESAMPLES = 1000
TIERS = 4


class Rated(Struct, frozen=True):
    """One answer with the labels of all raters."""

    domain: str
    """The field of its task."""
    model: str
    """The model that gave it."""
    labels: dict[str, str | None]
    """Per rater; None where it gave no label."""


class Stratum(Struct, frozen=True):
    """Agreement on a part of the answers."""

    name: str
    """Which part: a domain, a model, a label."""
    fleiss: Estimate
    """Fleiss' kappa."""
    raw: float | None
    """Share of answers on which all raters say the same; None without any."""


class Agreement(Struct, frozen=True):
    """How far raters agree."""

    units: int
    """Answers that every rater labelled."""
    pairs: dict[str, Estimate]
    """Cohen's kappa, per pair of raters."""
    overall: Stratum
    by_domain: list[Stratum]
    by_model: list[Stratum]
    by_mode: list[Stratum]
    """Each label against all others."""
    by_tier: list[Stratum]
    """Models by quarters of the leaderboard, the best first; as many as models where there are
    fewer than four."""
    tie_share: float | None
    """Share of answers on which all raters differ."""
    overrule_share: float | None
    """Share of answers on which all judges agree against the rule."""


def rater_agreement(units: Sequence[Rated], rule: str, ranked: Sequence[str] = ()) -> Agreement:
    """Agreement on these answers; `ranked` are the models, the best first."""
    raters = list(dict.fromkeys(name for unit in units for name in unit.labels))
    full = [u for u in units if all(u.labels.get(rater) for rater in raters)]
    judges = [rater for rater in raters if rater != rule]
    return Agreement(
        units=len(full),
        pairs={f"{a} / {b}": _cohen(units, a, b) for a, b in combinations(raters, 2)},
        overall=_stratum("all", full, raters),
        by_domain=_strata(full, raters, lambda unit: unit.domain),
        by_model=_strata(full, raters, lambda unit: unit.model),
        by_mode=[_mode(label, full, raters) for label in LABELS],
        by_tier=_tiers(full, raters, ranked),
        tie_share=_share([len(set(u.labels.values())) == len(raters) > 1 for u in full]),
        overrule_share=_share([_count_overruled(u, rule, judges) for u in full]),
    )


def _cohen(units: Sequence[Rated], first: str, second: str) -> Estimate:
    ours, second_labels = ([u.labels.get(rater) for u in units] for rater in (first, second))
    return cohen_kappa(ours, second_labels)


def _stratum(name: str, units: Sequence[Rated], raters: list[str]) -> Stratum:
    rows = [[unit.labels[rater] for rater in raters] for unit in units]
    fleiss = fleiss_kappa(rows, resamples=RESAMPLES)
    return Stratum(name, fleiss, _share([len(set(row)) == 1 for row in rows]))


def _strata(
    units: Sequence[Rated], raters: list[str], key: Callable[[Rated], str]
) -> list[Stratum]:
    names = sorted({key(unit) for unit in units})
    return [_stratum(n, [u for u in units if key(u) == n], raters) for n in names]


def _tiers(units: Sequence[Rated], raters: list[str], ranked: Sequence[str]) -> list[Stratum]:
    """Worked: of 19 models the first five are tier 1, the last four tier 4."""
    tiers = min(TIERS, len(ranked))
    tier = {model: tiers * at // len(ranked) + 1 for at, model in enumerate(ranked)}
    return _strata(
        [unit for unit in units if unit.model in tier],
        raters,
        lambda unit: f"Tier {tier[unit.model]}",
    )


def _mode(label: str, units: Sequence[Rated], raters: list[str]) -> Stratum:
    """The label against the rest."""
    binary = [
        Rated(u.domain, u.model, {r: label if u.labels[r] == label else "other" for r in raters})
        for u in units
    ]
    return _stratum(label, binary, raters)


def _count_overruled(unit: Rated, rule: str, judges: list[str]) -> bool:
    labels = {unit.labels[judge] for judge in judges}
    return len(judges) > 1 and len(labels) == 1 and unit.labels.get(rule) not in labels


def _share(values: list[bool]) -> float | None:
    return sum(values) / len(values) if values else None


class FamilyGap(Struct, frozen=True):
    """Is a judge kinder to models of its own family than another judge is?"""

    own_gap: float | None
    """Mean over models of the family: the judge's CTUR minus the other judge's."""
    other_gap: float | None
    """The same over all other models."""
    bias: float | None
    """Own gap minus other gap; above zero the judge favours its family."""


def same_family_bias(
    ctur: dict[str, tuple[float, float]], family: Callable[[str], bool]
) -> FamilyGap:
    """From each model's CTUR by the judge and by the other judge.

    Worked: -5.99 points on the family, -6.16 on the others -> bias +0.17 points (Table 7).
    """
    kin = _mean([a - b for model, (a, b) in ctur.items() if family(model)])
    other = _mean([a - b for model, (a, b) in ctur.items() if not family(model)])
    return FamilyGap(kin, other, None if kin is None or other is None else kin - other)


def _mean(values: list[float]) -> float | None:
    return sum(values) / len(values) if values else None
