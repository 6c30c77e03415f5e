"""How often the intervals of a calibration hold the truth: `python bench/calibration_coverage.py`.

Engines are simulated: an open model of the registry on a card, at shares of its peaks, ways in and
prefill overheads drawn at random; the bursts of a plan are replayed, each with a jitter of its own,
and fitted as measured ones are. Prints, for each printed parameter, the share of intervals that
hold the engine's own value, and the median width of the interval over the value.
"""

import argparse
import sys
from collections import defaultdict

import numpy as np

from agentdyno.cost.architectures import load_architectures
from agentdyno.cost.hardware import resolve_hardware
from agentdyno.cost.replay import CHUNK_TOKENS, Turn, replay
from agentdyno.cost.shape import Architecture
from agentdyno.cost.step_model import Efficiency, StepModel
from agentdyno.cost.steps import theoretical_steps
from agentdyno_depth.fitting.calibration import BLOCK, Burst
from agentdyno_depth.fitting.intervals import Intervals
from agentdyno_depth.fitting.layout import Layout
from agentdyno_depth.probes.calibration.measuring import SERVER
from agentdyno_depth.reports.calibration import list_parameters

MODELS = ("qwen2.5-7b", "llama-3.1-8b", "qwen3-14b", "qwen3-30b-a3b", "gemma-3-12b",
          "mistral-small-3", "gpt-oss-20b", "qwen3-0.6b", "llama-3.2-3b")  # fmt: skip
CARDS = ("h100-sxm", "h200-sxm", "a100", "l40s", "h100-pcie")
Noise = tuple[float, bool]
"""Standard deviation of the logarithms, and whether pauses alone make bursts longer."""
NOISES: dict[str, Noise] = {
    "none": (0.0, False),
    "2 %": (0.02, False),
    "10 %": (0.10, False),
    "10 %, pauses": (0.10, True),
}


def draw_engine(rng: np.random.Generator) -> tuple[Architecture, StepModel]:
    """An engine: its curve for decoding, and another for steps that prefill."""
    shape = load_architectures()[str(rng.choice(MODELS))]
    card = resolve_hardware(str(rng.choice(CARDS)))
    reached = Efficiency(
        flops=rng.uniform(0.35, 0.75),
        expert_flops=rng.uniform(0.15, 0.45),
        bandwidth=rng.uniform(0.5, 0.9),
        cache_bandwidth=rng.uniform(0.4, 0.9),
        attention_flops=rng.uniform(0.2, 0.6),
        step_seconds=rng.uniform(0.0003, 0.004),
        layer_seconds=rng.uniform(0.5e-5, 4e-5),
        request_seconds=rng.uniform(0.001, 0.02),
    )
    steps = theoretical_steps(shape, card, reached)
    slower, more = rng.uniform(1.0, 1.3), rng.uniform(0.0, 0.006)
    engine = StepModel(
        tokens=steps.tokens,
        seconds=steps.seconds,
        read_seconds=steps.read_seconds,
        attend_seconds=steps.attend_seconds,
        request_seconds=steps.request_seconds,
        send_seconds=rng.uniform(0.0001, 0.001),
        send_token_seconds=rng.uniform(1e-7, 1e-6),
        mixed_tokens=steps.tokens,
        mixed_seconds=tuple(slower * seconds + more for seconds in steps.seconds),
    )
    return shape, engine


def send_bursts(
    shape: Architecture, engine: StepModel, noise: Noise, rng: np.random.Generator
) -> list[Burst]:
    """The plan's bursts with the seconds that this engine would take."""
    rows: list[Burst] = []

    def send(kind: str, batch: int, context: int, decode: int, repeats: int) -> None:
        cached = (context - 1) // BLOCK * BLOCK if kind == "decode" else 0
        turns = [[Turn(context, decode, cached)]] * batch
        taken = replay(turns, batch, shape, engine).makespan_seconds
        rows.extend(
            Burst(kind, batch, context, decode, repeat, taken * _jitter(noise, rng))
            for repeat in range(repeats)
        )

    for length in SERVER.prefills:
        send("prefill", 1, length, 1, SERVER.repeats)
    for batch, context in SERVER.decodes:
        send("prefill", batch, context, 1, 1)
        for decode in SERVER.list_decodes(batch):
            send("decode", batch, context, decode, SERVER.repeats)
    return rows


def bound(rows: list[Burst], shape: Architecture) -> tuple[StepModel, StepModel]:
    """The intervals that `calibrate` gives, without the fit of the values: those are put into the
    intervals if they lie outside, so this counts too few hits rather than too many."""
    times: dict[tuple[str, int, int, int], list[float]] = defaultdict(list)
    for b in rows:
        times[b.kind, b.batch, b.context, b.decode].append(b.seconds)
    batches = sorted({float(key[1]) for key in times if key[0] == "decode"})
    single = [float(k[2]) for k in times if k[:2] == ("prefill", 1) and k[2] <= CHUNK_TOKENS]
    layout = Layout(tuple(batches), (1.0, *sorted(set(single))))
    found = Intervals(times, shape, layout, CHUNK_TOKENS, keeps_prefixes=True)
    low, high = found.bound_all()
    return layout.model(low), layout.model(high)


def _jitter(noise: Noise, rng: np.random.Generator) -> float:
    size, is_pause = noise
    drawn = size * rng.standard_normal()
    return float(np.exp(abs(drawn) if is_pause else drawn))


def main() -> None:
    """Prints a table for each noise."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--engines", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--noise", choices=tuple(NOISES), action="append")
    given = parser.parse_args()
    for name in given.noise or NOISES:
        held: dict[str, list[bool]] = defaultdict(list)
        widths: dict[str, list[float]] = defaultdict(list)
        for number in range(given.engines):
            rng = np.random.default_rng([given.seed, number])
            shape, engine = draw_engine(rng)
            rows = send_bursts(shape, engine, NOISES[name], rng)
            low_model, high_model = bound(rows, shape)
            for word, of, _ in list_parameters(low_model):
                low, high = sorted((of(low_model), of(high_model)))
                held[word].append(low * (1 - 1e-9) <= of(engine) <= high * (1 + 1e-9))
                widths[word].append((high - low) / of(engine))
        every = [one for ones in held.values() for one in ones]
        print(f"jitter {name}: {np.mean(every):.1%} of {len(every)} intervals hold the truth")
        for word, ones in held.items():
            print(f"    {word:28}{np.mean(ones):7.1%}   width {np.median(widths[word]):6.1%}")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
