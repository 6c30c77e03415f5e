"""Our seconds and watts against what others measured and published.

    python bench/public_measurements.py score            the table, and what fails in it
    python bench/public_measurements.py check            exit 1 where a group is worse than it was
    python bench/public_measurements.py record           what it is, for the next check
    python bench/public_measurements.py collect FOLDER   the rows again, from the repositories

No seconds were fitted to these rows, and none may be: a change of theory counts when they are
nearer afterwards. How wide a range of watts and of energy is was set on every other model
(`SET_ON`); how many rows it holds is counted on the others. Which rows, and how long their prompts
are, was fixed before the first scoring.

ML.ENERGY (`bench/public/ml_energy.csv`; github.com/ml-energy/leaderboard at 0cd52da, which has no
licence, the benchmark behind it is Apache 2.0; figures alone are kept): vLLM 0.11.1 on H100 and
B200, real weights, real prompts. All rows of text models whose shape the registry has, but those
with data parallelism. Compared is the median time between two tokens with a decoding step at the
run's mean batch and mean context. The mean context is the prompt and, from the row's own histogram
of output lengths L, sum(L^2) / 2 sum(L). That engine schedules synchronously, so its steps are
taken with what that cost on our own card (`SYNCHRONOUS`, from `bench/gpt_oss`). Watts: whether the
range for that batch holds the measured mean.

InferenceX (`bench/public/inferencex.csv`; github.com/SemiAnalysisAI/InferenceX at 843c625, Apache
2.0, experimental/token_position_decode_slo): two mixtures on eight H200 under vLLM, prompts of
equal length, 128 tokens generated, ten requests for each of those at once. Compared is the time of
the whole run with the replay's. GLM-5 is left out (its shape is not in the registry), and so are
MiniMax's runs with data parallelism.

SWE-Effi is not scored: what its files call measured GPU time is the wall time of requests to two
providers, on cards and at a load that nobody states (24 to 800 ms for each generated token).
"""

import csv
import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from statistics import mean, median
from typing import Any, NamedTuple

import numpy as np
from msgspec.structs import replace

from agentdyno.cost.architectures import load_architectures
from agentdyno.cost.batching import EngineLimits
from agentdyno.cost.hardware import resolve_hardware
from agentdyno.cost.memory import fit_memory
from agentdyno.cost.power import power_of, widen
from agentdyno.cost.quantization import Precision
from agentdyno.cost.replay import Turn, load_of, replay_load
from agentdyno.cost.serving_evidence import NEVER_MEASURED
from agentdyno.cost.shape import Architecture
from agentdyno.cost.step_model import SYNCHRONOUS
from agentdyno.cost.steps import numbers_read, theoretical_steps

HERE = Path(__file__).parent / "public"
RECORDED = HERE / "errors.json"
WORSE = 0.01
"""How much the mean error of a group may grow before `check` fails."""
CARDS = {"H100": "h100-sxm", "B200": "b200", "H200": "h200-sxm"}
PROMPT_TOKENS = {"gpqa": 300, "lm-arena-chat": 245, "sourcegraph-fim": 400}
"""GPQA and completion by estimate; chat as the benchmark's own documentation shows a request."""
MODELS = {
    "Qwen/Qwen3-8B": "qwen3-8b",
    "Qwen/Qwen3-14B": "qwen3-14b",
    "Qwen/Qwen3-32B": "qwen3-32b",
    "Qwen/Qwen3-30B-A3B-Thinking-2507": "qwen3-30b-a3b",
    "Qwen/Qwen3-30B-A3B-Instruct-2507": "qwen3-30b-a3b",
    "Qwen/Qwen3-Coder-30B-A3B-Instruct": "qwen3-30b-a3b",
    "Qwen/Qwen3-235B-A22B-Thinking-2507": "qwen3-235b-a22b",
    "Qwen/Qwen3-235B-A22B-Thinking-2507-FP8": "qwen3-235b-a22b",
    "Qwen/Qwen3-235B-A22B-Instruct-2507": "qwen3-235b-a22b",
    "Qwen/Qwen3-235B-A22B-Instruct-2507-FP8": "qwen3-235b-a22b",
    "Qwen/Qwen3-Coder-480B-A35B-Instruct": "qwen3-coder-480b-a35b",
    "Qwen/Qwen3.5-397B-A17B": "qwen3.5-397b-a17b",
    "deepseek-ai/DeepSeek-R1-0528": "deepseek-r1",
    "deepseek-ai/DeepSeek-V3.1": "deepseek-v3.1",
    "google/gemma-3-12b-it": "gemma-3-12b",
    "google/gemma-3-27b-it": "gemma-3-27b",
    "meta-llama/Llama-3.1-8B-Instruct": "llama-3.1-8b",
    "meta-llama/Llama-3.1-70B-Instruct": "llama-3.1-70b",
    "meta-llama/Llama-3.3-70B-Instruct": "llama-3.3-70b",
    "meta-llama/Llama-3.1-405B-Instruct": "llama-3.1-405b",
    "meta-llama/Llama-3.1-405B-Instruct-FP8": "llama-3.1-405b",
    "meta-llama/Llama-4-Scout-17B-16E-Instruct": "llama-4-scout",
    "meta-llama/Llama-4-Maverick-17B-128E-Instruct-FP8": "llama-4-maverick",
    "MiniMaxAI/MiniMax-M2.5": "minimax-m2",
    "nvidia/NVIDIA-Nemotron-Nano-9B-v2": "nemotron-nano-9b-v2",
    "openai/gpt-oss-20b": "gpt-oss-20b",
    "openai/gpt-oss-120b": "gpt-oss-120b",
}
SET_ON = frozenset(sorted(MODELS)[::2])
"""Those whose rows set the widths of `power.ALONE` and `FULL`, and of `NEVER_MEASURED`."""
IN_BLOCKS = ("Qwen/", "deepseek-ai/", "MiniMaxAI/")
"""Releases in 8 bits whose weights have a scale for each block."""


