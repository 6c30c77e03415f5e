"""How long one step of a serving engine takes: the parameters of the physical cost.

Takes an architecture and either a machine's data sheet or measured points; returns a `StepModel`.
It knows nothing of trajectories or of schedules.

A step computes T tokens at once, prefilled and decoded ones together. It takes

    seconds(T) = curve(T) + read * cached numbers read + attend * attention FLOPs of the prefill

where the curve holds what all tokens of the step share (weights, launches) and, once there are
many, what each token computes. By theory

    curve(T) = step + layer * layers + max(weights(T) / bandwidth, FLOPs(T) / peak)

with weights(T) the bytes that T tokens touch (a mixture touches more experts, the more tokens) and
both peaks at the share of them that engines reach. A step that decodes alone adds bookkeeping for
each sequence; one that prefills takes at least what the host needs to launch it, which is much more
for sizes that the engine did not record. Worked, Qwen2.5-7B on an H200 (4.8e12 bytes per second at
0.80, no other costs): (6.53e9 + 0.545e9) * 2 / 3.84e12 = 3.7 ms for one token.
"""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from agentdyno.cost.columns import Floats
from agentdyno.cost.gamma import sum_chunked_pairs, sum_grown_pairs
from agentdyno.cost.hardware import Hardware
from agentdyno.cost.shape import BYTES_PER_NUMBER, Architecture
from agentdyno.cost.step_model import Efficiency, StepModel

__all__ = [
    "GRID",
    "Efficiency",
    "StepModel",
    "numbers_read",
    "points",
    "prefill_flops",
    "theoretical_steps",
]

Numbers = TypeVar("Numbers", float, Floats)
"""One number, or an array of them."""
GRID = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384)
"""Tokens of a step at which a theoretical curve is laid down."""
FEW_TOKENS = 16
"""Tokens of a step up to which products in 8 bits read weights as fast as others."""
EXPERT_PARAMS = 4.7e6, 176e6
"""Parameters of one expert in one layer: a small one and a large one, both measured. Products of
small ones reach less of the peak; between them it is interpolated over the logarithms."""
PCIE_BYTES_PER_SECOND = 32e9
"""A slot of PCIe 4 with 16 lanes, one way: where a card's link is not known."""


def theoretical_steps(
    architecture: Architecture,
    hardware: Hardware,
    efficiency: Efficiency | None = None,
    gpus: int = 1,
) -> StepModel:
    """The parameters by data sheet: architecture, dense peak, bandwidth and the shares reached.

    With several cards every layer is divided among them and joined twice (tensor parallelism).
    """
    reached = efficiency or Efficiency()
    peak = _peak(hardware) * gpus
    sequence = reached.seat_seconds + reached.cache_group_seconds * architecture.cache_groups
    jump = reached.recorded_tokens, reached.recorded_tokens + 1
    busy = {t: _busy_seconds(architecture, hardware, reached, gpus, t) for t in (*GRID, *jump)}
    reading = hardware.peak_bytes_per_second * reached.cache_bandwidth
    return StepModel(
        tokens=tuple(float(t) for t in GRID),
        seconds=tuple(busy[t] + sequence * t for t in GRID),
        read_seconds=architecture.cache_number_bytes / reading / architecture.cache_split(gpus),
        attend_seconds=1 / (peak * reached.attention_flops),
        request_seconds=reached.request_seconds,
        send_seconds=reached.send_seconds,
        send_token_seconds=reached.send_token_seconds,
        mixed_tokens=tuple(float(t) for t in sorted(busy)),
        mixed_seconds=tuple(
            max(busy[t], _launch_seconds(architecture, reached, t)) for t in sorted(busy)
        ),
        sequence_seconds=sequence,
    )


