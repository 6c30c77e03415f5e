"""Low-rank adapters merged into a model's weights: W + alpha / rank * B A, without a further
library.

Takes a torch model and a folder as PEFT writes it, changes the model in place. Knows plain LoRA on
linear layers and nothing else; an adapter of another kind is refused.
"""

import json
from pathlib import Path
from typing import Any

from agentdyno.records import InputError

CONFIG, WEIGHTS = "adapter_config.json", "adapter_model.safetensors"
_PREFIX = "base_model.model."


def is_adapter(folder: Path) -> bool:
    """True for a folder with an adapter rather than a model."""
    return (folder / CONFIG).is_file()


def merge_adapter(model: Any, folder: Path) -> int:
    """Adds the adapter to the weights; how many matrices it changed."""
    import torch
    from safetensors.torch import load_file

    scale = _scale(folder)
    try:
        parts = load_file(folder / WEIGHTS)
    except (OSError, ValueError) as error:
        raise InputError(f"{folder}: expected {WEIGHTS}, found {error}.") from None
    names = sorted({name.partition(".lora_")[0] for name in parts})
    layers = dict(model.named_modules())
    with torch.no_grad():
        for name in names:
            layer = layers.get(name.removeprefix(_PREFIX))
            a, b = (parts.get(f"{name}.lora_{side}.weight") for side in "AB")
            if (
                layer is None
                or a is None
                or b is None
                or layer.weight.shape != (len(b), a.shape[1])
            ):
                raise InputError(
                    f"{folder}: expected an adapter of this model, found weights for {name}. Pass "
                    "the model that it was trained on."
                )
            layer.weight += (scale * (b.float() @ a.float())).to(layer.weight.dtype)
    return len(names)


def _scale(folder: Path) -> float:
    try:
        config = json.loads((folder / CONFIG).read_text("utf-8"))
        kind, rank, alpha = config["peft_type"], config["r"], config["lora_alpha"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{folder}: expected {CONFIG} as PEFT writes it, found {error}.") from None
    odd = [
        name
        for name in ("use_dora", "use_rslora", "rank_pattern", "alpha_pattern")
        if config.get(name)
    ]
    if kind != "LORA" or odd:
        raise InputError(
            f"{folder}: expected a plain LoRA adapter, found {', '.join(odd) or kind}."
        )
    return float(alpha) / float(rank)
