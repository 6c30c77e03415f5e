"""What depth is compared with: length, and the confidence of the last layer's distributions.

Takes the confidence recorded with each token, returns one number per response and measure. Higher
is always "more of it": more length, more confidence.

    mean log-probability    = mean over tokens of ln p(token)
    negative perplexity     = -exp(-mean log-probability)
    negative entropy        = -mean over tokens of H(p), in nats
    self-certainty          = mean over tokens of KL(uniform, p), in nats

Source: "Think Deep, Not Just Long", section 3.1. Worked: two tokens with p = 1/2 and p = 1/8 have
mean log-probability -ln 4 = -1.386 and negative perplexity -4.
"""

import math

import numpy as np
from msgspec import Struct

from agentdyno_depth.records.depth import Confidence, Numbers


class Baselines(Struct, frozen=True):
    """The measures of one response; all but the lengths are None when it has no tokens."""

    length: int
    """Number of generated tokens."""
    reverse_length: int
    """The same, negative: more when shorter."""
    mean_log_prob: float | None
    """Mean natural logarithm of the generated tokens' probabilities."""
    negative_perplexity: float | None
    """Minus the exponential of the mean negative log-probability."""
    negative_entropy: float | None
    """Minus the mean entropy of the distributions, in nats."""
    self_certainty: float | None
    """Mean divergence of the distributions from the uniform one, in nats."""


def baselines(confidence: Confidence) -> Baselines:
    """The measures of one response."""
    length = len(confidence.log_probs)
    log_prob = _mean(confidence.log_probs)
    entropy = _mean(confidence.entropies)
    return Baselines(
        length=length,
        reverse_length=-length,
        mean_log_prob=log_prob,
        negative_perplexity=None if log_prob is None else -_exp(-log_prob),
        negative_entropy=None if entropy is None else -entropy,
        self_certainty=_mean(confidence.self_certainties),
    )


def _mean(values: Numbers) -> float | None:
    return float(np.mean(values, dtype=np.float64)) if len(values) else None


def _exp(value: float) -> float:
    """Finite: a response of impossible tokens is as perplexing as numbers go."""
    return math.exp(min(value, 700.0))
