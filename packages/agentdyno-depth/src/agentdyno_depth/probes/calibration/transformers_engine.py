"""A model in plain transformers, one request after the other: any machine can time it."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from agentdyno.records import InputError, printable
from agentdyno_depth.engines.smollm2 import NAME as EMBEDDED
from agentdyno_depth.engines.smollm2 import load_smollm2, quiet, require_depth
from agentdyno_depth.probes.calibration.engine import Engine

LONGEST_TOKENS = 32768
"""A prefill is one step whatever its length; no prompt of a calibration comes near this."""


class TransformersEngine(Engine):
    """Prefills a prompt in one pass and decodes greedily. Nothing is kept between requests."""

    keeps_prefixes = False

    def __init__(self, model: Any, device: str) -> None:
        self._model, self._device = model, device
        self.vocabulary = int(model.config.vocab_size)
        # On a CPU one thread is timed by its own seconds: what else runs there does not count.
        self.clock = time.thread_time if device == "cpu" else time.perf_counter

    async def generate(self, prompt: Sequence[int], tokens: int) -> list[int]:
        """Exactly this many tokens; the call blocks, so requests queue by themselves."""
        import torch

        generated: list[int] = []
        with torch.inference_mode():
            ids = torch.tensor([list(prompt)], device=self._device)
            cache: Any = None
            for _ in range(tokens):
                out = self._model(ids, past_key_values=cache, use_cache=True, logits_to_keep=1)
                cache, ids = out.past_key_values, out.logits[:, -1:].argmax(-1)
                generated.append(int(ids.item()))
        return generated

    def close(self) -> None:
        """Let go of the weights."""
        self._model = None


def start_transformers(model: str, *, dummy: bool, device: str) -> TransformersEngine:
    """Open the embedded model, a folder or a name; `dummy` takes a config.json's shape alone."""
    if device == "cpu":
        import torch

        torch.set_num_threads(1)
    if model == EMBEDDED:
        opened = load_smollm2(device=device)[0]
    else:
        opened = _random(model) if dummy else _weights(model)
    return TransformersEngine(opened.to(device).eval(), device)


def _random(model: str) -> Any:
    transformers = require_depth()
    folder = Path(model).parent if Path(model).name == "config.json" else Path(model)
    try:
        with quiet(transformers):
            config = transformers.AutoConfig.from_pretrained(str(folder))
            return transformers.AutoModelForCausalLM.from_config(config)
    except (OSError, ValueError, KeyError) as error:
        raise InputError(
            f"{printable(model)}: expected a folder with a config.json that transformers knows; "
            f"found: {printable(str(error), 200)}"
        ) from None


def _weights(model: str) -> Any:
    transformers = require_depth()
    try:
        with quiet(transformers):
            return transformers.AutoModelForCausalLM.from_pretrained(model, dtype="auto")
    except (OSError, ValueError, ImportError, KeyError) as error:
        raise InputError(
            f"{printable(model)}: expected {EMBEDDED}, a folder with weights, or --dummy-weights "
            f"beside a config.json; found: {printable(str(error), 200)}"
        ) from None
