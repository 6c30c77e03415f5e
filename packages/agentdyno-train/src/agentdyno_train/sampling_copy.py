"""A copy of a model for sampling: its adapter is part of the weights, which are half as wide.

A step of a small model is mostly launches, and an adapter doubles them; casting the weights at
every step doubles them again. The copy has neither, and where it is a Llama a step of its own.
`refresh` writes the trained weights into it, into the same places, so that a recorded step stays
right. On a CPU the model itself is used.
"""

from typing import Any

from agentdyno_train.lean_step import LeanStep


class SamplingCopy:
    """A model that follows another."""

    def __init__(self, model: Any, dtype: Any = None) -> None:
        import torch

        self._torch = torch
        on_gpu = next(model.parameters()).device.type == "cuda"
        if dtype is None and not on_gpu:
            self.model, self.step, self._pairs = model, None, None
            return
        self.model = _plain(model, dtype or torch.bfloat16)
        self.step = LeanStep.of(self.model)  # Moves weights, so before their places are noted.
        self._pairs = _pairs(model, self.model)
        self.refresh()

    def refresh(self) -> None:
        """Takes over what was learnt since."""
        if self._pairs is None:
            return
        with self._torch.no_grad():
            for source, target in self._pairs:
                target.copy_(source())


def _plain(model: Any, dtype: Any) -> Any:
    """An untrained model of the same shape without adapters, with the same attention."""
    base = model.get_base_model() if hasattr(model, "get_base_model") else model
    copy = type(base)._from_config(base.config, dtype=dtype)
    copy.set_attn_implementation(base.config._attn_implementation)
    copy.generation_config = base.generation_config
    return copy.to(next(model.parameters()).device).eval().requires_grad_(False)


def _pairs(model: Any, copy: Any) -> list[tuple[Any, Any]]:
    """For every parameter and buffer of the copy, what gives its value."""
    base = model.get_base_model() if hasattr(model, "get_base_model") else model
    layers = {
        name: module for name, module in base.named_modules() if hasattr(module, "get_delta_weight")
    }
    known = {name.replace(".base_layer.", "."): value for name, value in base.state_dict().items()}
    found = []
    for name, target in copy.state_dict().items():
        layer = layers.get(name.removesuffix(".weight"))
        source = known[name]
        found.append((_source(source, layer), target))
    return found


def _source(weight: Any, layer: Any) -> Any:
    if layer is None:
        return lambda: weight
    return lambda: (
        weight + sum(layer.get_delta_weight(adapter) for adapter in layer.active_adapters)
    )
