"""Deep-thinking ratio: at which layer a token settles, what share settles late, and what for.

    D[t, l] = JSD(last layer's prediction, layer l's)                        equation 2
    c[t]    = the first layer l with min over j <= l of D[t, j] <= g         equations 3 and 4
    deep    = c[t] >= ceil(rho * L),  DTR = deep tokens / tokens             equations 5 and 6
    r       = Pearson over the mean score and accuracy of 5 quantile bins    section 3.1
    Think@n = majority of the share of n samples with the highest DTR        section 4

Source: Think Deep, Not Just Long. g = 0.5, rho = 0.85. Logarithms of divergences are of base 2: the
figures show a JSD of 0.96, which with natural ones is at most 0.693. Equation 1 leaves out the
model's final norm, without which the measure is meaningless: distributions come in with it. The
state that predicts token t stands at position t - 1; the embedding is no layer.

Errata: Algorithm 1 prints (1 - rho) L for the first deep layer, equation 5 and Figure 3 say rho L.
Section 4 charges prefix * kept samples for what was rejected, the same at 50 %.

Where the paper is silent: of n samples `keep * n` are kept, rounded, halves up, at least one; equal
scores rank in the order they were drawn; a sample without an answer has no vote, but is wrong in
Mean@n; of answers with equally many votes that of the best ranked sample wins.

Worked (Figure 3): ten layers with distances 0.96 0.93 0.85 0.86 0.82 0.78 0.76 0.36 0.08 0 and g =
0.5 settle at layer 8; with rho = 0.8 the deep layers begin at 8, so it is deep.
"""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from math import ceil, exp, floor, log
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec import Struct

if TYPE_CHECKING:
    from agentdyno.estimates.correlation import Column
    from agentdyno.estimates.estimate import Estimate

Convention = Literal["norm-bits", "norm-nats", "bare-bits", "bare-nats"]
"""Whether states of the layers in between pass the final norm, and the unit of divergences."""
CONVENTIONS: dict[Convention, str] = {
    "norm-bits": "final norm on every layer, logarithms of base 2",
    "norm-nats": "final norm on every layer, natural logarithms",
    "bare-bits": "equation 1 as printed, without the norm; logarithms of base 2",
    "bare-nats": "equation 1 as printed, without the norm; natural logarithms",
}
"""Ours first. In all of them layers 1 to the last count, the embedding not; tokens of the response
count, those of the prompt not; the last layer's prediction is the model's own."""
Numbers = npt.NDArray[Any]
"""Of any float type; thresholds are compared in float64."""
G, RHO, BINS = 0.5, 0.85, 5
"""The paper's threshold, depth fraction and number of quantile bins."""
N, KEEP, PREFIX = 48, 0.5, 50
"""Samples of a problem, the share of them that votes, tokens after which the rest is stopped."""


def jensen_shannon(p: Numbers, q: Numbers) -> Numbers:
    """Jensen-Shannon divergence in bits along the last axis (equation 2), from 0 to 1.

    >>> float(jensen_shannon(np.array([1.0, 0.0]), np.array([0.5, 0.5])).round(4))
    0.3113
    """
    return entropy((p + q) / 2) - entropy(p) / 2 - entropy(q) / 2


def kullback_leibler(p: Numbers, q: Numbers) -> Numbers:
    """Divergence of p from q in bits along the last axis (appendix A).

    >>> float(kullback_leibler(np.array([1.0, 0.0]), np.array([0.5, 0.5])))
    1.0
    """
    p, q = np.asarray(p, np.float64), np.asarray(q, np.float64)
    ratio = np.divide(p, q, out=np.ones_like(p * q), where=(p > 0) & (q > 0))
    found: Numbers = np.where((p > 0) & (q == 0), np.inf, p * np.log2(ratio)).sum(-1)
    return found


