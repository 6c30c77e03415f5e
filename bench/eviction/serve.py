"""Runs the cells of one memory on vLLM and writes a row for each turn.

    python bench/eviction/serve.py --plan bench/eviction/predictions.json --shape FOLDER
        --memory 49152 [--host 32] [--only NAME] --out DIR

Needs vLLM and a GPU (`--fake` needs neither: it checks the driver). Prompts are random token ids,
weights are random, answers have the length that the workload states. The file of this memory grows
by a line for each cell as it ends: name, seconds, when it began, and per turn session, turn,
context, generated, cached (as vLLM reports), sent, first token, end. A cell that fails or takes
more than three times what was predicted is noted, and the next one runs.
"""

import argparse
import asyncio
import json
import os
import random
import time
from pathlib import Path
from typing import Any

SETTINGS = {
    "VLLM_USE_FLASHINFER_SAMPLER": "0",
    "HF_HUB_OFFLINE": "1",
    "VLLM_NO_USAGE_STATS": "1",
    "VLLM_LOGGING_LEVEL": "ERROR",
}
WARM_UP = [{"shared": 0, "turns": [{"context": 900 * n, "generated": 20} for n in (1, 3, 9)]}] * 8
START = time.perf_counter()


def say(text: str) -> None:
    print(f"[{time.perf_counter() - START:6.1f}] {text}", flush=True)


class FakeEngine:
    """Answers at once: to try the driver without a GPU."""

    vocabulary = 32000

    async def answer(self, ids: list[int], tokens: int, name: str) -> tuple[list[int], int, float]:
        await asyncio.sleep(1e-4)
        return [7] * tokens, 0, time.perf_counter()

    async def reset(self) -> None:
        pass

    def close(self) -> None:
        pass


class Vllm:
    """vLLM by its Python API, with so many blocks of cache."""

    def __init__(self, shape: str, memory: int, host: int) -> None:
        from vllm import AsyncEngineArgs, SamplingParams
        from vllm.sampling_params import RequestOutputKind
        from vllm.v1.engine.async_llm import AsyncLLM

        arguments: dict[str, Any] = {
            "model": shape,
            "load_format": "dummy",
            "skip_tokenizer_init": True,
            "enable_prefix_caching": True,
            "max_model_len": 32768,
            "max_num_seqs": 256,
            "max_num_batched_tokens": 8192,
            "disable_log_stats": True,
            "gpu_memory_utilization": 0.5,  # Blocks are set below.
            "num_gpu_blocks_override": memory // 16,
            "stream_interval": 1_000_000,  # The first token and the end, nothing between.
        }
        if host:
            arguments |= {
                "kv_offloading_size": host,
                "kv_offloading_backend": "native",
                "disable_hybrid_kv_cache_manager": True,  # The connector refuses it.
            }
        self._engine = AsyncLLM.from_engine_args(AsyncEngineArgs(**arguments))
        self.vocabulary = int(self._engine.model_config.get_vocab_size())
        self._parameters = lambda n: SamplingParams(
            max_tokens=n, min_tokens=n, ignore_eos=True, detokenize=False, temperature=1.0,
            output_kind=RequestOutputKind.DELTA,
        )  # fmt: skip

    async def answer(self, ids: list[int], tokens: int, name: str) -> tuple[list[int], int, float]:
        """The generated ids, the prompt's cached tokens, and when the first id came."""
        generated: list[int] = []
        cached, first = 0, 0.0
        prompt = {"prompt_token_ids": ids}
        async for output in self._engine.generate(prompt, self._parameters(tokens), name):
            first = first or time.perf_counter()
            generated += output.outputs[0].token_ids
            cached = max(cached, output.num_cached_tokens or 0)
        return generated, cached, first

    async def reset(self) -> None:
        await self._engine.reset_prefix_cache()

    def close(self) -> None:
        self._engine.shutdown()


