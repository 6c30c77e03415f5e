"""Counts a model by building it: parameters, kinds of layers, cache and states.

Takes a `config.json`, returns an `Architecture`. The model is built with transformers on the meta
device, which has shapes and no memory, and computes a few tokens there (`model_walk`). Parameters
are those of the modules, experts at the share one token uses; cache and states are what the
library keeps after those tokens. Nothing is downloaded and no code of the config's author runs.
Knows no hardware. A cache that is neither growing, windowed nor constant is refused, and so is a
model that keeps something else than what was counted adds up to, or computes something else where
no layer has a state: both are measured at several lengths.
"""

from collections import Counter
from typing import Any

import torch
from msgspec import Struct
from msgspec.structs import replace

from agentdyno.cost.config_reader import LARGEST_VALUE, ConfigReader
from agentdyno.cost.shape import Architecture
from agentdyno.records import InputError, printable
from agentdyno_depth.engines.smollm2 import quiet, require_depth
from agentdyno_depth.probes.model_walk import (
    CHUNK,
    TOKENS,
    Walk,
    Work,
    count_bytes,
    is_experts,
    measure_kept,
    measure_work,
    walk_model,
)

MOST_LAYERS = 1000
"""No model comes near this; building more would take minutes."""
MOST_OFF = 0.02
"""How far the FLOPs of a token may be from two for each active parameter. Layers with a state
compute in scans that say nothing of it: their count is not refused."""
# Repositories whose own code has a class in the library under another name.
_SAME_CLASS = {"kimi_k2": "deepseek_v3", "minimax_m1": "minimax", "minimax_text_01": "minimax"}
# What a file must state, by the names that families have for it.
_STATED = ("num_hidden_layers", "n_layer"), ("hidden_size", "n_embd", "n_embed", "d_model")
# What only decides where a model comes from, how it is stored or which kernel runs.
_IGNORED = ("auto_map", "quantization_config", "attn_implementation", "_attn_implementation",
            "architectures", "dtype", "torch_dtype", "transformers_version", "model_type",
            "use_kernels", "_name_or_path", "experts_implementation")  # fmt: skip
# Tokens that a state-space layer computes at once, shorter prompts padded.
_PIECES = ("chunk_size", "mamba_chunk_size", "block_size")
_CACHES = ("DynamicLayer", "DynamicSlidingWindowLayer", "DynamicIndexedLayer",
           "LinearAttentionLayer", "LinearAttentionAndFullAttentionLayer",
           "LinearAttentionAndSlidingWindowAttentionLayer")  # fmt: skip


class _Cache(Struct, frozen=True):
    """Cache of one layer."""

    numbers: int
    """Numbers of each token; 0 without attention."""
    window: int
    """The most tokens it keeps; 0: all."""
    index: int
    """Numbers of each token by which it picks those that it reads."""
    picks: bool
    """Whether it reads only tokens that it, or a layer before it, picked."""
    state_bytes: int
    """Bytes that do not grow with the sequence."""
    heads: int
    """Heads of its keys; 0 without attention."""
    width: int
    """Numbers of one value of one head; 0 without attention."""


def walk_architecture(config: ConfigReader) -> Architecture:
    """The shape of the model that a config describes; `InputError` where it cannot be told."""
    text = _read_library_config(config)
    try:
        with quiet(require_depth()):
            model = _build(text)
            walk = _walk(config, model)
            piece = max(CHUNK, *(_read(text, name) or 0 for name in _PIECES))
            cache_sizes, work = measure_kept(model), measure_work(model, piece)
        return _describe(config, text, model, walk, cache_sizes, work)
    except InputError:
        raise
    except Exception as error:
        raise _refuse(config, f"{type(error).__name__}: {error}") from None


def _walk(config: ConfigReader, model: Any) -> Walk:
    try:
        return walk_model(model)
    except InputError as error:
        raise _refuse(config, f"one whose parts are others ({error})") from None


