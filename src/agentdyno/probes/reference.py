"""The definition of depth, written as plainly as it can be: slow, and right.

Kept as documentation and as what the fast path is tested against. For each token t and layer l
of L, with x the states and W the unembedding:

    p[t, l] = softmax(cap(scale * W norm(x[t, l])))                     (equation 1, with the norm)
    D[t, l] = JSD(p[t, L], p[t, l]), logarithms to base 2               (equation 2)
    c[t]    = the first layer whose D is at most g                      (equations 3 and 4)
    deep[t] = c[t] >= ceil(rho * L)                                     (equation 5)

Source: "Think Deep, Not Just Long", section 2. One worked number: p = (1, 0) and q = (1/2, 1/2)
have JSD = H(3/4, 1/4) - 0 - 1/2 = 0.3113 bits.

Distances are computed in float32, and again in float64 where float32 leaves room for doubt about
one of the thresholds.
"""

import math
from collections.abc import Sequence

import torch

from agentdyno.probes.readout import Readout
from agentdyno.records.depth import Thresholds, cut_layer

Tensor = torch.Tensor

DOUBT = 2e-4
"""Float32 distances are off by some 1e-5; nearer to a threshold than this, float64 decides."""


def reference_distances(
    states: Tensor, readout: Readout, dtype: torch.dtype = torch.float32
) -> Tensor:
    """JSD in bits of every layer's prediction from the last layer's: layers x tokens."""
    normed = readout.normed(states)
    last = _log_probs(normed[-1], readout, dtype)
    rows = [jensen_shannon(last, _log_probs(layer, readout, dtype)) for layer in normed[:-1]]
    return torch.stack([*rows, torch.zeros_like(rows[0])])


def _log_probs(normed: Tensor, readout: Readout, dtype: torch.dtype) -> Tensor:
    return readout.finished(readout.precise_logits(normed, dtype)).log_softmax(-1)


def jensen_shannon(log_p: Tensor, log_q: Tensor) -> Tensor:
    """JSD in bits from two tensors of natural log-probabilities, along the last dimension."""
    p, q = log_p.exp(), log_q.exp()
    log_middle = torch.logaddexp(log_p, log_q) - math.log(2)
    nats = (p * (log_p - log_middle)).sum(-1) + (q * (log_q - log_middle)).sum(-1)
    return nats / (2 * math.log(2))


def reference_labels(
    states: Tensor, readout: Readout, thresholds: Sequence[Thresholds]
) -> tuple[Tensor, int]:
    """Thresholds x tokens, whether each token is deep; and how many distances float64 decided."""
    distances = reference_distances(states, readout).double()
    doubtful = torch.zeros_like(distances[0], dtype=torch.bool)
    for pair in thresholds:
        doubtful |= ((distances[:-1] - pair.g).abs() < DOUBT).any(0)
    if doubtful.any():
        distances[:, doubtful] = reference_distances(states[:, doubtful], readout, torch.float64)
    labels = [deep_tokens(distances, pair) for pair in thresholds]
    return torch.stack(labels), int(doubtful.sum())


def deep_tokens(distances: Tensor, pair: Thresholds) -> Tensor:
    """Whether each token is deep, from its distances at all layers (layers x tokens)."""
    settled = distances <= pair.g  # The last layer always has: its distance is 0.
    settling_depth = settled.int().argmax(0) + 1
    return settling_depth >= cut_layer(len(distances), pair.rho)
