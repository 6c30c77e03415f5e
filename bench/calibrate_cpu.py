"""Does a calibration on this CPU order trajectories as their seconds do?

    python bench/calibrate_cpu.py

Calibrates the embedded model in plain transformers, then runs twelve made-up trajectories with it
and compares the seconds that the profile predicts with those they took: Spearman's rank
correlation, and that of output tokens and of PTE beside it.
"""

import asyncio
import random
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from scipy.stats import spearmanr

from agentdyno.cost.architectures import load_architectures
from agentdyno.cost.gamma import gamma
from agentdyno.cost.hardware import resolve_hardware
from agentdyno.cost.physical import gpu_seconds
from agentdyno.cost.servings import Servings
from agentdyno_depth.pipelines.calibrate import CalibrateOptions, run_calibration
from agentdyno_depth.probes.calibration.measuring import prompt
from agentdyno_depth.probes.calibration.transformers_engine import start_transformers

TRAJECTORIES = 12


def drawn(chance: random.Random) -> list[tuple[int, int]]:
    """Turns of one trajectory: context and decoded tokens."""
    context, turns = chance.randrange(30, 400), []
    for _ in range(chance.randrange(1, 4)):
        decode = chance.randrange(3, 25)
        turns.append((context, decode))
        context += decode + chance.randrange(20, 120)
    return turns


async def run(items: list[list[tuple[int, int]]]) -> list[float]:
    engine = start_transformers("smollm2", dummy=False, device="cpu")
    chance, taken = random.Random(5), []
    await engine.generate(prompt(chance, engine, 32), 2)
    for turns in items:
        start = engine.clock()
        for context, decode in turns:
            await engine.generate(prompt(chance, engine, context), decode)
        taken.append(engine.clock() - start)
    return taken


def main() -> None:
    start, cpu = time.perf_counter(), time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "cpu.toml"
        found = run_calibration(CalibrateOptions(), out, report=lambda s: print(s, file=sys.stderr))
        apart = found.found.noise
        noise = "unknown" if apart is None else f"{apart:.1%}"
        print(
            f"calibrated in {time.perf_counter() - start:.0f} s, "
            f"{time.process_time() - cpu:.0f} CPU-seconds, error {found.found.error:.1%}, "
            f"noise {noise}{', too noisy' if found.found.noisy else ''}"
        )
        serving = Servings(str(out)).of("smollm2-135m")
    chance = random.Random(3)
    items = [drawn(chance) for _ in range(TRAJECTORIES)]
    taken = asyncio.run(run(items))
    shape = load_architectures()["smollm2-135m"]
    per_pair = gamma(shape, resolve_hardware()).value
    said, pte, output = [], [], []
    for turns in items:
        context, decode = (np.array(column, float) for column in zip(*turns, strict=True))
        said.append(float(gpu_seconds(serving, context, context, decode).total.sum()))
        pte.append(float((context + per_pair * context * decode).sum()))
        output.append(float(decode.sum()))
    off = np.abs(np.array(said) / np.array(taken) - 1).mean()
    print(f"physical, calibrated: rho {spearmanr(said, taken).statistic:.3f}, mean error {off:.1%}")
    print(
        f"PTE: rho {spearmanr(pte, taken).statistic:.3f}; "
        f"output tokens: rho {spearmanr(output, taken).statistic:.3f}"
    )


if __name__ == "__main__":
    main()
