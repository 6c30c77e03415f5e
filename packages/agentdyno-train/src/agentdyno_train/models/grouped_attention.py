"""Attention of one new token without copies.

Llama's queries share keys and values in groups. The library repeats them for every query head; with
long prompts nearly all time goes into that copying. Here the queries of a group stand as rows of
one small product. Same numbers up to rounding. Prompts, which are many tokens at once, go the
library's own way.
"""

from typing import Any

NAME = "agentdyno_grouped"


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
