"""Whether the fast path, the profile path and float64 agree, over real and adversarial states.

Takes states in any type on any device, returns how many labels differ. Real states are a model's
own; adversarial ones are brought to the threshold by bisection, as near as the type lets them, with
logits of about 20 and of about 400. Part of `depth_gpu.py`.
"""

import math
import time
from collections.abc import Iterable
from typing import Any

import torch
from depth_reference import reference_labels

from agentdyno_depth.probes.distances import profile_block
from agentdyno_depth.probes.fast import deep_labels, exact_distances
from agentdyno_depth.probes.readout import Readout
from agentdyno_depth.probes.recording import StateBlock
from agentdyno_depth.records.depth import Thresholds, Work, deep_tokens

Tensor = torch.Tensor
TYPES = (torch.float32, torch.bfloat16, torch.float16)
NINE = [Thresholds(g, rho) for g in (0.25, 0.5, 0.75) for rho in (0.8, 0.85, 0.9)]
REFERENCE_BYTES = 2**32
"""What one piece of the reference's float64 logits may take."""


def agreement(
    blocks: Iterable[Tensor], readout: Readout, pairs: list[Thresholds], until: float = math.inf
) -> dict[str, Any]:
    """Labels of the two paths unlike float64's, over the blocks of states that come in time."""
    found = {"tokens": 0, "fast_unlike_float64": 0, "profile_unlike_float64": 0}
    deep = torch.zeros(len(pairs), dtype=torch.float64)
    work = Work()
    gs = sorted({pair.g for pair in pairs})
    stopped = False
    for states in blocks:
        if time.perf_counter() > until:
            stopped = True
            break
        expected = _reference(states, readout, pairs)
        fast = deep_labels(states, readout, pairs)
        profile, _ = profile_block(as_block(states), readout, ["jsd"], gs)
        read = torch.stack([deep_tokens(profile["jsd"].T, pair) for pair in pairs])
        found["tokens"] += states.shape[1]
        found["fast_unlike_float64"] += int((fast.labels != expected).sum())
        found["profile_unlike_float64"] += int((read != expected).sum())
        deep += expected.sum(1).cpu()
        work += fast.work
    seen = found["tokens"]
    ratios = {
        f"g={p.g} rho={p.rho}": round(float(d) / seen, 4) if seen else None
        for p, d in zip(pairs, deep, strict=True)
    }
    extra = {"resolved_float64": work.resolved_float64, "stopped_by_time": stopped}
    return {**found, "dtr": ratios, **extra}


def _reference(states: Tensor, readout: Readout, pairs: list[Thresholds]) -> Tensor:
    """In pieces: the reference holds whole float64 distributions."""
    size = max(16, REFERENCE_BYTES // (8 * 8 * readout.vocabulary))
    return torch.cat([reference_labels(p, readout, pairs) for p in states.split(size, 1)], 1)


def as_block(states: Tensor) -> StateBlock:
    """States of tokens that nobody asks about."""
    nothing = torch.zeros(states.shape[1], dtype=torch.long, device=states.device)
    return StateBlock(states, nothing, nothing, nothing)


def adversarial(
    dtype: torch.dtype, size: float, rows: int, device: str, steps: int = 40
) -> tuple[Tensor, Readout]:
    """Four layers of which the second's JSD lies as near to 0.5 as the type lets it."""
    width, vocabulary = 64, 1_009
    random = torch.Generator(device).manual_seed(11)

    def normal(*shape: int) -> Tensor:
        return torch.randn(*shape, generator=random, device=device, dtype=torch.float64)

    weight = (normal(vocabulary, width) * size / (3.5 * width**0.5 * 3)).to(dtype)
    readout = Readout(norm=lambda x: x, weight=weight)
    last, far = 3 * normal(rows, width), 3 * normal(rows, width)
    low, high = torch.zeros_like(last[:, :1]), torch.ones_like(last[:, :1])
    for _ in range(steps):
        middle = (low + high) / 2
        mixed = (last + middle * (far - last)).to(dtype)
        jsd = exact_distances(readout, mixed, last.to(dtype), 25_000).jsd[:, None]
        high, low = torch.where(jsd > 0.5, middle, high), torch.where(jsd > 0.5, low, middle)
    even = torch.arange(rows, device=device)[:, None] % 2 == 0
    at = torch.where(even, high, low)
    return torch.stack([far, last + at * (far - last), far, last]).to(dtype), readout


def adversarial_agreement(rows: int, device: str) -> dict[str, Any]:
    """Every type and size, on the device and on the processor."""
    found: dict[str, Any] = {}
    pair = [Thresholds(0.5, 0.75)]
    for dtype in TYPES:
        for size in (20.0, 400.0):
            states, readout = adversarial(dtype, size, rows // 2, device)
            for where in dict.fromkeys((device, "cpu")):
                here = Readout(norm=readout.norm, weight=readout.weight.to(where))
                pieces = states.to(where).split(10_000, 1)
                name = f"{str(dtype).removeprefix('torch.')}, logits of {size:g}, {where}"
                found[name] = agreement(pieces, here, pair)
    return found
