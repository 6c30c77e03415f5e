"""The weights of one product in every block of a model, with adapters added, in a few launches.

A model of thirty blocks has two hundred adapted matrices. To add each adapter to its matrix by
itself is a launch for each, and three for the way back, that hardly any work is behind: the GPU
waits for them. Here the same matrix of all blocks is one batch.
"""

from collections.abc import Sequence
from typing import Any


class StackedProduct:
    """A product that every block has, of one or several layers."""

    def __init__(self, blocks: Sequence[Any], names: Sequence[str]) -> None:
        import torch

        self._layers = [[block.get_submodule(name) for block in blocks] for name in names]
        frozen = [[_frozen(layer) for layer in layers] for layers in self._layers]
        with torch.no_grad():
            self._weights = [torch.stack([layer.weight for layer in layers]) for layers in frozen]
        for layers, whole in zip(frozen, self._weights, strict=True):
            for layer, weight in zip(layers, whole, strict=True):
                layer.weight.data = weight  # The same memory: nothing is held twice.

    def weights(self) -> Sequence[Any]:
        """The weight of every block, adapters added."""
        import torch

        pairs = zip(self._layers, self._weights, strict=True)
        return torch.cat([_added(layers, whole) for layers, whole in pairs], 1).unbind()


def are_alike(blocks: Sequence[Any], names: Sequence[str]) -> bool:
    """Whether every block has the same adapters, so that they can be added together."""
    return all(len({_kind(block.get_submodule(name)) for block in blocks}) == 1 for name in names)


def _kind(layer: Any) -> Any:
    if not hasattr(layer, "base_layer"):
        return None
    name = layer.active_adapters[0]
    return name, layer.scaling[name], layer.lora_A[name].weight.shape


def _added(layers: Sequence[Any], whole: Any) -> Any:
    import torch

    if not hasattr(layers[0], "base_layer"):
        return whole
    name = layers[0].active_adapters[0]
    up = torch.stack([layer.lora_B[name].weight for layer in layers]).to(whole.dtype)
    down = torch.stack([layer.lora_A[name].weight for layer in layers]).to(whole.dtype)
    return torch.baddbmm(whole, up, down, alpha=layers[0].scaling[name])


def _frozen(layer: Any) -> Any:
    return getattr(layer, "base_layer", layer)
