"""Depth on a GPU, against the plain ways of computing it, everything in one run.

    PYTHONPATH=src python bench/depth_gpu.py [--smollm2 FOLDER] [--device cpu --small] [--out FILE]

Four ways over the same states: the naive loop (float32 softmax per layer), the same loop compiled,
ours, and the bare matrix products of all layers. On the states of SmolLM2 for text it generates
itself, and on states shaped like a model of 36 layers, width 4,096 and 152k tokens of which 15 to
20 % settle late. Then whole profiles against the bare products, where the time of both goes
(`depth_parts.py`), and decoding with online depth against decoding without. The fast path and the
profile path are compared with float64 on 100,000 real and 100,000 adversarial tokens in every type
(`depth_agreement.py`), and 16 sequences of 32k tokens go through the embedded model's shape. Each
stage stands alone: one that fails is reported and the others go on, and --out is written after
each. Without --smollm2 the stages of that model are left out; --only names some. With --seconds no
stage begins after so long, and the comparison with float64 stops in time for what follows it; it
says how many tokens it saw. Needs torch and transformers alone.
"""

# ruff: noqa: E402 (msgspec may be missing, which is found out first)

import argparse
import json
import math
import platform
import statistics
import subprocess
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from without_msgspec import use_stand_in

use_stand_in()

import torch
from depth_agreement import NINE, TYPES, adversarial_agreement, agreement, as_block
from depth_parts import label_parts, profile_parts
from depth_reference import reference_labels

from agentdyno_depth.probes.distances import profile_block
from agentdyno_depth.probes.fast import deep_labels
from agentdyno_depth.probes.generating import Batch, Sampling
from agentdyno_depth.probes.loading import OpenModel, open_loaded
from agentdyno_depth.probes.online import OnlineDepth
from agentdyno_depth.probes.readout import Readout
from agentdyno_depth.probes.recording import TokenSequence, record_states
from agentdyno_depth.records.depth import PAPER, cut_layer, deep_tokens

Tensor = torch.Tensor
BEGUN = time.perf_counter()
AFTER_AGREEMENT = 32.0
"""Seconds that the stages behind the comparison with float64 are left, where time is short."""
GROUP_POSITIONS = 8192
"""Positions that go through the model at once where it only has to be read: a GPU takes more."""
PROMPTS = [
    "Tom has 3 boxes with 12 apples each and gives away 7. How many are left? Think aloud.",
    "Explain to a ten-year-old why the sky is blue.",
    "Write a short story about a lighthouse keeper who finds a map.",
    "A train leaves at 9:40 and arrives at 13:05. How long is the journey?",
    "List five uses of a paper clip and say which is the best.",
    "Write a Python function that reverses a list, and explain it.",
]


def main() -> int:
    """Runs every stage, prints a table and one JSON line."""
    options = _options()
    torch.manual_seed(0)
    torch.set_grad_enabled(False)
    bench = Bench(options)
    stages: list[tuple[str, Callable[[], Any]]] = [
        ("smollm2", bench.smollm2),
        ("smollm2 agreement", bench.agreement),
        ("smollm2 online", bench.online),
        ("large shape", bench.large),
        ("adversarial agreement", bench.adversarial),
        ("long groups", bench.groups),
        ("large shape online", bench.large_online),
    ]
    for name, stage in stages:
        if not _wanted(name, options):
            continue
        if bench.left() <= 0:
            _say(f"-- {name}: not begun, the {options.seconds:g} seconds are over")
            continue
        started = time.perf_counter()
        try:
            bench.results[name] = stage()
        except Exception as error:
            traceback.print_exc()
            bench.results[name] = {"failed": f"{type(error).__name__}: {error}"[:300]}
        now = time.perf_counter()
        _say(f"-- {name}: stage took {now - started:.1f} s, {now - BEGUN:.1f} s since the start")
        bench.write()
        if options.device == "cuda":
            torch.cuda.empty_cache()
    bench.results["versions"] = _versions(options.device)
    bench.write()
    print(json.dumps(bench.results))
    return 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--smollm2", default=None, help="Folder with the converted weights.")
    parser.add_argument("--only", default=None, help="Names of stages, with commas between.")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--small", action="store_true", help="Small shapes, to try the script.")
    parser.add_argument("--no-compile", action="store_true")
    parser.add_argument("--seconds", type=float, default=math.inf, help="Time there is in all.")
    parser.add_argument("--out", default=None, help="Where results are written as they come.")
    return parser.parse_args()


