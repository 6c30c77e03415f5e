"""What tells whether an answer is right, as numbers: what was read of it in, features out.

Three questions: whether the answer commits to what was asked (`state`, `hit`), how it treats what
somebody would say who did not look (`prior`), and what it adds: figures and names without a source,
figures that follow from the sources perhaps by chance, and words of its own (`new_words`).
"""

import re
from collections.abc import Sequence
from math import log1p
from typing import NamedTuple

from agentdyno.findings.failures.invented import A_FIGURE, A_NAME, Figure, Invention
from agentdyno.findings.failures.new_words import NewWords, stems_of
from agentdyno.matching.commitments import Decision, Hit, Reading
from agentdyno.matching.commitments.cues import pattern
from agentdyno.matching.values import fold

_EARLIER = re.compile(
    r"\b(?:last (?:year|month|week|season|time|summer|winter)|previous(?:ly)?|earlier|ago|since|"
    r"used to|up from|down from|before that|formerly|back in|recently|in the past)\b",
    re.IGNORECASE,
)
_CAUSE = re.compile(
    r"\b(?:because|due to|owing to|caused by|as a result of|thanks to|comes? from|down (?:for|to)|"
    r"after (?:an?|the)|blamed on|reason)\b",
    re.IGNORECASE,
)
FEW_DIGITS = 2
"""Digits of a figure that may follow from others by chance."""


class Evidence(NamedTuple):
    """What was read of an answer."""

    reading: Reading
    decisions: Sequence[Decision]
    """One for each asked value."""
    is_swapped: bool
    """Whether asked values stand under each other's names."""
    hits: Sequence[Hit]
    """Places of asked values."""
    rivals: Sequence[Hit]
    """Places of the prior."""
    prior: str
    figures: Sequence[Figure]
    inventions: Sequence[Invention]
    """Figures, days and names that no source holds."""
    recites: bool
    """Whether it gives figures of its own for several fields of the return."""
    words: NewWords | None
    """None for an answer that is not in English and no mere quote of its sources."""

    @property
    def only_repeats(self) -> bool:
        """Whether it states what was asked, and nothing that its sources do not hold."""
        is_stated = all(each.answer == "yes" for each in self.decisions) and not self.is_swapped
        has_new = self.words is None or self.words.weights or self.inventions
        return is_stated and not has_new and not self.rivals


def describe(evidence: Evidence) -> dict[str, float]:
    """The features of an answer, without those that are 0."""
    found = {"any": 1.0, **_asked(evidence), **_prior(evidence), **_figures(evidence)}
    found |= _words(evidence) if evidence.words else _foreign(evidence)
    found |= _manner(evidence)
    return {name: float(value) for name, value in found.items() if value}


def worst(evidence: Evidence) -> Decision:
    """The decision that is least in favour of the answer."""
    order = ("no", "unclear", "yes")
    return min(evidence.decisions, key=lambda each: order.index(each.answer))


def _asked(evidence: Evidence) -> dict[str, float]:
    if not evidence.decisions:
        return {}
    decision = worst(evidence)
    state = "no" if evidence.is_swapped else decision.answer
    firm = [hit for hit in evidence.hits if hit.stance == "asserted"]
    found: dict[str, float] = {
        f"state {state}": 1,
        "some yes, some not": len({each.answer for each in evidence.decisions}) > 1,
        "hit to the digit": any(hit.close == "exact" for hit in firm),
    }
    if state != "yes":
        is_firm = any(hit.close != "rough" for hit in firm)
        hit = "firm hit" if is_firm else "weak hit" if evidence.hits else "no hit"
        where = "a place" if decision.end else "no place"
        found[f"state {state}, {hit}, {where}"] = 1
    return found


def _prior(evidence: Evidence) -> dict[str, float]:
    rivals = evidence.rivals
    first = min((hit.start for hit in evidence.hits), default=len(evidence.reading.text))
    return {
        "prior stated": bool(rivals),
        "prior asserted": any(hit.stance == "asserted" for hit in rivals),
        "prior first": any(hit.start < first for hit in rivals),
    }


def _figures(evidence: Evidence) -> dict[str, float]:
    text = evidence.reading.text
    weights = [each.weight for each in evidence.inventions]
    derived = [
        each for each in evidence.figures if each.weight and each.is_derived and not each.is_quoted
    ]
    few = [each for each in derived if each.digits <= FEW_DIGITS]
    loose = [each for each in evidence.figures if each.weight and not each.is_quoted]
    return {
        "new figures": min(3, weights.count(A_FIGURE)),
        "a new figure": A_FIGURE in weights,
        "new names": min(2, weights.count(A_NAME)),
        "new digits": min(2, sum(0 < weight < A_FIGURE for weight in weights)),
        "derived, few digits": min(3, len(few)),
        "derived, many digits": min(3, len(derived) - len(few)),
        "not quoted, of earlier": any(_is_earlier(text, each) for each in loose),
        "quoted": min(4, sum(each.is_quoted for each in evidence.figures)),
        "figures for fields": evidence.recites,
    }


def _is_earlier(text: str, each: Figure) -> bool:
    return _EARLIER.search(text, max(0, each.start - 40), each.end + 30) is not None


def _words(evidence: Evidence) -> dict[str, float]:
    words, text = evidence.words, evidence.reading.text
    assert words is not None
    sentences = evidence.reading.layout.sentences
    surprise: dict[str, list[float]] = {"plain": [0.0], "writer": [0.0], "soft": [0.0]}
    stated = [0.0] * len(sentences)
    for (number, kind), value in words.surprise.items():
        surprise[kind].append(value)
        stated[number] += 0.0 if kind == "soft" else value
    asked = {n for n, (a, b) in enumerate(sentences) for hit in evidence.hits if a <= hit.start < b}
    away = [value for n, value in enumerate(stated) if n not in asked]
    claiming = [place for number, place in enumerate(sentences) if stated[number]]
    found: dict[str, float] = {f"rare, {kind}": log1p(n) for kind, n in words.rare.items()}
    found |= {f"surprise, {kind}": min(4, max(each)) for kind, each in surprise.items()}
    return found | {
        "surprise, in all": log1p(sum(stated)),
        "surprise, elsewhere": min(3, max(away, default=0)),
        "surprise, beside the prior": min(3, _beside_prior(evidence, stated)),
        "cause": any(_CAUSE.search(text, *place) for place in claiming),
    }


def _beside_prior(evidence: Evidence, stated: Sequence[float]) -> float:
    """How much the most surprising sentence surprises that speaks of the prior."""
    prior = _tokens(evidence.prior)
    folded = evidence.reading.folded
    return max(
        (
            value
            for value, (start, end) in zip(stated, evidence.reading.layout.sentences, strict=True)
            if value and prior & _tokens(folded[start:end])
        ),
        default=0.0,
    )


def _tokens(text: str) -> frozenset[str]:
    folded = fold(text)
    return stems_of(re.findall(r"[^\W\d_]{4,}", folded)) | frozenset(re.findall(r"\d+", folded))


def _foreign(evidence: Evidence) -> dict[str, float]:
    return {
        "not English": 1,
        "not English, sentences": min(4, len(evidence.reading.layout.sentences)),
    }


def _manner(evidence: Evidence) -> dict[str, float]:
    text = evidence.reading.text
    return {
        "declines": pattern("declines").search(text) is not None,
        "length": log1p(len(text) / 6) / 3,
        "sentences": min(8, len(evidence.reading.layout.sentences)) / 4,
    }
