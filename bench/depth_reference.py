"""The definition of depth, written as plainly as it can be: slow, and right.

Kept as documentation and as what the fast path is tested against. For each token t and layer l
of L, with x the states and W the unembedding:

    p[t, l] = softmax(cap(scale * W norm(x[t, l])))                     (equation 1, with the norm)
    D[t, l] = JSD(p[t, L], p[t, l]), logarithms to base 2               (equation 2)
    c[t]    = the first layer whose D is at most g                      (equations 3 and 4)
    deep[t] = c[t] >= ceil(rho * L)                                     (equation 5)

Source: "Think Deep, Not Just Long", section 2. One worked number: p = (1, 0) and q = (1/2, 1/2)
have JSD = H(3/4, 1/4) - 0 - 1/2 = 0.3113 bits.

Everything is computed in float64, from the states as the model's type holds them. That is slow;
nothing else is worth comparing with.
"""

import math
from collections.abc import Sequence

import torch

from agentdyno.measures.depth import deep_tokens
from agentdyno_depth.probes.readout import Readout
from agentdyno_depth.records.depth import Thresholds

Tensor = torch.Tensor


def reference_distances(
    states: Tensor, readout: Readout, dtype: torch.dtype = torch.float64
) -> Tensor:
    """JSD in bits of every layer's prediction from the last layer's: layers x tokens."""
    normed = readout.normalize(states)
    last = _log_probs(normed[-1], readout, dtype)
    rows = [jensen_shannon(last, _log_probs(layer, readout, dtype)) for layer in normed[:-1]]
    return torch.stack([*rows, torch.zeros_like(rows[0])])


def _log_probs(normed: Tensor, readout: Readout, dtype: torch.dtype) -> Tensor:
    return readout.finish(readout.raw_logits(normed, dtype=dtype)).log_softmax(-1)


def jensen_shannon(log_p: Tensor, log_q: Tensor) -> Tensor:
    """JSD in bits from two tensors of natural log-probabilities, along the last dimension."""
    p, q = log_p.exp(), log_q.exp()
    log_middle = torch.logaddexp(log_p, log_q) - math.log(2)
    nats = (p * (log_p - log_middle)).sum(-1) + (q * (log_q - log_middle)).sum(-1)
    return nats / (2 * math.log(2))


def reference_labels(states: Tensor, readout: Readout, thresholds: Sequence[Thresholds]) -> Tensor:
    """Thresholds x tokens: whether each token is deep."""
    distances = reference_distances(states, readout)
    return torch.stack([read_deep(distances, pair) for pair in thresholds])


def read_deep(distances: Tensor, pair: Thresholds) -> Tensor:
    """Whether each token is deep by the definition, from its distances (layers x tokens)."""
    deep = deep_tokens(distances.T.cpu().numpy(), pair.g, pair.rho)
    return torch.from_numpy(deep).to(distances.device)
