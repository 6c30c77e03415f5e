"""Which of n samples are kept, and which answer wins.

    Cons@n             majority of all samples
    Mean@n             no vote: the share of the samples that are right
    Long@n, Short@n    majority of the longest, or shortest, share
    Self-Certainty@n   majority of the share with the highest self-certainty of the prefix
    Think@n            majority of the share with the highest deep-thinking ratio of the prefix
    any other rank     the same with its name

Source: the deep-thinking paper, section 4. Where it is silent:

- kept are `keep * n` samples, rounded, halves up, and at least one;
- samples with equal scores are ranked in the order they were drawn (the ratio of a prefix of 50
  takes only 51 values, so that this is common);
- a sample without an answer has no vote, but counts in n and as wrong in Mean@n;
- of answers with equally many votes, that one wins whose first voter ranks first: the best
  ranked sample decides, and for Cons@n the first drawn.

Knows nothing of texts; two answers are the same when their strings are. Worked: answers 7, 9, 9, 7
with scores 0.1, 0.3, 0.2, 0.4 and half of them kept: the fourth and the second vote, 7 to 9 is
a tie, the fourth ranks first, 7 wins.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import exp, floor, inf

from msgspec import Struct

from agentdyno_depth.metrics.thinking_cost import (
    count_generated,
    full_cost,
    prefix_cost,
    short_cost,
)
from agentdyno_depth.records.thinking import PrefixScores, Rank, Sample

METHODS = ("cons", "mean", "long", "short", "self_certainty", "think")
"""The six of the paper."""

RANK_OF: dict[str, Rank] = {
    "long": "length",
    "short": "reverse_length",
    "self_certainty": "self_certainty",
    "think": "dtr",
}


class Decision(Struct, frozen=True):
    """What a method makes of n samples of one problem."""

    answer: str | None
    """The answer that won; None without a vote."""
    accuracy: float
    """1 when it is right, 0 when not; for Mean@n the share of right samples."""
    cost_tokens: int
    """Generated tokens by the paper's accounting."""
    generated_tokens: int
    """The same with stopped samples counted as long as they got."""


def decide(
    method: str, samples: Sequence[Sample], keep: float = 0.5, prefix: int | None = 50
) -> Decision:
    """The outcome of a method, named as in METHODS or as a rank."""
    lengths = [sample.tokens for sample in samples]
    if method in ("cons", "mean"):
        selected, cost, produced = list(range(len(samples))), full_cost(lengths), full_cost(lengths)
    else:
        selected = rank_samples(samples, rank_of(method), prefix)[
            : count_selected(len(samples), keep)
        ]
        cost, produced = _costs(rank_of(method), lengths, selected, prefix)
    if method == "mean":
        return Decision(
            None, sum(s.correct is True for s in samples) / len(samples), cost, produced
        )
    answer = majority([samples[place].answer for place in selected])
    return Decision(answer, float(is_right(answer, samples)), cost, produced)


def rank_of(method: str) -> Rank:
    """What a method ranks by."""
    return RANK_OF.get(method, method)  # type: ignore[arg-type]


def count_selected(n: int, keep: float) -> int:
    """How many of n samples a share is; 0.15 is taken as it is written."""
    return min(n, max(1, floor(Fraction(repr(float(keep))) * n + Fraction(1, 2))))


def rank_samples(samples: Sequence[Sample], rank: Rank, prefix: int | None) -> list[int]:
    """Places of the samples, best first; equal ones as they were drawn."""
    return best_first([score(sample, rank, prefix) for sample in samples])


def best_first(scores: Sequence[float]) -> list[int]:
    """Places of the scores, largest first; equal ones in their order."""
    return sorted(range(len(scores)), key=lambda place: -scores[place])


def score(sample: Sample, rank: Rank, prefix: int | None) -> float:
    """What a sample is ranked by; larger is better."""
    if rank == "length":
        return float(sample.tokens)
    if rank == "reverse_length":
        return -float(sample.tokens)
    return prefix_score(scores_at(sample, prefix), rank)


def prefix_score(scores: PrefixScores, rank: Rank) -> float:
    """The score of a prefix; its length where the rank is a length. Nothing known ranks last."""
    if rank in ("length", "reverse_length"):
        return float(scores.tokens if rank == "length" else -scores.tokens)
    values = {
        "dtr": scores.dtr,
        "mean_log_prob": scores.mean_log_prob,
        "neg_perplexity": _map_known(scores.mean_log_prob, lambda value: -exp(-value)),
        "neg_entropy": _map_known(scores.entropy, lambda value: -value),
        "self_certainty": scores.self_certainty,
    }
    value = values[rank]
    return -inf if value is None else value


def scores_at(sample: Sample, prefix: int | None) -> PrefixScores:
    """The recorded scores of a prefix; `ValueError` where none were recorded there."""
    for scores in sample.scores:
        if scores.prefix == prefix:
            return scores
    recorded = ", ".join(str(scores.prefix or "all") for scores in sample.scores)
    raise ValueError(f"expected scores at prefix {prefix or 'all'}, recorded are: {recorded}")


def majority(answers: Sequence[str | None]) -> str | None:
    """The most frequent answer; of equals the one that comes first in the list."""
    votes = Counter(answer for answer in answers if answer is not None)
    # A counter keeps the order of first appearance, and max takes the first of equals.
    return max(votes, key=votes.__getitem__, default=None)


def is_right(answer: str | None, samples: Sequence[Sample]) -> bool:
    """Whether the answer is right; equal answers have equal marks."""
    return answer is not None and any(s.answer == answer and s.correct is True for s in samples)


def _map_known(value: float | None, turn: Callable[[float], float]) -> float | None:
    return None if value is None else turn(value)


def _costs(
    rank: Rank, lengths: Sequence[int], selected: Sequence[int], prefix: int | None
) -> tuple[int, int]:
    if rank == "length":
        return full_cost(lengths), full_cost(lengths)
    if rank == "reverse_length":
        longest = max(lengths[place] for place in selected)
        return short_cost(lengths, selected), count_generated(lengths, selected, longest)
    return prefix_cost(lengths, selected, prefix), count_generated(lengths, selected, prefix)
