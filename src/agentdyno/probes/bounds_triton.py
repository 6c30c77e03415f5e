"""The least JSD of `bounds`, as one fused GPU kernel: a program for each pair of layer and token.

The bisection touches the same few cells a dozen times; between kernels of plain torch they would
travel through memory each time. Importing this needs Triton.
"""

import torch
import triton
import triton.language as tl

from agentdyno.probes.rows_triton import log2

Tensor = torch.Tensor

SMALLEST = tl.constexpr(1e-30)


def least_jsd(p: Tensor, share: Tensor, halvings: int) -> Tensor:
    """As `bounds.least_jsd`."""
    p, share = p.float().contiguous(), share.float().contiguous()
    layers, tokens, cells = share.shape
    out = torch.empty(layers, tokens, device=share.device, dtype=torch.float32)
    if out.numel():
        width = triton.next_power_of_2(cells)
        _least_kernel[(layers * tokens,)](
            p, share, out, tokens, cells, HALVINGS=halvings, CELLS=width, num_warps=1
        )
    return out


@triton.jit  # type: ignore[untyped-decorator,unused-ignore]
def _least_kernel(  # type: ignore[no-untyped-def]
    p_ptr, share_ptr, out_ptr, tokens, cells, HALVINGS: tl.constexpr, CELLS: tl.constexpr
):
    row = tl.program_id(0).to(tl.int64)
    lane = tl.arange(0, CELLS)
    inside = lane < cells
    p = tl.load(p_ptr + (row % tokens) * cells + lane, mask=inside, other=0.0)
    share = tl.load(share_ptr + row * cells + lane, mask=inside, other=0.0)
    rest = tl.maximum(1.0 - tl.sum(p, 0), 0.0)
    p_log_p = tl.sum(p * log2(tl.maximum(p, SMALLEST)), 0) + rest * tl.log2(
        tl.maximum(rest, SMALLEST)
    )
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        _, slope = _jsd_and_slope(p, rest, p_log_p, share, middle)
        rising = slope > 0
        high = tl.where(rising, middle, high)
        low = tl.where(rising, low, middle)
    at_low, slope_low = _jsd_and_slope(p, rest, p_log_p, share, low)
    at_high, slope_high = _jsd_and_slope(p, rest, p_log_p, share, high)
    from_low = at_low + tl.minimum(slope_low, 0.0) * (high - low)
    from_high = at_high - tl.maximum(slope_high, 0.0) * (high - low)
    tl.store(out_ptr + row, tl.maximum(from_low, from_high))


@triton.jit  # type: ignore[untyped-decorator,unused-ignore]
def _jsd_and_slope(p, rest, p_log_p, share, v):  # type: ignore[no-untyped-def]
    q = share * v
    log_middle = log2(tl.maximum((p + q) / 2, SMALLEST))
    step = log2(tl.maximum(q, SMALLEST)) - log_middle
    q_rest = 1.0 - v
    log_middle_rest = tl.log2(tl.maximum((rest + q_rest) / 2, SMALLEST))
    step_rest = tl.log2(tl.maximum(q_rest, SMALLEST)) - log_middle_rest
    of_p = p_log_p - tl.sum(p * log_middle, 0) - rest * log_middle_rest
    of_q = tl.sum(q * step, 0) + q_rest * step_rest
    slope = tl.sum(share * step, 0) - step_rest
    return (of_p + of_q) / 2, slope / 2
