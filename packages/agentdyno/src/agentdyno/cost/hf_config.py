"""Turns a Hugging Face `config.json` into an `Architecture`, or refuses it.

Takes a path, a folder or a decoded object, returns an architecture. It knows no registry. Types of
models that are known to follow one of the layouts here are read from their numbers; every other
type is built and watched where a package that can do so is installed (`config_walk`), and refused
where none is: a layout that is guessed gives wrong figures without a sign of it.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from agentdyno.cost.config_reader import ConfigReader, read_config
from agentdyno.cost.config_walk import walk_config
from agentdyno.cost.parameter_count import count_parameters, is_tied
from agentdyno.cost.shape import Architecture
from agentdyno.records import InputError, printable

MOST_LAYERS = 10_000
"""No model comes near this; a larger count is a broken or hostile file."""

UNDERSTOOD = frozenset(
    {
        "cohere", "cohere2", "deepseek_v3", "deepseek_v32", "gemma", "gemma2", "gemma3",
        "gemma3_text", "glm", "glm4", "glm4_moe", "gpt_oss", "granite", "kimi_k2", "llama",
        "llama4", "llama4_text", "minimax_m2", "ministral", "mistral", "mixtral", "nemotron",
        "olmo", "olmo2", "olmo3", "olmoe", "phi3", "qwen2", "qwen2_moe", "qwen3", "qwen3_moe",
        "seed_oss", "smollm3", "starcoder2",
    }
)  # fmt: skip
"""Types of models whose numbers are enough. `bench/walk_architectures.py --check` builds each, and
fails where this reading and the model differ."""

_WINDOWED = frozenset({"sliding_attention", "chunked_attention", "local_attention", "local"})
_FULL = frozenset({"full_attention", "global_attention", "attention", "global", "full"})
# Every other layer has a window in these, when the file does not say which.
_ALTERNATING = frozenset({"gemma2", "gpt_oss"})
# The window is in the file but off unless `use_sliding_window` says otherwise.
_OFF_BY_DEFAULT = ("qwen2", "qwen3")


class _Layout(Struct, frozen=True):
    """Numbers of layers by how much of the context they read."""

    full: int
    windowed: int = 0
    window: int = 0
    chunked: bool = False


def architecture_from_config(config: Path | str | Mapping[str, Any]) -> Architecture:
    reader = read_config(config)
    named = reader.model_type if isinstance(config, Mapping) else _name_of(config)
    if reader.model_type not in UNDERSTOOD:
        return replace(walk_config(reader), name=named)
    hidden, heads = reader.required("hidden_size"), reader.required("num_attention_heads")
    layout = _layout(reader)
    count = count_parameters(reader)
    latent = reader.optional("kv_lora_rank") or None
    sparse = _read_sparse(reader) if latent and reader.optional("index_topk") else {}
    return Architecture(
        name=named,
        family=reader.model_type,
        layers=reader.required("num_hidden_layers"),
        full_attention_layers=layout.full,
        window_layers=layout.windowed,
        window_tokens=layout.window,
        chunked=layout.chunked,
        hidden_size=hidden,
        query_heads=heads,
        kv_heads=reader.optional("num_key_value_heads") or heads,
        head_dim=_head_dim(reader, hidden, heads),
        latent_dim=latent,
        rope_dim=reader.required("qk_rope_head_dim") if latent else None,
        active_params=count.active,
        published_active_params=count.published,
        total_params=count.total,
        vocabulary=reader.required("vocab_size"),
        tied_embeddings=is_tied(reader),
        experts=count.experts,
        experts_per_token=count.experts_per_token,
        precision=reader.precision,
        source=f"{reader.label}; active counted",
        **sparse,
    )


def _read_sparse(config: ConfigReader) -> dict[str, Any]:
    """DeepSeek V3.2: every layer keeps all tokens and a key of each, by which it picks what it
    reads."""
    layers, index = config.required("num_hidden_layers"), config.required("index_head_dim")
    latent = config.required("kv_lora_rank") + config.required("qk_rope_head_dim")
    return {
        "index_dim": index,
        "kept_numbers": layers * (latent + index),
        "kept_window_numbers": 0,
        "full_pair_flops": 2.0 * layers * config.required("index_n_heads") * (index + 1),
    }


def _head_dim(config: ConfigReader, hidden: int, heads: int) -> int:
    # A latent cache is read through heads of their own width; 'head_dim' is its rotary part there.
    latent = config.optional("kv_lora_rank") and config.optional("v_head_dim")
    width = latent or config.optional("head_dim") or hidden // heads
    if width == 0:
        raise InputError(
            f"{config.label}: expected 'hidden_size' of at least 'num_attention_heads', "
            f"found {hidden} and {heads}."
        )
    return width


def _name_of(path: Path | str) -> str:
    full_path = Path(path)
    return full_path.resolve().parent.name if full_path.name == "config.json" else full_path.stem


def _layout(config: ConfigReader) -> _Layout:
    layers = config.required("num_hidden_layers")
    if layers > MOST_LAYERS:
        raise InputError(
            f"{config.label}: expected at most {MOST_LAYERS} at 'num_hidden_layers', "
            f"found {layers}."
        )
    topk = config.optional("index_topk")
    if topk and config.optional("kv_lora_rank"):
        return _Layout(full=0, windowed=layers, window=topk)
    if config.items("layer_types"):
        return _list(config, layers)
    if config.optional("attention_chunk_size"):
        return _read_chunks(config, layers)
    return _read_sliding(config, layers)


def _list(config: ConfigReader, layers: int) -> _Layout:
    """The file names each layer's kind."""
    kinds = config.items("layer_types") or []
    if len(kinds) < layers:
        raise InputError(
            f"{config.label}: expected {layers} entries at 'layer_types', found {len(kinds)}."
        )
    supported = _FULL | _WINDOWED
    unknown = next((k for k in kinds if not isinstance(k, str) or k not in supported), None)
    if unknown is not None:
        raise InputError(
            f"{config.label}: expected full, sliding or chunked attention at 'layer_types', "
            f"found {printable(repr(unknown), 40)}."
        )
    full = sum(1 for kind in kinds[:layers] if kind in _FULL)
    windowed = sum(1 for kind in kinds[:layers] if kind in _WINDOWED)
    window = config.first("sliding_window", "attention_chunk_size") if windowed else 0
    if windowed and not window:
        raise InputError(
            f"{config.label}: expected a window at 'sliding_window' for {windowed} layers of "
            "'layer_types', found nothing."
        )
    chunked = "chunked_attention" in kinds
    return _Layout(full, windowed, window or 0, chunked)


def _read_chunks(config: ConfigReader, layers: int) -> _Layout:
    """Llama 4: layers without rotary positions see everything, the others one chunk."""
    marks = config.items("no_rope_layers")
    interval = config.optional("no_rope_layer_interval") or 4
    full = sum(1 for mark in marks[:layers] if mark == 0) if marks else layers // interval
    return _Layout(full, layers - full, config.required("attention_chunk_size"), chunked=True)


def _read_sliding(config: ConfigReader, layers: int) -> _Layout:
    window = config.optional("sliding_window")
    default = not config.model_type.startswith(_OFF_BY_DEFAULT)
    if not window or not config.flag("use_sliding_window", default):
        return _Layout(full=layers)
    pattern = config.first("sliding_window_pattern", "_sliding_window_pattern")
    if pattern is None and config.model_type in _ALTERNATING:
        pattern = 2
    if pattern:
        full = layers // pattern
    elif not default:
        full = min(config.optional("max_window_layers") or 0, layers)
    else:
        full = 0
    return _Layout(full, layers - full, window)