class Decoding(NamedTuple):
    """A row of ML.ENERGY."""

    task: str
    model: str
    card: str
    cards: int
    bits: str
    seats: int
    """The most sequences at once that the server was told."""
    batch: float
    context: float
    itl_ms: float
    watts: float
    """Of all cards."""


class Serving(NamedTuple):
    """A row of InferenceX."""

    model: str
    card: str
    cards: int
    bits: str
    at_once: int
    context: int
    decode: int
    requests: int
    seconds: float


class Found(NamedTuple):
    """One row beside what we say of it."""

    group: str
    error: float
    holds: tuple[bool, bool] | None = None
    """Whether the ranges of watts and of energy hold what was measured; None for a model that set
    them."""


def read_rows(path: Path, kind: type[Any]) -> list[Any]:
    types = kind.__annotations__
    with path.open(newline="") as file:
        return [kind(*(types[k](v) for k, v in row.items())) for row in csv.DictReader(file)]


@cache
def architecture(model: str, bits: str) -> Architecture:
    shape = load_architectures()[MODELS[model]]
    if bits != "fp8":
        return shape
    blocks = model.startswith(IN_BLOCKS)
    return replace(shape, precision=Precision("fp8", weights=8.0, compute=8, blocks=blocks))


def step_seconds(row: Decoding) -> float:
    """One decoding step by theory."""
    shape = architecture(row.model, row.bits)
    card = resolve_hardware(CARDS[row.card])
    steps = theoretical_steps(shape, card, SYNCHRONOUS, row.cards)
    reading = steps.read_seconds * float(numbers_read(shape, row.context, 1.0)) * row.batch
    return float(steps.decoding(np.array([row.batch]))[0]) + reading


def hold(row: Decoding) -> tuple[bool, bool]:
    """Whether watts, and watts times seconds of a step, are inside their ranges."""
    power = power_of(resolve_hardware(CARDS[row.card]))
    assert power is not None
    drawn = power.at(row.batch).decode
    watts, seconds = row.watts / row.cards, step_seconds(row)
    low, high = widen((drawn.low * seconds, drawn.high * seconds), NEVER_MEASURED)
    return drawn.low <= watts <= drawn.high, low <= watts * row.itl_ms / 1e3 <= high


def run_seconds(row: Serving) -> float:
    """The whole run by replay."""
    shape, card = architecture(row.model, row.bits), resolve_hardware(CARDS[row.card])
    fit = fit_memory(shape, card, row.cards)
    limits = EngineLimits(cache_tokens=fit.cache_tokens, sequence_tokens=fit.sequence_tokens)
    steps = theoretical_steps(shape, card, gpus=row.cards)
    load = load_of([[Turn(row.context, row.decode, 0)]] * row.requests)
    return replay_load(load, row.at_once, shape, steps, limits).makespan_seconds


def compare() -> Iterator[Found]:
    for row in read_rows(HERE / "ml_energy.csv", Decoding):
        error = 1e3 * step_seconds(row) / row.itl_ms - 1
        name = f"{kind_of(row.model)}, {row.bits}, {row.card}, {count_cards(row.cards)}"
        yield Found(name, error, None if row.model in SET_ON else hold(row))
    for run in read_rows(HERE / "inferencex.csv", Serving):
        name = f"InferenceX: {MODELS[run.model]}, {run.bits}, {run.cards} x {run.card}"
        yield Found(name, run_seconds(run) / run.seconds - 1)


def kind_of(model: str) -> str:
    shape = load_architectures()[MODELS[model]]
    if "gpt-oss" in shape.name:
        return shape.name
    if shape.state_bytes:
        return "hybrid"
    return "mixture" if shape.experts else "dense"


def count_cards(cards: int) -> str:
    return "one card" if cards == 1 else "several"


def grouped() -> dict[str, list[Found]]:
    groups: dict[str, list[Found]] = defaultdict(list)
    for found in compare():
        groups[found.group].append(found)
    return dict(sorted(groups.items()))


