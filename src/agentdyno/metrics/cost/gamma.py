"""Gamma: what reading one context token for one decoded token costs, in prefilled tokens.

Enters: an architecture and a hardware. Leaves: `Gamma`. It knows nothing of trajectories.

A prefilled token computes 2 * active_params FLOPs; a decoded token moves 2 bytes for each cached
number it reads, and a byte is worth HOI FLOPs. So

    gamma = 2 * numbers * HOI / (2 * active_params) = numbers * HOI / active_params

with numbers = 2 * layers * kv_heads * head_dim, or layers * (latent + rope) where one latent vector
serves as key and value (PTE paper, section 3.3; its printed formula counts the latent twice).
Worked: Qwen3-32B on the H100 PCIe: 131,072 * 756.5 / 31.2e9 = 0.003178. The paper's form, with
d_model * kv / q = 640 for the width instead of 1,024: 81,920 * 756.5 / 31.2e9 = 0.001986.

Layers with a window stop growing. A token decoded at context c costs

    value * c + window_value * min(c, window_tokens)

and only the first term, the bilinear one, is `gamma` where a single number is asked for.
Worked: GPT-OSS-120B, 18 full layers and 18 of window 128, reads 18,432 numbers of either kind per
token, 0.002734 each; at 10,000 tokens of context a decoded token costs 27.34 + 0.35.
"""

from typing import Literal

from msgspec import Struct

from agentdyno.metrics.cost.hardware import Hardware
from agentdyno.metrics.cost.shape import Architecture

GammaSource = Literal["model", "proxy", "user", "measured"]
"""`model`: its own, by its name · `proxy`: a stand-in · `user`: given · `measured`: on hardware."""


class Gamma(Struct, frozen=True):
    """The cost of reading the cache, and how we know."""

    value: float
    """Prefilled tokens per pair of context and decoded token, over the layers without a window."""
    source: GammaSource
    """Where the architecture came from."""
    window_value: float = 0.0
    """The same over the layers with a window, for context inside it; 0 without such layers."""
    window_tokens: int = 0
    """The window; 0 without such layers."""


def gamma(architecture: Architecture, hardware: Hardware, source: GammaSource = "model") -> Gamma:
    """Gamma from the real width of the cache."""
    per_number = hardware.hoi / architecture.active_params
    return Gamma(
        value=architecture.growing_numbers * per_number,
        source=source,
        window_value=architecture.windowed_numbers * per_number,
        window_tokens=architecture.window_tokens,
    )


def gamma_paper(architecture: Architecture, hardware: Hardware) -> float:
    """Gamma by the paper's formula, to compare with its tables: no windows, `d_model * kv / q`."""
    return architecture.paper_numbers * hardware.hoi / architecture.active_params


def decode_cost(gamma: Gamma, context_tokens: int) -> float:
    """What one token decoded over this context costs, in prefilled tokens, windows included."""
    return gamma.value * context_tokens + windowed_cost(gamma, context_tokens)


def windowed_cost(gamma: Gamma, context_tokens: int) -> float:
    """The part that the layers with a window cause: constant once the context fills the window."""
    return gamma.window_value * min(context_tokens, gamma.window_tokens)
