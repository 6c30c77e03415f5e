"""Which of n recorded samples vote, by the methods of `measures.depth`, and which answer wins.

    Cons@n             majority of all samples
    Mean@n             no vote: the share of the samples that are right
    Long@n, Short@n    majority of the longest, or shortest, share
    Self-Certainty@n   majority of the share with the highest self-certainty of the prefix
    Think@n            majority of the share with the highest deep-thinking ratio of the prefix
    any other rank     the same with its name

Knows nothing of texts; two answers are the same when their strings are.
"""

from collections.abc import Callable, Sequence
from math import exp, inf

from msgspec import Struct

from agentdyno.measures import depth
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
    """A method's answer to one problem from n samples, and its cost."""

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
    choice = _choose(method, samples, keep, prefix)
    accuracy = float(is_right(choice.answer, samples))
    if method == "mean":
        accuracy = sum(sample.correct is True for sample in samples) / len(samples)
    answer = None if method == "mean" else choice.answer
    return Decision(answer, accuracy, choice.cost_tokens, choice.generated_tokens)


def _choose(
    method: str, samples: Sequence[Sample], keep: float, prefix: int | None
) -> depth.Decision:
    answers, lengths = [s.answer for s in samples], [s.tokens for s in samples]
    if method in ("cons", "mean"):
        return depth.cons_at_n(answers, lengths)
    rank = rank_of(method)
    if rank == "length":
        return depth.long_at_n(answers, lengths, keep)
    if rank == "reverse_length":
        return depth.short_at_n(answers, lengths, keep)
    scores = [score(sample, rank, prefix) for sample in samples]
    return depth.think_at_n(answers, lengths, scores, keep, prefix)


def rank_of(method: str) -> Rank:
    """The score that a method ranks by."""
    return RANK_OF.get(method, method)  # type: ignore[arg-type]


def score(sample: Sample, rank: Rank, prefix: int | None) -> float:
    """The score of a sample; larger is better."""
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


def is_right(answer: str | None, samples: Sequence[Sample]) -> bool:
    """True for a right answer; equal answers have equal marks."""
    return answer is not None and any(s.answer == answer and s.correct is True for s in samples)


def _map_known(value: float | None, turn: Callable[[float], float]) -> float | None:
    return None if value is None else turn(value)
