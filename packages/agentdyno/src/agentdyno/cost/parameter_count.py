"""Counts a model's parameters from its config: all of them, and those one token uses.

Takes a `ConfigReader`, returns `ParameterCount`. Norms and biases, under 0.1 %, are left out.

One convention for every model: what a prefilled token is multiplied with. The input embedding is
a lookup and the output head is computed for sampled tokens alone, so neither counts. Publishers do
not agree: dense Qwen and GLM-4.5 leave embeddings out, GPT-OSS the input one, others count both
(once when tied); `published` follows each family, because the paper's table does.
Worked: Qwen3-30B-A3B, per layer 18.9M of attention, 8 of 128 experts of 4.7M and a 0.3M router:
56.9M * 48 = 2.73B; with 2 * 311M of embeddings 3.35B (published: 3.3B).
"""

from msgspec import Struct

from agentdyno.cost.config_reader import ConfigReader
from agentdyno.records import InputError

_NO_EMBEDDINGS = frozenset({"qwen2", "qwen3", "glm4_moe"})
_OUTPUT_EMBEDDING_ONLY = frozenset({"gpt_oss"})
_TIED_BY_DEFAULT = ("gemma", "cohere")
_UNGATED = frozenset({"starcoder2", "nemotron"})


class ParameterCount(Struct, frozen=True):
    active: int
    """Those that one prefilled token is multiplied with: no embedding, no output head."""
    published: int
    """Those active by the family's own convention, as its publisher would print them."""
    total: int
    """All of them, embeddings included."""
    experts: int = 0
    """Routed experts of a sparse layer; 0 without such layers."""
    experts_per_token: int = 0
    """How many of them one token uses."""


class _Layers(Struct, frozen=True):
    """Numbers of layers with a dense and with a sparse feed-forward block."""

    dense: int
    sparse: int


def count_parameters(config: ConfigReader) -> ParameterCount:
    """Count from the dimensions."""
    layers = config.required("num_hidden_layers")
    blocks = _split_layers(config, layers)
    dense = layers * _attention(config) + blocks.dense * _count_gated(config, _dense_width(config))
    active = total = dense
    if blocks.sparse:
        active += blocks.sparse * _experts(config, config.first(*_PER_TOKEN) or 0)
        total += blocks.sparse * _experts(config, config.first(*_EXPERTS) or 0)
    every, counted = _embeddings(config)
    return ParameterCount(
        active=active,
        published=active + counted,
        total=total + every,
        experts=(config.first(*_EXPERTS) or 0) if blocks.sparse else 0,
        experts_per_token=(config.first(*_PER_TOKEN) or 0) if blocks.sparse else 0,
    )


_EXPERTS = ("num_experts", "num_local_experts", "n_routed_experts")
_PER_TOKEN = ("num_experts_per_tok", "experts_per_token", "moe_topk")


def _attention(config: ConfigReader) -> int:
    hidden, heads = config.required("hidden_size"), config.required("num_attention_heads")
    if config.optional("kv_lora_rank"):
        return _latent_attention(config, hidden, heads)
    head_dim = config.optional("head_dim") or hidden // heads
    kv_heads = config.optional("num_key_value_heads") or heads
    return hidden * head_dim * (2 * heads + 2 * kv_heads)


def _latent_attention(config: ConfigReader, hidden: int, heads: int) -> int:
    latent, rope = config.required("kv_lora_rank"), config.required("qk_rope_head_dim")
    nope, value = config.required("qk_nope_head_dim"), config.required("v_head_dim")
    query_rank = config.optional("q_lora_rank")
    query_width = heads * (nope + rope)
    query = hidden * query_width if not query_rank else query_rank * (hidden + query_width)
    down, up = hidden * (latent + rope), latent * heads * (nope + value)
    return query + down + up + heads * value * hidden + _index(config, hidden)


def _index(config: ConfigReader, hidden: int) -> int:
    """Parameters of the index that picks the tokens a layer reads: queries from the compressed
    query, a key and a weight per head from the state.
    """
    width = config.optional("index_head_dim") or 0
    if not config.optional("index_topk") or not width:
        return 0
    heads = config.required("index_n_heads")
    return config.required("q_lora_rank") * heads * width + hidden * (width + heads)


def _split_layers(config: ConfigReader, layers: int) -> _Layers:
    """Count the layers that hold experts; families write it in five ways."""
    experts = config.first(*_EXPERTS) or 0
    if experts < 2:
        return _Layers(dense=layers, sparse=0)
    if not config.first(*_PER_TOKEN):
        raise InputError(
            f"{config.label}: expected 'num_experts_per_tok' beside {experts} experts, "
            "found nothing."
        )
    first_dense = min(config.optional("first_k_dense_replace") or 0, layers)
    every = config.first("interleave_moe_layer_step", "decoder_sparse_step") or 1
    named = config.items("mlp_only_layers") or []
    dense_named = {i for i in named if isinstance(i, int) and first_dense <= i < layers}
    candidates = sum(1 for i in range(first_dense, layers) if (i + 1) % every == 0)
    overlap = sum(1 for i in dense_named if (i + 1) % every == 0)
    sparse = candidates - overlap
    return _Layers(dense=layers - sparse, sparse=sparse)


def _dense_width(config: ConfigReader) -> int:
    """Inner width of the feed-forward blocks without experts."""
    return config.first("intermediate_size_mlp") or config.required("intermediate_size")


def _experts(config: ConfigReader, experts: int) -> int:
    """One sparse block with this many of its routed experts, the shared ones and the router."""
    width = config.first("moe_intermediate_size") or config.required("intermediate_size")
    router = config.required("hidden_size") * (config.first(*_EXPERTS) or 0)
    return (
        experts * _count_gated(config, width)
        + _count_gated(config, _find_shared_width(config, width))
        + router
    )


def _find_shared_width(config: ConfigReader, expert_width: int) -> int:
    shared = config.optional("shared_expert_intermediate_size")
    if shared is not None:
        return shared
    if config.model_type in ("llama4", "llama4_text"):
        return expert_width
    return (config.first("n_shared_experts", "num_shared_experts") or 0) * expert_width


def _count_gated(config: ConfigReader, width: int) -> int:
    matrices = 2 if config.model_type in _UNGATED else 3
    return matrices * config.required("hidden_size") * width


def is_tied(config: ConfigReader) -> bool:
    return config.flag("tie_word_embeddings", config.model_type.startswith(_TIED_BY_DEFAULT))


def _embeddings(config: ConfigReader) -> tuple[int, int]:
    """Parameters of the embeddings: all of them, and those the family's own count includes."""
    matrix = config.required("vocab_size") * config.required("hidden_size")
    every = matrix if is_tied(config) else 2 * matrix
    if config.model_type in _NO_EMBEDDINGS:
        return every, 0
    return every, matrix if config.model_type in _OUTPUT_EMBEDDING_ONLY else every