def _busy_seconds(
    architecture: Architecture, hardware: Hardware, reached: Efficiency, gpus: int, tokens: int
) -> float:
    """Card time of a step over so many tokens: weights are read while others compute."""
    fixed = reached.step_seconds + reached.layer_seconds * architecture.layers
    if architecture.routed_params:
        fixed += reached.expert_layer_seconds * architecture.layers
    share, peak = reached.bandwidth, _peak(hardware) * gpus
    if architecture.precision.compute <= 8:
        blocks = architecture.precision.blocks
        layer = reached.block_layer_seconds if blocks else reached.eight_bit_layer_seconds
        fixed += layer * architecture.layers
        flops = reached.block_flops if blocks else reached.eight_bit_flops
        peak *= hardware.eight_bit_speed * flops / reached.flops
        if blocks:
            share = reached.block_bandwidth
        elif tokens > FEW_TOKENS:
            share = reached.eight_bit_bandwidth
    reading = architecture.step_bytes(tokens) / (hardware.peak_bytes_per_second * share * gpus)
    passed = architecture.layers * architecture.hidden_size * reached.passed_numbers
    passing = passed * BYTES_PER_NUMBER / (hardware.peak_bytes_per_second * gpus)
    computing = (_compute_seconds(architecture, peak, reached) + passing) * tokens
    joining = _join_seconds(architecture, hardware, reached, gpus, tokens)
    return fixed + joining + max(reading, computing)


def _join_seconds(
    architecture: Architecture, hardware: Hardware, reached: Efficiency, gpus: int, tokens: int
) -> float:
    """Two sums over all cards in every layer, each card sending its part round."""
    if gpus == 1:
        return 0.0
    sent = 2 * (gpus - 1) / gpus * tokens * architecture.hidden_size * BYTES_PER_NUMBER
    link = hardware.link_bytes_per_second or PCIE_BYTES_PER_SECOND
    return 2 * architecture.layers * (reached.join_seconds + sent / link)


def _peak(hardware: Hardware) -> float:
    return hardware.dense_peak_flops or hardware.peak_flops


def _launch_seconds(architecture: Architecture, reached: Efficiency, tokens: int) -> float:
    """Host time to start a step with a prefill; the card waits for it."""
    if tokens <= reached.recorded_tokens:
        layer = reached.prefill_layer_seconds
    else:
        routing = reached.launched_expert_seconds if architecture.routed_params else 0.0
        layer = reached.launched_layer_seconds + routing
    return reached.prefill_seconds + layer * architecture.layers


def _compute_seconds(architecture: Architecture, peak: float, reached: Efficiency) -> float:
    """Seconds that one more prefilled token computes."""
    share = architecture.experts_per_token / architecture.experts if architecture.experts else 0.0
    routed = architecture.routed_params * share
    dense = architecture.active_params - routed
    if not routed:
        return 2 * dense / (peak * reached.flops)
    expert_params = architecture.routed_params / (architecture.experts * architecture.layers)
    shares = reached.expert_flops, reached.large_expert_flops
    experts = float(np.interp(np.log(expert_params), np.log(EXPERT_PARAMS), shares))
    return 2 * dense / (peak * reached.flops) + 2 * routed / (peak * experts)


def numbers_read(architecture: Architecture, context: Numbers, decode: Numbers) -> Numbers:
    """Cached numbers that decoding reads: token by token, each layer kind up to its window."""
    full = architecture.growing_numbers * _pairs(context, decode)
    full = full + architecture.state_numbers * decode
    if not architecture.windowed_numbers:
        return full
    return full + architecture.windowed_numbers * _window_pairs(architecture, context, decode)


def prefill_flops(architecture: Architecture, new: Numbers, context: Numbers) -> Numbers:
    """Attention FLOPs of prefilling the last `new` tokens of a context, windows capped."""
    start = context - new
    flops = architecture.full_attention_flops * _pairs(start, new)
    if architecture.window_layers:
        inside = _window_pairs(architecture, start, new)
        flops = flops + architecture.window_attention_flops * inside
    return flops


def _pairs(context: Numbers, decode: Numbers) -> Numbers:
    return context * decode + decode * (decode - 1) / 2


def _window_pairs(architecture: Architecture, context: Numbers, decode: Numbers) -> Numbers:
    total = sum_chunked_pairs if architecture.chunked else sum_grown_pairs
    window = np.asarray(architecture.window_tokens)
    pairs = total(np.asarray(context), np.asarray(decode), window)
    return float(pairs) if isinstance(context, float | int) else pairs


def points(rows: Sequence[tuple[float, float]]) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """A curve's two columns from its points, by increasing tokens and never falling."""
    ordered = sorted(rows)
    heights = np.maximum.accumulate([seconds for _, seconds in ordered])
    return tuple(float(t) for t, _ in ordered), tuple(float(s) for s in heights)
