"""The bounds of `bounds`, as one fused GPU kernel: a program for each pair of layer and token.

It gathers the common tokens' mass and bisects. Between kernels of plain torch the common logits
would travel through memory six times, and the cells a dozen times. Importing this needs Triton.
"""

import torch
import triton
import triton.language as tl

from agentdyno_depth.probes.rows_triton import LN2, LOG2E, LOWEST, exp2, log2

Tensor = torch.Tensor

SMALLEST = tl.constexpr(1e-30)


def cell_bounds(
    p: Tensor, top_logits: Tensor, common_logits: Tensor, inside: Tensor, halvings: int
) -> tuple[Tensor, Tensor]:
    """As `bounds.cell_bounds`."""
    layers, tokens, top = top_logits.shape
    out = torch.empty(2, layers, tokens, device=top_logits.device, dtype=torch.float32)
    cells = triton.next_power_of_2(top + 1)
    if layers * tokens:
        _bound_kernel[(layers * tokens,)](
            p.float().contiguous(), top_logits.contiguous(), common_logits.contiguous(),
            inside.to(torch.uint8).contiguous(), out, layers * tokens, tokens, top,
            common_logits.shape[-1], HALVINGS=halvings, CELLS=cells,
            COMMON=triton.next_power_of_2(common_logits.shape[-1]),
            num_warps=1 if cells <= 256 else 4,
        )  # fmt: skip
    return out[0], out[1]


# Tokens come in every number: each kind of number would compile a kernel while somebody waits.
@triton.jit(do_not_specialize=["rows", "tokens"])  # type: ignore[untyped-decorator,unused-ignore]
def _bound_kernel(  # type: ignore[no-untyped-def]
    p_ptr, top_ptr, common_ptr, inside_ptr, out_ptr, rows, tokens, top, many,
    HALVINGS: tl.constexpr, CELLS: tl.constexpr, COMMON: tl.constexpr,
):  # fmt: skip
    row = tl.program_id(0).to(tl.int64)
    token = row % tokens
    lane = tl.arange(0, CELLS)
    p = tl.load(p_ptr + token * (top + 1) + lane, mask=lane <= top, other=0.0)
    mass = _common_mass(common_ptr + row * many, inside_ptr + token * many, many, COMMON)
    x = tl.load(top_ptr + row * top + lane, mask=lane < top, other=0.0).to(tl.float32) * LOG2E
    x = tl.where(lane < top, x, tl.where(lane == top, mass, LOWEST))
    peak = tl.max(x, 0)
    power = tl.where(lane <= top, exp2(x - peak), 0.0)
    least = _least(p, power / tl.sum(power, 0), HALVINGS)
    tl.store(out_ptr + row, least)
    tl.store(out_ptr + rows + row, peak * LN2)


@triton.jit  # type: ignore[untyped-decorator,unused-ignore]
def _common_mass(ptr, inside_ptr, many, COMMON: tl.constexpr):  # type: ignore[no-untyped-def]
    """Binary logarithm of the mass on common tokens that are no cells of their own."""
    offsets = tl.arange(0, COMMON)
    counted = (offsets < many) & (tl.load(inside_ptr + offsets, mask=offsets < many, other=1) == 0)
    x = tl.load(ptr + offsets, mask=offsets < many, other=0.0).to(tl.float32) * LOG2E
    x = tl.where(counted, x, LOWEST)
    peak = tl.max(x, 0)
    total = tl.sum(tl.where(counted, exp2(x - peak), 0.0), 0)
    return tl.where(total > 0, peak + tl.log2(tl.maximum(total, SMALLEST)), LOWEST)


@triton.jit  # type: ignore[untyped-decorator,unused-ignore]
def _least(p, share, HALVINGS: tl.constexpr):  # type: ignore[no-untyped-def]
    """As `bounds.least_jsd`, of one row."""
    remainder = tl.maximum(1.0 - tl.sum(p, 0), 0.0)
    p_log_p = tl.sum(p * log2(tl.maximum(p, SMALLEST)), 0) + remainder * tl.log2(
        tl.maximum(remainder, SMALLEST)
    )
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        _, slope = _jsd_and_slope(p, remainder, p_log_p, share, middle)
        rising = slope > 0
        high = tl.where(rising, middle, high)
        low = tl.where(rising, low, middle)
    at_low, slope_low = _jsd_and_slope(p, remainder, p_log_p, share, low)
    at_high, slope_high = _jsd_and_slope(p, remainder, p_log_p, share, high)
    from_low = at_low + tl.minimum(slope_low, 0.0) * (high - low)
    from_high = at_high - tl.maximum(slope_high, 0.0) * (high - low)
    return tl.maximum(from_low, from_high)


@triton.jit  # type: ignore[untyped-decorator,unused-ignore]
def _jsd_and_slope(p, remainder, p_log_p, share, v):  # type: ignore[no-untyped-def]
    q = share * v
    log_middle = log2(tl.maximum((p + q) / 2, SMALLEST))
    step = log2(tl.maximum(q, SMALLEST)) - log_middle
    q_rest = 1.0 - v
    log_middle_rest = tl.log2(tl.maximum((remainder + q_rest) / 2, SMALLEST))
    step_rest = tl.log2(tl.maximum(q_rest, SMALLEST)) - log_middle_rest
    of_p = p_log_p - tl.sum(p * log_middle, 0) - remainder * log_middle_rest
    of_q = tl.sum(q * step, 0) + q_rest * step_rest
    slope = tl.sum(share * step, 0) - step_rest
    return (of_p + of_q) / 2, slope / 2
