"""Proofs that a layer has not settled, from a small part of the vocabulary.

Takes normalized states and the last layer's rows, returns lower bounds of the JSD. Merging tokens
into cells never raises a JSD. Take as cells the last layer's `TOP` likeliest tokens, one by one;
the tokens most common in the block; and everything else. The last layer's masses are known. The
other layer's logits are known in the first two kinds, so its normaliser Y is at least their sum:
its masses there are v times known numbers, with v = (that sum) / Y between 0 and 1, and 1 - v for
the rest. The JSD of the cells is convex in v; its least value over [0, 1], bracketed by bisection
and bounded by tangents, holds whatever Y is. If that exceeds g, the layer has not settled.

Worked: two cells, p = (0.9, 0.1) and known logits that give (0, v): q = (0, 1) whatever v, since
the top token's share is 0; JSD = H(0.45, 0.55) - H(0.9, 0.1) / 2 = 0.9928 - 0.2345 = 0.758.
"""

from typing import Any

import torch

from agentdyno_depth.probes.prediction_rows import LastRows, load_kernels
from agentdyno_depth.probes.readout import Readout
from agentdyno_depth.probes.rounding import Sizes, jsd_doubt, state_lengths

Tensor = torch.Tensor

TOP = 64
"""Tokens of the last layer that are cells of their own."""
WIDE = 512
"""The same for tokens whose last prediction is so flat that those leave many layers open."""
COMMON = 1024
"""Tokens whose logits are computed for every row: twice as many prove 1 % more of what is left."""
BLOCK = 64
"""Neighbours in the vocabulary of which the largest logit is found first."""
ALIGNED = 16
"""Numbers of which a GPU likes to have a multiple."""
HALVINGS = 10
"""Steps of the bisection."""
SMALLEST = 1e-30


