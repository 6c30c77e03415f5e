"""Models for training: the embedded one or a folder, with an adapter to go on from or a new one."""

from pathlib import Path
from typing import Any

from agentdyno.records import InputError, printable
from agentdyno_depth.engines.smollm2 import NAME, load_smollm2, quiet, require_depth
from agentdyno_train.options import TrainSettings

ADAPTED = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]
"""Every matrix of a block; embeddings stay as they are."""


def load_trainable(settings: TrainSettings) -> tuple[Any, Any]:
    """The model, ready to be trained, and its tokenizer; a new adapter begins as the seed says."""
    import torch

    torch.manual_seed(settings.seed)
    model, tokenizer = load_base(settings.model)
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    if settings.tune == "full":
        if settings.start is not None:
            raise InputError(
                "--start: expected an adapter for --tune lora; with full pass --model."
            )
        model.get_input_embeddings().weight.requires_grad_(False)
        return model, tokenizer
    peft = require_peft()
    if settings.start is not None:
        return peft.PeftModel.from_pretrained(model, settings.start, is_trainable=True), tokenizer
    names = {name.rpartition(".")[2] for name, _ in model.named_modules()}
    config = peft.LoraConfig(
        r=settings.rank,
        lora_alpha=settings.alpha,
        lora_dropout=0.0,
        target_modules=[name for name in ADAPTED if name in names],
        task_type="CAUSAL_LM",
    )
    return peft.get_peft_model(model, config), tokenizer


def load_base(name: str) -> tuple[Any, Any]:
    """A model in float32 and its tokenizer, padded on the left."""
    if name == NAME:
        return load_smollm2()
    require_model(name)
    transformers = require_depth()
    import torch

    with quiet(transformers):
        tokenizer = transformers.AutoTokenizer.from_pretrained(name)
        model = transformers.AutoModelForCausalLM.from_pretrained(name, dtype=torch.float32)
    tokenizer.padding_side = "left"
    return model.eval(), tokenizer


def require_model(name: str) -> None:
    """An error that says what to pass when there is no such model."""
    if name != NAME and not (Path(name) / "config.json").is_file():
        raise InputError(
            f"--model {printable(name)}: expected {NAME} or a Hugging Face folder with "
            "config.json, found none."
        )


def require_peft() -> Any:
    """The library of adapters; an error names the extra."""
    return _require("peft")


def require_trl() -> Any:
    """The library of trainers; an error names the extra."""
    return _require("trl")


def _require(name: str) -> Any:
    from importlib import import_module

    try:
        return import_module(name)
    except ModuleNotFoundError:
        raise InputError(
            f"expected the package {name} of the train extra, found none. "
            "Install it: pip install 'agentdyno[train]'"
        ) from None
