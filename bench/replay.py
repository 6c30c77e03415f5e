"""How fast is the replay behind GPU-seconds? Turns a second, and what a million of them take.

    python bench/replay.py [TURNS]

Invented agents of ten turns with a growing context, most of it cached, on two shapes (one with
windows), at 1, 64 and 256 at once, with a memory that is too small for all at 256. Ratios are to a
plain Python loop of the same run, so that machines compare.
"""

import sys
import time

import numpy as np

from agentdyno.cost.architectures import load_architectures
from agentdyno.cost.hardware import resolve_hardware
from agentdyno.cost.replay import EngineLimits, Load, replay_load
from agentdyno.cost.steps import theoretical_steps

TURNS_EACH = 10
SHAPES = ("qwen2.5-7b", "gemma-3-4b")
LIMITS = EngineLimits(cache_tokens=600_000)


def invent(turns: int) -> Load:
    """Agents whose context grows by some 600 tokens a turn."""
    chance, many = np.random.default_rng(1), turns // TURNS_EACH
    place = np.tile(np.arange(TURNS_EACH), many)
    context = 1500 + 600 * place + chance.integers(0, 500, len(place))
    return Load(
        first=np.arange(0, len(place) + 1, TURNS_EACH),
        context=context,
        decode=np.maximum(chance.lognormal(4.8, 0.9, len(place)).astype(np.int64), 1),
        cached=np.where(place > 0, context - 700, 0),
        pause=np.zeros(len(place)),
    )


def loop_seconds(rounds: int = 2_000_000) -> float:
    """What a plain loop takes for one round."""
    start, total = time.process_time(), 0
    for number in range(rounds):
        total += number & 3
    return (time.process_time() - start) / rounds


def main() -> None:
    load = invent(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
    turns, one = len(load.context), loop_seconds()
    hardware = resolve_hardware("h200-sxm")
    print(f"{turns:,} turns; a round of a plain loop takes {1e9 * one:.0f} ns")
    for name in SHAPES:
        shape = load_architectures()[name]
        steps = theoretical_steps(shape, hardware)
        for at_once in (1, 64, 256):
            start = time.process_time()
            found = replay_load(load, at_once, shape, steps, LIMITS)
            taken = (time.process_time() - start) / turns
            print(
                f"{name}, {at_once} at once: {1e6 * taken:.1f} us a turn, {taken / one:,.0f} "
                f"rounds; a million in {1e6 * taken:.0f} s ({found.preemptions:,} preempted)"
            )


if __name__ == "__main__":
    main()
