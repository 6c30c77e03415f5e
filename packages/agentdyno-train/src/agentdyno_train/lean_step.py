"""One more token of every row through a Llama, in a third of the launches that the library makes.

A step of a small model on a GPU takes as long as its launches, whatever the rows. Here queries,
keys and values are one product, gate and up another; a norm is one operation, a residual is added
by the product before it, and what all layers share (rotation, mask) is worked out once. The model's
own modules read the same weights where they lie, so that prompts go the library's way, and new
weights that are written into them are seen here. Same numbers up to rounding.
"""

from typing import Any

from msgspec import Struct


class _Layer(Struct, frozen=True):
    """The weights of one block."""

    norm: Any
    """Norm before the attention."""
    qkv: Any
    """Queries, keys and values, one below the other."""
    out: Any
    """Weight that maps heads back to the residual."""
    second_norm: Any
    """Before the rest of the block."""
    gate_up: Any
    """Both, one below the other."""
    down: Any


class LeanStep:
    """A Llama's step."""

    def __init__(self, model: Any) -> None:
        import torch

        self._torch, self._model, config = torch, model, model.config
        self._heads, self._shared = config.num_attention_heads, config.num_key_value_heads
        self._size = config.head_dim
        half = self._size // 2
        device = next(model.parameters()).device
        self._turned = torch.arange(self._size, device=device).roll(half)
        self._layers = [_gather_layer(layer) for layer in model.model.layers]

    @classmethod
    def of(cls, model: Any) -> "LeanStep | None":
        """The step of a model that is a plain Llama; None for others."""
        plain = is_plain_llama(model) and not any(hasattr(x, "base_layer") for x in model.modules())
        return cls(model) if plain else None

    def __call__(self, ids: Any, places: Any, mask: Any, cache: Any) -> Any:
        """Logits after one more token of each row; keys and values go into the cache."""
        model = self._model.model
        state = model.embed_tokens(ids[:, 0])
        cos, sin = model.rotary_emb(state, position_ids=places)
        half = self._size // 2
        sin = self._torch.cat([-sin[..., :half], sin[..., half:]], -1)
        seen = self._torch.zeros(mask.shape, dtype=state.dtype, device=state.device)
        seen.masked_fill_(~mask, float("-inf"))
        for number, layer in enumerate(self._layers):
            state = self._block(number, layer, state, (cos, sin), seen, cache)
        return self._model.lm_head(normalize(state, model.norm))

    def _block(
        self, number: int, layer: _Layer, state: Any, turns: tuple[Any, Any], seen: Any, cache: Any
    ) -> Any:
        functional, torch = self._torch.nn.functional, self._torch
        rows, turned = state.shape[0], self._heads + self._shared
        heads = functional.linear(normalize(state, layer.norm), layer.qkv)
        heads = heads.view(rows, turned + self._shared, self._size)
        queries_keys, (cos, sin) = heads[:, :turned], turns
        both = torch.addcmul(queries_keys * cos, queries_keys[..., self._turned], sin)
        queries = both[:, : self._heads].reshape(rows, self._shared, -1, self._size)
        keys, values = cache.update(both[:, self._heads :, None], heads[:, turned:, None], number)
        found = functional.scaled_dot_product_attention(queries, keys, values, attn_mask=seen)
        state = torch.addmm(state, found.reshape(rows, -1), layer.out.T)
        gate, up = functional.linear(normalize(state, layer.second_norm), layer.gate_up).chunk(
            2, -1
        )
        return torch.addmm(state, functional.silu(gate) * up, layer.down.T)


def normalize(state: Any, norm: Any) -> Any:
    """A norm as one operation."""
    from torch.nn.functional import rms_norm

    return rms_norm(state, (state.shape[-1],), norm.weight, norm.variance_epsilon)


def is_plain_llama(model: Any) -> bool:
    """Nothing that a pass of ours would not do: biases, scaled rotations, another activation."""
    config = model.config
    return (
        type(model).__name__ == "LlamaForCausalLM"
        and not config.attention_bias
        and not config.mlp_bias
        and config.hidden_act == "silu"
        and model.model.rotary_emb.rope_type == "default"
    )


def _gather_layer(layer: Any) -> _Layer:
    attention, rest = layer.self_attn, layer.mlp
    return _Layer(
        layer.input_layernorm,
        _join_weights([attention.q_proj, attention.k_proj, attention.v_proj]),
        attention.o_proj.weight,
        layer.post_attention_layernorm,
        _join_weights([rest.gate_proj, rest.up_proj]),
        rest.down_proj.weight,
    )


def _join_weights(modules: list[Any]) -> Any:
    """The weights of several modules as one; each module keeps its part of it."""
    import torch

    with torch.no_grad():
        joined, start = torch.cat([module.weight for module in modules]), 0
        for module in modules:
            module.weight.data = joined[start : start + module.weight.shape[0]]
            start += module.weight.shape[0]
    return joined
