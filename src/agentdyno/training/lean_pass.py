"""The loss of a Llama with an adapter, in fewer operations than the library makes.

Queries, keys and values are one product, gate and up another, an adapter is added to its weight, a
norm is one operation, only tokens that are learnt get logits, nothing is cast on the way, and
nothing waits for the GPU: 455 operations of 653, casts not counted, in a model of four layers. Same
numbers up to rounding, gradients too. Rows are filled up on the right, where no token looks, so
there is no mask.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from agentdyno.training.examples import UNLEARNT
from agentdyno.training.lean_step import is_plain_llama, normed
from agentdyno.training.one_product import is_plain


class LeanPass:
    """A Llama's pass over whole conversations."""

    def __init__(self, model: Any) -> None:
        self._base = model.get_base_model()
        config = self._base.config
        self._heads, self._shared = config.num_attention_heads, config.num_key_value_heads
        self._size = config.head_dim

    @classmethod
    def of(cls, model: Any) -> "LeanPass | None":
        """The pass of a plain Llama with plain adapters; None for others."""
        if not hasattr(model, "get_base_model"):
            return None
        base = model.get_base_model()
        adapted = [layer for layer in base.modules() if hasattr(layer, "base_layer")]
        if not is_plain_llama(base) or not all(is_plain(layer) for layer in adapted):
            return None
        return cls(model)

    def loss(self, batch: "dict[str, Any]", count: Any = None) -> Any:
        """Mean loss of the tokens that are learnt, over `count` of them where that is given."""
        import torch

        ids = batch["input_ids"]
        with torch.autocast(ids.device.type, enabled=False):
            states = self._states(ids).flatten(0, 1)[batch["places"]]
            logits = torch.nn.functional.linear(states, self._base.lm_head.weight).float()
            total = torch.nn.functional.cross_entropy(logits, batch["targets"], reduction="sum")
        return total / (len(batch["targets"]) if count is None else count)

    def _states(self, ids: Any) -> Any:
        import torch

        model = self._base.model
        state = model.embed_tokens(ids)
        places = torch.arange(ids.shape[1], device=ids.device)[None]
        cos, sin = model.rotary_emb(state, position_ids=places)
        half = self._size // 2
        # The rotation's minus is put into the sine once, for all layers.
        turns = cos[:, :, None], torch.cat([-sin[..., :half], sin[..., half:]], -1)[:, :, None]
        for layer in model.layers:
            state = self._block(layer, state, turns)
        return normed(state, model.norm)

    def _block(self, layer: Any, state: Any, turns: tuple[Any, Any]) -> Any:
        from torch.nn.functional import linear, silu

        attention, rest = layer.self_attn, layer.mlp
        found = self._attended(attention, normed(state, layer.input_layernorm), turns)
        state = state + linear(found, weight_of(attention.o_proj))
        both = weights_of([rest.gate_proj, rest.up_proj])
        gate, up = linear(normed(state, layer.post_attention_layernorm), both).chunk(2, -1)
        return state + linear(silu(gate) * up, weight_of(rest.down_proj))

    def _attended(self, attention: Any, state: Any, turns: tuple[Any, Any]) -> Any:
        import torch

        weights = weights_of([attention.q_proj, attention.k_proj, attention.v_proj])
        rows, tokens, _ = state.shape
        turned = self._heads + self._shared
        heads = torch.nn.functional.linear(state, weights).view(rows, tokens, -1, self._size)
        both, (cos, sin) = heads[:, :, :turned], turns
        first, second = both.chunk(2, -1)
        both = torch.addcmul(both * cos, torch.cat([second, first], -1), sin).transpose(1, 2)
        out = torch.nn.functional.scaled_dot_product_attention(
            both[:, : self._heads],
            both[:, self._heads :],
            heads[:, :, turned:].transpose(1, 2),
            is_causal=True,
            enable_gqa=True,
        )
        return out.transpose(1, 2).reshape(rows, tokens, -1)


class Collator(Struct, frozen=True):
    """Rows as one batch: filled up on the right, with the places of what is learnt."""

    filler: int
    """The token that fills up."""

    def __call__(self, rows: Sequence[Any]) -> dict[str, Any]:
        """The batch; `places` count through all rows, each before the token that it predicts."""
        import torch

        longest = max(len(row["input_ids"]) for row in rows)
        ids = torch.full((len(rows), longest), self.filler)
        labels = torch.full((len(rows), longest), UNLEARNT)
        for at, row in enumerate(rows):
            ids[at, : len(row["input_ids"])] = torch.as_tensor(row["input_ids"])
            labels[at, : len(row["labels"])] = torch.as_tensor(row["labels"])
        labels[:, 0] = UNLEARNT  # Nothing stands before it.
        places = (labels != UNLEARNT).flatten().nonzero().flatten()
        return {"input_ids": ids, "labels": labels, "places": places - 1,
                "targets": labels.flatten()[places]}  # fmt: skip


def weights_of(layers: Sequence[Any]) -> Any:
    """Weights of several layers, one below the other."""
    import torch

    return torch.cat([weight_of(layer) for layer in layers])


def weight_of(layer: Any) -> Any:
    """A layer's weight, with its adapter added where it has one."""
    import torch

    if not hasattr(layer, "base_layer"):
        return layer.weight
    weight, name = layer.base_layer.weight, layer.active_adapters[0]
    up, down = layer.lora_B[name].weight, layer.lora_A[name].weight
    return torch.addmm(
        weight, up.to(weight.dtype), down.to(weight.dtype), alpha=layer.scaling[name]
    )
