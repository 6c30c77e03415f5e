"""What a step of GPT-OSS takes on the card, by batch, context, kernel, precision and routing.

    python bench/gpt_oss/measure.py --name triton --out DIR [--turns DIR] [--fake]

Needs vLLM, a GPU and `plugin.py` as a vLLM plugin (`run.sh` sees to it). Writes `steps_NAME.jsonl`,
a line for each cell as it ends. A decoding cell sends so many prompts at once and takes the
difference of long and short answers; each size is run twice unseen first, so that no kernel is
compiled while the clock runs. With `--turns` the engine starts, writes NAME.ready there and waits
for NAME.go: several engines start side by side and are measured one after the other.
"""

import argparse
import asyncio
import json
import os
import random
import time
from pathlib import Path
from typing import Any

ENGINES: dict[str, dict[str, Any]] = {
    "triton": {"moe_backend": "triton"},
    "marlin": {"moe_backend": "marlin"},
    "bf16": {"shape": "gpt-oss-20b-bf16"},
    "no-sinks": {"moe_backend": "triton"},
    "piecewise": {"moe_backend": "triton", "mode": "PIECEWISE"},
    "synchronous": {"moe_backend": "triton", "async_scheduling": False},
    "dense-synchronous": {"shape": "qwen3-8b", "async_scheduling": False},
}
SERVED = "synchronous", "dense-synchronous"
"""Engines of which only the host's share is asked: whole answers beside streamed ones."""
BATCHES = 1, 2, 4, 8, 16, 32, 64, 128
CELLS = (*((batch, 129) for batch in BATCHES), (8, 6017), (128, 897))
FEW_CELLS = (1, 129), (8, 129), (32, 129), (128, 129), (8, 6017), (128, 897)
SAME_CELLS = FEW_CELLS[:4]
PREFILLS = 16, 256, 512, 1024, 2048, 4096, 8192
TRACED = 1, 32, 128
SHORT, LONG = 9, 73
CACHE_BYTES = 4 * 2**30
SETTINGS = {
    "VLLM_USE_FLASHINFER_SAMPLER": "0",
    "HF_HUB_OFFLINE": "1",
    "VLLM_NO_USAGE_STATS": "1",
    "VLLM_LOGGING_LEVEL": "INFO",
    "VLLM_ALLOW_INSECURE_SERIALIZATION": "1",
}
START = time.perf_counter()


def say(text: str) -> None:
    print(f"[{time.perf_counter() - START:6.1f}] {text}", flush=True)


class FakeEngine:
    """Answers at once: to try the driver without a GPU."""

    vocabulary = 32000

    async def answer(
        self, ids: list[int], tokens: int, name: str, came: Any = None, streamed: bool = False
    ) -> None:
        await asyncio.sleep(1e-4 * tokens)
        if came:
            came()

    async def ask(self, what: str, *given: str) -> str:
        return "[]"

    def close(self) -> None:
        pass


class Vllm:
    """vLLM by its Python API."""

    def __init__(self, shapes: Path, options: dict[str, Any]) -> None:
        from vllm import AsyncEngineArgs, SamplingParams
        from vllm.sampling_params import RequestOutputKind
        from vllm.v1.engine.async_llm import AsyncLLM

        compilation: dict[str, Any] = {"cudagraph_capture_sizes": [*BATCHES, 256, 512, 1024]}
        if "mode" in options:
            compilation["cudagraph_mode"] = options["mode"]
        arguments: dict[str, Any] = {
            "model": str(shapes / options.get("shape", "gpt-oss-20b")),
            "load_format": "dummy",
            "skip_tokenizer_init": True,
            "enable_prefix_caching": False,
            "max_model_len": 16384,
            "max_num_seqs": 256,
            "max_num_batched_tokens": 8192,
            "disable_log_stats": True,
            "gpu_memory_utilization": 0.05,
            "kv_cache_memory_bytes": CACHE_BYTES,
            "worker_extension_cls": "plugin.Worker",
            "compilation_config": compilation,
        }
        given = ("moe_backend", "async_scheduling")
        arguments |= {name: options[name] for name in given if name in options}
        self._engine = AsyncLLM.from_engine_args(AsyncEngineArgs(**arguments))
        self.vocabulary = int(self._engine.model_config.get_vocab_size())
        self._parameters = lambda n, kind: SamplingParams(
            max_tokens=n, min_tokens=n, ignore_eos=True, detokenize=False, temperature=1.0,
            output_kind=kind,
        )  # fmt: skip
        self._kinds = RequestOutputKind.FINAL_ONLY, RequestOutputKind.DELTA

    async def answer(
        self, ids: list[int], tokens: int, name: str, came: Any = None, streamed: bool = False
    ) -> None:
        """Waits for the whole answer, or takes every token as it comes."""
        prompt = {"prompt_token_ids": ids}
        parameters = self._parameters(tokens, self._kinds[bool(streamed or came)])
        async for _ in self._engine.generate(prompt, parameters, name):
            if came:
                came()
                came = None

    async def ask(self, what: str, *given: str) -> str:
        return str((await self._engine.collective_rpc(what, args=given))[0])

    def close(self) -> None:
        self._engine.shutdown()