def cosine_distance(states: Numbers, last: Numbers) -> Numbers:
    """One minus the cosine of two states, before the norm (appendix A)."""
    product = (states * last).sum(-1)
    found: Numbers = 1 - product / np.linalg.norm(states, axis=-1) / np.linalg.norm(last, axis=-1)
    return found


def entropy(p: Numbers, base: float = 2.0) -> Numbers:
    """Shannon entropy along the last axis; the confidence baselines take natural logarithms."""
    p = np.asarray(p, np.float64)
    logs = np.log(p, out=np.zeros_like(p), where=p > 0)
    found: Numbers = -(p * logs).sum(-1) / np.log(base)
    return found


def self_certainty(p: Numbers) -> Numbers:
    """Divergence of the uniform distribution from p in nats (equation 10).

    >>> float(self_certainty(np.array([0.5, 0.125, 0.125, 0.25])).round(4))
    0.1733
    """
    p = np.asarray(p, np.float64)
    found: Numbers = -np.log(p.shape[-1] * p).mean(-1)
    return found


def find_settling_depths(distances: Numbers, g: float = G) -> npt.NDArray[np.int64]:
    """The layer at which each token settles, from 1; distances are tokens x layers (equation 4).

    The running minimum of equation 3 changes nothing: the first layer whose minimum so far is at
    most g is the first whose distance is.

    >>> find_settling_depths(np.array([[0.9, 0.6, 0.3, 0.0], [0.2, 0.7, 0.1, 0.0]])).tolist()
    [3, 1]
    """
    if distances.shape[1] == 0:
        raise ValueError("expected at least one layer, got none")
    is_near = distances.astype(np.float64) <= g  # g in float32 could cross a distance.
    is_near[:, -1] = True  # The last layer's distance from itself is 0 by definition.
    depths: npt.NDArray[np.int64] = is_near.argmax(1).astype(np.int64) + 1
    return depths


def cut_layer(layers: int, rho: float = RHO) -> int:
    """The first deep layer, ceil(rho * layers), counted from 1 (equation 5).

    rho is taken as it is written: 0.55 of 20 layers is 11, not the 12 that binary fractions give.

    >>> cut_layer(36), cut_layer(10, 0.8), cut_layer(20, 0.55)
    (31, 8, 11)
    """
    return max(1, ceil(Fraction(repr(rho)) * layers))


def threshold_in_bits(g: float, convention: Convention) -> float:
    """The distance in bits that g is by a convention: 0.5 nats are more than 0.5 bits.

    >>> threshold_in_bits(0.5, "norm-bits"), round(threshold_in_bits(0.5, "norm-nats"), 4)
    (0.5, 0.7213)
    """
    return g / log(2) if convention.endswith("nats") else g


def deep_tokens(distances: Numbers, g: float = G, rho: float = RHO) -> npt.NDArray[np.bool_]:
    """Whether each token settles in a deep layer (equation 5)."""
    return find_settling_depths(distances, g) >= cut_layer(distances.shape[1], rho)


def deep_thinking_ratio(deep: Numbers) -> float | None:
    """Share of the tokens that are deep (equation 6); None for a response without tokens.

    >>> deep_thinking_ratio(np.array([True, False, False, False]))
    0.25
    """
    return float(deep.mean()) if deep.size else None


def sweep(
    distances: Numbers, pairs: Sequence[tuple[float, float]]
) -> dict[tuple[float, float], float | None]:
    """The ratio under every pair of g and rho (section 3.2)."""
    return {pair: deep_thinking_ratio(deep_tokens(distances, *pair)) for pair in pairs}


class Baselines(Struct, frozen=True):
    """What depth is compared with (section 3.1): higher is longer, or surer. All but the lengths
    are None for a response without tokens."""

    length: int
    """Number of generated tokens."""
    reverse_length: int
    """The same, negative: more when shorter."""
    mean_log_prob: float | None
    """Mean natural logarithm of the generated tokens' probabilities (equation 7)."""
    negative_perplexity: float | None
    """Minus the exponential of the mean negative log-probability (equation 8)."""
    negative_entropy: float | None
    """Minus the mean entropy of the distributions, in nats (equation 9)."""
    self_certainty: float | None
    """Mean divergence of the distributions from the uniform one, in nats (equation 10)."""