def _read_library_config(config: ConfigReader) -> Any:
    """The library's config of the language model in it."""
    transformers = require_depth()
    values = {key: value for key, value in config.decoded.items() if key not in _IGNORED}
    _check_sizes(config, values)
    if isinstance(kinds := values.pop("attn_type_list", None), list):
        values["layer_types"] = ["full_attention" if k else "linear_attention" for k in kinds]
    type_name = str(config.decoded.get("model_type") or config.model_type)
    named = _SAME_CLASS.get(type_name, type_name)
    if named not in transformers.CONFIG_MAPPING:
        version = transformers.__version__
        raise _refuse(config, f"type '{named}', which transformers {version} does not know")
    # The library has a default for each, which is another model's.
    for names in (
        ("num_hidden_layers", "n_layer"),
        ("hidden_size", "n_embd", "n_embed", "d_model"),
    ):
        if config.first(*names) is None:
            config.required(names[0])
    try:
        full_config = transformers.AutoConfig.for_model(named, **values)
        return full_config.get_text_config()
    except Exception as error:
        raise _refuse(config, f"{type(error).__name__}: {error}") from None


def _check_sizes(config: ConfigReader, values: Any) -> None:
    """No dimension of a real model is beyond these; a hostile one would take all memory."""
    if isinstance(values, dict):
        for key, value in values.items():
            most = MOST_LAYERS if "layers" in str(key) else LARGEST_VALUE
            if isinstance(value, int) and not isinstance(value, bool) and value > most:
                raise InputError(f"{config.label}: expected at most {most} at '{key}', found more.")
            _check_sizes(config, value)
    elif isinstance(values, list) and len(values) > MOST_LAYERS:
        raise InputError(f"{config.label}: expected lists of at most {MOST_LAYERS} entries.")
    elif isinstance(values, list):
        for value in values:
            _check_sizes(config, value)


def _build(text: Any) -> Any:
    transformers = require_depth()
    with torch.device("meta"):
        model = transformers.AutoModelForCausalLM.from_config(
            text, attn_implementation="eager", dtype=torch.bfloat16, trust_remote_code=False
        )
    return model.eval()


def _describe(
    config: ConfigReader,
    text: Any,
    model: Any,
    walk: Walk,
    cache_sizes: tuple[float, int],
    work: dict[str, Work],
) -> Architecture:
    own_caches = [_read_cache(config, layer) for layer in walk.caches if not _is_empty(layer)]
    if not any(cache.numbers or cache.state_bytes for cache in own_caches):
        raise _refuse(config, "a model that keeps no cache")
    caches = own_caches + _list_shared(config, text, own_caches)
    full = [cache for cache in caches if cache.numbers and not cache.window and not cache.picks]
    windows = {cache.window for cache in caches if cache.window}
    picking = [cache for cache in caches if cache.picks]
    if len(windows) > 1 or (windows and picking):
        raise _refuse(config, f"layers with several windows: {sorted(windows)}")
    window = next(iter(windows), 0) or (_read(text, "index_topk") or 0 if picking else 0)
    inside = [cache for cache in caches if cache.window or cache.picks]
    kinds = getattr(text, "layer_types", None) or ()
    heads = int(text.num_attention_heads)
    active, idle, routed, total, experts, used = _count_parameters(config, model, walk)
    if experts and "expert" not in str(config.decoded):
        raise _refuse(config, f"a type with experts, {experts} by default, and not how many it has")
    embedding = model.get_input_embeddings().weight
    tied = model.get_output_embeddings().weight is embedding
    latent = _read(text, "kv_lora_rank")
    state = sum(c.state_bytes for c in caches) + walk.other_states
    for_good = sum(c.numbers + c.index for c in own_caches if not c.window)
    in_window = sum(c.numbers for c in own_caches if c.window)
    _check_kept(config, cache_sizes, for_good + in_window, state)
    dense = model.get_output_embeddings().weight.numel() - routed
    active = _choose_active(config, work, (active, active - idle), dense, bool(state))
    shape = Architecture(
        name=config.model_type,
        family=config.model_type,
        layers=len(walk.layers),
        full_attention_layers=len(full),
        window_layers=len(inside),
        window_tokens=window,
        chunked="chunked_attention" in kinds,
        full_numbers=sum(c.numbers for c in full) + sum(c.index for c in picking),
        window_numbers=sum(c.numbers for c in inside),
        state_bytes=state,
        hidden_size=embedding.shape[1],
        query_heads=heads,
        kv_heads=heads if latent else max((c.heads for c in caches), default=0) or heads,
        head_dim=_read(text, "v_head_dim") or max((c.width for c in caches), default=0)
        or embedding.shape[1] // heads,
        latent_dim=latent,
        rope_dim=_read(text, "qk_rope_head_dim") if latent else None,
        active_params=active,
        published_active_params=active + embedding.numel() * (1 if tied else 2),
        total_params=total,
        vocabulary=embedding.shape[0],
        tied_embeddings=tied,
        experts=experts,
        experts_per_token=used,
        precision=config.precision,
        source=f"{config.label}; counted on the model as transformers builds it",
    )  # fmt: skip
    if (for_good, in_window) != (shape.full_numbers, shape.window_numbers):
        shape = replace(shape, kept_numbers=for_good, kept_window_numbers=in_window)
    pairs = _measure_pairs(config, model, walk, caches, work)
    flops = shape.full_attention_flops, shape.window_attention_flops
    if pairs and any(abs(a - b) > MOST_OFF * b for a, b in zip(flops, pairs, strict=True)):
        shape = replace(shape, full_pair_flops=pairs[0], window_pair_flops=pairs[1])
    return shape


