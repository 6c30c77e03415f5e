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

from agentdyno_depth.probes.readout import Readout

Tensor = torch.Tensor

SHAPES = [(1024, 4), (2048, 8), (4096, 8), (8192, 8), (8192, 16), (4096, 32), (8192, 32)]
"""Numbers worked on at a time and groups of threads: the fastest is found at the first call. With
many threads a row, few rows are under way at a time and their second look finds them in cache."""


def last_row_sums(readout: Readout, raw: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Log of the normaliser, sum of p log p, mean and peak logit of every row, in one look."""
    raw = raw.contiguous()
    rows, vocabulary = raw.shape
    out = torch.empty(4, rows, device=raw.device, dtype=torch.float32)
    scale, cap, capped = _finish(readout)
    _last_kernel[(rows,)](raw, out, rows, vocabulary, scale, cap, CAPPED=capped)
    return out[0], out[1], out[2], out[3]


def row_distances(
    readout: Readout, raw: Tensor, last: Any, tokens: Tensor, with_kl: bool = True
) -> tuple[Tensor, Tensor, Tensor]:
    """JSD and KL in bits (which means nothing where unwanted) and the peak logit of every row."""
    raw, tokens = raw.contiguous(), tokens.contiguous()
    rows, vocabulary = raw.shape
    out = torch.empty(3, rows, device=raw.device, dtype=torch.float32)
    scale, cap, capped = _finish(readout)
    _distance_kernel[(rows,)](
        raw, last.raw, tokens, last.log_norm, last.negative_entropy, out,
        rows, vocabulary, scale, cap, CAPPED=capped, WITH_KL=with_kl,
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
INTERPRETED = tl.constexpr(os.environ.get("TRITON_INTERPRET") == "1")


@triton.jit  # type: ignore[untyped-decorator,unused-ignore]
def exp2(x):  # type: ignore[no-untyped-def]
    """One instruction; numbers below the smallest normal float32 become 0."""
    if INTERPRETED:
        return tl.exp2(x)
    else:
        return tl.inline_asm_elementwise(
            "ex2.approx.ftz.f32 $0, $1;", "=f,f", [x], dtype=tl.float32, is_pure=True, pack=1
        )


@triton.jit  # type: ignore[untyped-decorator,unused-ignore]
def log2(x):  # type: ignore[no-untyped-def]
    """One instruction, for normal numbers above 0."""
    if INTERPRETED:
        return tl.log2(x)
    else:
        return tl.inline_asm_elementwise(
            "lg2.approx.ftz.f32 $0, $1;", "=f,f", [x], dtype=tl.float32, is_pure=True, pack=1
        )


@triton.jit  # type: ignore[untyped-decorator,unused-ignore]
def _bits(raw, scale, cap, CAPPED: tl.constexpr):  # type: ignore[no-untyped-def]
    """Finished logits times log2(e)."""
    if CAPPED:
        x = raw.to(tl.float32) * scale
        return cap * LOG2E * (1.0 - 2.0 / (exp2(2.0 * LOG2E * x / cap) + 1.0))
    else:
        return raw.to(tl.float32) * (scale * LOG2E)


def _tune(*keys: str) -> Any:
    shapes = SHAPES[:1] if INTERPRETED.value else SHAPES
    configs = [triton.Config({"BLOCK": block}, num_warps=warps) for block, warps in shapes]
    return triton.autotune(configs, key=["vocabulary", "CAPPED", *keys])


@triton.jit  # type: ignore[untyped-decorator,unused-ignore]
def _block(  # type: ignore[no-untyped-def]
    ptr, start, lane, vocabulary, scale, cap,
    CAPPED: tl.constexpr, WHOLE: tl.constexpr, KEEP: tl.constexpr,
):  # fmt: skip
    """Finished logits of one block; beyond the vocabulary's end they are lowest."""
    if WHOLE:
        return _bits(tl.load(ptr + start + lane, eviction_policy=KEEP), scale, cap, CAPPED)
    else:
        inside = start + lane < vocabulary
        raw = tl.load(ptr + start + lane, mask=inside, other=0.0, eviction_policy=KEEP)
        return tl.where(inside, _bits(raw, scale, cap, CAPPED), LOWEST)


@_tune()  # type: ignore[untyped-decorator,unused-ignore]
@triton.jit  # type: ignore[untyped-decorator,unused-ignore]
def _last_kernel(  # type: ignore[no-untyped-def]
    raw_ptr, out_ptr, rows, vocabulary, scale, cap, CAPPED: tl.constexpr, BLOCK: tl.constexpr
):
    row = tl.program_id(0).to(tl.int64)
    ptr = raw_ptr + row * vocabulary
    lane = tl.arange(0, BLOCK)
    covered = vocabulary // BLOCK * BLOCK
    peak = LOWEST
    total = tl.zeros([BLOCK], tl.float32)
    weighted = tl.zeros([BLOCK], tl.float32)
    plain = tl.zeros([BLOCK], tl.float32)
    for start in range(0, covered, BLOCK):
        x = _block(ptr, start, lane, vocabulary, scale, cap, CAPPED, True, "evict_first")
        plain += x
        peak, total, weighted = _gather(x, peak, total, weighted)
    if covered < vocabulary:
        x = _block(ptr, covered, lane, vocabulary, scale, cap, CAPPED, False, "evict_first")
        plain += tl.where(x > LOWEST, x, 0.0)
        peak, total, weighted = _gather(x, peak, total, weighted)
    norm = tl.sum(total, 0)
    log_norm = tl.log2(norm)
    tl.store(out_ptr + row, (peak + log_norm) * LN2)
    tl.store(out_ptr + rows + row, (tl.sum(weighted, 0) / norm - log_norm) * LN2)
    tl.store(out_ptr + 2 * rows + row, tl.sum(plain, 0) / vocabulary * LN2)
    tl.store(out_ptr + 3 * rows + row, peak * LN2)


@triton.jit  # type: ignore[untyped-decorator,unused-ignore]
def _gather(x, peak, total, weighted):  # type: ignore[no-untyped-def]
    """Sums of 2^(x - peak) and of (x - peak) 2^(x - peak), with the peak of all so far."""
    higher = tl.maximum(peak, tl.max(x, 0))
    # The first block's step from the lowest peak is too large to be multiplied with 0.
    step = tl.maximum(peak - higher, -1e4)
    power = exp2(x - higher)
    weighted = (weighted + total * step) * tl.exp2(step) + power * tl.maximum(x - higher, -1e4)
    return higher, total * tl.exp2(step) + power, weighted


@triton.jit  # type: ignore[untyped-decorator,unused-ignore]
def _log_norm(  # type: ignore[no-untyped-def]
    ptr, lane, vocabulary, scale, cap, CAPPED: tl.constexpr, BLOCK: tl.constexpr
):
    """Binary logarithm of the sum of 2^x, and the peak.

    The first block's peak is the reference: powers reach 2^127 above it. A row that goes further
    is summed again with its own peak, so threads need not agree on a peak on the way.
    """
    first = _block(ptr, 0, lane, vocabulary, scale, cap, CAPPED, False, "")
    reference = tl.max(first, 0)
    peak, total = _sum_exponentials(ptr, reference, lane, vocabulary, scale, cap, CAPPED, BLOCK)
    if peak - reference > 100.0:
        reference = peak
        peak, total = _sum_exponentials(ptr, reference, lane, vocabulary, scale, cap, CAPPED, BLOCK)
    return reference + tl.log2(total), peak


@triton.jit  # type: ignore[untyped-decorator,unused-ignore]
def _sum_exponentials(  # type: ignore[no-untyped-def]
    ptr, reference, lane, vocabulary, scale, cap, CAPPED: tl.constexpr, BLOCK: tl.constexpr
):
    """The peak, and the sum of 2^(x - reference)."""
    covered = vocabulary // BLOCK * BLOCK
    peak = tl.full([BLOCK], LOWEST, tl.float32)
    total = tl.zeros([BLOCK], tl.float32)
    for start in range(0, covered, BLOCK):
        x = _block(ptr, start, lane, vocabulary, scale, cap, CAPPED, True, "")
        peak = tl.maximum(peak, x)
        total += exp2(x - reference)
    if covered < vocabulary:
        x = _block(ptr, covered, lane, vocabulary, scale, cap, CAPPED, False, "")
        peak = tl.maximum(peak, x)
        total += exp2(x - reference)
    return tl.max(peak, 0), tl.sum(total, 0)


@_tune("WITH_KL")  # type: ignore[untyped-decorator,unused-ignore]
@triton.jit  # type: ignore[untyped-decorator,unused-ignore]
def _distance_kernel(  # type: ignore[no-untyped-def]
    raw_ptr, last_ptr, token_ptr, last_norm_ptr, last_entropy_ptr, out_ptr,
    rows, vocabulary, scale, cap,
    CAPPED: tl.constexpr, WITH_KL: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    row = tl.program_id(0).to(tl.int64)
    token = tl.load(token_ptr + row).to(tl.int64)
    ptr, last = raw_ptr + row * vocabulary, last_ptr + token * vocabulary
    lane = tl.arange(0, BLOCK)
    covered = vocabulary // BLOCK * BLOCK
    log_norm, peak = _log_norm(ptr, lane, vocabulary, scale, cap, CAPPED, BLOCK)
    last_norm = tl.load(last_norm_ptr + token) * LOG2E
    mixed = tl.zeros([BLOCK], tl.float32)
    cross = tl.zeros([BLOCK], tl.float32)
    for start in range(0, covered, BLOCK):
        log_q = _block(ptr, start, lane, vocabulary, scale, cap, CAPPED, True, "evict_first")
        log_p = _block(last, start, lane, vocabulary, scale, cap, CAPPED, True, "evict_last")
        mixed, cross = _add_terms(log_p - last_norm, log_q - log_norm, mixed, cross, WITH_KL)
    if covered < vocabulary:
        log_q = _block(ptr, covered, lane, vocabulary, scale, cap, CAPPED, False, "evict_first")
        log_p = _block(last, covered, lane, vocabulary, scale, cap, CAPPED, False, "evict_last")
        mixed, cross = _add_terms(log_p - last_norm, log_q - log_norm, mixed, cross, WITH_KL)
    p_log_p = tl.load(last_entropy_ptr + token) * LOG2E
    tl.store(out_ptr + row, 1.0 + 0.5 * (p_log_p + tl.sum(mixed, 0)))
    if WITH_KL:
        tl.store(out_ptr + rows + row, p_log_p - tl.sum(cross, 0))
    tl.store(out_ptr + 2 * rows + row, peak * LN2)


@triton.jit  # type: ignore[untyped-decorator,unused-ignore]
def _add_terms(log_p, log_q, mixed, cross, WITH_KL: tl.constexpr):  # type: ignore[no-untyped-def]
    """q log q - t log t as one difference, lane by lane: fewer registers; and p log q."""
    q, p = exp2(log_q), exp2(log_p)
    t = p + q
    mixed += q * log_q - t * log2(tl.maximum(t, TINY))
    if WITH_KL:
        cross += p * log_q
    return mixed, cross
