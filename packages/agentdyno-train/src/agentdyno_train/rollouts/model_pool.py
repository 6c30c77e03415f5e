"""The models of the agents: one base whose weights take each agent's adapter in turn.

Adapters of the embedded model are merged into the same tensors, so that a step that a GPU
recorded serves all agents. A folder with a model of its own is loaded separately.
"""

from pathlib import Path
from typing import Any

from agentdyno.records import InputError, printable
from agentdyno_depth.engines.adapters import is_adapter, merge_adapter
from agentdyno_depth.engines.smollm2 import NAME
from agentdyno_depth.probes.loading import OpenModel, open_loaded
from agentdyno_train.loading import load_base
from agentdyno_train.models.grouped_attention import use_grouped_attention
from agentdyno_train.rollouts.batch_decoder import BatchDecoder


class ModelPool:
    """Opens agents one after the other, with the decoders that run them."""

    def __init__(self, device: str | None, window: int, turn_tokens: int, base: str = NAME) -> None:
        import torch

        self.device = device or ("cuda" if torch.cuda.is_available() else "cpu")
        self._window, self._turn_tokens, self._base = window, turn_tokens, base
        self._loaded: dict[str, tuple[Any, Any]] = {}
        self._plain: dict[str, dict[str, Any]] = {}
        self._decoders: dict[tuple[str, int], BatchDecoder] = {}
        self._model = self._merged = ""

    def machine(self) -> str:
        """The hardware that generates, in words."""
        import platform

        import torch

        if self.device.startswith("cuda"):
            return str(torch.cuda.get_device_name())
        return f"{platform.machine()} processor, {torch.get_num_threads()} threads"

    def switch_to(self, weights: str) -> OpenModel:
        """Makes an agent the current one."""
        folder = Path(weights)
        adapter = folder if folder.is_dir() and is_adapter(folder) else None
        if adapter is None and weights != NAME and not folder.is_dir():
            raise InputError(
                f"{printable(weights, 80)}: expected {NAME}, an adapter or a model's folder, found "
                "nothing there."
            )
        name = self._base if adapter or weights == NAME else weights
        model, tokenizer = self._load(name)
        if (name, weights) != (self._model, self._merged):
            self._restore(name, model)
            if adapter:
                merge_adapter_on(model, adapter, self.device)
        self._model, self._merged = name, weights
        return open_loaded(weights, model, tokenizer)

    def decoder(self, slots: int) -> BatchDecoder:
        """A decoder of the current agent."""
        key = (self._model, slots)
        if key not in self._decoders:
            # One decoder at a time: its keys and values may fill half of a GPU.
            self._decoders = {key: BatchDecoder(*self._loaded[self._model], slots, self._window,
                                       self._turn_tokens)}  # fmt: skip
        return self._decoders[key]

    def _load(self, name: str) -> tuple[Any, Any]:
        if name not in self._loaded:
            model, tokenizer = load_base(name)
            use_grouped_attention(model)
            model = model.to(self.device).eval()
            self._loaded[name] = (model, tokenizer)
            self._plain[name] = {k: v.detach().clone() for k, v in model.state_dict().items()}
        return self._loaded[name]

    def _restore(self, name: str, model: Any) -> None:
        import torch

        with torch.no_grad():
            for key, value in model.state_dict().items():
                value.copy_(self._plain[name][key])


def merge_adapter_on(model: Any, folder: Path, device: str) -> None:
    """Merges on the CPU, where adapters are read, and puts the sums where the model is."""
    import torch

    if device == "cpu":
        merge_adapter(model, folder)
        return
    places = dict(model.state_dict())
    held = {name: value.detach().cpu().clone() for name, value in places.items()}
    stand_in = _StandIn(model, held)
    merge_adapter(stand_in, folder)
    with torch.no_grad():
        for name, value in places.items():
            value.copy_(held[name])


class _StandIn:
    """The model's modules with weights on the CPU, as far as an adapter asks for them."""

    def __init__(self, model: Any, held: dict[str, Any]) -> None:
        self._modules = [
            (name, _Layer(held[f"{name}.weight"]))
            for name, _ in model.named_modules()
            if f"{name}.weight" in held
        ]

    def named_modules(self) -> list[tuple[str, Any]]:
        return self._modules


class _Layer:
    def __init__(self, weight: Any) -> None:
        self.weight = weight