def baselines(log_probs: Numbers, entropies: Numbers, self_certainties: Numbers) -> Baselines:
    """The baselines of one response from what was recorded with each token.

    >>> found = baselines(np.log([0.5, 0.125]), np.array([0.2, 0.4]), np.array([3.0, 5.0]))
    >>> round(found.mean_log_prob, 4), round(found.negative_perplexity, 4), found.self_certainty
    (-1.3863, -4.0, 4.0)
    """
    log_prob, mean_entropy = _mean(log_probs), _mean(entropies)
    return Baselines(
        length=len(log_probs),
        reverse_length=-len(log_probs),
        mean_log_prob=log_prob,
        # Finite: a response of impossible tokens is as perplexing as numbers go.
        negative_perplexity=None if log_prob is None else -exp(min(-log_prob, 700.0)),
        negative_entropy=None if mean_entropy is None else -mean_entropy,
        self_certainty=_mean(self_certainties),
    )


def _mean(values: Numbers) -> float | None:
    return float(np.mean(values, dtype=np.float64)) if len(values) else None


def find_bins(scores: Numbers, bins: int = BINS) -> npt.NDArray[np.int64]:
    """The quantile bin of every score, from 0.

    Equal scores share a bin: the one that the middle of their ranks lies in, so that neither the
    order of the rows matters nor the direction: scores and their negatives fall into mirrored bins.
    A middle on an edge goes to the bin nearer to the middle one; of an even number of bins, the
    edge between the two middle ones goes up.

    >>> find_bins(np.array([1, 1, 1, 1, 1, 1, 2, 3, 3, 4])).tolist()
    [1, 1, 1, 1, 1, 1, 3, 3, 3, 4]
    """
    _, group, counts = np.unique(scores, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    # Twice the middle of a group's ranks, from 0 to twice the number of scores: whole numbers.
    place, beyond = np.divmod(bins * (2 * ends - counts), 2 * len(scores))
    place -= (beyond == 0) & (2 * place > bins)
    found: npt.NDArray[np.int64] = place[group].astype(np.int64)
    return found


def correlate_bins(scores: "Column", outcomes: "Column", bins: int = BINS) -> "Estimate":
    """Pearson correlation of mean score and mean outcome over quantile bins; n counts bins, those
    that ties empty left out. With five points r is easily large: the interval says how little it
    then means.

    Worked: scores 1..10, outcomes 0 0 0 1 0 1 1 1 1 1 -> bin means 1.5 3.5 5.5 7.5 9.5 and
    0, 0.5, 0.5, 1, 1 -> r = 0.945.
    """
    # Imported here: probes on a machine without statistics need the definitions alone.
    from msgspec.structs import replace

    from agentdyno.estimates.correlation import complete_rows, pearson
    from agentdyno.estimates.estimate import undefined_estimate

    method = f"Pearson correlation over the means of {bins} quantile bins"
    score, outcome = complete_rows(scores, outcomes)
    if len(score) < bins:
        reason = f"{bins} bins need at least {bins} complete observations, got {len(score)}"
        return undefined_estimate(reason, n=0, method=method)
    place = find_bins(score, bins)
    filled = np.unique(place)
    means = [[float(x[place == one].mean()) for one in filled] for x in (score, outcome)]
    return replace(pearson(*means), n=len(filled), method=method)


class Decision(NamedTuple):
    """What a method makes of n samples of one problem."""

    answer: str | None
    """The answer that won; None without a vote."""
    selected: list[int]
    """Samples that voted, best first."""
    cost_tokens: int
    """Generated tokens by the paper's accounting."""
    generated_tokens: int
    """The same with stopped samples counted as long as they got."""


def cons_at_n(answers: Sequence[str | None], lengths: Sequence[int]) -> Decision:
    """Cons@n: the majority of all samples; costs all of them. Mean@n costs the same."""
    full = full_cost(lengths)
    return Decision(majority(answers), list(range(len(lengths))), full, full)


def long_at_n(
    answers: Sequence[str | None], lengths: Sequence[int], keep: float = KEEP
) -> Decision:
    """Long@n: the majority of the longest; nothing can be stopped."""
    selected = select(lengths, keep)
    full = full_cost(lengths)
    return Decision(majority([answers[place] for place in selected]), selected, full, full)


def short_at_n(
    answers: Sequence[str | None], lengths: Sequence[int], keep: float = KEEP
) -> Decision:
    """Short@n: the majority of the shortest; the others stop when the last of these has ended."""
    selected = select([-length for length in lengths], keep)
    return _stopped(answers, lengths, selected, max(lengths[place] for place in selected))


def think_at_n(
    answers: Sequence[str | None],
    lengths: Sequence[int],
    scores: Sequence[float],
    keep: float = KEEP,
    prefix: int | None = PREFIX,
) -> Decision:
    """Think@n: the majority of the samples with the highest scores, the deep-thinking ratio of
    their prefixes; with self-certainties it is Self-Certainty@n. The others stop after the prefix.

    >>> think_at_n(["7", "9", "9", "7"], [80, 200, 120, 40], [0.1, 0.3, 0.2, 0.4])
    Decision(answer='7', selected=[3, 1], cost_tokens=340, generated_tokens=340)
    """
    return _stopped(answers, lengths, select(scores, keep), prefix)


def _stopped(
    answers: Sequence[str | None], lengths: Sequence[int], selected: list[int], stop: int | None
) -> Decision:
    answer = majority([answers[place] for place in selected])
    written = count_generated(lengths, selected, stop)
    return Decision(answer, selected, prefix_cost(lengths, selected, stop), written)


def select(scores: Sequence[float], keep: float = KEEP) -> list[int]:
    """Places of the samples that vote, best first.

    >>> select([0.2, 0.3, 0.2, 0.3])
    [1, 3]
    """
    return best_first(scores)[: count_selected(len(scores), keep)]


def best_first(scores: Sequence[float]) -> list[int]:
    """Places of the scores, largest first; equal ones in their order."""
    return sorted(range(len(scores)), key=lambda place: -scores[place])


def count_selected(n: int, keep: float = KEEP) -> int:
    """How many of n samples a share is; 0.15 is taken as it is written."""
    return min(n, max(1, floor(Fraction(repr(float(keep))) * n + Fraction(1, 2))))


def majority(answers: Sequence[str | None]) -> str | None:
    """The most frequent answer; of equals the one that comes first in the list."""
    votes = Counter(answer for answer in answers if answer is not None)
    # A counter keeps the order of first appearance, and max takes the first of equals.
    return max(votes, key=votes.__getitem__, default=None)


def full_cost(lengths: Sequence[int]) -> int:
    """Every sample decoded to its end."""
    return sum(lengths)


def prefix_cost(lengths: Sequence[int], selected: Sequence[int], prefix: int | None) -> int:
    """The kept samples, and a prefix of each rejected one; without a prefix, everything.

    >>> prefix_cost([80, 200, 120, 40], [0, 3], 50)  # 80 + 40 + 2 * 50, half of 440
    220
    """
    if prefix is None:
        return full_cost(lengths)
    rejected = len(lengths) - len(selected)
    return sum(lengths[place] for place in selected) + prefix * rejected


def count_generated(lengths: Sequence[int], selected: Sequence[int], stop: int | None) -> int:
    """What is really written when rejected samples stop after so many tokens, or never."""
    chosen = set(selected)
    return sum(
        length if stop is None or place in chosen else min(length, stop)
        for place, length in enumerate(lengths)
    )


def change(cost: float, full: float) -> float:
    """Cost over the full cost, minus 1: -0.49 is 49 % less (Table 2)."""
    return cost / full - 1
