"""A vLLM engine in this process's keeping, from weights or from the shape in a `config.json` alone.

Timing needs no weights: with `load_format="dummy"` vLLM fills the shape with random numbers, and
prompts are token ids, so no tokenizer is needed either.
"""

import os
from collections.abc import Sequence
from typing import Any

from agentdyno.probes.calibration.engine import Engine
from agentdyno.records import InputError

RECORDED_TOKENS = 512
"""The largest step that vLLM replays from a recording: twice its seats, at most 512."""
CHUNK_TOKENS = 8192
"""The most tokens of one step, set rather than left to vLLM's default, which differs by card."""


class VllmEngine(Engine):
    """vLLM by its Python API. Its cache of prefixes is on: an evicted cache is a fresh prompt."""

    keeps_prefixes = True

    def __init__(self, engine: Any, parameters: Any, vocabulary: int) -> None:
        self._engine, self._parameters = engine, parameters
        self.vocabulary = vocabulary
        self._requests = 0

    async def generate(self, prompt: Sequence[int], tokens: int) -> list[int]:
        """Exactly this many tokens; only the finished answer crosses the process boundary."""
        self._requests += 1
        made: list[int] = []
        asked = self._engine.generate(
            {"prompt_token_ids": list(prompt)}, self._parameters(tokens), f"r{self._requests}"
        )
        async for output in asked:
            made = list(output.outputs[0].token_ids)
        return made

    def close(self) -> None:
        """End the engine's processes."""
        self._engine.shutdown()


def start_vllm(model: str, *, dummy: bool, longest: int = 32768, most: int = 256) -> VllmEngine:
    """Start an engine for a model's folder; `dummy` fills it with random weights."""
    os.environ.setdefault("VLLM_USE_FLASHINFER_SAMPLER", "0")
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    os.environ.setdefault("VLLM_NO_USAGE_STATS", "1")
    try:
        from vllm import AsyncEngineArgs, SamplingParams
        from vllm.sampling_params import RequestOutputKind
        from vllm.v1.engine.async_llm import AsyncLLM
    except ImportError as error:
        raise InputError(
            f"--engine vllm: expected the package vllm, found none ({error}). Install it: "
            "pip install vllm, or take --engine transformers, or --endpoint URL."
        ) from None

    arguments = AsyncEngineArgs(
        model=model,
        load_format="dummy" if dummy else "auto",
        skip_tokenizer_init=True,
        enable_prefix_caching=True,
        max_model_len=longest,
        max_num_seqs=most,
        max_num_batched_tokens=CHUNK_TOKENS,
        gpu_memory_utilization=0.9,
        disable_log_stats=True,
    )
    engine = AsyncLLM.from_engine_args(arguments)

    def parameters(tokens: int) -> Any:
        return SamplingParams(
            max_tokens=tokens,
            min_tokens=tokens,
            ignore_eos=True,
            detokenize=False,
            temperature=1.0,
            output_kind=RequestOutputKind.FINAL_ONLY,
        )

    return VllmEngine(engine, parameters, engine.model_config.get_vocab_size())
