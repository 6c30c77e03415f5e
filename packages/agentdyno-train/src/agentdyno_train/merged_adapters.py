"""Adapted layers as one product while training: the adapter is added to the weight, not the output.

The library multiplies every token three times (the weight, down to the rank, up again) and adds the
outputs. A batch has tens of thousands of tokens and a weight of this model 576 rows, so adding the
small product to the weight first is nearly free. Same numbers up to rounding, gradients too.
"""

from functools import partial
from typing import Any


def narrow_frozen(model: Any, dtype: Any) -> None:
    """Cast frozen weights, and the activations between layers, to a narrower type."""
    for weight in model.parameters():
        if not weight.requires_grad:
            weight.data = weight.data.to(dtype)


def use_merged_adapters(model: Any) -> None:
    """Let the adapted layers of a model compute with merged weights; others stay as they are."""
    for layer in model.modules():
        if is_plain(layer):
            layer.forward = partial(_product, layer)


def is_plain(layer: Any) -> bool:
    """True for a linear layer with one active adapter of two matrices and nothing between them."""
    from torch.nn import Linear

    if not hasattr(layer, "lora_A") or list(layer.lora_A) != list(layer.active_adapters):
        return False
    name = layer.active_adapters[0]
    if len(layer.lora_A) != 1 or layer.use_dora.get(name):
        return False
    if type(layer.get_base_layer()) is not Linear:
        return False  # GPT-2 keeps its matrices the other way round, others in four bits.
    return getattr(layer.lora_dropout[name], "p", 0.0) == 0.0 and not layer.lora_bias[name]


def _product(layer: Any, x: Any, *_: Any, **__: Any) -> Any:
    from torch.nn.functional import linear

    base, name = layer.get_base_layer(), layer.active_adapters[0]
    added = layer.lora_B[name].weight @ layer.lora_A[name].weight
    return linear(x, base.weight + layer.scaling[name] * added, base.bias)