def common_tokens(readout: Readout, normed: Tensor) -> Tensor:
    """The tokens that mean states (layers x width) favour: where unsettled layers put their mass.

    Layers that have not settled often agree on a few odd tokens, whatever the text; without them
    the normaliser would be bounded far too low.
    """
    means = normed.mean(1, dtype=torch.float32).to(normed.dtype)
    logits = readout.logits(means)
    count = min(COMMON, readout.vocabulary)
    per_layer = max(1, count // len(logits))
    candidates = logits.topk(per_layer, -1, sorted=False).indices.flatten()
    # A GPU would have to be waited for to know how many differ: there what is repeated counts once.
    tokens: Tensor = candidates.sort().values if candidates.is_cuda else candidates.unique()
    # Products and loads of an odd width are slow.
    return tokens[: max(1, len(tokens) // ALIGNED) * ALIGNED]


def likeliest(raw: Tensor, tokens: Tensor, count: int) -> Tensor:
    """The last layer's so many likeliest tokens (tokens x count) from its raw logits.

    They lie in the blocks with the largest peaks, so one look at the logits finds those and the
    rest is a choice among few: choosing among the whole vocabulary takes several looks.
    """
    logits = raw.index_select(0, tokens)
    blocks = logits.shape[1] // BLOCK
    if blocks <= count:
        return logits.topk(min(count, logits.shape[1]), -1).indices
    covered = blocks * BLOCK
    peaks = logits[:, :covered].unflatten(1, (blocks, BLOCK)).amax(-1)
    candidates = peaks.topk(count, -1, sorted=False).indices[..., None] * BLOCK
    places = (candidates + torch.arange(BLOCK, device=raw.device)).flatten(1)
    tail = torch.arange(covered, logits.shape[1], device=raw.device).expand(len(logits), -1)
    places = torch.cat([places, tail], 1)
    best = logits.gather(1, places).topk(count, -1, sorted=False).indices
    return places.gather(1, best)


def lower_bounds(
    readout: Readout,
    normed: Tensor,
    last: LastRows,
    last_sizes: Sizes,
    tokens: Tensor,
    common: Tensor,
    top: Tensor,
) -> Tensor:
    """Lower bounds in bits for layers x tokens; `tokens` are the tokens' places in `last`, `top`
    their likeliest. What rounding can have added is taken off again.
    """
    inside = _common_in_top(top, common)
    p = _last_masses(readout, last, tokens, common, top, inside)
    top_logits = readout.finish(readout.own_logits(normed, top))
    common_logits = readout.finish(readout.raw_logits(normed, common))
    least, peak = cell_bounds(p, top_logits, common_logits, inside)
    of_last = Sizes(*(x.index_select(0, tokens) for x in (last_sizes.state, last_sizes.peak)))
    return least - jsd_doubt(readout, Sizes(state_lengths(normed), peak), of_last)


def _common_in_top(top: Tensor, common: Tensor) -> Tensor:
    """Tokens x common: which common tokens are in a token's top, for they count there, or stood
    there before."""
    index = torch.searchsorted(common, top).clamp(max=len(common) - 1)
    is_inside = torch.zeros(len(top), len(common) + 1, dtype=torch.bool, device=top.device)
    is_inside.scatter_(1, index.where(common[index] == top, len(common)), True)
    is_inside[:, 1:-1] |= common[1:] == common[:-1]
    return is_inside[:, :-1]


def _last_masses(
    readout: Readout, last: LastRows, tokens: Tensor, common: Tensor, top: Tensor, inside: Tensor
) -> Tensor:
    """The last layer's masses on each of a token's likeliest, and on the other common tokens."""
    rows, norm = tokens[:, None], last.log_norm.index_select(0, tokens)[:, None]
    of_top = (readout.finish(last.raw[rows, top]) - norm).exp()
    of_common = (readout.finish(last.raw[rows, common]) - norm).exp().masked_fill(inside, 0)
    return torch.cat([of_top, of_common.sum(-1, keepdim=True)], -1)


def cell_bounds(
    p: Tensor, top_logits: Tensor, common_logits: Tensor, inside: Tensor
) -> tuple[Tensor, Tensor]:
    """The least JSD and the largest known logit, layers x tokens, from what is known of a layer."""
    if kernels := _kernels(top_logits):
        kernel_bounds: tuple[Tensor, Tensor] = kernels.cell_bounds(
            p, top_logits, common_logits, inside, HALVINGS
        )
        return kernel_bounds
    common_log_mass = common_logits.masked_fill(inside[None], -torch.inf).logsumexp(-1)
    known_mass = torch.logaddexp(top_logits.logsumexp(-1), common_log_mass)
    share = torch.cat([top_logits, common_log_mass[..., None]], -1) - known_mass[..., None]
    peak = torch.maximum(top_logits.amax(-1), common_log_mass)
    return least_jsd(p, share.exp()), peak


def least_jsd(p: Tensor, share: Tensor) -> Tensor:
    """The least JSD over v in [0, 1] of (p, rest) and (v * share, 1 - v), in bits.

    `p` is tokens x cells without the rest, `share` is layers x tokens x cells and sums to 1.
    """
    low = torch.zeros(share.shape[:-1], device=share.device)
    high = torch.ones_like(low)
    p_rest = (1 - p.sum(-1)).clamp(min=0)
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        rising = _jsd_and_slope(p, p_rest, share, middle)[1] > 0
        high = torch.where(rising, middle, high)
        low = torch.where(rising, low, middle)
    at_low, slope_low = _jsd_and_slope(p, p_rest, share, low)
    at_high, slope_high = _jsd_and_slope(p, p_rest, share, high)
    # Tangents of a convex function lie below it; the better of the two is the bound. A least
    # value at an end of [0, 1] is met by the tangent whose slope points outwards.
    from_low = at_low + slope_low.clamp(max=0) * (high - low)
    from_high = at_high - slope_high.clamp(min=0) * (high - low)
    return torch.maximum(from_low, from_high)


def _kernels(logits: Tensor) -> Any:
    """The fused kernel where it runs: on a GPU with Triton."""
    return load_kernels("bounds_triton") if logits.is_cuda else None


def _jsd_and_slope(p: Tensor, p_rest: Tensor, share: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
    q = share * v[..., None]
    log_middle = ((p + q) / 2).clamp(min=SMALLEST).log2()
    log_q = q.clamp(min=SMALLEST).log2()
    q_rest = 1 - v
    log_middle_rest = ((p_rest + q_rest) / 2).clamp(min=SMALLEST).log2()
    log_q_rest = q_rest.clamp(min=SMALLEST).log2()
    of_p = (p * (p.clamp(min=SMALLEST).log2() - log_middle)).sum(-1)
    of_p += p_rest * (p_rest.clamp(min=SMALLEST).log2() - log_middle_rest)
    of_q = (q * (log_q - log_middle)).sum(-1) + q_rest * (log_q_rest - log_middle_rest)
    slope = (share * (log_q - log_middle)).sum(-1) - (log_q_rest - log_middle_rest)
    return (of_p + of_q) / 2, slope / 2