class Bench:
    """Cells on one engine, each written as it ends."""

    def __init__(self, engine: Any, out: Path) -> None:
        self.engine, self.out, self.sent = engine, out, 0
        self.chance = random.Random(57)

    def write(self, **row: Any) -> None:
        with self.out.open("a") as file:
            file.write(json.dumps(row) + "\n")

    async def burst(
        self, batch: int, context: int, tokens: int, came: Any = None, streamed: bool = False
    ) -> float:
        """Seconds from sending so many prompts to the last answer."""
        vocabulary = range(10, self.engine.vocabulary)
        texts = [self.chance.choices(vocabulary, k=context) for _ in range(batch)]
        begun = time.perf_counter()
        self.sent += batch
        answers = (
            self.engine.answer(ids, tokens, f"{self.sent}-{i}", came, streamed)
            for i, ids in enumerate(texts)
        )
        await asyncio.gather(*answers)
        return time.perf_counter() - begun

    async def decode(self, routing: str, batch: int, context: int, streamed: bool = False) -> None:
        async def burst(tokens: int) -> float:
            return await self.burst(batch, context, tokens, streamed=streamed)

        await burst(SHORT)
        pairs = [(await burst(SHORT), await burst(LONG)) for _ in range(3 if context < 500 else 2)]
        steps = sorted((long - short) / (LONG - SHORT) for short, long in pairs)
        step = round(1e3 * steps[len(steps) // 2], 4)
        seconds = [[round(s, 5) for s in pair] for pair in pairs]
        self.write(kind="streamed" if streamed else "decode", routing=routing, batch=batch,
                   context=context, step_ms=step,
                   pairs=seconds)  # fmt: skip
        say(f"{routing} {batch} x {context}: {step} ms a step")

    async def prefill(self, tokens: int) -> None:
        seconds = [await self.burst(1, tokens, 1) for _ in range(4)][1:]
        self.write(kind="prefill", tokens=tokens, ms=[round(1e3 * s, 3) for s in seconds])
        say(f"prefill {tokens}: {1e3 * min(seconds):.1f} ms")

    async def trace(self, routing: str, batch: int) -> None:
        """The kernels of some decoding steps, by time."""
        waiting = asyncio.Event()
        seen = 0

        def came() -> None:
            nonlocal seen
            seen += 1
            if seen == batch:
                waiting.set()

        whole = asyncio.create_task(self.burst(batch, 129, 160, came))
        await waiting.wait()
        await self.engine.ask("start_trace")
        await asyncio.sleep(0.15)
        rows = json.loads(await self.engine.ask("stop_trace"))
        await whole
        self.write(kind="kernels", routing=routing, batch=batch, rows=rows)

    async def warm(self, name: str) -> None:
        """Every size once, so that no kernel is compiled while the clock runs."""
        say(await self.engine.ask("route", "evenly"))
        if name in SERVED:
            for cell in SAME_CELLS:
                await self.burst(*cell, SHORT)
            return
        for tokens in PREFILLS:
            await self.burst(1, tokens, 1)
        for cell in CELLS:
            await self.burst(*cell, SHORT)

    async def run(self, name: str) -> None:
        if name in SERVED:
            for cell in SAME_CELLS:
                await self.decode("evenly", *cell)
                await self.decode("evenly", *cell, streamed=True)
            return
        for tokens in PREFILLS:
            await self.prefill(tokens)
        for cell in CELLS if name == "triton" else FEW_CELLS:
            await self.decode("evenly", *cell)
        if name == "triton":
            for cell in SAME_CELLS:
                await self.decode("evenly", *cell, streamed=True)
            say(await self.engine.ask("route", "same"))
            for cell in SAME_CELLS:
                await self.decode("same", *cell)
            say(await self.engine.ask("route", "evenly"))
        for batch in TRACED[:1] + TRACED:  # The first trace only starts the tracer.
            await self.trace("evenly", batch)


def wait(folder: Path, name: str) -> None:
    (folder / f"{name}.ready").touch()
    while not (folder / f"{name}.go").exists():
        time.sleep(0.2)


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--name", required=True, choices=ENGINES)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--turns", type=Path)
    parser.add_argument("--fake", action="store_true")
    given = parser.parse_args()
    for name, value in SETTINGS.items():
        os.environ.setdefault(name, value)
    if given.name == "no-sinks":
        os.environ["GPT_OSS_SINKS"] = "off"
    given.out.mkdir(parents=True, exist_ok=True)
    shapes = Path(__file__).parent.parent / "serving" / "shapes"
    engine = FakeEngine() if given.fake else Vllm(shapes, ENGINES[given.name])
    say("engine started")
    try:
        bench = Bench(engine, given.out / f"steps_{given.name}.jsonl")
        await bench.warm(given.name)
        say("warm")
        if given.turns:
            wait(given.turns, given.name)
        await bench.run(given.name)
        say("done")
    finally:
        engine.close()


if __name__ == "__main__":
    asyncio.run(main())
