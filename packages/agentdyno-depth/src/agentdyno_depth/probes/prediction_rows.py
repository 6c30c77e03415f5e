"""Distances of many predictions from the last layer's, without spare copies of the logits.

Takes raw logits (rows x vocabulary) and the last layer's rows, returns a JSD and a KL per row.
With Z and Y the logarithms of the two normalisers and t = p + q, per row and in bits:

    JSD = 1 + (sum p log p + sum q log q - sum t log t) / 2
    KL  = sum p log p - sum p log q

so one look at the logits finds Y and a second finds everything else. On a GPU both looks are one
fused kernel; elsewhere they go slice by slice through the vocabulary, so that what is between
stays in the processor's cache. Worked: p = (1, 0), q = (1/2, 1/2): t = (3/2, 1/2),
JSD = 1 + (0 - 1 - (0.8774 - 1/2)) / 2 = 0.3113 bits.
"""

import math
from functools import lru_cache
from importlib import import_module
from typing import Any

import torch
from msgspec import Struct

from agentdyno_depth.probes.readout import Readout

Tensor = torch.Tensor

SLICE_ELEMENTS = 2**18
"""Numbers that are worked on at a time: 1 MiB, which stays in a processor's cache."""


class LastRows(Struct, frozen=True):
    """The last layer's distributions of some tokens."""

    raw: Tensor
    """Raw logits, tokens x vocabulary, in float32 or wider."""
    probs: Tensor | None
    """Probabilities in float32 (or wider); None where they are cheaper to compute again."""
    log_norm: Tensor
    """Natural logarithm of each normaliser."""
    negative_entropy: Tensor
    """Sum of p log p, in nats."""
    mean_logit: Tensor
    """Mean of the finished logits over the vocabulary."""
    peak: Tensor
    """The largest finished logit."""


class RowDistances(Struct, frozen=True):
    """Distances of rows from the last layer."""

    jsd: Tensor
    """Jensen-Shannon divergence from the last layer in bits."""
    kl: Tensor
    """In bits, of the last layer from this one; means nothing where it was not asked for."""
    peak: Tensor
    """The largest finished logit."""


def last_rows(readout: Readout, raw: Tensor) -> LastRows:
    """Sums over the last layer's predictions, from its raw logits."""
    if kernels := _kernels(raw):
        raw = raw.contiguous()  # The kernel of the distances goes from row to row of it.
        return LastRows(raw, None, *kernels.last_row_sums(readout, raw))
    logits = readout.finish(raw)
    log_norm = logits.logsumexp(-1)
    log_p = logits - log_norm[:, None]
    probs = log_p.exp()
    negative_entropy = log_p.mul_(probs).sum(-1)
    return LastRows(raw, probs, log_norm, negative_entropy, logits.mean(-1), logits.amax(-1))


def row_distances(
    readout: Readout, raw: Tensor, last: LastRows, tokens: Tensor, with_kl: bool = True
) -> RowDistances:
    """Distances of rows of raw logits; `tokens` says which of the last rows each belongs to."""
    if kernels := _kernels(raw):
        jsd, kl, peak = kernels.row_distances(readout, raw, last, tokens, with_kl)
    else:
        jsd, kl, peak = _measure_slices(readout, raw, last, tokens)
    return RowDistances(jsd, kl, peak)


def _measure_slices(
    readout: Readout, raw: Tensor, last: LastRows, tokens: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    logits = readout.finish(raw)
    log_norm = logits.logsumexp(-1)
    assert last.probs is not None
    q_log_q = torch.zeros_like(log_norm)
    t_log_t = torch.zeros_like(log_norm)
    p_log_q = torch.zeros_like(log_norm)
    width = max(256, SLICE_ELEMENTS // max(1, len(raw)))
    if raw.is_cuda and raw.dtype == torch.float64:
        # Few rows, on a device without such a cache: every slice would be eight kernels more.
        width = raw.shape[1]
    # Sums, not dot products: those add up in order, and are off by 1e-3 over a vocabulary.
    for start in range(0, raw.shape[1], width):
        log_q = logits[:, start : start + width] - log_norm[:, None]
        p = last.probs[tokens, start : start + width]
        t = log_q.exp()
        q_log_q += (t * log_q).sum(-1)
        p_log_q += log_q.mul_(p).sum(-1)
        t += p
        t_log_t += torch.log(t.clamp(min=1e-38), out=log_q).mul_(t).sum(-1)
    p_log_p = last.negative_entropy[tokens]
    jsd = 1 + (p_log_p + q_log_q - t_log_t) / (2 * math.log(2))
    return jsd, (p_log_p - p_log_q) / math.log(2), logits.amax(-1)


@lru_cache
def load_kernels(module: str) -> Any:
    """Fused kernels of `probes`; None without Triton."""
    try:
        return import_module(f"agentdyno_depth.probes.{module}")
    except ImportError:
        return None


def _kernels(raw: Tensor) -> Any:
    """The fused kernels where they run: on a GPU with Triton, and not in float64."""
    return load_kernels("rows_triton") if raw.is_cuda and raw.dtype != torch.float64 else None
