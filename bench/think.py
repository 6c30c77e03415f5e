"""Draws a pool of samples for `agentdyno think --pool`, on a GPU or a CPU.

    PYTHONPATH=src python bench/think.py --model-path DIR --device cuda --problems 40 --n 96 \\
        --max-tokens 256 --out pool.jsonl

Every sample is written with its scores (deep-thinking ratio and confidences) after 10, 25, 50, 100
and 200 tokens and at its end. Needs torch, transformers and numpy alone: answers are graded later,
by `agentdyno think --pool pool.jsonl --record graded.jsonl`. A run that was stopped goes on with
the problems that are missing; each sample depends on the seed, its problem and its number alone (up
to the rounding of batches of another size).
"""

# ruff: noqa: E402 (msgspec may be missing, which is found out first)

import argparse
import json
import re
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
sys.path[:0] = [str(folder) for folder in Path(__file__).parents[1].glob("packages/*/src")]

from without_msgspec import use_stand_in

use_stand_in()

import torch
import transformers

from agentdyno_depth.engines.smollm2 import quiet
from agentdyno_depth.pipelines.think.drawing import PoolOptions, draw_problems, pool_head
from agentdyno_depth.probes.generating import Sampling
from agentdyno_depth.probes.loading import OpenModel, open_loaded
from agentdyno_depth.records.thinking import ProblemPool
from agentdyno_depth.think.problems import BUILTIN_EXAMPLES, arithmetic


def main(words: list[str] | None = None) -> None:
    options = _options(words)
    model = load(options)
    how = PoolOptions(
        samples=options.n,
        prefixes=tuple(int(part) for part in options.prefixes.split(",")),
        max_tokens=options.max_tokens,
        sampling=Sampling(options.temperature, options.top_p, options.seed),
        examples=BUILTIN_EXAMPLES,
    )
    head = plain(pool_head(model, how))
    done = read_done(options.out, head)
    missing = [p for p in arithmetic(options.problems) if p.problem_id not in done]
    print(f"{len(done)} problems are there, {len(missing)} are drawn", flush=True)
    together = max(1, options.batch // options.n)
    for start in range(0, len(missing), together):
        began = time.perf_counter()
        items = draw_problems(model, missing[start : start + together], how, options.batch)
        append(options.out, items)
        _say(items, time.perf_counter() - began, start + len(items), len(missing))


def load(options: argparse.Namespace) -> OpenModel:
    """The model of a folder or of a GGUF file."""
    path: Path = options.model_path
    where = {"pretrained_model_name_or_path": str(path)}
    if path.suffix == ".gguf":
        where = {"pretrained_model_name_or_path": str(path.parent), "gguf_file": path.name}
    with quiet(transformers):
        tokenizer = transformers.AutoTokenizer.from_pretrained(**where)
        model = transformers.AutoModelForCausalLM.from_pretrained(
            **where, dtype=getattr(torch, options.dtype)
        )
    return open_loaded(options.name, model.to(options.device), tokenizer)


def read_done(path: Path, head: dict[str, Any]) -> set[str]:
    """Problems that the file holds, its torn end removed; the file is begun when there is none."""
    # Bytes, for a line that was cut off may end inside a character.
    lines = path.read_bytes().split(b"\n")[:-1] if path.exists() else []
    if not lines:
        path.write_text(json.dumps(head) + "\n", "utf-8")
        return set()
    if json.loads(lines[0]) != json.loads(json.dumps(head)):
        sys.exit(f"{path}: expected a pool drawn in the same way, found other settings.")
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return {json.loads(line)["problem"]["problem_id"] for line in lines[1:]}


def append(path: Path, items: list[ProblemPool]) -> None:
    """Whole lines at once, so that a stop leaves whole problems."""
    text = "".join(json.dumps(plain(item), ensure_ascii=False) + "\n" for item in items)
    with path.open("a", encoding="utf-8") as file:
        file.write(text)


def plain(value: Any) -> Any:
    """Structs as objects, as JSON wants them."""
    if names := getattr(value, "__struct_fields__", None):
        return {name: plain(getattr(value, name)) for name in names}
    return [plain(part) for part in value] if isinstance(value, list | tuple) else value


def _say(items: list[ProblemPool], seconds: float, done: int, total: int) -> None:
    pairs = [(item.problem, sample) for item in items for sample in item.samples]
    tokens = sum(sample.tokens for _, sample in pairs)
    right = sum(_boxed(sample.text) == problem.answer for problem, sample in pairs)
    print(
        f"{done}/{total} problems  {seconds:.1f} s  {tokens / seconds:,.0f} tokens/s  "
        f"{tokens / len(pairs):.0f} tokens a sample  boxed and right: {right / len(pairs):.0%}",
        flush=True,
    )


def _boxed(text: str) -> str | None:
    found = re.findall(r"\\boxed\s*\{([^{}]*)\}", text)
    return found[-1].strip() if found else None


def _options(words: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--model-path", type=Path, required=True, help="a folder or a GGUF file")
    parser.add_argument("--name", default="smollm2", help="the model's name in the pool")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--dtype", default="float32", choices=["float32", "bfloat16", "float16"])
    parser.add_argument("--problems", type=int, default=40)
    parser.add_argument("--n", type=int, default=96, help="samples of each problem")
    parser.add_argument("--max-tokens", type=int, default=256)
    parser.add_argument("--prefixes", default="10,25,50,100,200")
    parser.add_argument("--temperature", type=float, default=0.7)
    parser.add_argument("--top-p", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--batch", type=int, default=384, help="sequences at once")
    parser.add_argument("--out", type=Path, required=True)
    return parser.parse_args(words)


if __name__ == "__main__":
    main()