def _wanted(name: str, options: argparse.Namespace) -> bool:
    if options.only is not None:
        return name in options.only.split(",")
    return options.smollm2 is not None or not name.startswith("smollm2")


class Bench:
    """The stages, and what they found."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.device, self.small = options.device, options.small
        self.compile = not options.no_compile and not options.small
        self.folder = options.smollm2
        self.dtype = torch.bfloat16 if self.device == "cuda" else torch.float32
        self.seconds, self.out = options.seconds, options.out
        self.results: dict[str, Any] = {}
        self._model: OpenModel | None = None
        self._written: list[TokenSequence] = []

    def left(self) -> float:
        """Seconds until no more stage begins."""
        return float(self.seconds) - (time.perf_counter() - BEGUN)

    def write(self) -> None:
        """What is known so far, for whoever stops the run."""
        if self.out:
            Path(self.out).write_text(json.dumps(self.results, indent=1))

    def large(self) -> dict[str, Any]:
        """States shaped like a model of 36 layers, width 4,096 and 152k tokens."""
        shape = (36, 96, 512, 4000) if self.small else (36, 2048, 4096, 151_936)
        states, readout = synthetic_states(*shape, device=self.device, dtype=self.dtype)
        return self._compare("large shape", states, readout)

    def smollm2(self) -> dict[str, Any]:
        """States of SmolLM2 on its own text."""
        model = self._opened()
        states = torch.cat([b.states for b in self._blocks(model, self._own_text(model))], 1)
        return self._compare("smollm2", states[:, :8192], model.readout)

    def _blocks(self, model: OpenModel, sequences: list[TokenSequence]) -> Any:
        return record_states(model.model, model.family, sequences, GROUP_POSITIONS)

    def _own_text(self, model: OpenModel) -> list[TokenSequence]:
        """What the model writes, written once."""
        if not self._written:
            ids = _prompt_ids(model, 6 if self.small else 64)
            batch = Batch(model, ids, Sampling(temperature=1.0, top_p=0.95, seed=0))
            started = time.perf_counter()
            batch.advance(8 if self.small else 128)
            _say(f"   generated in {time.perf_counter() - started:.1f} s")
            self._written = batch.sequences()
        return self._written

    def adversarial(self) -> dict[str, Any]:
        """Tokens at the threshold in three types, here and on the processor."""
        found = adversarial_agreement(2_000 if self.small else 100_000, self.device)
        for name, row in found.items():
            _say(f"   {name}: {row}")
        return found

    def agreement(self) -> dict[str, Any]:
        """The two paths against float64 on the model's own text, for nine pairs, in every type."""
        found: dict[str, Any] = {}
        tokens = self._much_text(self._opened(), 60 if self.small else 100_000)
        # Float32 last: its products are the slowest, and what the others leave of the time is its.
        for place, dtype in enumerate(reversed(TYPES)):
            allowed = (self.left() - AFTER_AGREEMENT) / (len(TYPES) - place)
            until = time.perf_counter() + allowed
            model = self._loaded(dtype)
            blocks = (b.states for b in self._blocks(model, tokens))
            found[str(dtype)] = agreement(blocks, model.readout, NINE, until)
            _say(f"   {dtype}: {found[str(dtype)]}")
            self.results["smollm2 agreement"] = found
            self.write()
        return found

    def groups(self) -> dict[str, Any]:
        """Sixteen long sequences through a model of SmolLM2's shape: time and peak memory."""
        model = self._random_model(576, 1536, 30, 9, 49_152, torch.float32, positions=65_536)
        length = 512 if self.small else 32_768
        random = torch.Generator().manual_seed(4)
        rows = torch.randint(0, 49_152, (2 if self.small else 16, length), generator=random)
        own = [TokenSequence(tuple(r[:-64].tolist()), tuple(r[-64:].tolist())) for r in rows]
        if self.device == "cuda":
            torch.cuda.reset_peak_memory_stats()
        started = time.perf_counter()
        counted = 0
        for block in record_states(model.model, model.family, own):
            counted += int(deep_labels(block.states, model.readout, [PAPER]).labels.numel())
        peak = torch.cuda.max_memory_allocated() / 1e9 if self.device == "cuda" else None
        found = {
            "sequences": len(own), "tokens_each": length, "labels": counted,
            "seconds": time.perf_counter() - started, "peak_gb": peak,
        }  # fmt: skip
        _say(f"   {found}")
        return found

    def _much_text(self, model: OpenModel, wanted: int) -> list[TokenSequence]:
        """At least so many tokens that the model wrote, each response behind several prompts."""
        prompts, own = _prompt_ids(model, 6), self._own_text(model)
        sequences: list[TokenSequence] = []
        while sum(len(sequence.response) for sequence in sequences) < wanted:
            turn = len(sequences) // len(own)
            ahead = tuple(prompts[turn % len(prompts)]) * (turn // len(prompts) + (turn > 0))
            sequences += [TokenSequence(ahead + each.prompt, each.response) for each in own]
        return sequences

    def online(self) -> dict[str, Any]:
        """Decoding of SmolLM2 with and without depth."""
        return self._decode(self._opened(), 4 if self.small else 32, 12 if self.small else 48)

    def large_online(self) -> dict[str, Any]:
        """Decoding of a random model of 36 layers and width 4,096 with and without depth."""
        sizes = (64, 128, 6, 4, 500) if self.small else (4096, 12288, 36, 32, 151_936)
        model = self._random_model(*sizes, self.dtype)
        return self._decode(model, 8, 6 if self.small else 64)

    def _random_model(
        self, width: int, inner: int, layers: int, heads: int, vocabulary: int,
        dtype: torch.dtype, positions: int = 4096,
    ) -> OpenModel:  # fmt: skip
        from transformers import AutoConfig, AutoModelForCausalLM

        config = AutoConfig.for_model(
            "llama",
            hidden_size=width,
            intermediate_size=inner,
            num_hidden_layers=layers,
            num_attention_heads=heads,
            num_key_value_heads=max(1, heads // (3 if heads % 3 == 0 else 4)),
            vocab_size=vocabulary,
            max_position_embeddings=positions,
            eos_token_id=None,
            initializer_range=0.02,
        )
        with torch.device(self.device):
            before = torch.get_default_dtype()
            torch.set_default_dtype(dtype)
            try:
                model = AutoModelForCausalLM.from_config(config, dtype=dtype)
            finally:
                torch.set_default_dtype(before)
        model.generation_config.eos_token_id = None
        return open_loaded("random", model.eval(), None)

    def _opened(self) -> OpenModel:
        if self._model is None:
            self._model = self._loaded(self.dtype)
        return self._model

    def _loaded(self, dtype: torch.dtype) -> OpenModel:
        from transformers import AutoModelForCausalLM, AutoTokenizer

        tokenizer = AutoTokenizer.from_pretrained(self.folder)
        model = AutoModelForCausalLM.from_pretrained(self.folder, dtype=dtype)
        return open_loaded("smollm2", model.to(self.device), tokenizer)

    def _compare(self, name: str, states: Tensor, readout: Readout) -> dict[str, Any]:
        layers, tokens, width = states.shape
        normed = readout.normalize(states)
        _say(f"== {name}: {layers} layers, {tokens} tokens, width {width}, "
             f"vocabulary {readout.vocabulary}, {readout.weight.dtype}")  # fmt: skip
        ours = deep_labels(states, readout, [PAPER])
        expected = _reference(states, readout)
        plain = naive(normed, readout)
        wrong = int((ours.labels != expected).sum())
        wrong_naive = int((deep_tokens(plain.T, PAPER) != expected[0]).sum())
        seconds = {
            "naive": self._time(lambda: naive(normed, readout), 3),
            "bare products": self._time(lambda: products(normed, readout), 5),
            "ours": self._time(lambda: deep_labels(states, readout, [PAPER]), 15),
            "full profile": self._time(lambda: _profile(states, readout), 5),
            "products kept in float32": self._time(lambda: wide_products(normed, readout), 5),
        }
        del plain
        if self.compile:
            seconds["compiled"] = self._compiled(normed, readout)
        seconds["ours, no proofs"] = self._time(lambda: _without_proofs(states, readout), 3)
        found = {
            "layers": layers, "tokens": tokens, "width": width, "vocabulary": readout.vocabulary,
            "deep_share": round(float(expected[0].float().mean()), 4),
            "labels_unlike_reference": wrong,
            "labels_of_naive_unlike_reference": wrong_naive,
            "work": {f: getattr(ours.work, f) for f in ours.work.__struct_fields__},
            "seconds": seconds,
            "ratio_naive_to_ours": seconds["naive"] / seconds["ours"],
            "ratio_profile_to_products": seconds["full profile"] / seconds["bare products"],
            "parts of ours": label_parts(states, readout, self._wait),
            "parts of the profile": profile_parts(states, readout, self._wait),
        }  # fmt: skip
        _table(name, found)
        return found

    def _compiled(self, normed: Tensor, readout: Readout) -> float:
        try:
            step = torch.compile(_layer_distance, dynamic=False)
            return self._time(lambda: naive(normed, readout, step), 3)
        except Exception as error:
            _say(f"   compiled loop failed: {type(error).__name__}: {str(error)[:200]}")
            return math.nan

    def _decode(self, model: OpenModel, sequences: int, steps: int) -> dict[str, Any]:
        ids = _prompt_ids(model, sequences)

        def once(every: int | None) -> float:
            online = OnlineDepth(model, sequences, every_steps=every) if every else None
            batch = Batch(model, ids, Sampling(temperature=1.0, seed=1), online)
            batch.advance(4)  # the prompt, and what is compiled at first use
            self._wait()
            started = time.perf_counter()
            batch.advance(steps)
            if online:
                online.ratios()
            self._wait()
            return (time.perf_counter() - started) / steps

        once(None), once(16)
        # A step is bound by the processor and drifts by a fifth: short rounds in turn, and the
        # median of what each round says.
        rounds = 2 if self.small else 5
        rows = [(once(None), once(16)) for _ in range(rounds)]
        plain, buffered = (statistics.median(row[i] for row in rows) for i in range(2))
        slower = statistics.median(row[1] / row[0] - 1 for row in rows)
        each = statistics.median(once(1) for _ in range(2))
        found = {
            "sequences": sequences, "steps": steps, "seconds_per_step": plain,
            "seconds_per_step_online": buffered, "seconds_per_step_online_every_step": each,
            "slower_share": slower, "slower_share_every_step": each / plain - 1,
            "slower_shares": sorted(round(row[1] / row[0] - 1, 4) for row in rows),
        }  # fmt: skip
        _say(f"   decoding {sequences} sequences: {1e3 * plain:.2f} ms per step, online "
             f"{1e3 * buffered:.2f} (+{100 * found['slower_share']:.1f} %), labelling every step "
             f"{1e3 * each:.2f} (+{100 * found['slower_share_every_step']:.1f} %)")  # fmt: skip
        return found

    def _time(self, function: Callable[[], Any], repeats: int) -> float:
        """Median seconds, after three calls that do not count: the first are slower, for what is
        short by a fifth."""
        for _ in range(1 if self.small else 3):
            function()
        taken = []
        for _ in range(2 if self.small else repeats):
            self._wait()
            started = time.perf_counter()
            function()
            self._wait()
            taken.append(time.perf_counter() - started)
        return statistics.median(taken)

    def _wait(self) -> None:
        if self.device == "cuda":
            torch.cuda.synchronize()


def naive(normed: Tensor, readout: Readout, step: Any = None) -> Tensor:
    """JSD of every layer, one softmax in float32 per layer: layers x tokens."""
    step = step or _layer_distance
    last = (normed[-1] @ readout.weight.T).float().log_softmax(-1)
    p = last.exp()
    rows = [step(layer, readout.weight, last, p) for layer in normed[:-1]]
    return torch.stack([*rows, torch.zeros_like(rows[0])])


def _layer_distance(normed: Tensor, weight: Tensor, last: Tensor, p: Tensor) -> Tensor:
    log_q = (normed @ weight.T).float().log_softmax(-1)
    q = log_q.exp()
    log_m = (0.5 * (p + q)).clamp(min=1e-38).log()
    nats = 0.5 * ((p * (last - log_m)).sum(-1) + (q * (log_q - log_m)).sum(-1))
    return nats / math.log(2)


def products(normed: Tensor, readout: Readout) -> None:
    """The matrix products of all layers and nothing else."""
    out = torch.empty(normed.shape[1], readout.vocabulary, dtype=normed.dtype, device=normed.device)
    for layer in normed:
        torch.mm(layer, readout.weight.T, out=out)


def wide_products(normed: Tensor, readout: Readout) -> None:
    """The same with the results in float32, as every distance is computed from."""
    for layer in normed:
        readout.raw_logits(layer)


def synthetic_states(
    layers: int, tokens: int, width: int, vocabulary: int, device: str, dtype: torch.dtype
) -> tuple[Tensor, Readout]:
    """States whose predictions settle as a trained model's do, about 17 % of them late.

    Each token has a likely next token with a few rivals, sharply or vaguely, and a layer at which
    it turns to them; before that it leans to another token and to odd ones that all tokens of a
    layer share. A few settle early, leave and come back.
    """
    random = torch.Generator(device).manual_seed(7)

    def normal(*size: int) -> Tensor:
        return torch.randn(*size, generator=random, device=device)

    def uniform(low: float, high: float, *size: int) -> Tensor:
        return low + (high - low) * torch.rand(*size, generator=random, device=device)

    def unit(x: Tensor) -> Tensor:
        return x / x.norm(dim=-1, keepdim=True)

    weight = 82 / width * normal(vocabulary, width)
    # A state at cosine c to a token's row gives it the logit c * reach, over noise that sums to
    # about log(vocabulary) + 1: c near (log(vocabulary) + 1) / reach is an even chance.
    reach = math.sqrt(width) * float(weight[:64].norm(dim=-1).mean())
    spread = reach / math.sqrt(width)
    even = (math.log(vocabulary) + spread**2 / 2) / reach

    def pick(*size: int) -> Tensor:
        return torch.randint(0, vocabulary, size, generator=random, device=device)

    target = uniform(0.95, 1.9, tokens, 1) * even * unit(weight[pick(tokens)])
    rivals = uniform(0.3, 1.0, tokens, 3, 1) * even * unit(weight[pick(tokens, 3)])
    final = target + rivals.sum(1)
    other = uniform(0.8, 1.5, tokens, 1) * even * unit(weight[pick(tokens)])
    cut = cut_layer(layers, PAPER.rho)
    turn = uniform(0.25 * layers, cut - 4.0, tokens)
    late = torch.rand(tokens, generator=random, device=device) < 0.175
    turn[late] = uniform(cut + 1.5, layers - 0.5, tokens)[late]
    early = torch.rand(tokens, generator=random, device=device) < 0.015
    rest = unit(normal(tokens, width))
    states = torch.empty(layers, tokens, width, device=device, dtype=dtype)
    for index in range(layers):
        number = index + 1
        share = torch.sigmoid((number - turn) / 1.2)
        if number == max(1, cut // 2):
            share = torch.where(early, torch.ones_like(share), share)
        if number == layers:
            share = torch.ones_like(share)
        share = share[:, None]
        odd = (uniform(0.5, 0.9, 4, 1) * even * unit(weight[pick(4)])).sum(0)
        drift = 0.35 * (1 - number / layers)
        mixed = share * final + (1 - share) * (other + odd + 0.7 * rivals.sum(1))
        direction = mixed + (1 - drift) * rest + drift * unit(normal(tokens, width))
        states[index] = (direction * math.sqrt(width)).to(dtype)
    ones = torch.ones(width, device=device, dtype=dtype)

    def norm(x: Tensor) -> Tensor:
        return torch.nn.functional.rms_norm(x, (width,), ones, 1e-6)

    return states, Readout(norm=norm, weight=weight.to(dtype))


def _reference(states: Tensor, readout: Readout) -> Tensor:
    """In pieces: the reference holds whole float64 distributions."""
    parts = [reference_labels(piece, readout, [PAPER]) for piece in states.split(256, 1)]
    return torch.cat(parts, 1)


def _profile(states: Tensor, readout: Readout) -> Any:
    return profile_block(as_block(states), readout, ["jsd"], [PAPER.g])


def _without_proofs(states: Tensor, readout: Readout) -> Any:
    """Ours with bounds that prove nothing: what survivors-only saves alone."""
    from agentdyno_depth.probes import fast

    saved = fast.lower_bounds
    fast.lower_bounds = lambda readout, normed, *rest: torch.zeros(
        normed.shape[:2], device=normed.device
    )
    try:
        return deep_labels(states, readout, [PAPER])
    finally:
        fast.lower_bounds = saved


def _prompt_ids(model: OpenModel, count: int) -> list[list[int]]:
    if model.tokenizer is None:
        random = torch.Generator().manual_seed(3)
        high = model.readout.vocabulary
        return torch.randint(0, high, (count, 24), generator=random).tolist()
    made = [
        model.tokenizer.apply_chat_template(
            [{"role": "user", "content": prompt}], add_generation_prompt=True, return_dict=True
        )["input_ids"]
        for prompt in PROMPTS
    ]
    return [made[index % len(made)] for index in range(count)]


def _table(name: str, found: dict[str, Any]) -> None:
    seconds = found["seconds"]
    _say(f"   {'way':26s} {'ms':>10s} {'times naive':>12s} {'times products':>15s}")
    for way, taken in sorted(seconds.items(), key=lambda pair: -pair[1]):
        _say(f"   {way:26s} {1e3 * taken:10.3f} {seconds['naive'] / taken:12.2f} "
             f"{taken / seconds['bare products']:15.2f}")  # fmt: skip
    flops = 2.0 * found["layers"] * found["tokens"] * found["width"] * found["vocabulary"]
    _say(f"   products run at {flops / seconds['bare products'] / 1e12:.1f} TFLOP/s")
    unlike = (found["labels_unlike_reference"], found["labels_of_naive_unlike_reference"])
    _say(f"   deep {100 * found['deep_share']:.1f} %, unlike float64: ours {unlike[0]}, "
         f"naive {unlike[1]}")  # fmt: skip
    _say(f"   work {found['work']}")
    for part in ("parts of ours", "parts of the profile"):
        _say(f"   {part}, each waited for: {found[part]['whole']:.2f} ms in all")
        for what, taken in sorted(found[part]["milliseconds"].items(), key=lambda pair: -pair[1]):
            rows = found[part]["rows"].get(what)
            _say(f"      {what:24s} {taken:9.3f} ms{f', {rows:,} rows' if rows else ''}")
        doubtful = found[part]["doubtful_by_layer"]
        _say(f"      in doubt: {sum(doubtful)} rows, by layer {doubtful}")


def _versions(device: str) -> dict[str, str]:
    import transformers

    found = {
        "python": platform.python_version(),
        "torch": torch.__version__,
        "transformers": transformers.__version__,
    }
    try:
        import triton

        found["triton"] = triton.__version__
        if device == "cuda":
            found["kernels"] = _kernel_shapes()
    except ImportError:
        found["triton"] = "none"
    if device == "cuda":
        found["gpu"] = torch.cuda.get_device_name()
        found["cuda"] = str(torch.version.cuda)
        query = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]
        try:
            found["driver"] = subprocess.run(
                query, capture_output=True, text=True, timeout=20, check=False
            ).stdout.strip()
        except OSError:
            found["driver"] = "unknown"
    return found


def _kernel_shapes() -> str:
    """Which shapes the kernels of the rows found fastest, by what they were tried for."""
    from agentdyno_depth.probes import rows_triton

    kernels = (rows_triton._last_kernel, rows_triton._distance_kernel)
    return "; ".join(f"{key}: {shape}" for each in kernels for key, shape in each.cache.items())


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
