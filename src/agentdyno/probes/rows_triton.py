"""The distances of `rows`, as two fused GPU kernels: one program per row, nothing kept between.

Each reads raw logits in whatever type the product left them, and works in float32. Importing this
needs Triton; `rows` falls back to plain torch without it.
"""

import math
import os
from typing import Any

import torch
import triton
import triton.language as tl

from agentdyno.probes.readout import Readout

Tensor = torch.Tensor

SHAPES = [(1024, 4), (2048, 4), (2048, 8), (4096, 8), (8192, 8), (8192, 16)]
"""Numbers worked on at a time and groups of threads: the fastest is found at the first call."""


def last_rows(readout: Readout, raw: Tensor) -> Any:
    """What is needed of the last layer, in one look at its logits."""
    from agentdyno.probes.rows import LastRows

    raw = raw.contiguous()
    rows, vocabulary = raw.shape
    out = torch.empty(4, rows, device=raw.device, dtype=torch.float32)
    scale, cap, capped = _finish(readout)
    _last_kernel[(rows,)](raw, out, rows, vocabulary, scale, cap, CAPPED=capped)
    log_norm, negative_entropy, mean_logit, peak = out
    return LastRows(raw, None, log_norm, negative_entropy, mean_logit, peak)


def row_distances(
    readout: Readout, raw: Tensor, last: Any, tokens: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """JSD and KL in bits and the peak logit of every row."""
    raw, tokens = raw.contiguous(), tokens.contiguous()
    rows, vocabulary = raw.shape
    out = torch.empty(3, rows, device=raw.device, dtype=torch.float32)
    scale, cap, capped = _finish(readout)
    _distance_kernel[(rows,)](
        raw, last.raw, tokens, last.log_norm, last.negative_entropy, out,
        rows, vocabulary, scale, cap, CAPPED=capped,
    )  # fmt: skip
    return out[0], out[1], out[2]


def _finish(readout: Readout) -> tuple[float, float, bool]:
    """Scale and cap in bits: the kernels use powers of two, which the hardware has."""
    capped = readout.soft_cap is not None
    return readout.scale, readout.soft_cap or 1.0, capped


LOG2E = tl.constexpr(math.log2(math.e))
LN2 = tl.constexpr(math.log(2))
LOWEST = tl.constexpr(-1e30)
# A smaller constant would not be a normal float32, and Triton would make everything float64.
TINY = tl.constexpr(2e-38)


@triton.jit  # type: ignore[untyped-decorator,unused-ignore]
def _bits(raw, scale, cap, CAPPED: tl.constexpr):  # type: ignore[no-untyped-def]
    """Finished logits times log2(e)."""
    x = raw.to(tl.float32) * scale
    if CAPPED:
        x = cap * (1.0 - 2.0 / (tl.exp2(2.0 * LOG2E * x / cap) + 1.0))
    return x * LOG2E


def _tuned() -> Any:
    shapes = SHAPES[:1] if os.environ.get("TRITON_INTERPRET") == "1" else SHAPES
    configs = [triton.Config({"BLOCK": block}, num_warps=warps) for block, warps in shapes]
    return triton.autotune(configs, key=["vocabulary", "CAPPED"])


@_tuned()  # type: ignore[untyped-decorator,unused-ignore]
@triton.jit  # type: ignore[untyped-decorator,unused-ignore]
def _last_kernel(  # type: ignore[no-untyped-def]
    raw_ptr, out_ptr, rows, vocabulary, scale, cap, CAPPED: tl.constexpr, BLOCK: tl.constexpr
):
    row = tl.program_id(0).to(tl.int64)
    lane = tl.arange(0, BLOCK)
    peak = tl.full([BLOCK], LOWEST, tl.float32)
    total = tl.zeros([BLOCK], tl.float32)
    weighted = tl.zeros([BLOCK], tl.float32)
    plain = tl.zeros([BLOCK], tl.float32)
    for start in range(0, vocabulary, BLOCK):
        inside = start + lane < vocabulary
        raw = tl.load(raw_ptr + row * vocabulary + start + lane, mask=inside, other=0.0)
        x = tl.where(inside, _bits(raw, scale, cap, CAPPED), LOWEST)
        plain += tl.where(inside, x, 0.0)
        # One power per number: what is larger becomes the lane's new reference.
        power = tl.exp2(-tl.abs(x - peak))
        higher = x > peak
        # weighted = sum of power * (x - peak)
        weighted = tl.where(
            higher, (weighted + total * (peak - x)) * power, weighted + power * (x - peak)
        )
        total = tl.where(higher, total * power + 1.0, total + power)
        peak = tl.maximum(peak, x)
    top = tl.max(peak, 0)
    shift = tl.exp2(peak - top)
    norm = tl.sum(total * shift, 0)
    # Lanes beyond a short vocabulary still have the lowest reference; their shift is 0.
    mass = tl.sum(tl.where(shift > 0, (weighted + total * (peak - top)) * shift, 0.0), 0)
    log_norm = tl.log2(norm)
    tl.store(out_ptr + row, (top + log_norm) * LN2)
    tl.store(out_ptr + rows + row, (mass / norm - log_norm) * LN2)
    tl.store(out_ptr + 2 * rows + row, tl.sum(plain, 0) / vocabulary * LN2)
    tl.store(out_ptr + 3 * rows + row, top * LN2)


@_tuned()  # type: ignore[untyped-decorator,unused-ignore]
@triton.jit  # type: ignore[untyped-decorator,unused-ignore]
def _distance_kernel(  # type: ignore[no-untyped-def]
    raw_ptr, last_ptr, token_ptr, last_norm_ptr, last_entropy_ptr, out_ptr,
    rows, vocabulary, scale, cap, CAPPED: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    row = tl.program_id(0).to(tl.int64)
    token = tl.load(token_ptr + row).to(tl.int64)
    lane = tl.arange(0, BLOCK)
    peak = tl.full([BLOCK], LOWEST, tl.float32)
    total = tl.zeros([BLOCK], tl.float32)
    for start in range(0, vocabulary, BLOCK):
        inside = start + lane < vocabulary
        raw = tl.load(raw_ptr + row * vocabulary + start + lane, mask=inside, other=0.0)
        x = tl.where(inside, _bits(raw, scale, cap, CAPPED), LOWEST)
        power = tl.exp2(-tl.abs(x - peak))
        total = tl.where(x > peak, total * power + 1.0, total + power)
        peak = tl.maximum(peak, x)
    top = tl.max(peak, 0)
    log_norm = top + tl.log2(tl.sum(total * tl.exp2(peak - top), 0))
    last_norm = tl.load(last_norm_ptr + token) * LOG2E
    # t log t and q log q are summed as one difference, lane by lane: fewer registers.
    mixed = tl.zeros([BLOCK], tl.float32)
    cross = tl.zeros([BLOCK], tl.float32)
    for start in range(0, vocabulary, BLOCK):
        inside = start + lane < vocabulary
        raw = tl.load(raw_ptr + row * vocabulary + start + lane, mask=inside, other=0.0)
        raw_last = tl.load(last_ptr + token * vocabulary + start + lane, mask=inside, other=0.0)
        log_q = _bits(raw, scale, cap, CAPPED) - log_norm
        q = tl.exp2(log_q)
        p = tl.exp2(_bits(raw_last, scale, cap, CAPPED) - last_norm)
        t = p + q
        mixed += tl.where(inside, q * log_q - t * tl.log2(tl.maximum(t, TINY)), 0.0)
        cross += tl.where(inside, p * log_q, 0.0)
    p_log_p = tl.load(last_entropy_ptr + token) * LOG2E
    tl.store(out_ptr + row, 1.0 + 0.5 * (p_log_p + tl.sum(mixed, 0)))
    tl.store(out_ptr + rows + row, p_log_p - tl.sum(cross, 0))
    tl.store(out_ptr + 2 * rows + row, top * LN2)
