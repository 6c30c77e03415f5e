"""Gamma: what reading one context token for one decoded token costs, in prefilled tokens.

    gamma = 2 * layers * d_model * HOI / active_params * kv_heads / query_heads    section 3.3
    HOI   = peak FLOP/s / peak bytes/s                                        appendix A.2

Source: Beyond Accuracy (arXiv 2604.05404), section 3.3 and appendix A; `measures.pte` has the rest
of the paper and these functions too.

Errata: Qwen2.5-32B's head ratio is printed 1/2, its gamma needs 1/5; of DeepSeek's latent cache one
vector serves as key and value, so the factor 2 falls away; H200's HOI is printed 348.1 for
1617 / 4.80 = 336.9, and RTX 4090's 327.4 for 330 / 1.00 = 330.
"""

from typing import Literal, Protocol

Form = Literal["paper", "width"]
"""`paper`: d_model * kv / q as the width of the cache · `width`: kv_heads * head_dim, as it is."""


class Shape(Protocol):
    """What gamma needs to know of a model: `cost.shape.Architecture` is one."""

    @property
    def paper_numbers(self) -> float: ...
    @property
    def growing_numbers(self) -> float: ...
    @property
    def active_params(self) -> float: ...
    @property
    def published_active_params(self) -> float | None: ...


def hoi(peak_flops: float, peak_bytes_per_second: float) -> float:
    """Hardware operational intensity, FLOPs per byte: the ridge of the roofline (appendix A.2).

    >>> hoi(1513e12, 2.0e12)  # H100 PCIe
    756.5
    """
    return peak_flops / peak_bytes_per_second


def count_numbers(layers: int, d_model: int, kv_heads: int, query_heads: int) -> float:
    """Cached numbers that one decoded token reads for each token of its context, by the paper:
    2 * layers * d_model * kv_heads / query_heads (section 3.3).

    >>> count_numbers(64, 5120, 8, 64)  # Qwen3-32B
    81920.0
    """
    return 2 * layers * d_model * kv_heads / query_heads


def count_numbers_by_width(layers: int, kv_heads: int, head_dim: int) -> int:
    """The same from the real width of the cache: 2 * layers * kv_heads * head_dim.

    >>> count_numbers_by_width(64, 8, 128)  # Qwen3-32B: its heads are wider than d_model / q
    131072
    """
    return 2 * layers * kv_heads * head_dim


def count_latent_numbers(layers: int, latent_dim: int, rope_dim: int) -> int:
    """The same with multi-head latent attention: layers * (latent + rope). The paper keeps its
    factor 2, although one vector serves as key and value.

    >>> count_latent_numbers(61, 512, 64)  # DeepSeek-V3.1
    35136
    """
    return layers * (latent_dim + rope_dim)


def gamma(numbers: float, hoi: float, active_params: float) -> float:
    """What reading one context token for one decoded token costs, in prefilled tokens: 16-bit
    numbers moved, at HOI FLOPs a byte, over the 2 * active_params FLOPs of a prefilled token.

    >>> round(gamma(81920, 756.5, 31.2e9), 6)  # Qwen3-32B on the H100; printed 0.00200
    0.001986
    """
    return numbers * hoi / active_params


def gamma_of(shape: Shape, hoi: float, form: Form = "paper") -> float:
    """Gamma of a model: by the paper's width and its published active parameters, or by the real
    width and active parameters without embeddings."""
    if form == "width":
        return gamma(shape.growing_numbers, hoi, shape.active_params)
    return gamma(shape.paper_numbers, hoi, shape.published_active_params or shape.active_params)