def _check_kept(config: ConfigReader, sizes: tuple[float, int], numbers: int, state: int) -> None:
    """Refuse a cache whose size at two lengths differs from the sum of its layers."""
    if sizes != (2 * numbers, state):
        raise _refuse(
            config,
            f"{sizes[0]:,.0f} bytes kept of each token and {sizes[1]:,} of a sequence, where its "
            f"layers add up to {2 * numbers:,} and {state:,}",
        )


def _choose_active(
    config: ConfigReader,
    work: dict[str, Work],
    counts: tuple[float, float],
    besides: float,
    has_state: bool,
) -> float:
    """The count that the FLOPs of a token bear out, two for each parameter.

    Weights that no call was seen of are used by their owner, or by other inputs alone. `besides`
    are the head, which computes too, less the routed experts, which do not here.
    """
    ratios = [work["Global"].token / (2 * (count + besides)) for count in counts]
    for count, ratio in zip(counts, ratios, strict=True):
        if ratio >= 1 - MOST_OFF and (ratio <= 1 + MOST_OFF or has_state):
            return count
    if has_state:  # Scans compute in ways that no count of weights bears out or rules out.
        return counts[0]
    raise _refuse(config, f"{ratios[0]:.2f} times the FLOPs a token that its parameters take")


def _measure_pairs(
    config: ConfigReader, model: Any, walk: Walk, caches: list[_Cache], work: dict[str, Work]
) -> tuple[float, float] | None:
    """FLOPs of a pair of tokens over layers that look at everything, and over those with a window;
    picking tokens looks at everything."""
    layers_path = next(name for name, module in model.named_modules() if module is walk.layers)
    start = f"{type(model).__name__}.{layers_path}."
    layers = [work.get(f"{start}{number}", Work(0, 0)).pair for number in range(len(walk.layers))]
    if len(caches) != len(layers):
        # Blocks that run several times, or states beside the list: they must all be of one kind.
        kinds = {bool(cache.window or cache.picks) for cache in caches if cache.numbers}
        if len(kinds) == 1 and any(not cache.numbers for cache in caches):
            return None  # Layers without a cache stand between the others: the dimensions must do.
        if len(kinds) > 1:
            raise _refuse(config, f"{len(caches)} caches of several kinds for {len(layers)} layers")
        pair_flops = sum(layers)
        return (0.0, pair_flops) if kinds == {True} else (pair_flops, 0.0)
    picking = sum(
        module_work.pair for path, module_work in work.items() if path.startswith(start)
        and path.rpartition(".")[2] == "indexer"
    )  # fmt: skip
    full = sum(pair for pair, cache in zip(layers, caches, strict=True)
               if cache.numbers and not (cache.window or cache.picks))  # fmt: skip
    inside = sum(
        pair
        for pair, cache in zip(layers, caches, strict=True)
        if cache.numbers and (cache.window or cache.picks)
    )
    return full + picking, inside - picking


