"""How far rounding can have moved a distance: what every proof and every second look leans on.

Takes what a distance was computed from, returns a doubt in the distance's own unit. A distance
that is nearer to a threshold than its doubt is computed again in float64. The derivation is in
`docs/decisions/0009-rounding.md`; in short, with all logits of one distribution off by at most d:

    JSD   moves by at most 0.4451 d bits          (half the mean deviation of log q/m, at most)
    KL    moves by at most 2 d / ln 2 bits by the layer's logits, and by at most
          (2 KL + 1.1) d / ln 2 bits by the last layer's

Logits are never rounded to the short type of the weights: products of bfloat16 and float16 numbers
are exact in float32, and are summed and kept there. Worked: width 576, a state of length 100 and
an unembedding row of length 3: d = 96 * 2^-24 * 300 = 1.7e-3, twice 0.4451 of that is 1.5e-3 bits.
The same logits kept in bfloat16 at a peak of 30 would be off by 30 * 2^-8 = 0.12, or 0.1 bits.
"""

import math

import torch
from msgspec import Struct

from agentdyno_depth.probes.readout import Readout

Tensor = torch.Tensor

UNIT = {torch.float32: 2.0**-24, torch.bfloat16: 2.0**-8, torch.float16: 2.0**-11}
"""Half the distance from 1 to the next number: what rounding to the type moves a number by."""
JSD_BITS_PER_NAT = 0.4451
"""max of b (1 - b) ln(1 + 1/b) over b, in bits: the steepest a JSD can be in a logit."""
KL_BITS_PER_NAT = 2 / math.log(2)
"""The steepest a KL can be in the logits of the distribution it is taken to."""
SUMS = 2e-4
"""Bits by which sums of float32 powers and logarithms over a whole vocabulary can be off."""
FINISHING = 4
"""Roundings of a logit between its product and its logarithm of a probability."""
TAIL = 25.0
"""Nats below the peak within which logits still matter: what lies lower has mass below 1e-10."""
LIKELY = 4.0
"""Standard deviations of a sum's rounding that are allowed for."""
BLOCK = 8
"""Tensor cores cut off, not round, each sum of 16 products: twice a rounding for every 16."""


class Sizes(Struct, frozen=True):
    """State lengths and logit peaks, on which the rounding of logits depends."""

    state: Tensor
    """Length of each normed state."""
    peak: Tensor
    """Largest finished logit of each row."""


def state_lengths(normed: Tensor) -> Tensor:
    """The length of each normed state, in float32."""
    lengths: Tensor = torch.linalg.vector_norm(normed, dim=-1, dtype=torch.float32)
    return lengths


def logit_error(readout: Readout, sizes: Sizes) -> Tensor:
    """Nats by which any logit of each row can be off in float32."""
    share = abs(readout.scale) * product_share(readout.weight.shape[1]) * readout.longest_row()
    size = sizes.peak.abs() + TAIL
    if readout.soft_cap is not None:
        size = size.clamp(min=readout.soft_cap)
    return torch.add(sizes.state * share, size, alpha=UNIT[torch.float32] * FINISHING)


def product_share(width: int) -> float:
    """Error of a sum of so many products in float32, as a share of the two vectors' lengths."""
    return max(LIKELY * math.sqrt(width), width / BLOCK) * UNIT[torch.float32]


def jsd_doubt(readout: Readout, row: Sizes, last: Sizes) -> Tensor:
    """Bits by which a JSD of float32 logits can be off."""
    return jsd_doubt_of(logit_error(readout, row), logit_error(readout, last))


def jsd_doubt_of(row: Tensor, last: Tensor) -> Tensor:
    """The same, from the errors of the logits."""
    return SUMS + JSD_BITS_PER_NAT * (row + last)


def kl_doubt(readout: Readout, row: Sizes, last: Sizes, kl: Tensor) -> Tensor:
    """Bits by which a KL can be off; a large one hangs on small probabilities, and is more."""
    row_doubt = KL_BITS_PER_NAT * logit_error(readout, row)
    steep = 2 * kl + 1.1 / math.log(2)
    return SUMS * (1 + kl.abs()) + row_doubt + steep * logit_error(readout, last)


def cosine_doubt(width: int) -> float:
    """Error bound of a cosine of float32 sums: its product and the two lengths."""
    return 3 * product_share(width)


def faithful(exact: Tensor, thresholds: list[float]) -> Tensor:
    """Float64 distances in float32, rounded so that none crosses a threshold on the way."""
    result = exact.float()
    for g in thresholds:
        up = (exact > g) & (result.double() <= g)
        down = (exact <= g) & (result.double() > g)
        result = torch.where(up, torch.nextafter(result, torch.full_like(result, 9e9)), result)
        result = torch.where(down, torch.nextafter(result, torch.full_like(result, -9e9)), result)
    return result
