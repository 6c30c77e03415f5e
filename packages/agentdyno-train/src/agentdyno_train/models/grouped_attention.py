"""Attention of one new token without copies, and a memory that grows without being copied.

Llama's queries share keys and values in groups. The library repeats them for every query head, and
lays all of them anew for each token; with long prompts nearly all time goes into that copying. Here
the queries of a group stand as rows of one small product, and keys and values have room to grow.
Same numbers up to rounding. Prompts, which are many tokens at once, go the library's own way.
"""

from typing import Any

NAME = "agentdyno_grouped"
ROOM = 256
"""Columns that are added when the room is used up."""


def use_grouped_attention(model: Any) -> None:
    """From now on the model attends this way."""
    from transformers import AttentionInterface, AttentionMaskInterface
    from transformers.masking_utils import sdpa_mask

    AttentionInterface.register(NAME, _attend)
    AttentionMaskInterface.register(NAME, sdpa_mask)
    model.set_attn_implementation(NAME)


def _attend(
    module: Any, query: Any, key: Any, value: Any, attention_mask: Any, **options: Any
) -> tuple[Any, None]:
    from torch.nn.functional import scaled_dot_product_attention
    from transformers.integrations.sdpa_attention import sdpa_attention_forward

    rows, heads, tokens, size = query.shape
    if tokens > 1:
        found: tuple[Any, None] = sdpa_attention_forward(
            module, query, key, value, attention_mask, **options
        )
        return found
    shared = key.shape[1]
    grouped = query.reshape(rows, shared, heads // shared, size)
    out = scaled_dot_product_attention(
        grouped, key, value, attn_mask=attention_mask, scale=options.get("scaling")
    )
    return out.reshape(rows, 1, heads, size), None


def roomy_cache(layers: list[tuple[Any, Any]]) -> Any:
    """A cache of the library that holds these keys and values and has room for more."""
    from transformers import Cache

    return Cache(layers=[_layer(keys, values) for keys, values in layers])


def _layer(keys: Any, values: Any) -> Any:
    from transformers.cache_utils import DynamicLayer

    class RoomyLayer(DynamicLayer):  # type: ignore[no-untyped-call,unused-ignore]
        """Keys and values of one layer; `keys` and `values` are what is used of the room."""

        def update(self, key_states: Any, value_states: Any, *_: Any, **__: Any) -> Any:
            self.keys = self._append("room_of_keys", self.keys, key_states)
            self.values = self._append("room_of_values", self.values, value_states)
            return self.keys, self.values

        def _append(self, name: str, used: Any, new: Any) -> Any:
            width = used.shape[2] + new.shape[2]
            room = getattr(self, name, used)
            if room.shape[2] < width:
                room = used.new_empty(*used.shape[:2], width + ROOM, used.shape[3])
                room[:, :, : used.shape[2]] = used
                setattr(self, name, room)
            room[:, :, used.shape[2] : width] = new
            return room[:, :, :width]

    layer = RoomyLayer()  # type: ignore[no-untyped-call,unused-ignore]
    layer.keys, layer.values = keys, values
    layer.dtype, layer.device, layer.is_initialized = keys.dtype, keys.device, True
    return layer