def _is_empty(layer: Any) -> bool:
    """True for a layer that keeps nothing; before transformers 5.23 those had none."""
    return type(layer).__name__ == "DummyLayer"


def _read_cache(config: ConfigReader, layer: Any) -> _Cache:
    kind = type(layer).__name__
    if kind not in _CACHES:
        raise _refuse(config, f"a cache of kind {kind}, which may be compressed")
    keys = [tensor for tensor in (getattr(layer, "keys", None), getattr(layer, "values", None))
            if tensor is not None]  # fmt: skip
    index = getattr(layer, "indexer_keys", None)
    states = [getattr(layer, name, None) for name in ("conv_states", "recurrent_states")]
    return _Cache(
        numbers=sum(tensor.numel() for tensor in keys) // TOKENS,
        window=int(getattr(layer, "sliding_window", None) or 0) if keys else 0,
        index=index.numel() // TOKENS if index is not None else 0,
        picks=kind == "DynamicIndexedLayer",
        state_bytes=count_bytes(states),
        heads=keys[0].shape[1] if keys else 0,
        width=keys[-1].shape[-1] if keys else 0,
    )


def _list_shared(config: ConfigReader, text: Any, caches: list[_Cache]) -> list[_Cache]:
    """Layers without a cache of their own that read an earlier one of their kind (Gemma 3n): they
    store nothing more, and read as much."""
    shared = _read(text, "num_kv_shared_layers") or 0
    if not shared:
        return []
    kinds = list(text.layer_types)
    by_kind = dict(zip(kinds, caches, strict=False))
    if len(caches) + shared != len(kinds) or any(kind not in by_kind for kind in kinds):
        raise _refuse(config, "layers that share a cache in a way not known here")
    return [by_kind[kind] for kind in kinds[len(caches) :]]


def _count_parameters(
    config: ConfigReader, model: Any, walk: Walk
) -> tuple[float, float, float, float, int, int]:
    """Active parameters, those of them that no call was seen of, those of routed experts, all,
    routed experts of a layer and how many a token uses."""
    head, active, idle, routed = model.get_output_embeddings(), 0.0, 0.0, 0.0
    shapes: Counter[tuple[int, int]] = Counter()
    owners = {id(child): owner for owner in model.modules() for child in owner.children()}
    for module in model.modules():
        weights = sum(weight.numel() for weight in module.parameters(recurse=False))
        if is_experts(module):
            count = next(w.shape[0] for w in module.parameters(recurse=False) if w.dim() == 3)
            used = walk.experts.get(module) or getattr(owners[id(module)], "top_k", None)
            if not used:
                raise _refuse(config, "experts without a count of those that a token uses")
            shapes[(count, int(used))] += 1
            active += weights * int(used) / count
            routed += weights * int(used) / count
        elif not isinstance(module, torch.nn.Embedding) and module is not head:
            # A block that runs several times per token is multiplied with as often.
            active += weights * max(walk.calls.get(module, 0), 1)
            idle += weights * (module not in walk.calls and isinstance(module, torch.nn.Linear))
    expert_count = config.first(*_EXPERTS) or 0
    if expert_count > 1 and not shapes:
        raise _refuse(config, f"{expert_count} experts that are not where they were looked for")
    total = float(sum(weight.numel() for weight in model.parameters()))
    experts, used = shapes.most_common(1)[0][0] if shapes else (0, 0)
    return active, idle, routed, total, experts, used


_EXPERTS = ("num_experts", "num_local_experts", "n_routed_experts", "moe_num_experts")


def _read(text: Any, key: str) -> int | None:
    value = getattr(text, key, None)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _refuse(config: ConfigReader, problem: str) -> InputError:
    return InputError(
        f"{config.label}: expected a language model that transformers can build and whose cache "
        f"grows, is windowed or is constant; found {printable(problem, 300)}. Pass the name of a "
        "known architecture, or your own as a plug-in (`agentdyno.architectures`)."
    )