async def run_cell(
    engine: Any, sessions: list[dict[str, Any]], at_once: int, seed: int
) -> tuple[float | None, list[list[float]]]:
    """Seconds of the whole, None where it was cut off; and the rows of all turns that ended."""
    chance = random.Random(seed)
    longest = max(session.get("shared", 0) for session in sessions)
    vocabulary = range(10, engine.vocabulary)
    common = chance.choices(vocabulary, k=longest)
    # All text is drawn before the clock starts; what a turn needs of it is cut off when it is sent.
    fresh = [chance.choices(vocabulary, k=sum_new(session)) for session in sessions]
    rows: list[list[float]] = []
    queue = iter(range(len(sessions)))
    zero = time.perf_counter()

    async def worker() -> None:
        for index in queue:
            session, text, place = sessions[index], fresh[index], 0
            history = common[: session.get("shared", 0)]
            for number, turn in enumerate(session["turns"]):
                if number and turn.get("pause_seconds"):
                    await asyncio.sleep(turn["pause_seconds"])
                kept = history[: min(turn.get("kept", len(history)), turn["context"])]
                needed = turn["context"] - len(kept)
                ids = kept + text[place : place + needed]
                place += needed
                sent = time.perf_counter()
                name = f"{seed}-{index}-{number}"
                generated, cached, first = await engine.answer(ids, turn["generated"], name)
                history = ids + generated
                times = (round(t - zero, 4) for t in (sent, first, time.perf_counter()))
                rows.append([index, number, len(ids), len(generated), cached, *times])

    try:
        await asyncio.gather(*(worker() for _ in range(at_once)))
    except asyncio.CancelledError:  # Out of time: what ended is kept.
        return None, rows
    return time.perf_counter() - zero, rows


def sum_new(session: dict[str, Any]) -> int:
    """The most tokens of text that a session can need."""
    return sum(turn["context"] for turn in session["turns"])


async def run(engine: Any, plan: dict[str, Any], given: argparse.Namespace, path: Path) -> None:
    await run_cell(engine, WARM_UP, 4, 999)
    await engine.reset()
    say("warm")
    for number, cell in enumerate(plan["cells"]):
        if (cell["cache_tokens"], cell["host_gib"]) != (given.memory, given.host):
            continue
        if given.only and cell["name"] not in given.only:
            continue
        lines = (given.plan.parent / f"{cell['workload']}.jsonl").read_text().splitlines()
        sessions = [json.loads(line) for line in lines[: cell["sessions"]]]
        limit = 3 * cell["predicted"]["makespan_seconds"] + 20
        row: dict[str, Any] = {"name": cell["name"], "began": time.time(), "seconds": None}
        try:
            work = run_cell(engine, sessions, cell["concurrency"], given.seed * 1000 + number)
            row["seconds"], row["turns"] = await asyncio.wait_for(work, limit)
        except Exception as error:  # One cell must not cost the others.
            row["error"] = f"{type(error).__name__}: {error}"[:300]
        with path.open("a") as file:
            file.write(json.dumps(row) + "\n")
        say(f"{cell['name']}: {row['seconds'] or row.get('error')}, "
            f"{cell['predicted']['makespan_seconds']} s predicted")  # fmt: skip
        await engine.reset()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--plan", type=Path, required=True)
    parser.add_argument("--shape", required=True)
    parser.add_argument("--memory", type=int, required=True)
    parser.add_argument("--host", type=int, default=0)
    parser.add_argument("--only", action="append")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--go", type=Path, help="waits until this file is there")
    parser.add_argument("--fake", action="store_true")
    given = parser.parse_args()
    for name, value in SETTINGS.items():
        os.environ.setdefault(name, value)
    given.out.mkdir(parents=True, exist_ok=True)
    path = given.out / f"measured_{given.memory}_{given.host}.jsonl"
    plan = json.loads(given.plan.read_text())

    async def whole() -> None:
        engine = FakeEngine() if given.fake else Vllm(given.shape, given.memory, given.host)
        say("engine started")
        try:
            while given.go and not given.go.exists():  # Another engine is being measured.
                await asyncio.sleep(0.5)
            await run(engine, plan, given, path)
        finally:
            engine.close()
        say("done")

    asyncio.run(whole())


if __name__ == "__main__":
    main()
