"""How many bits a model's weights and its cache have, by the `quantization_config` of its config.

Takes a decoded config, returns `Precision`. It knows nothing of shapes or of cards. Scales and zero
points count: a group of 128 weights of 4 bits with a scale of 16 bits and a zero point of 4 has
4 + 20 / 128 = 4.16 bits a weight; MXFP4 shares a scale of 8 bits among 32, 4.25 bits; NVFP4 one
among 16, 4.5 bits. A method that is not known here is refused, never taken for 16 bits.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from agentdyno.records import InputError, printable

HALF = 16.0


class Precision(Struct, frozen=True, forbid_unknown_fields=True):
    """Bits of a model's numbers, as they lie in memory."""

    method: str = "none"
    """How it is quantised, in the config's word."""
    weights: float = HALF
    """Bits of one weight of its layers, scales included; embeddings and head keep 16."""
    experts: float | None = None
    """Bits of one weight of a routed expert; None: as `weights`."""
    cache: float = HALF
    """Bits of one cached number."""
    compute: int = 16
    """Bits of the products: 8 where activations are quantised too, which some cards do faster."""
    blocks: bool = False
    """True when weights have a scale for each block, as Qwen's and DeepSeek's 8-bit releases."""

    @property
    def expert_bits(self) -> float:
        """Bits of one weight of a routed expert."""
        return self.weights if self.experts is None else self.experts

    @property
    def narrowest(self) -> int:
        """16, 8 or 4: the bits of its narrowest weights, rounded down."""
        bits = min(self.weights, self.expert_bits)
        return 4 if bits < 8 else 8 if bits < 16 else 16


FULL = Precision()
"""16 bits throughout."""


def read_precision(config: Mapping[str, Any], label: str) -> Precision:
    """The precision that a config states; 16 bits where it states none."""
    section = config.get("quantization_config") or config.get("compression_config")
    if not isinstance(section, Mapping):
        return FULL
    method = str(section.get("quant_method", "")).lower().replace("_", "-")
    reader = _METHODS.get(method)
    if reader is None:
        raise InputError(
            f"{label}: expected a known 'quant_method' ({', '.join(sorted(_METHODS))}), found "
            f"'{printable(method, 40)}'. Remove 'quantization_config' to count 16 bits."
        )
    return reader(section, method)


def _read_fp8(section: Mapping[str, Any], method: str) -> Precision:
    blocks = bool(section.get("weight_block_size"))
    return Precision(method, weights=8.0, compute=8, blocks=blocks)


def _read_mxfp4(section: Mapping[str, Any], method: str) -> Precision:
    """GPT-OSS: the routed experts alone, products in 16 bits."""
    return Precision(method, experts=4.25)


def _read_groups(section: Mapping[str, Any], method: str) -> Precision:
    """AWQ and GPTQ: a scale and a zero point for each group of weights."""
    bits = _number(section.get("bits", section.get("w_bit")), 4.0)
    group = _number(section.get("group_size", section.get("q_group_size")), 128.0)
    return Precision(method, weights=_with_scales(bits, group, HALF + bits))


def _read_compressed(section: Mapping[str, Any], method: str) -> Precision:
    groups = section.get("config_groups")
    group = next(iter(groups.values()), None) if isinstance(groups, Mapping) else None
    first: Mapping[str, Any] = group if isinstance(group, Mapping) else {}
    weights, inputs = first.get("weights"), first.get("input_activations")
    if not isinstance(weights, Mapping):
        return Precision(method, cache=_cache_bits(section))
    bits = _number(weights.get("num_bits"), HALF)
    scaled = _with_scales(bits, _number(weights.get("group_size"), 0.0), HALF)
    eight = isinstance(inputs, Mapping) and _number(inputs.get("num_bits"), HALF) <= 8
    return Precision(method, scaled, cache=_cache_bits(section), compute=8 if eight else 16)


def _read_modelopt(section: Mapping[str, Any], method: str) -> Precision:
    algorithm = str(section.get("quant_algo", "FP8")).upper()
    bits = 4.5 if "FP4" in algorithm else 8.0
    return Precision(method, bits, cache=_cache_bits(section), compute=8)


def _read_bitsandbytes(section: Mapping[str, Any], method: str) -> Precision:
    return Precision(method, weights=4.5 if section.get("load_in_4bit") else 8.0)


def _cache_bits(section: Mapping[str, Any]) -> float:
    scheme = section.get("kv_cache_scheme") or section.get("kv_cache_quant_algo")
    if isinstance(scheme, Mapping):
        return _number(scheme.get("num_bits"), HALF)
    return 8.0 if isinstance(scheme, str) and "8" in scheme else HALF


def _with_scales(bits: float, group: float, scale_bits: float) -> float:
    return bits + (scale_bits / group if group > 0 else 0.0)


def _number(value: object, otherwise: float) -> float:
    plain = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if plain else otherwise  # type: ignore[arg-type]


_METHODS = {
    "fp8": _read_fp8,
    "fbgemm-fp8": _read_fp8,
    "mxfp4": _read_mxfp4,
    "awq": _read_groups,
    "gptq": _read_groups,
    "compressed-tensors": _read_compressed,
    "modelopt": _read_modelopt,
    "bitsandbytes": _read_bitsandbytes,
}