def summarise() -> dict[str, float]:
    """The mean error of each group."""
    return {
        name: round(mean(abs(row.error) for row in rows), 4) for name, rows in grouped().items()
    }


def score() -> None:
    print("| group | rows | mean error | median, with its sign | worst | watts, energy within |")
    print("|---|---:|---:|---:|---:|---:|")
    every: list[float] = []
    every_held: list[tuple[bool, bool]] = []
    for name, rows in grouped().items():
        errors = [row.error for row in rows]
        every += errors
        worst = max(errors, key=abs)
        held = [row.holds for row in rows if row.holds is not None]
        every_held += held
        ranges = describe_held(held) if held else ""
        fails = mean(map(abs, errors)) > 0.1
        print(
            f"| {name}{' **fails**' if fails else ''} | {len(rows)} | "
            f"{mean(map(abs, errors)):.1%} | {median(errors):+.1%} | {worst:+.1%} | {ranges} |"
        )
    within = sum(abs(error) <= 0.1 for error in every)
    print(f"\n{len(every)} rows, {within} within 10 %, {mean(map(abs, every)):.1%} off on average")
    print(
        f"ranges of watts and of energy, models that did not set them: {describe_held(every_held)}"
    )


def describe_held(held: list[tuple[bool, bool]]) -> str:
    watts, energy = (sum(each) for each in zip(*held, strict=True))
    return f"{watts}, {energy} of {len(held)}"


def check() -> int:
    """Names the groups that are worse than recorded."""
    recorded = json.loads(RECORDED.read_text())
    worse = {
        name: (recorded.get(name, 0.0), error)
        for name, error in summarise().items()
        if error > recorded.get(name, 0.0) + WORSE
    }
    for name, (was, now) in worse.items():
        print(f"{name}: {now:.1%} off, was {was:.1%}")
    return 1 if worse else 0


def record() -> None:
    RECORDED.write_text(json.dumps(summarise(), indent=1) + "\n")


def collect(mirrors: Path) -> None:
    """The rows, from bare copies of the repositories named OWNER+NAME."""
    read = _reader(mirrors / "ml-energy+leaderboard" / "repo")
    decoding = []
    for model in sorted(MODELS):
        for task, prompt in PROMPT_TOKENS.items():
            text = read(f"public/data/models/{model.replace('/', '__')}__{task}.json")
            if text:
                decoding += list(_ml_energy(json.loads(text), task, prompt))
    _write(HERE / "ml_energy.csv", Decoding, decoding)
    read = _reader(mirrors / "SemiAnalysisAI+InferenceX" / "repo")
    folder = "experimental/token_position_decode_slo"
    runs = []
    for place, mark in (("qwen3.5", "_tp8_"), ("minimax-m2.5", "_tep8_")):
        names = read(f"{folder}/{place}/results/").splitlines()
        paths = (f"{folder}/{place}/results/{name}" for name in names if mark in name)
        runs += [_inferencex(json.loads(read(path))) for path in paths]
    _write(HERE / "inferencex.csv", Serving, sorted(runs))


def _reader(repository: Path) -> Callable[[str], str]:
    def read(path: str) -> str:
        command = ["git", "-C", str(repository), "show", f"HEAD:{path}"]
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout

    return read


def _ml_energy(found: dict[str, Any], task: str, prompt: int) -> Iterator[Decoding]:
    for row in found["configurations"]:
        if row["parallelization"].get("data_parallel", 1) > 1:
            continue
        spread = row["output_length_distribution"]
        lengths = (np.array(spread["bins"][1:]) + np.array(spread["bins"][:-1])) / 2
        counts = np.array(spread["counts"])
        position = float((counts * lengths**2).sum() / (2 * (counts * lengths).sum()))
        bits = found["weight_precision"]
        yield Decoding(
            task, found["model_id"], row["gpu_model"], row["num_gpus"],
            "16" if bits == "bfloat16" else bits, row["max_num_seqs"],
            round(row["avg_batch_size"], 2), round(prompt + position, 1),
            round(row["median_itl_ms"], 3), round(row["avg_power_watts"], 1),
        )  # fmt: skip


def _inferencex(found: dict[str, Any]) -> Serving:
    count = found["completed"]
    return Serving(
        found["model_id"], "H200", 8, "fp8" if "MiniMax" in found["model_id"] else "16",
        found["max_concurrency"], found["total_input_tokens"] // count,
        found["total_output_tokens"] // count, count, round(found["duration"], 3),
    )  # fmt: skip


def _write(path: Path, kind: type[Any], rows: list[Any]) -> None:
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(kind._fields)
        writer.writerows(rows)
    print(f"{path.name}: {len(rows)} rows")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["score"]:
            score()
        case ["check"]:
            raise SystemExit(check())
        case ["record"]:
            record()
        case ["collect", folder]:
            collect(Path(folder))
        case _:
            raise SystemExit(__doc__)
