"""Opens a model for depth probing: the embedded one, a GGUF file, a folder, or a name on the hub.

Takes what the user typed, returns a model, its tokenizer and its readout. Nothing is fetched for
`smollm2` and for paths; a name goes to the Hugging Face cache or hub.
"""

from pathlib import Path
from typing import Any

import torch
from msgspec import Struct

from agentdyno.records import InputError, printable
from agentdyno_depth.engines.smollm2 import NAME as EMBEDDED
from agentdyno_depth.engines.smollm2 import load_smollm2, quiet, require_depth
from agentdyno_depth.probes.families import Family, family_of
from agentdyno_depth.probes.readout import Readout

DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}


class OpenModel(Struct, frozen=True):
    """A model that can be probed."""

    name: str
    """As the user named it."""
    model: Any
    """The Hugging Face causal model, in evaluation mode."""
    tokenizer: Any
    family: Family
    """Where it keeps what a probe needs."""
    readout: Readout
    """Its way from a state to logits."""

    @property
    def layers(self) -> int:
        """How many layers it has; the embedding is none."""
        return len(self.family.layers)

    @property
    def dtype(self) -> str:
        """The type of its weights."""
        return str(self.readout.weight.dtype).removeprefix("torch.")


def open_model(
    name: str,
    dtype: str | None = None,
    device: str | None = None,
    declaration: str | None = None,
) -> OpenModel:
    """The model; float32 on a CPU and as it was stored on a GPU, unless told otherwise."""
    require_depth()
    device = device or ("cuda" if torch.cuda.is_available() else "cpu")
    if dtype is not None and dtype not in DTYPES:
        raise InputError(f"No type '{dtype}'. Known: {', '.join(DTYPES)}.")
    dtype_option: Any = DTYPES[dtype] if dtype else (torch.float32 if device == "cpu" else "auto")
    if name == EMBEDDED:
        short = torch.float32 if device == "cpu" else torch.bfloat16
        model, tokenizer = load_smollm2(DTYPES[dtype] if dtype else short, device)
    else:
        model, tokenizer = _load(name, dtype_option, device)
    return open_loaded(name, model, tokenizer, declaration)


def open_loaded(name: str, model: Any, tokenizer: Any, declaration: str | None = None) -> OpenModel:
    """A model that is in memory already."""
    family = family_of(model, declaration)
    return OpenModel(name, model.eval(), tokenizer, family, family.readout(model))


def _load(name: str, dtype: Any, device: str) -> tuple[Any, Any]:
    transformers = require_depth()
    where = _where(name)
    try:
        with quiet(transformers):
            tokenizer = transformers.AutoTokenizer.from_pretrained(**where)
            model = transformers.AutoModelForCausalLM.from_pretrained(**where, dtype=dtype)
    except (OSError, ValueError, ImportError, KeyError) as error:
        raise InputError(
            f"{printable(name)}: expected smollm2, a GGUF file, a folder with a Hugging Face "
            f"causal model, or the name of one; found: {printable(str(error), 300)}"
        ) from None
    return model.to(device), tokenizer


def _where(name: str) -> dict[str, str]:
    path = Path(name)
    if path.suffix == ".gguf":
        if not path.is_file():
            raise InputError(f"{printable(name)}: expected a GGUF file, found none there.")
        return {"pretrained_model_name_or_path": str(path.parent), "gguf_file": path.name}
    return {"pretrained_model_name_or_path": name}
