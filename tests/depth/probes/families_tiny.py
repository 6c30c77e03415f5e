"""Tiny random models of every family, with predictions that change from layer to layer."""

from functools import cache
from typing import Any

import torch
import transformers

from agentdyno_depth.probes.loading import OpenModel, open_loaded
from agentdyno_depth.probes.recording import TokenSequence
from agentdyno_depth.records.depth import Thresholds

VOCABULARY = 331
LAYERS = 9

_EXPERTS = {"num_experts_per_tok": 2}
_MAMBA = {"mamba_n_heads": 4, "mamba_d_head": 8, "mamba_d_state": 8, "mamba_expand": 1}
FAMILIES: dict[str, dict[str, Any]] = {
    "llama": {},
    "mistral": {},
    "mixtral": {"num_local_experts": 4, **_EXPERTS},
    "qwen2": {"tie_word_embeddings": True},
    "qwen2_moe": {
        "num_experts": 4,
        "moe_intermediate_size": 16,
        "shared_expert_intermediate_size": 16,
        **_EXPERTS,
    },
    "qwen3": {"head_dim": 8},
    "qwen3_moe": {"num_experts": 4, "moe_intermediate_size": 16, "head_dim": 8, **_EXPERTS},
    "gpt_oss": {
        "num_local_experts": 4,
        "head_dim": 8,
        "rope_parameters": {"rope_type": "default", "rope_theta": 10000.0},
        **_EXPERTS,
    },
    "gemma": {"head_dim": 8},
    "gemma2": {"head_dim": 8, "query_pre_attn_scalar": 8, "final_logit_softcapping": 6.0},
    "gemma3_text": {"head_dim": 8, "query_pre_attn_scalar": 8},
    "gpt_neox": {},
    "cohere": {"logit_scale": 2.5},
    "granite": {"logits_scaling": 0.4},
    "gpt2": {},
    "phi": {},
    "falcon": {"new_decoder_architecture": False, "multi_query": True, "alibi": False},
    "starcoder2": {},
    "glm": {"head_dim": 8},
    "glm4": {"head_dim": 8},
    "glm4_moe": {
        "head_dim": 8,
        "n_routed_experts": 4,
        "moe_intermediate_size": 16,
        "first_k_dense_replace": 2,
        "n_shared_experts": 1,
        **_EXPERTS,
    },
    "llama4_text": {
        "head_dim": 8,
        "intermediate_size_mlp": 48,
        "num_local_experts": 2,
        "num_experts_per_tok": 1,
        "attention_chunk_size": 4096,
    },
    "qwen3_next": {
        "head_dim": 8,
        "num_experts": 4,
        "moe_intermediate_size": 16,
        "shared_expert_intermediate_size": 16,
        "linear_num_key_heads": 2,
        "linear_num_value_heads": 4,
        "linear_key_head_dim": 8,
        "linear_value_head_dim": 8,
        **_EXPERTS,
    },
    "nemotron": {},
    "exaone4": {"head_dim": 8},
    "granitemoehybrid": {
        "num_local_experts": 4,
        "shared_intermediate_size": 16,
        "logits_scaling": 0.4,
        "layer_types": ["mamba", "mamba", "attention"] * 3,
        **_MAMBA,
        **_EXPERTS,
    },
    "qwen3_5_text": {
        "head_dim": 8,
        "linear_num_key_heads": 2,
        "linear_num_value_heads": 4,
        "linear_key_head_dim": 8,
        "linear_value_head_dim": 8,
    },
    "minimax": {
        "initializer_range": 0.1,  # Larger ones amplify the rounding of its decays.
        "head_dim": 8,
        "num_local_experts": 4,
        "layer_types": ["linear_attention", "linear_attention", "full_attention"] * 3,
        **_EXPERTS,
    },
    "ernie4_5_moe": {
        "moe_num_experts": 4,
        "moe_k": 2,
        "moe_intermediate_size": 16,
        "moe_num_shared_experts": 1,
    },
    "falcon_h1": {"head_dim": 8, "lm_head_multiplier": 2.5, "mamba_d_ssm": 32, **_MAMBA},
    "jamba": {"num_experts": 4, "attn_layer_period": 3, "attn_layer_offset": 1, **_EXPERTS},
    "hunyuan_v1_dense": {"head_dim": 8},
}
"""By `model_type`: what its configuration needs besides the sizes."""

NINE = [Thresholds(g, rho) for g in (0.25, 0.5, 0.75) for rho in (0.4, 0.6, 0.85)]


@cache
def tiny(model_type: str, **other: Any) -> OpenModel:
    """The same model for every test that does not change it."""
    return build_tiny(model_type, **other)


def build_tiny(model_type: str, **other: Any) -> OpenModel:
    """A random model whose logits are spread enough to disagree between layers."""
    settings = {
        "vocab_size": VOCABULARY,
        "hidden_size": 32,
        "intermediate_size": 48,
        "num_hidden_layers": LAYERS,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "max_position_embeddings": 65_536,
        "initializer_range": 0.4,
        "bos_token_id": 1,
        "eos_token_id": 2,
        "pad_token_id": 0,
        **FAMILIES.get(model_type, {}),
        **other,
    }
    torch.manual_seed(3)
    config = transformers.AutoConfig.for_model(model_type, **settings)
    model = transformers.AutoModelForCausalLM.from_config(config)
    return open_loaded(model_type, model, None)


def sequences(*lengths: tuple[int, int], seed: int = 5) -> list[TokenSequence]:
    """Random tokens: so many of a prompt, so many of a response."""
    random = torch.Generator().manual_seed(seed)

    def some(count: int) -> tuple[int, ...]:
        drawn = torch.randint(3, VOCABULARY, (count,), generator=random)
        return tuple(drawn.tolist())

    return [TokenSequence(some(prompt), some(response)) for prompt, response in lengths]
